package import Bytes
package import SMP

/// A phone's side of one pairing, from figures 2.3 and 2.4 of the Core Specification,
/// Vol 3, Part H: no states, no checks of order.
///
/// Shares nothing with `Pairing` but the PDUs and the toolbox.
package struct Responder {
  private let initiator: DeviceAddress
  private let own: DeviceAddress
  private let features: PairingFeatures
  private var crypto: SeededCrypto
  private let keys: KeyPair
  private let nonce: Octets<16>
  private var request: Octets<3> = Octets()
  private var peerKey = PublicKey(x: Octets(), y: Octets())
  private var peerNonce: Octets<16> = Octets()

  /// The number that it shows.
  package private(set) var digits: UInt32 = 0
  /// The key that it has, once the other side has proved that it has the same.
  package private(set) var longTermKey: Octets<16>?

  /// A phone at the address `own` that answers a Pairing Request with `features`;
  /// its nonce is that of the seed.
  package init(
    initiator: DeviceAddress, own: DeviceAddress, features: PairingFeatures, seed: UInt64 = 0
  ) throws(CryptoError) {
    (self.initiator, self.own, self.features) = (initiator, own, features)
    crypto = SeededCrypto(.responder, seed: seed)
    keys = try crypto.makeKeyPair()
    nonce = try crypto.random()
  }

  /// What it says to a command.
  package mutating func answers(_ command: SecurityPDU) throws(CryptoError) -> [SecurityPDU] {
    switch command {
    case .pairingRequest(let asked):
      request = asked.capabilityOctets
      return [.pairingResponse(features)]
    case .pairingPublicKey(let key):
      peerKey = key
      let confirm = crypto.f4(u: keys.publicKey.x, v: key.x, x: nonce, z: 0)
      return [.pairingPublicKey(keys.publicKey), .pairingConfirm(confirm)]
    case .pairingRandom(let value):
      peerNonce = value
      digits = crypto.g2(u: peerKey.x, v: keys.publicKey.x, x: value, y: nonce) % 1_000_000
      return [.pairingRandom(nonce)]
    case .pairingDHKeyCheck(let value): return [try check(value)]
    default: return []
    }
  }

  private mutating func check(_ value: Octets<16>) throws(CryptoError) -> SecurityPDU {
    let secret = try crypto.sharedSecret(privateKey: keys.privateKey, publicKey: peerKey)
    let (macKey, key) = crypto.f5(w: secret, n1: peerNonce, n2: nonce, a1: initiator, a2: own)
    let wanted = crypto.f6(
      w: macKey, n1: peerNonce, n2: nonce, r: Octets(), ioCapability: request, a1: initiator,
      a2: own)
    guard value == wanted else { return .pairingFailed(.dhKeyCheckFailed) }
    longTermKey = key
    return .pairingDHKeyCheck(
      crypto.f6(
        w: macKey, n1: nonce, n2: peerNonce, r: Octets(), ioCapability: features.capabilityOctets,
        a1: own, a2: initiator))
  }
}

package import Bytes
package import SMP

/// A phone's side of one pairing that it begins, from figures 2.3 and 2.4 of the Core Specification,
/// Vol 3, Part H: no states, no checks of order.
///
/// Shares nothing with `Pairing` but the PDUs and the toolbox.
package struct Initiator {
  private let own: DeviceAddress
  private let responder: DeviceAddress
  private let features: PairingFeatures
  private var crypto: SeededCrypto
  private let keys: KeyPair
  private let nonce: Octets<16>
  private var response: Octets<3> = Octets()
  private var peerKey = PublicKey(x: Octets(), y: Octets())
  private var peerConfirm: Octets<16> = Octets()
  private var peerNonce: Octets<16> = Octets()

  /// The number that it shows.
  package private(set) var digits: UInt32 = 0
  /// The key that it has, once the other side has proved that it has the same.
  package private(set) var longTermKey: Octets<16>?

  /// A phone at the address `own` that asks with `features`; its nonce is that of the seed.
  ///
  /// Its keys are those of a side: never of the one that the host has, which would refuse its own.
  package init(
    own: DeviceAddress, responder: DeviceAddress, features: PairingFeatures, seed: UInt64 = 0,
    keysOf side: SeededCrypto.Side = .initiator
  ) throws(CryptoError) {
    (self.own, self.responder, self.features) = (own, responder, features)
    crypto = SeededCrypto(side, seed: seed)
    keys = try crypto.makeKeyPair()
    nonce = try crypto.random()
  }

  /// What it begins with.
  package var request: SecurityPDU { .pairingRequest(features) }

  /// What it says to a command.
  package mutating func answers(_ command: SecurityPDU) throws(CryptoError) -> [SecurityPDU] {
    switch command {
    case .pairingResponse(let agreed):
      response = agreed.capabilityOctets
      return [.pairingPublicKey(keys.publicKey)]
    case .pairingPublicKey(let key): peerKey = key
    case .pairingConfirm(let value):
      peerConfirm = value
      return [.pairingRandom(nonce)]
    case .pairingRandom(let value):
      peerNonce = value
      guard crypto.f4(u: peerKey.x, v: keys.publicKey.x, x: value, z: 0) == peerConfirm else {
        return [.pairingFailed(.confirmValueFailed)]
      }
      digits = crypto.g2(u: keys.publicKey.x, v: peerKey.x, x: nonce, y: value) % 1_000_000
    case .pairingDHKeyCheck(let value):
      let secret = try secrets()
      guard value == check(by: secret.macKey, of: response, isOwn: false) else {
        return [.pairingFailed(.dhKeyCheckFailed)]
      }
      longTermKey = secret.longTermKey
    default: break
    }
    return []
  }

  /// What it says once its owner has seen the same number: Ea.
  package mutating func agreement() throws(CryptoError) -> SecurityPDU {
    .pairingDHKeyCheck(check(by: try secrets().macKey, of: features.capabilityOctets, isOwn: true))
  }

  private mutating func secrets() throws(CryptoError) -> (
    macKey: Octets<16>, longTermKey: Octets<16>
  ) {
    let secret = try crypto.sharedSecret(privateKey: keys.privateKey, publicKey: peerKey)
    return crypto.f5(w: secret, n1: nonce, n2: peerNonce, a1: own, a2: responder)
  }

  /// Ea, which is its own, or Eb.
  private func check(by macKey: Octets<16>, of capability: Octets<3>, isOwn: Bool) -> Octets<16> {
    isOwn
      ? crypto.f6(
        w: macKey, n1: nonce, n2: peerNonce, r: Octets(), ioCapability: capability, a1: own,
        a2: responder)
      : crypto.f6(
        w: macKey, n1: peerNonce, n2: nonce, r: Octets(), ioCapability: capability, a1: responder,
        a2: own)
  }
}

import Bytes
import Crypto
import HCI
import SMP

/// The responder's side of a numeric comparison, straight from figures 2.3 and 2.4 of the Core
/// Specification, Vol 3, Part H: no states, no checks of order.
struct Phone {
  private let initiator: DeviceAddress
  private let own: DeviceAddress
  private var crypto = SoftwareCrypto()
  private let keys: KeyPair
  private let nonce: Octets<16>
  private var request: Octets<3> = Octets()
  private let features = PairingFeatures(
    ioCapability: .displayYesNo, hasOOBData: false, authentication: .secureBonding, maxKeySize: 16,
    initiatorKeys: .none, responderKeys: .none)
  private var peerKey = PublicKey(x: Octets(), y: Octets())
  private var peerNonce: Octets<16> = Octets()
  private(set) var digits: UInt32 = 0
  private(set) var longTermKey: Octets<16> = Octets()

  init(initiator: DeviceAddress, own: DeviceAddress) throws {
    (self.initiator, self.own) = (initiator, own)
    keys = try crypto.makeKeyPair()
    nonce = try crypto.random()
  }

  mutating func answers(_ command: SecurityPDU) throws -> [SecurityPDU] {
    switch command {
    case .pairingRequest(let wish):
      request = wish.capabilityOctets
      return [.pairingResponse(features)]
    case .pairingPublicKey(let key):
      peerKey = key
      let confirm = crypto.f4(u: keys.publicKey.x, v: key.x, x: nonce, z: 0)
      return [.pairingPublicKey(keys.publicKey), .pairingConfirm(confirm)]
    case .pairingRandom(let value):
      peerNonce = value
      digits = crypto.g2(u: peerKey.x, v: keys.publicKey.x, x: value, y: nonce) % 1_000_000
      return [.pairingRandom(nonce)]
    case .pairingDHKeyCheck(let check):
      let secret = try crypto.sharedSecret(privateKey: keys.privateKey, publicKey: peerKey)
      let (macKey, key) = crypto.f5(w: secret, n1: peerNonce, n2: nonce, a1: initiator, a2: own)
      longTermKey = key
      let wanted = crypto.f6(
        w: macKey, n1: peerNonce, n2: nonce, r: Octets(), ioCapability: request, a1: initiator,
        a2: own)
      guard check == wanted else { return [.pairingFailed(.dhKeyCheckFailed)] }
      return [
        .pairingDHKeyCheck(
          crypto.f6(
            w: macKey, n1: nonce, n2: peerNonce, r: Octets(),
            ioCapability: features.capabilityOctets, a1: own, a2: initiator))
      ]
    default: return []
    }
  }
}

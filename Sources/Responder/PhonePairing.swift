package import Bytes
package import SMP

/// A phone's side of one pairing, from figures 2.3 and 2.4 of the Core Specification,
/// Vol 3, Part H: no states, no checks of order.
///
/// Shares nothing with `Pairing` but the PDUs and the toolbox.
package struct PhonePairing {
  package let isInitiator: Bool
  private let own, peer: DeviceAddress
  private let features: PairingFeatures
  private var crypto: SeededCrypto
  private let keys: KeyPair
  private let nonce: Octets<16>
  /// What the other side can do, its key, and its nonce with the confirm value for it.
  private var peerCapability: Octets<3> = Octets()
  private var peerKey = PublicKey(x: Octets(), y: Octets())
  private var peerConfirm: Octets<16> = Octets()
  private var peerNonce: Octets<16> = Octets()

  /// The number that it shows.
  package private(set) var digits: UInt32 = 0
  /// The key that it has, once the other side has proved that it has the same.
  package private(set) var longTermKey: Octets<16>?

  /// A phone at the address `own` that asks with `features`; its nonce is that of the seed.
  ///
  /// Its keys are those of `side`, which must not be the host's side: a host refuses its own key.
  package init(
    own: DeviceAddress, responder: DeviceAddress, features: PairingFeatures, seed: UInt64 = 0,
    keysOf side: SeededCrypto.Side = .initiator
  ) throws(CryptoError) {
    try self.init(own, isInitiator: true, responder, features, SeededCrypto(side, seed: seed))
  }

  /// A phone that answers a Pairing Request with `features`.
  package init(
    initiator: DeviceAddress, own: DeviceAddress, features: PairingFeatures, seed: UInt64 = 0
  ) throws(CryptoError) {
    let crypto = SeededCrypto(.responder, seed: seed)
    try self.init(own, isInitiator: false, initiator, features, crypto)
  }

  private init(
    _ own: DeviceAddress, isInitiator: Bool, _ peer: DeviceAddress, _ features: PairingFeatures,
    _ crypto: SeededCrypto
  ) throws(CryptoError) {
    (self.own, self.isInitiator, self.peer, self.features) = (own, isInitiator, peer, features)
    self.crypto = crypto
    keys = try self.crypto.makeKeyPair()
    nonce = try self.crypto.random()
  }

  /// What an initiator begins with.
  package var request: SecurityPDU { .pairingRequest(features) }

  /// What it answers to a command.
  package mutating func answers(_ command: SecurityPDU) throws(CryptoError) -> [SecurityPDU] {
    switch command {
    case .pairingRequest(let asked) where !isInitiator:
      peerCapability = asked.capabilityOctets
      return [.pairingResponse(features)]
    case .pairingResponse(let agreed) where isInitiator:
      peerCapability = agreed.capabilityOctets
      return [.pairingPublicKey(keys.publicKey)]
    case .pairingPublicKey(let key):
      peerKey = key
      if isInitiator { return [] }
      let confirm = crypto.f4(u: keys.publicKey.x, v: key.x, x: nonce, z: 0)
      return [.pairingPublicKey(keys.publicKey), .pairingConfirm(confirm)]
    case .pairingConfirm(let value) where isInitiator:
      peerConfirm = value
      return [.pairingRandom(nonce)]
    case .pairingRandom(let value):
      peerNonce = value
      guard isInitiator else {
        digits = crypto.g2(u: peerKey.x, v: keys.publicKey.x, x: value, y: nonce) % 1_000_000
        return [.pairingRandom(nonce)]
      }
      guard crypto.f4(u: peerKey.x, v: keys.publicKey.x, x: value, z: 0) == peerConfirm else {
        return [.pairingFailed(.confirmValueFailed)]
      }
      digits = crypto.g2(u: keys.publicKey.x, v: peerKey.x, x: nonce, y: value) % 1_000_000
      return []
    case .pairingDHKeyCheck(let value):
      let secret = try secrets()
      guard value == check(by: secret.macKey, isOwn: false) else {
        return [.pairingFailed(.dhKeyCheckFailed)]
      }
      longTermKey = secret.longTermKey
      return isInitiator ? [] : [.pairingDHKeyCheck(check(by: secret.macKey, isOwn: true))]
    default: return []
    }
  }

  /// What an initiator says once its owner has seen the same number: Ea.
  package mutating func agreement() throws(CryptoError) -> SecurityPDU {
    .pairingDHKeyCheck(check(by: try secrets().macKey, isOwn: true))
  }

  private mutating func secrets() throws(CryptoError) -> (
    macKey: Octets<16>, longTermKey: Octets<16>
  ) {
    let secret = try crypto.sharedSecret(privateKey: keys.privateKey, publicKey: peerKey)
    return isInitiator
      ? crypto.f5(w: secret, n1: nonce, n2: peerNonce, a1: own, a2: peer)
      : crypto.f5(w: secret, n1: peerNonce, n2: nonce, a1: peer, a2: own)
  }

  /// The check value of a side: Ea of the initiator, Eb of the responder.
  private func check(by macKey: Octets<16>, isOwn: Bool) -> Octets<16> {
    isOwn
      ? crypto.f6(
        w: macKey, n1: nonce, n2: peerNonce, r: Octets(), ioCapability: features.capabilityOctets,
        a1: own, a2: peer)
      : crypto.f6(
        w: macKey, n1: peerNonce, n2: nonce, r: Octets(), ioCapability: peerCapability, a1: peer,
        a2: own)
  }
}

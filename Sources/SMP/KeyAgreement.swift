import Bytes

/// Phase 2 of a pairing: the secrets of both sides, and what follows from them.
///
/// Core Specification, Vol 3, Part H, 2.3.5.6.
///
/// None of it must outlive the pairing: its owner overwrites it at the end. Copies that the compiler makes
/// on the stack are out of our reach.
struct KeyAgreement {
  private var keyPair = KeyPair(
    privateKey: Octets(), publicKey: PublicKey(x: Octets(), y: Octets()))
  private var peerKey = PublicKey(x: Octets(), y: Octets())
  private var sharedSecret = Octets<32>()
  private(set) var nonce = Octets<16>()
  private var peerNonce = Octets<16>()
  private var macKey = Octets<16>()
  /// The key of both sides, from `agree` on.
  private(set) var longTermKey = Octets<16>()

  var publicKey: PublicKey { keyPair.publicKey }

  mutating func makeKeyPair<C: Crypto>(with crypto: inout C) throws(CryptoError) {
    keyPair = try crypto.makeKeyPair()
  }

  mutating func makeNonce<C: Crypto>(with crypto: inout C) throws(CryptoError) {
    nonce = try crypto.random()
  }

  /// 2.3.5.6.1: the key must be on the curve, and neither ours nor the debug key.
  ///
  /// Returns why it is refused; throws `invalidPublicKey` for a point that is not on the curve.
  mutating func receive<C: Crypto>(
    _ key: PublicKey, with crypto: inout C
  ) throws(CryptoError) -> PairingFailedReason? {
    if key.isDebugKey { return .invalidParameters }
    if key.x == publicKey.x { return .dhKeyCheckFailed }
    peerKey = key
    sharedSecret = try crypto.sharedSecret(privateKey: keyPair.privateKey, publicKey: key)
    return nil
  }

  mutating func receive(nonce: Octets<16>) { peerNonce = nonce }

  /// The confirm value by which a responder promises its nonce, 2.3.5.6.2: Cb.
  func confirm(with crypto: some Crypto) -> Octets<16> {
    crypto.f4(u: publicKey.x, v: peerKey.x, x: nonce, z: 0)
  }

  /// The confirm value that the phone must have sent as the responder.
  func peerConfirm(with crypto: some Crypto) -> Octets<16> {
    crypto.f4(u: peerKey.x, v: publicKey.x, x: peerNonce, z: 0)
  }

  /// The six digits that both sides show.
  func number(as role: PairingRole, with crypto: some Crypto) -> UInt32 {
    let (keyA, keyB) = role.order(publicKey.x, peerKey.x)
    let (nonceA, nonceB) = role.order(nonce, peerNonce)
    return crypto.g2(u: keyA, v: keyB, x: nonceA, y: nonceB) % 1_000_000
  }

  /// 2.3.5.6.5: the keys of both sides.
  mutating func agree(as sides: PairingSides, with crypto: some Crypto) {
    let (nonceA, nonceB) = sides.role.order(nonce, peerNonce)
    let (addressA, addressB) = sides.role.order(sides.local, sides.peer)
    (macKey, longTermKey) = crypto.f5(
      w: sharedSecret, n1: nonceA, n2: nonceB, a1: addressA, a2: addressB)
  }

  /// Our check value, Ea or Eb: it shows the phone that both sides have the same secret and features.
  func check(as sides: PairingSides, with crypto: some Crypto) -> Octets<16> {
    crypto.f6(
      w: macKey, n1: nonce, n2: peerNonce, r: Octets(),
      ioCapability: sides.ours.capabilityOctets, a1: sides.local, a2: sides.peer)
  }

  /// The check value that the phone must send: its Eb or Ea.
  func peerCheck(as sides: PairingSides, with crypto: some Crypto) -> Octets<16> {
    crypto.f6(
      w: macKey, n1: peerNonce, n2: nonce, r: Octets(),
      ioCapability: sides.theirs.capabilityOctets, a1: sides.peer, a2: sides.local)
  }
}

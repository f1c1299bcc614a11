package import Bytes

/// Why a cryptographic function gave no result.
package enum CryptoError: Error, Equatable, Sendable {
  /// The kernel gave no random bytes.
  case noRandomness
  /// The peer's public key is no point of the curve.
  case invalidPublicKey
  /// The library failed, most likely because it had no memory.
  case failed
}

/// A point of P-256.
///
/// Core Specification, Vol 3, Part H, 3.5.6.
package struct PublicKey: Equatable, Sendable {
  package var x: Octets<32>
  package var y: Octets<32>

  /// The point with these coordinates, which need not be on the curve.
  package init(x: Octets<32>, y: Octets<32>) { (self.x, self.y) = (x, y) }

  /// Whether its private key is known to everybody.
  ///
  /// Core Specification, Vol 3, Part H, 2.3.5.6.1.
  var isDebugKey: Bool {
    x
      == Octets(words: [
        0x20B0_03D2, 0xF297_BE2C, 0x5E2C_83A7, 0xE9F9_A5B9,
        0xEFF4_9111, 0xACF4_FDDB, 0xCC03_0148, 0x0E35_9DE6,
      ])
  }
}

/// A private key of P-256 with its public key.
package struct KeyPair: Equatable, Sendable {
  /// A number between 1 and half the curve's order (Vol 2, Part H, 7.6).
  package var privateKey: Octets<32>
  /// The curve's generator times `privateKey`.
  package var publicKey: PublicKey

  package init(privateKey: Octets<32>, publicKey: PublicKey) {
    (self.privateKey, self.publicKey) = (privateKey, publicKey)
  }
}

/// What the Security Manager needs from a cryptographic library.
///
/// The functions of the toolbox are extensions of it.
package protocol Crypto {
  /// The function e: AES-128 of one block.
  ///
  /// Core Specification, Vol 3, Part H, 2.2.1.
  func e(key: Octets<16>, _ block: Octets<16>) -> Octets<16>

  /// A new key pair of P-256.
  mutating func makeKeyPair() throws(CryptoError) -> KeyPair

  /// The function P256: the x-coordinate of `publicKey` times `privateKey`.
  ///
  /// Core Specification, Vol 2, Part H, 7.6. Throws `invalidPublicKey` for a point that is not on
  /// the curve.
  mutating func sharedSecret(
    privateKey: Octets<32>, publicKey: PublicKey
  ) throws(CryptoError) -> Octets<32>

  /// Fills `bytes` with random ones that nobody can predict.
  mutating func random(into bytes: inout MutableSpan<UInt8>) throws(CryptoError)
}

extension Crypto {
  /// A random number.
  package mutating func random<let count: Int>() throws(CryptoError) -> Octets<count> {
    var octets = Octets<count>()
    try octets.withBytes { (bytes) throws(CryptoError) in try random(into: &bytes) }
    return octets
  }
}

package import Bytes
import CCrypto
package import SMP

/// `Crypto` by mbed TLS and the kernel's random numbers.
package struct SoftwareCrypto: Crypto {
  package init() {}

  /// AES-128 of one block.
  package func e(key: Octets<16>, _ block: Octets<16>) -> Octets<16> {
    var result = block
    let status = result.withBytes { crypto_encrypt(key.bytes, &$0) }
    // It fails for a key or block of another length only. A wrong block would be a known key.
    precondition(status == CRYPTO_OK)
    return result
  }

  /// A new key pair of P-256.
  package mutating func makeKeyPair() throws(CryptoError) -> KeyPair {
    var (privateKey, x, y) = (Octets<32>(), Octets<32>(), Octets<32>())
    let status = privateKey.withBytes { privateKey in
      x.withBytes { x in y.withBytes { y in crypto_make_key_pair(&privateKey, &x, &y) } }
    }
    try check(status)
    return KeyPair(privateKey: privateKey, publicKey: PublicKey(x: x, y: y))
  }

  /// The x-coordinate of `publicKey` times `privateKey`.
  package mutating func sharedSecret(
    privateKey: Octets<32>, publicKey: PublicKey
  ) throws(CryptoError) -> Octets<32> {
    var secret = Octets<32>()
    let (x, y) = (publicKey.x, publicKey.y)
    let status = secret.withBytes {
      crypto_shared_secret(privateKey.bytes, x.bytes, y.bytes, &$0)
    }
    try check(status)
    return secret
  }

  /// Fills `bytes` from getrandom(2), on a page from the browser; waits if the kernel has just started.
  package mutating func random(into bytes: inout MutableSpan<UInt8>) throws(CryptoError) {
    try check(crypto_random(&bytes))
  }

  private func check(_ status: Int32) throws(CryptoError) {
    switch status {
    case CRYPTO_OK: return
    case CRYPTO_INVALID_POINT: throw .invalidPublicKey
    case CRYPTO_NO_RANDOMNESS: throw .noRandomness
    default: throw .failed
    }
  }
}

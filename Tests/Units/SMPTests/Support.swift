import Bytes
import Crypto
import SMP
import TestSupport

/// Octets as the specification prints them.
func text<let count: Int>(_ octets: Octets<count>) -> String {
  hex(array(octets.reversed.bytes), separator: "")
}

/// mbed TLS, but with a key pair and random numbers that are known beforehand.
struct ScriptedCrypto: Crypto {
  var keyPair: KeyPair
  var nonce: Octets<16>
  /// What fails instead.
  var failure: CryptoError?
  private var real = SoftwareCrypto()

  init(keyPair: KeyPair, nonce: Octets<16>) { (self.keyPair, self.nonce) = (keyPair, nonce) }

  func e(key: Octets<16>, _ block: Octets<16>) -> Octets<16> { real.e(key: key, block) }

  mutating func makeKeyPair() throws(CryptoError) -> KeyPair {
    if let failure { throw failure }
    return keyPair
  }

  mutating func sharedSecret(
    privateKey: Octets<32>, publicKey: PublicKey
  ) throws(CryptoError) -> Octets<32> {
    try real.sharedSecret(privateKey: privateKey, publicKey: publicKey)
  }

  mutating func random(into bytes: inout MutableSpan<UInt8>) throws(CryptoError) {
    if let failure { throw failure }
    for index in bytes.indices { bytes[index] = nonce[index] }
  }
}

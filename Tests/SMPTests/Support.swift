import Bytes
import Crypto
import SMP

/// The bytes of hexadecimal digits; spaces do not count.
func hex(_ text: String) -> [UInt8] {
  let digits = text.compactMap { $0.hexDigitValue }
  return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

/// Hexadecimal digits of bytes, as `hex` takes them.
func text(_ bytes: [UInt8]) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

func array(_ span: Span<UInt8>) -> [UInt8] { span.indices.map { span[$0] } }

/// A number as the specification prints it, the most significant digit first.
func number<let count: Int>(_ text: String) -> Octets<count> {
  let bytes = Array(hex(text).reversed())
  var octets = Octets<count>()
  precondition(bytes.count == count)
  for index in 0..<count { octets[index] = bytes[index] }
  return octets
}

/// Octets as the specification prints them.
func text<let count: Int>(_ octets: Octets<count>) -> String { text(array(octets.reversed.bytes)) }

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

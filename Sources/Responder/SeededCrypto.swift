package import Bytes
import Crypto
package import SMP
import Seeded

/// The real toolbox with random numbers that a seed repeats, and with a key pair that everybody knows.
///
/// Nothing of it is secret; a test that runs twice gets and sends the same bytes twice.
package struct SeededCrypto: Crypto {
  /// Which of the two sides this is: a pairing is quick if both know each other's secret beforehand.
  package enum Side: Sendable { case initiator, responder }

  private var generator: SeededGenerator
  private let keys: KeyPair

  /// One of the two sides, with the random numbers of a seed.
  package init(_ side: Side, seed: UInt64) {
    generator = SeededGenerator(state: seed)
    keys = side == .initiator ? Sample.initiator : Sample.responder
  }

  /// AES-128 of one block.
  package func e(key: Octets<16>, _ block: Octets<16>) -> Octets<16> {
    SoftwareCrypto().e(key: key, block)
  }

  /// The key pair of this side; it is always the same.
  package mutating func makeKeyPair() throws(CryptoError) -> KeyPair { keys }

  /// The x-coordinate of `publicKey` times `privateKey`.
  package mutating func sharedSecret(
    privateKey: Octets<32>, publicKey: PublicKey
  ) throws(CryptoError) -> Octets<32> {
    let (ours, theirs) = (KeyPair(privateKey: privateKey, publicKey: keys.publicKey), publicKey)
    if ours == Sample.initiator, theirs == Sample.responder.publicKey { return Sample.secret }
    if ours == Sample.responder, theirs == Sample.initiator.publicKey { return Sample.secret }
    var crypto = SoftwareCrypto()
    return try crypto.sharedSecret(privateKey: privateKey, publicKey: publicKey)
  }

  /// Fills `bytes` with the next random numbers.
  package mutating func random(into bytes: inout MutableSpan<UInt8>) throws(CryptoError) {
    for index in bytes.indices { bytes[index] = UInt8.random(in: 0...255, using: &generator) }
  }
}

/// The second P-256 data set of the Core Specification, Vol 2, Part G, 7.1.2.2.
///
/// The first is that of the debug keys.
private enum Sample {
  static let initiator = KeyPair(
    privateKey: Octets(words: [
      0x06A5_1669, 0x3C9A_A31A, 0x6084_545D, 0x0C5D_B641, 0xB485_72B9, 0x7203_DDFF, 0xB7AC_73F7,
      0xD045_7663,
    ]),
    publicKey: PublicKey(
      x: Octets(words: [
        0x2C31_A47B, 0x5779_809E, 0xF44C_B5EA, 0xAF5C_3E43, 0xD5F8_FAAD, 0x4A87_94CB, 0x987E_9B03,
        0x745C_78DD,
      ]),
      y: Octets(words: [
        0x9195_1218, 0x3898_DFBE, 0xCD52_E240, 0x8E43_871F, 0xD021_1091, 0x17BD_3ED4, 0xEAF8_4377,
        0x4371_5D4F,
      ])))
  static let responder = KeyPair(
    privateKey: Octets(words: [
      0x529A_A067, 0x0D72_CD64, 0x9750_2ED4, 0x7350_2B03, 0x7E88_03B5, 0xC608_29A5, 0xA3CA_A219,
      0x5055_30BA,
    ]),
    publicKey: PublicKey(
      x: Octets(words: [
        0xF465_E43F, 0xF23D_3F1B, 0x9DC7_DFC0, 0x4DA8_7581, 0x84DB_C966, 0x2047_96EC, 0xCF0D_6CF5,
        0xE165_00CC,
      ]),
      y: Octets(words: [
        0x0201_D048, 0xBCBB_D899, 0xEEEF_C424, 0x164E_33C2, 0x01C2_B010, 0xCA6B_4D43, 0xA8A1_55CA,
        0xD8EC_B279,
      ])))
  static let secret: Octets<32> = Octets(words: [
    0xAB85_843A, 0x2F6D_883F, 0x62E5_684B, 0x38E3_0733, 0x5FE6_E194, 0x5ECD_1960, 0x4105_C6F2,
    0x3221_EB69,
  ])
}

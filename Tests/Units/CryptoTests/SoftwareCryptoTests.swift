import Bytes
import Crypto
import Expecting
import SMP
import TestSupport

struct SoftwareCryptoTests {
  /// A data set of the Core Specification, Vol 2, Part G, 7.1.2.
  struct DataSet: Sendable {
    var privateA: String
    var privateB: String
    var xA: String
    var yA: String
    var xB: String
    var yB: String
    var dhKey: String
  }

  static let dataSets = [
    DataSet(
      privateA: "3f49f6d4 a3c55f38 74c9b3e3 d2103f50 4aff607b eb40b799 5899b8a6 cd3c1abd",
      privateB: "55188b3d 32f6bb9a 900afcfb eed4e72a 59cb9ac2 f19d7cfb 6b4fdd49 f47fc5fd",
      xA: "20b003d2 f297be2c 5e2c83a7 e9f9a5b9 eff49111 acf4fddb cc030148 0e359de6",
      yA: "dc809c49 652aeb6d 63329abf 5a52155c 766345c2 8fed3024 741c8ed0 1589d28b",
      xB: "1ea1f0f0 1faf1d96 09592284 f19e4c00 47b58afd 8615a69f 559077b2 2faaa190",
      yB: "4c55f33e 429dad37 7356703a 9ab85160 472d1130 e28e3676 5f89aff9 15b1214a",
      dhKey: "ec0234a3 57c8ad05 341010a6 0a397d9b 99796b13 b4f866f1 868d34f3 73bfa698"),
    DataSet(
      privateA: "06a51669 3c9aa31a 6084545d 0c5db641 b48572b9 7203ddff b7ac73f7 d0457663",
      privateB: "529aa067 0d72cd64 97502ed4 73502b03 7e8803b5 c60829a5 a3caa219 505530ba",
      xA: "2c31a47b 5779809e f44cb5ea af5c3e43 d5f8faad 4a8794cb 987e9b03 745c78dd",
      yA: "91951218 3898dfbe cd52e240 8e43871f d0211091 17bd3ed4 eaf84377 43715d4f",
      xB: "f465e43f f23d3f1b 9dc7dfc0 4da87581 84dbc966 204796ec cf0d6cf5 e16500cc",
      yB: "0201d048 bcbbd899 eeefc424 164e33c2 01c2b010 ca6b4d43 a8a155ca d8ecb279",
      dhKey: "ab85843a 2f6d883f 62e5684b 38e30733 5fe6e194 5ecd1960 4105c6f2 3221eb69"),
  ]

  private var crypto = SoftwareCrypto()

  @Test(arguments: dataSets) mutating func bothSidesHaveTheSecretOfTheSampleData(_ set: DataSet)
    throws
  {
    let a = PublicKey(x: number(set.xA), y: number(set.yA))
    let b = PublicKey(x: number(set.xB), y: number(set.yB))
    let ofA = try crypto.sharedSecret(privateKey: number(set.privateA), publicKey: b)
    let ofB = try crypto.sharedSecret(privateKey: number(set.privateB), publicKey: a)
    expect(ofA, number(set.dhKey))
    expect(ofB, number(set.dhKey))
  }

  /// NIST, FIPS 197, Appendix C.1.
  @Test func aesIsThatOfFIPS197() {
    let block = crypto.e(
      key: number("000102030405060708090a0b0c0d0e0f"), number("00112233445566778899aabbccddeeff"))
    expect(block, number("69c4e0d86a7b0430d8cdb78070b4c55a"))
  }

  /// Half of P-256's order: private keys are not larger (Vol 2, Part H, 7.6).
  private let halfOrder: Octets<32> = number(
    "7fffffff800000007fffffffffffffffde737d56d38bcf4279dce5617e3192a8")

  @Test mutating func keyPairsFitTogetherAndAreNeverTheSame() throws {
    var seen: [KeyPair] = []
    for _ in 0..<16 {
      let pair = try crypto.makeKeyPair()
      #expect(!seen.contains(pair))
      expect(!pair.privateKey.isZero)
      expect(isAtMost(pair.privateKey, halfOrder))
      seen.append(pair)
    }
    let (a, b) = (seen[0], seen[1])
    let ofA = try crypto.sharedSecret(privateKey: a.privateKey, publicKey: b.publicKey)
    let ofB = try crypto.sharedSecret(privateKey: b.privateKey, publicKey: a.publicKey)
    expect(ofA, ofB)
  }

  private func isAtMost(_ a: Octets<32>, _ limit: Octets<32>) -> Bool {
    for index in (0..<32).reversed() where a[index] != limit[index] {
      return a[index] < limit[index]
    }
    return true
  }

  /// Points that are none: one beside the curve, zero, and a coordinate beyond the field's prime.
  @Test(
    arguments: [
      (dataSets[0].xB, dataSets[0].yA), (dataSets[0].xB, dataSets[1].yB),
      (String(repeating: "0", count: 64), String(repeating: "0", count: 64)),
      (String(repeating: "f", count: 64), dataSets[0].yB),
      ("ffffffff00000001000000000000000000000000ffffffffffffffffffffffff", dataSets[0].yB),
    ])
  mutating func centralBehaviour37_aPointBesideTheCurveHasNoSecret(_ x: String, _ y: String) {
    let key = PublicKey(x: number(x), y: number(y))
    #expect(throws: CryptoError.invalidPublicKey) {
      var crypto = SoftwareCrypto()
      _ = try crypto.sharedSecret(privateKey: number(Self.dataSets[0].privateA), publicKey: key)
    }
  }

  @Test func aPrivateKeyOfZeroIsRefused() {
    let key = PublicKey(x: number(Self.dataSets[0].xB), y: number(Self.dataSets[0].yB))
    #expect(throws: CryptoError.failed) {
      var crypto = SoftwareCrypto()
      _ = try crypto.sharedSecret(privateKey: Octets(), publicKey: key)
    }
  }

  @Test mutating func randomNumbersFillAllOctets() throws {
    var union = Octets<6>()
    var seen: [Octets<16>] = []
    for _ in 0..<64 {
      let address: Octets<6> = try crypto.random()
      for index in 0..<6 { union[index] |= address[index] }
      let nonce: Octets<16> = try crypto.random()
      #expect(!seen.contains(nonce))
      seen.append(nonce)
    }
    expect(union, number("ffffffffffff"))
  }
}

import Bytes
import Crypto
import Expecting
import SMP
import TestSupport

/// The sample data of the Core Specification, Vol 3, Part H, Appendix D.
struct ToolboxTests {
  private let crypto = SoftwareCrypto()
  private let u: Octets<32> = number(
    "20b003d2f297be2c5e2c83a7e9f9a5b9eff49111acf4fddbcc0301480e359de6")
  private let v: Octets<32> = number(
    "55188b3d32f6bb9a900afcfbeed4e72a59cb9ac2f19d7cfb6b4fdd49f47fc5fd")
  private let n1: Octets<16> = number("d5cb8454d177733effffb2ec712baeab")
  private let n2: Octets<16> = number("a6e8e7cc25a75f6e216583f7ff3dc4cf")
  private let a1 = DeviceAddress(0x5612_3737_BFCE, .public)
  private let a2 = DeviceAddress(0xA713_702D_CFC1, .public)

  /// Octets as the specification prints them.
  private func text<let count: Int>(_ octets: Octets<count>) -> String {
    hex(array(octets.reversed.bytes), separator: "")
  }

  /// D.1, which are those of RFC 4493, chapter 4.
  @Test(
    arguments: [
      (0, "bb1d6929e95937287fa37d129b756746"), (16, "070a16b46b4d4144f79bdd9dd04a287c"),
      (40, "dfa66747de9ae63030ca32611497c827"), (64, "51f0bebf7e3b9d92fc49741779363cfe"),
    ])
  func aesCMACIsThatOfRFC4493(_ count: Int, _ mac: String) {
    let message = bytes(
      """
      6bc1bee22e409f96e93d7e117393172a ae2d8a571e03ac9c9eb76fac45af8e51
      30c81c46a35ce411e5fbc1191a0a52ef f69f2445df4f9b17ad2b417be66c3710
      """)
    let part = Array(message[..<count])
    let key: Octets<16> = number("2b7e151628aed2a6abf7158809cf4f3c")
    expect(text(crypto.cmac(key: key, part.span)), mac)
  }

  @Test func f4IsThatOfD2() {
    expect(text(crypto.f4(u: u, v: v, x: n1, z: 0)), "f2c916f107a9bd1cf1eda1bea974872d")
  }

  @Test func f5IsThatOfD3() {
    let w: Octets<32> = number("ec0234a357c8ad05341010a60a397d9b99796b13b4f866f1868d34f373bfa698")
    let keys = crypto.f5(w: w, n1: n1, n2: n2, a1: a1, a2: a2)
    expect(text(keys.longTermKey), "6986791169d7cd23980522b594750a38")
    expect(text(keys.macKey), "2965f176a1084a02fd3f6a20ce636e20")
  }

  @Test func f6IsThatOfD4() {
    let check = crypto.f6(
      w: number("2965f176a1084a02fd3f6a20ce636e20"), n1: n1, n2: n2,
      r: number("12a3343bb453bb5408da42d20c2d0fc8"), ioCapability: number("010102"), a1: a1, a2: a2)
    expect(text(check), "e3c473989cd0e8c5d26c0b09da958f61")
  }

  @Test func g2IsThatOfD5() {
    expect(crypto.g2(u: u, v: v, x: n1, y: n2), 0x2F9E_D5BA)
  }

  /// V37: the sample data with the roles swapped, as we are B.
  ///
  /// Cb is Bumble's, the others are the specification's.
  @Test func peripheralVector37_theSampleDataHoldForAResponder() {
    expect(text(crypto.f4(u: v, v: u, x: n2, z: 0)), "8fac847cbfe9b08cbb5789d269c71ad4")
    expect(crypto.g2(u: u, v: v, x: n1, y: n2) % 1_000_000, 938_554)
    let w: Octets<32> = number("ec0234a357c8ad05341010a60a397d9b99796b13b4f866f1868d34f373bfa698")
    let keys = crypto.f5(w: w, n1: n1, n2: n2, a1: a1, a2: a2)
    expect(text(keys.longTermKey), "6986791169d7cd23980522b594750a38")
  }

  @Test func ahIsThatOfD7() {
    let irk: Octets<16> = number("ec0234a357c8ad05341010a60a397d9b")
    expect(crypto.ah(k: irk, r: 0x708194), 0x0DFBAA)
  }

  /// The address made of D.7's two numbers; only a resolvable one is looked at.
  @Test(
    arguments: [
      (DeviceAddress(0x7081_940D_FBAA, .random), true),
      (DeviceAddress(0x7081_940D_FBAB, .random), false),
      (DeviceAddress(0x7081_950D_FBAA, .random), false),
      (DeviceAddress(0x7081_940D_FBAA, .public), false),
    ])
  func centralBehaviour34_anAddressIsResolvedByTheKeyItWasMadeWith(
    _ address: DeviceAddress, _ belongs: Bool
  ) {
    let irk: Octets<16> = number("ec0234a357c8ad05341010a60a397d9b")
    expect(crypto.resolves(irk: irk, address), belongs)
    expect(!crypto.resolves(irk: number("ec0234a357c8ad05341010a60a397d9c"), address))
  }

  /// A static address of the right hash is not a resolvable one.
  @Test func centralBehaviour34_aStaticAddressIsNeverResolved() {
    let irk: Octets<16> = number("ec0234a357c8ad05341010a60a397d9b")
    let value = 0xF081_9400_0000 | UInt64(crypto.ah(k: irk, r: 0xF08194))
    expect(!crypto.resolves(irk: irk, DeviceAddress(value, .random)))
  }
}

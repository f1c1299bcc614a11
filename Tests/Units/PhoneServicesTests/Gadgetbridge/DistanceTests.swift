import Bytes
import Expecting
import TestSupport

@testable import PhoneServices

/// Distances as apps write them: Boards/reference/turns.md.
struct DistanceTests {
  private func distance(_ text: String) -> UInt32? {
    let bytes = Array(text.utf8)
    return metres(bytes.span)
  }

  private func distance(number literal: String) -> UInt32? {
    switch Heard("GB({\"t\":\"nav\",\"distance\":\(literal)})") {
    case .turn(_, let distance, _): distance
    default: nil
    }
  }

  @Test(
    arguments: [
      // Vector V29.
      ("100 yd", 91), ("0.3 mi", 483), ("1,2 km", 1_200), ("950m", 950), ("50\u{A0}m", 50),
      ("500 ft", 152), ("1,200 ft", 366), ("1.234 km", 1_234), ("50", 50),
      // A sign is of thousands or decimals.
      ("1.200 m", 1_200), ("1,200 yd", 1_097), ("1,234 km", 1_234), ("1,234 mi", 1_986),
      ("1,234.5 ft", 376), ("1.234,5 m", 1_235), ("12.345,678 km", 12_345_678), ("1,2 m", 1),
      ("0.500 m", 1), ("1234.567 m", 1_235), ("0,4 m", 0), ("1,200", 1_200),
      // Units are of any case, and blanks of any kind.
      ("4000 yd", 3_658), ("9999 mi", 16_091_831), ("1 KM", 1_000), ("1 Mi", 1_609), ("1 YD", 1),
      ("10Ft", 3), (" 7\u{202F}m ", 7), ("7\u{2009}M\u{A0}", 7), ("\u{A0}7", 7), ("7   m", 7),
      // No number is too large.
      ("4294967295", .max), ("4294967296", .max), ("4294967.294 km", 4_294_967_294),
      ("18446744073709551616", .max), ("99999999999999999999999999999999999999999 mi", .max),
      ("0.00000000000000000000000000000000000001 km", 0), ("00000000000000000000000000007 m", 7),
      ("0.000999999999999 mi", 2), ("0.0000999999999999 mi", 0),
    ] as [(String, UInt32)])
  func aDistanceIsRead(_ text: String, _ metres: UInt32) { expect(distance(text), metres) }

  /// Vector V30, and what else the grammar does not have.
  @Test(arguments: [
    "-1m", "", "m", "1..2 km", "12 parsecs", "1e9 km", "1,2,3 km", "1,200,300 ft", "1.2.3 m",
    "1,2.3 m", "1,200.", ",5 km", ".5 km", "5. km", "1 2 m", "1 m 2", "1 mm", "1 k m", "km 1",
    "+1 m", "١ km", "1 км", "1m\0", "--", "m1", " ", "1/2 mi", "0x10 m", "1,2000.5 m",
    "0,200.5 ft", "1234,567.8 m",
  ])
  func whatTheGrammarDoesNotHaveIsNoDistance(_ text: String) { expect(distance(text), nil) }

  /// Google Maps' title of 2026, with any blanks around the dot.
  @Test(arguments: [
    ("700 m · Slight right onto Example Rd", 700), ("0.3\u{A0}mi\u{A0}·\u{A0}Main St", 483),
    ("1,2 km · 5 km · 7 m", 1_200), ("50m ·", nil), ("50m· A", nil), ("0·3 mi", nil),
    (" · Main St", nil), ("Turn left · 50 m", nil), ("-1m · 50 m", nil),
  ])
  func centralBehaviour115_aDistanceIsInFrontOfADot(_ text: String, _ metres: UInt32?) {
    expect(distance(text), metres)
  }

  /// As Gadgetbridge 0.74 wrote them; numbers as ECMA-262 has them.
  @Test(arguments: [
    ("50", 50), ("50.5", 51), ("50.4", 50), ("1e3", 1_000), ("1.5E+2", 150), ("1E-3", 0), (".6", 1),
    ("7.", 7),
    ("1e999999999999", .max), ("1e-999999999999", 0), ("0e999999999999", 0),
    ("1.7976931348623157E308", .max),
    ("36893488147419103232", UInt32.max), ("0", 0),
    ("1e9", 1_000_000_000), ("3e10", .max), ("429E7", 4_290_000_000),
  ])
  func aNumberIsInMetres(_ literal: String, _ metres: UInt32) {
    expect(distance(number: literal), metres)
  }

  @Test(arguments: ["-1", "-1e999", "true", "NaN", "Infinity", "-Infinity", "[1]", #"{"m":1}"#])
  func anythingElseIsNoDistance(_ literal: String) {
    expect(
      Heard("GB({\"t\":\"nav\",\"distance\":\(literal)})"), .turn(.unknown(255), nil, ""))
  }

  @Test(arguments: [
    "01", "1.e", "1e", "1e+", "-", ".", "1.2.3", "0x10", "1_000", "--1", "-true", "+1", "1m",
  ])
  func whatIsNoNumberMakesTheLineUnreadable(_ literal: String) {
    expect(Heard("GB({\"t\":\"nav\",\"distance\":\(literal)})"), .unreadable)
  }
}

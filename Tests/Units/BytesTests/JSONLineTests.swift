import Bytes
import Expecting
import Foundation
import TestSupport

struct JSONLineTests {
  /// The line's one field "k" as an independent parser reads it.
  private func parsed(_ build: (inout JSONLine) -> Void) throws -> Any? {
    var line = JSONLine()
    build(&line)
    expect(line.finish(), true)
    let object = try JSONSerialization.jsonObject(with: Data(array(line.bytes)))
    return (object as? [String: Any])?["k"]
  }

  private func text(_ bytes: [UInt8]) throws -> String? {
    try parsed { $0.field("k", text: bytes.span) } as? String
  }

  @Test func fieldsComeInTheirOrderOnOneLine() {
    var line = JSONLine()
    line.field("t", seconds: 12_345)
    line.field("event", literal: "link")
    line.field("reason", number: -8)
    expect(line.finish(), true)
    expect(string(line.bytes), #"{"t":12.345,"event":"link","reason":-8}"#)
  }

  @Test func bytesUUIDsAndObjectsStandAmongOtherFields() {
    let data: [UInt8] = [0, 127, 255]
    var line = JSONLine()
    line.field("known", flag: true)
    line.fieldOfNothing("rssi")
    line.beginList("none")
    line.endList()
    line.beginList("services")
    line.item(UUID(short: 0x180D))
    line.item(UUID(0x71C1_E128_D92F_4FA8, 0xA2B2_0F17_1DB3_436C))
    line.endList()
    line.beginObject("serviceData")
    line.field(UUID(short: 0xC001), bytes: data.span)
    line.field(UUID(short: 0xC002), bytes: data.span.extracting(first: 0))
    line.endObject()
    line.beginObject("empty")
    line.endObject()
    line.field("uuid", uuid: UUID(short: 0xFE9F))
    line.field("raw", hex: data.span)
    line.field("list", bytes: data.span)
    expect(line.finish(), true)
    let written = string(line.bytes)
    expect(
      written,
      #"{"known":true,"rssi":null,"none":[],"services":["180D","#
        + #""71C1E128-D92F-4FA8-A2B2-0F171DB3436C"],"#
        + #""serviceData":{"C001":[0,127,255],"C002":[]},"empty":{},"uuid":"FE9F","#
        + #""raw":"007fff","list":[0,127,255]}"#)
  }

  @Test(
    arguments: [(0, "0.000"), (7, "0.007"), (1_050, "1.050"), (86_400_000, "86400.000")]
      as [(Int64, String)])
  func timesHaveThreeDecimals(_ milliseconds: Int64, _ seconds: String) {
    var text = FixedBuffer<32>()
    text.append(milliseconds: milliseconds)
    expect(string(text.bytes), seconds)
  }

  /// Also what joins letters and chooses their forms, which is no control.
  @Test(arguments: [
    "", "Lennéstraße", "Ω→😀", #"quote " and backslash \"#, "עברית العربية", "\u{10FFFF}\u{FFFF}",
    "👩\u{200D}🔧", "می\u{200C}خواهم", "❤\u{FE0F}",
  ])
  func centralBehaviour76_anyTextIsReadBackAsItWas(_ original: String) throws {
    expect(try text(Array(original.utf8)), original)
  }

  @Test(arguments: 0...255 as ClosedRange<UInt8>) func anySingleByteGivesValidJSON(_ byte: UInt8)
    throws
  {
    let read = try text([0x41, byte, 0x42])
    let expected: String =
      switch byte {
      case 0x09...0x0D: "A B"
      case 0x00...0x1F, 0x7F: "AB"
      default: String(decoding: [0x41, byte, 0x42], as: UTF8.self)
      }
    expect(read, expected)
  }

  /// U+009B is the Control Sequence Introducer by itself (ECMA-48); U+202E turns what follows it.
  @Test(arguments: [
    "\u{0}", "\u{7}", "\u{1B}", "\u{7F}", "\u{80}", "\u{9B}", "\u{9D}", "\u{9F}", "\u{61C}",
    "\u{200E}", "\u{200F}", "\u{202A}", "\u{202E}", "\u{2066}", "\u{2069}",
  ])
  func centralBehaviour76_noControlGoesIntoALine(_ control: String) throws {
    expect(try text(Array("A\(control)B".utf8)), "AB")
  }

  @Test func centralBehaviour76_aLineEndIsABlankInALine() throws {
    for end in ["\t", "\n", "\u{B}", "\r", "\u{85}", "\u{2028}", "\u{2029}"] {
      expect(try text(Array("A\(end)B".utf8)), "A B")
    }
  }

  @Test func theLongestStreetFitsHoweverItIsEscaped() throws {
    let read = try text([UInt8](repeating: UInt8(ascii: "\""), count: 512))
    expect(read?.unicodeScalars.count, 512)
  }

  @Test func aLineThatIsTooLongSaysSo() {
    var line = JSONLine()
    for _ in 0..<10 { line.field("k", text: [UInt8](repeating: 0x41, count: 512).span) }
    expect(line.finish(), false)
  }
}

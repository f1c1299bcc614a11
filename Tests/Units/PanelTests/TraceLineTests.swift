import Bytes
import Expecting
import Panel
import TestSupport

@Suite struct TraceLineTests {
  private func line(_ milliseconds: Int64, _ message: [UInt8]) -> String {
    var line = FixedBuffer<3_328>()
    line.append(traceOf: message.span, to: 0x3C, atMilliseconds: milliseconds)
    return String(decoding: array(line.bytes), as: UTF8.self)
  }

  @Test(
    arguments: [
      (12_345, "12.345"), (0, "0.000"), (9, "0.009"), (10, "0.010"), (99, "0.099"), (100, "0.100"),
      (3_600_000, "3600.000"),
    ] as [(Int64, String)])
  func aLineIsTimeAddressAndBytes(_ milliseconds: Int64, _ seconds: String) {
    expect(
      line(milliseconds, bytes("80 21 80 00 80 7f 40 ff")),
      seconds
        + " 3c 80 21 80 00 80 7f 40 ff")
  }

  @Test func aMessageWithoutBytesIsALineToo() {
    expect(line(1, []), "0.001 3c")
  }

  @Test func aFullFrameIsOneLine() {
    let text = line(99_999, [UInt8](repeating: 0xAB, count: 1_037))
    expect(text, "99.999 3c" + String(repeating: " ab", count: 1_037))
  }
}

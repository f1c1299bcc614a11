import Bytes
import Graphics
import Panel
import TestSupport
import Testing

@Suite struct PBMTests {
  @Test func aPictureIsAHeaderAndRowsFromTheTop() {
    var bitmap = Bitmap(Size(16, 8))
    bitmap[0, 0] = true
    bitmap[9, 0] = true
    bitmap[15, 7] = true
    var file = FixedBuffer<64>()
    PBM.append(bitmap, to: &file)
    let bytes = array(file.bytes)
    var rows = [UInt8](repeating: 0, count: 16)
    (rows[0], rows[1], rows[15]) = (0x80, 0x40, 0x01)
    #expect(bytes == Array("P4\n16 8\n".utf8) + rows)
  }

  @Test func aWidthThatIsNoMultipleOfEightIsPadded() {
    var bitmap = Bitmap(Size(9, 1))
    bitmap[8, 0] = true
    var file = FixedBuffer<64>()
    PBM.append(bitmap, to: &file)
    let bytes = array(file.bytes)
    #expect(bytes == Array("P4\n9 1\n".utf8) + [0x00, 0x80])
  }

  @Test func theLargestPictureFillsTheNamedLength() {
    var file = FixedBuffer<2_000>()
    PBM.append(Bitmap(Size(128, 64)), to: &file)
    let count = file.count
    #expect(count == 1_034)
    #expect(PBM.maximumLength == 1_034)
  }
}

@Suite struct TraceLineTests {
  private func line(_ milliseconds: Int64, _ message: [UInt8]) -> String {
    var line = FixedBuffer<3_328>()
    line.append(traceOf: message.span, to: 0x3C, atMilliseconds: milliseconds)
    return string(line.bytes)
  }

  @Test(
    arguments: [
      (12_345, "12.345"), (0, "0.000"), (9, "0.009"), (10, "0.010"), (99, "0.099"), (100, "0.100"),
      (3_600_000, "3600.000"),
    ] as [(Int64, String)])
  func aLineIsTimeAddressAndBytes(_ milliseconds: Int64, _ seconds: String) {
    #expect(
      line(milliseconds, bytes("80 21 80 00 80 7f 40 ff")) == seconds
        + " 3c 80 21 80 00 80 7f 40 ff")
  }

  @Test func aMessageWithoutBytesIsALineToo() {
    #expect(line(1, []) == "0.001 3c")
  }

  @Test func aFullFrameIsOneLine() {
    let text = line(99_999, [UInt8](repeating: 0xAB, count: 1_037))
    #expect(text == "99.999 3c" + String(repeating: " ab", count: 1_037))
  }
}

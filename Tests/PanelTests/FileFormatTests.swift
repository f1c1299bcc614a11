import Bytes
import Graphics
import Panel
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
  /// The whole line, piece by piece.
  func line<let capacity: Int>(
    _ milliseconds: Int64, _ message: [UInt8], _ piece: inout FixedBuffer<capacity>
  ) -> String {
    var text: [UInt8] = []
    var line = TraceLine(milliseconds: milliseconds, address: 0x3C, message.span)
    var hasMore = true
    while hasMore {
      hasMore = line.next(into: &piece)
      text += array(piece.bytes)
    }
    return String(decoding: text, as: UTF8.self)
  }

  @Test(
    arguments: [
      (12_345, "12.345"), (0, "0.000"), (9, "0.009"), (10, "0.010"), (99, "0.099"), (100, "0.100"),
      (3_600_000, "3600.000"),
    ] as [(Int64, String)])
  func aLineIsTimeAddressAndBytes(_ milliseconds: Int64, _ seconds: String) {
    var piece = FixedBuffer<64>()
    let text = line(milliseconds, hex("80 21 80 00 80 7f 40 ff"), &piece)
    #expect(text == seconds + " 3c 80 21 80 00 80 7f 40 ff\n")
  }

  @Test func aMessageWithoutBytesIsALineToo() {
    var piece = FixedBuffer<64>()
    let text = line(1, [], &piece)
    #expect(text == "0.001 3c\n")
  }

  @Test(arguments: 0...40) func aLongLineComesInPieces(_ count: Int) {
    let message = (0..<count).map { UInt8($0) }
    var (small, large) = ("", "")
    var piece = FixedBuffer<32>()
    small = line(99_999, message, &piece)
    var whole = FixedBuffer<4_000>()
    large = line(99_999, message, &whole)
    let digits = message.map { byte in " " + (byte < 16 ? "0" : "") + String(byte, radix: 16) }
    #expect(small == "99.999 3c" + digits.joined() + "\n")
    #expect(large == small)
  }
}

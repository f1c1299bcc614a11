import Bytes
import Testing

/// The bytes that a test can compare and print.
func array(_ bytes: Span<UInt8>) -> [UInt8] {
  var array: [UInt8] = []
  for index in bytes.indices { array.append(bytes[index]) }
  return array
}

@Suite struct FixedBufferTests {
  @Test func numbersGoInLittleEndian() {
    var buffer = FixedBuffer<16>()
    buffer.append(0x01)
    buffer.append(u16: 0x0302)
    buffer.append(u32: 0x0706_0504)
    buffer.append(u64: 0x0F0E_0D0C_0B0A_0908)
    let held = array(buffer.bytes)
    #expect(held == Array(1...15))
  }

  @Test func whatDoesNotFitIsDroppedWhole() {
    var buffer = FixedBuffer<3>()
    buffer.append("ab")
    buffer.append("cd")
    let held = array(buffer.bytes)
    let isOverflown = buffer.isOverflown
    #expect(held == Array("ab".utf8))
    #expect(isOverflown)
  }

  @Test func fillingReplacesWhatIsHeld() {
    var buffer = FixedBuffer<4>()
    buffer.append("abc")
    buffer.fill { space in
      space[0] = 0x64
      space[1] = 0x65
      return 2
    }
    let held = array(buffer.bytes)
    #expect(held == Array("de".utf8))
  }

  @Test func removingTheFirstMovesTheOthers() {
    var buffer = FixedBuffer<4>()
    buffer.append("abcd")
    buffer.removeFirst(3)
    buffer.append("ef")
    let held = array(buffer.bytes)
    #expect(held == Array("def".utf8))
  }

  @Test(
    arguments: [
      (0, "0"), (7, "7"), (10, "10"), (-105, "-105"), (.max, "9223372036854775807"),
      (.min, "-9223372036854775808"),
    ] as [(Int64, String)])
  func numbersPrintInDecimal(_ value: Int64, _ text: String) {
    var buffer = FixedBuffer<32>()
    buffer.append(decimal: value)
    let held = array(buffer.bytes)
    #expect(held == Array(text.utf8))
  }

  @Test(
    arguments: [(0, 2, "00"), (0xAB, 2, "ab"), (0x1F, 4, "001f"), (.max, 1, "ffffffffffffffff")]
      as [(UInt64, Int, String)])
  func numbersPrintInHexadecimal(_ value: UInt64, _ digits: Int, _ text: String) {
    var buffer = FixedBuffer<32>()
    buffer.append(hex: value, atLeast: digits)
    let held = array(buffer.bytes)
    #expect(held == Array(text.utf8))
  }
}

@Suite struct ByteReaderTests {
  @Test func fieldsAreReadInOrder() throws {
    let bytes: [UInt8] = [0xFE, 2, 1, 4, 3, 2, 1, 8, 7, 6, 5, 4, 3, 2, 1, 9, 9]
    var reader = ByteReader(bytes.span)
    #expect(try reader.i8() == -2)
    #expect(try reader.u16() == 0x0102)
    #expect(try reader.u32() == 0x0102_0304)
    #expect(try reader.u64() == 0x0102_0304_0506_0708)
    let rest = array(reader.rest())
    #expect(rest == [9, 9])
  }

  @Test(arguments: 0..<8) func aFieldThatIsCutThrowsAndReadsNothing(_ count: Int) {
    let bytes = [UInt8](repeating: 1, count: count)
    var reader = ByteReader(bytes.span)
    #expect(throws: ParseError.truncated) { _ = try reader.u64() }
    let left = reader.count
    #expect(left == count)
  }
}

@Suite struct UTF8ReaderTests {
  /// The standard library's own decoder is the independent expectation.
  @Test(
    arguments: [
      [], Array("Lennéstraße".utf8), Array("Ω→😀".utf8), [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98],
      [0x41, 0x80, 0x42], [0xC0, 0xAF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80],
      [0xF8, 0x88, 0x80, 0x80], [0xE2, 0x28, 0xA1], [0xF0, 0x9F, 0x41], [0xFF, 0xFE, 0x00],
    ] as [[UInt8]])
  func malformedBytesBecomeReplacements(_ bytes: [UInt8]) {
    var scalars: [Unicode.Scalar] = []
    var reader = UTF8Reader(bytes.span)
    while let scalar = reader.next() { scalars.append(scalar) }
    #expect(scalars == Array(String(decoding: bytes, as: UTF8.self).unicodeScalars))
  }

  @Test func everyPairOfBytesIsDecodedAsTheStandardLibraryDoes() {
    for first in 0...255 as ClosedRange<UInt8> {
      for second in 0...255 as ClosedRange<UInt8> {
        let bytes = [first, second, 0x80, 0x41]
        var scalars: [Unicode.Scalar] = []
        var reader = UTF8Reader(bytes.span)
        while let scalar = reader.next() { scalars.append(scalar) }
        let expected = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
        guard scalars == expected else {
          Issue.record("\(bytes): \(scalars), not \(expected)")
          return
        }
      }
    }
  }
}

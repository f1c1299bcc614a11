import Bytes
import Expecting
import TestSupport

struct FixedBufferTests {
  @Test func numbersGoInLittleEndian() {
    var buffer = FixedBuffer<16>()
    buffer.append(0x01)
    buffer.append(u16: 0x0302)
    buffer.append(u32: 0x0706_0504)
    buffer.append(u64: 0x0F0E_0D0C_0B0A_0908)
    expect(array(buffer.bytes), Array(1...15))
  }

  @Test func whatDoesNotFitIsDroppedWhole() {
    var buffer = FixedBuffer<3>()
    buffer.append("ab")
    buffer.append("cd")
    expect(array(buffer.bytes), Array("ab".utf8))
    expect(buffer.isOverflown, true)
  }

  @Test func fillingReplacesWhatIsHeld() {
    var buffer = FixedBuffer<4>()
    buffer.append("abc")
    buffer.fill { space in
      space[0] = 0x64
      space[1] = 0x65
      return 2
    }
    expect(array(buffer.bytes), Array("de".utf8))
  }

  @Test func removingTheFirstMovesTheOthers() {
    var buffer = FixedBuffer<4>()
    buffer.append("abcd")
    buffer.removeFirst(3)
    buffer.append("ef")
    expect(array(buffer.bytes), Array("def".utf8))
  }

  @Test(
    arguments: [
      (0, "0"), (7, "7"), (10, "10"), (-105, "-105"), (.max, "9223372036854775807"),
      (.min, "-9223372036854775808"),
    ] as [(Int64, String)])
  func numbersPrintInDecimal(_ value: Int64, _ text: String) {
    var buffer = FixedBuffer<32>()
    buffer.append(decimal: value)
    expect(array(buffer.bytes), Array(text.utf8))
  }

  @Test(
    arguments: [
      (0, "000000"), (42, "000042"), (123_456, "123456"), (1_000_007, "000007"),
      (.max, "967295"),
    ] as [(UInt32, String)])
  func theLastSixDigitsAreAlwaysSix(_ value: UInt32, _ text: String) {
    var buffer = FixedBuffer<6>()
    buffer.append(sixDigits: value)
    expect(string(buffer.bytes), text)
  }

  @Test(
    arguments: [(0, 2, "00"), (0xAB, 2, "ab"), (0x1F, 4, "001f"), (.max, 1, "ffffffffffffffff")]
      as [(UInt64, Int, String)])
  func numbersPrintInHexadecimal(_ value: UInt64, _ digits: Int, _ text: String) {
    var buffer = FixedBuffer<32>()
    buffer.append(hex: value, atLeast: digits)
    expect(array(buffer.bytes), Array(text.utf8))
  }

  @Test func aWipedBufferHoldsZerosAllOver() {
    var buffer = FixedBuffer<8>()
    for byte: UInt8 in 1...8 { buffer.append(byte) }
    expect(storage(of: &buffer), [1, 2, 3, 4, 5, 6, 7, 8])
    buffer.truncate(to: 3)
    buffer.wipe()
    expect(buffer.isEmpty, true)
    expect(storage(of: &buffer), [0, 0, 0, 0, 0, 0, 0, 0])
  }

  private func storage(of buffer: inout FixedBuffer<8>) -> [UInt8] {
    buffer.fill { $0.count }
    return array(buffer.bytes)
  }
}

struct FixedListTests {
  private func list(_ numbers: Int...) -> FixedList<3, Int> {
    var list = FixedList<3, Int>(filler: -1)
    for number in numbers { list.append(number) }
    return list
  }

  private func numbers(_ list: FixedList<3, Int>) -> [Int] { (0..<list.count).map { list[$0] } }

  @Test func aListIsEmptyAtFirst() {
    var list = list()
    expect(list.isEmpty && !list.isFull && list.count == 0)
    expect(list.takeFirst(), nil)
  }

  @Test func whatIsAppendedToAFullListIsDropped() {
    expect(numbers(list(1, 2, 3)), [1, 2, 3])
    expect(numbers(list(1, 2, 3, 4)), [1, 2, 3])
    expect(list(1, 2, 3).isFull && !list(1, 2).isFull)
  }

  /// Before the one at its place; a full list loses its last value.
  @Test func aValueIsInsertedAndTheOthersCloseTheGapOfARemovedOne() {
    for (index, expected) in [[9, 1, 2], [1, 9, 2], [1, 2, 9]].enumerated() {
      var list = list(1, 2)
      list.insert(9, at: index)
      expect(numbers(list), expected)
    }
    for (index, expected) in [(0, [9, 1, 2]), (2, [1, 2, 9]), (3, [1, 2, 3])] {
      var full = list(1, 2, 3)
      full.insert(9, at: index)
      expect(numbers(full), expected)
    }
    for (index, expected) in [[2, 3], [1, 3], [1, 2]].enumerated() {
      var list = list(1, 2, 3)
      list.remove(at: index)
      expect(numbers(list), expected)
    }
  }

  @Test func theFirstIsTakenFirst() {
    var list = list(1, 2)
    expect(list.takeFirst(), 1)
    list.append(3)
    expect(list.takeFirst(), 2)
    expect(list.takeFirst(), 3)
    #expect(list.isEmpty)
  }

  @Test func aValueCanBeReplaced() {
    var list = list(1, 2)
    list[1] = 7
    expect(numbers(list), [1, 7])
    list.removeAll()
    #expect(list.isEmpty)
  }
}

struct CRC32Tests {
  /// The check value of the catalogue of CRCs (CRC-32/ISO-HDLC), and values of zlib's crc32().
  @Test(
    arguments: [
      ("123456789", 0xCBF4_3926), ("", 0), ("a", 0xE8B7_BE43),
      ("The quick brown fox jumps over the lazy dog", 0x414F_A339),
    ] as [(String, UInt32)])
  func theChecksumIsThatOfZlib(_ text: String, _ checksum: UInt32) {
    expect(crc32(Array(text.utf8).span), checksum)
  }
}

struct ByteReaderTests {
  @Test func fieldsAreReadInOrder() throws {
    let bytes: [UInt8] = [0xFE, 2, 1, 4, 3, 2, 1, 8, 7, 6, 5, 4, 3, 2, 1, 9, 9]
    var reader = ByteReader(bytes.span)
    expect(try reader.i8(), -2)
    expect(try reader.u16(), 0x0102)
    expect(try reader.u32(), 0x0102_0304)
    expect(try reader.u64(), 0x0102_0304_0506_0708)
    expect(array(reader.rest()), [9, 9])
  }

  @Test(arguments: 0..<8) func aFieldThatIsCutThrowsAndReadsNothing(_ count: Int) {
    let bytes = [UInt8](repeating: 1, count: count)
    var reader = ByteReader(bytes.span)
    #expect(throws: ParseError.truncated) { _ = try reader.u64() }
    expect(reader.count, count)
  }
}

struct UTF8ReaderTests {
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
    expect(scalars, Array(String(decoding: bytes, as: UTF8.self).unicodeScalars))
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

struct DeviceAddressTests {
  @Test func anAddressPrintsItsMostSignificantByteFirst() {
    var text = FixedBuffer<32>()
    text.append(text: DeviceAddress(0x00AB_CDEF_0109, .public))
    expect(String(decoding: array(text.bytes), as: UTF8.self), "00:AB:CD:EF:01:09")
  }

  /// Core Specification, Vol 6, Part B, 1.3.2: the two top bits say what a random address is.
  @Test(
    arguments: [
      (0x4000_0000_0000, .random, true, false), (0x7FFF_FFFF_FFFF, .random, true, false),
      (0xC000_0000_0000, .random, false, true), (0x3FFF_FFFF_FFFF, .random, false, false),
      (0x4000_0000_0000, .public, false, true),
    ] as [(UInt64, AddressType, Bool, Bool)])
  func theTopBitsSayWhetherItChanges(
    _ value: UInt64, _ type: AddressType, _ isResolvable: Bool, _ isFixed: Bool
  ) {
    let address = DeviceAddress(value, type)
    expect(address.isResolvable, isResolvable)
    expect(address.isFixed, isFixed)
  }
}

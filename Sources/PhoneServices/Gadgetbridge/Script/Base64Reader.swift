import Bytes

/// The bytes that are written in Base64, with its padding or without: RFC 4648, 4.
struct Base64Reader: ~Escapable {
  private let digits: Span<UInt8>
  private var index = 0
  /// Bits that are read and not given yet, in the low end.
  private var bits: UInt32 = 0
  private var bitCount: UInt32 = 0

  /// Reads `digits` from the first one on.
  @_lifetime(copy digits)
  init(_ digits: Span<UInt8>) { self.digits = digits }

  /// The next byte, or `nil` at the end.
  @_lifetime(self: copy self)
  mutating func next() throws(ParseError) -> UInt8? {
    while bitCount < 8 {
      guard index < digits.count, digits[index] != 0x3D else {
        try checkEnd()
        return nil
      }
      guard let value = Self.value(of: digits[index]) else { throw .invalid }
      bits = bits << 6 | value
      bitCount += 6
      index += 1
    }
    bitCount -= 8
    return UInt8(truncatingIfNeeded: bits &>> bitCount)
  }

  /// Four digits are three bytes, and a single one is none.
  private func checkEnd() throws(ParseError) {
    let remainder = index % 4
    guard remainder != 1 else { throw .invalid }
    let padding = digits.count - index
    guard padding == 0 || padding == (4 - remainder) % 4 else { throw .invalid }
    for place in index..<digits.count where digits[place] != 0x3D { throw .invalid }
  }

  private static func value(of digit: UInt8) -> UInt32? {
    switch digit {
    case 0x41...0x5A: UInt32(digit - 0x41)
    case 0x61...0x7A: UInt32(digit - 0x61 + 26)
    case 0x30...0x39: UInt32(digit - 0x30 + 52)
    case 0x2B: 62
    case 0x2F: 63
    default: nil
    }
  }
}

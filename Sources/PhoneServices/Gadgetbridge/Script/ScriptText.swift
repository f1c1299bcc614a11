import Bytes

/// The characters of a JavaScript string, by the bytes between its quotes.
///
/// Gadgetbridge sends a character below 256 as one byte of ISO 8859-1 or as an escape, and the others as
/// `\uhhhh`, two for a surrogate pair. It never sends a raw byte that can begin a character of UTF-8. So a
/// whole character of raw UTF-8 comes from another sender, and stands for itself.
struct ScriptText: ~Escapable {
  private let bytes: Span<UInt8>
  private var index = 0

  /// Reads `bytes` from the first one on.
  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>) { self.bytes = bytes }

  /// The next character, U+FFFD for half a surrogate pair, or `nil` at the end.
  mutating func next() throws(ParseError) -> Unicode.Scalar? {
    guard let unit = try unit() else { return nil }
    guard isLeadingSurrogate(unit) else { return Unicode.Scalar(unit) ?? "\u{FFFD}" }
    let place = index
    guard let second = try self.unit(), isTrailingSurrogate(second) else {
      index = place
      return "\u{FFFD}"
    }
    return Unicode.Scalar(0x1_0000 + (unit & 0x3FF) << 10 + second & 0x3FF)
  }

  /// The next code unit of UTF-16, or a character of raw UTF-8.
  private mutating func unit() throws(ParseError) -> UInt32? {
    guard index < bytes.count else { return nil }
    guard bytes[index] == 0x5C else { return rawCharacter() }
    index += 1
    return try escaped()
  }

  /// A byte that stands for itself, or a whole character of UTF-8.
  private mutating func rawCharacter() -> UInt32 {
    let first = bytes[index]
    var reader = UTF8Reader(bytes.extracting(droppingFirst: index))
    if first >= 0xC2, let character = reader.next()?.value {
      // The reader returns U+FFFD for malformed bytes; a real U+FFFD is EF BF BD.
      if character != 0xFFFD || first == 0xEF && reader.index == 3 {
        index += reader.index
        return character
      }
    }
    index += 1
    return UInt32(first)
  }

  /// What follows a backslash: ECMA-262, 12.9.4 and B.1.2.
  private mutating func escaped() throws(ParseError) -> UInt32 {
    guard index < bytes.count else { throw .truncated }
    let byte = bytes[index]
    let control: UInt32
    switch byte {
    case 0x30...0x37: return octal()
    case 0x62: control = 0x08  // b
    case 0x74: control = 0x09  // t
    case 0x6E: control = 0x0A  // n
    case 0x76: control = 0x0B  // v
    case 0x66: control = 0x0C  // f
    case 0x72: control = 0x0D  // r
    case 0x78:  // x
      index += 1
      return try hexadecimal(2)
    case 0x75:  // u
      index += 1
      return try hexadecimal(4)
    default: return rawCharacter()
    }
    index += 1
    return control
  }

  /// Up to three digits, whose number is below 256.
  private mutating func octal() -> UInt32 {
    let most = index + (bytes[index] <= 0x33 ? 3 : 2)
    var value: UInt32 = 0
    while index < min(most, bytes.count), (0x30...0x37).contains(bytes[index]) {
      value = value << 3 | UInt32(bytes[index] & 7)
      index += 1
    }
    return value
  }

  private mutating func hexadecimal(_ count: Int) throws(ParseError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<count {
      guard index < bytes.count else { throw .truncated }
      guard let digit = hexDigit(bytes[index]) else { throw .invalid }
      value = value << 4 | UInt32(digit)
      index += 1
    }
    return value
  }
}

private func isLeadingSurrogate(_ unit: UInt32) -> Bool { (0xD800..<0xDC00).contains(unit) }

private func isTrailingSurrogate(_ unit: UInt32) -> Bool { (0xDC00..<0xE000).contains(unit) }

/// The bytes that are written in Base64, with its padding or without: RFC 4648, 4.
struct Base64Reader: ~Escapable {
  private let digits: Span<UInt8>
  private var index = 0
  /// Bits that were read but not returned yet, at the low end.
  private var bits: UInt32 = 0
  private var bitCount: UInt32 = 0

  /// Reads `digits` from the first one on.
  @_lifetime(copy digits)
  init(_ digits: Span<UInt8>) { self.digits = digits }

  /// The next byte, or `nil` at the end.
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

  /// Four digits are three bytes; a single digit at the end is an error.
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

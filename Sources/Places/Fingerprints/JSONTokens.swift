import Bytes

/// A token of the JSON of a fingerprint.
enum JSONToken {
  /// One of `{ } [ ] : ,`, or a byte that begins no token of a fingerprint.
  case mark(UInt8)
  /// A text: `JSONTokens.text` has its bytes.
  case text
  /// A whole number; 1,000,000 stands for all that are larger, likewise below zero.
  case number(Int32)
}

/// Cuts a stream of bytes into tokens.
///
/// RFC 8259, 2, 6 and 7. No text of a fingerprint is longer than that of a beacon, and no number has a
/// fraction or an exponent; another file is refused at once. A text with an escape is unknown.
struct JSONTokens: ~Copyable {
  private enum State {
    case between, text, number
  }

  private var state = State.between
  private var isNegative = false
  private var magnitude: Int32 = 0
  private var digits: Int32 = 0
  private(set) var text = FixedBuffer<56>()

  init() {}

  /// Whether the next byte can begin a token.
  var isBetween: Bool { state == .between }

  /// The number that ends before this byte, if one does.
  mutating func numberEnding(before byte: UInt8) throws(FingerprintError.Problem) -> JSONToken? {
    guard state == .number else { return nil }
    switch byte {
    case 0x30...0x39: return nil
    case 0x2E, 0x45, 0x65: throw .notWhole
    default: break
    }
    guard digits > 0 else { throw .badNumber }
    state = .between
    return .number(isNegative ? -magnitude : magnitude)
  }

  /// Takes a byte; returns the token that ends with it, if one does.
  mutating func take(_ byte: UInt8) throws(FingerprintError.Problem) -> JSONToken? {
    switch state {
    case .between: return begin(byte)
    case .number:
      try takeDigit(byte)
      return nil
    case .text:
      if byte == 0x22 {
        state = .between
        return .text
      }
      guard text.free > 0 else { throw .unknownKey }
      text.append(byte)
      return nil
    }
  }

  private mutating func begin(_ byte: UInt8) -> JSONToken? {
    switch byte {
    case 0x20, 0x09, 0x0A, 0x0D: break
    case 0x22:
      state = .text
      text.removeAll()
    case 0x2D, 0x30...0x39:
      state = .number
      isNegative = byte == 0x2D
      (magnitude, digits) = isNegative ? (0, 0) : (Int32(byte - 0x30), 1)
    default: return .mark(byte)
    }
    return nil
  }

  private mutating func takeDigit(_ byte: UInt8) throws(FingerprintError.Problem) {
    // RFC 8259, 6: no zeros in front.
    guard digits == 0 || magnitude > 0 else { throw .badNumber }
    magnitude = min(1_000_000, magnitude * 10 + Int32(byte - 0x30))
    digits = 1
  }
}

import Bytes

/// A decimal number, exact to twelve digits.
struct DecimalNumber: Equatable {
  /// Further digits count as zeros.
  private static var mostDigits: Int { 12 }
  /// No exponent matters beyond this.
  private static var largestExponent: Int { 1_000 }

  private(set) var isNegative = false
  /// The digits as a whole number, without zeros in front.
  private var digits: UInt64 = 0
  private var digitCount = 0
  /// The power of ten that `digits` counts.
  private var exponent = 0

  init() {}

  /// The number of a literal that `ScriptReader` has found.
  init(script literal: Span<UInt8>) {
    var index = 0
    var isFraction = false
    while index < literal.count, literal[index] | 0x20 != 0x65 {
      switch literal[index] {
      case 0x2D: isNegative = true
      case 0x2E: isFraction = true
      default: append(digit: literal[index] &- 0x30, isFraction: isFraction)
      }
      index += 1
    }
    guard index < literal.count else { return }
    exponent += Self.exponent(literal.extracting(droppingFirst: index + 1))
  }

  private static func exponent(_ text: Span<UInt8>) -> Int {
    var value = 0
    for index in text.indices where (0x30...0x39).contains(text[index]) {
      value = min(value * 10 + Int(text[index] - 0x30), largestExponent)
    }
    return text[0] == 0x2D ? -value : value
  }

  /// Puts a digit, 0...9, behind the others.
  mutating func append(digit: UInt8, isFraction: Bool) {
    let isZeroInFront = digits == 0 && digit == 0
    if digitCount < Self.mostDigits {
      digits = digits * 10 + UInt64(widening: UInt32(digit))
      if !isZeroInFront { digitCount += 1 }
      if isFraction { exponent -= 1 }
    } else if !isFraction {
      exponent += 1
    }
  }

  /// Its magnitude times `factor` / 10 ^ `decimals`, to the nearest whole number, at most `UInt64.max`.
  ///
  /// `factor` is at most 18,000,000.
  func magnitude(times factor: UInt32, decimals: Int = 0) -> UInt64 {
    var value = digits * UInt64(widening: factor)
    var shift = exponent - decimals
    while shift > 0, value > 0 {
      let (tens, isTooLarge) = value.multipliedReportingOverflow(by: 10)
      if isTooLarge { return .max }
      value = tens
      shift -= 1
    }
    guard shift < 0 else { return value }
    guard shift > -20 else { return 0 }
    var divisor: UInt64 = 1
    for _ in 0 ..< -shift { divisor *= 10 }
    let remainder = value % divisor
    return value / divisor + (remainder >= divisor - remainder ? 1 : 0)
  }
}

public import Bytes

/// The bytes of a span, which a test can compare and print.
public func array(_ bytes: Span<UInt8>) -> [UInt8] { bytes.indices.map { bytes[$0] } }

/// The text of a span of UTF-8.
public func string(_ bytes: Span<UInt8>) -> String {
  String(decoding: array(bytes), as: UTF8.self)
}

/// Bytes from hexadecimal digits such as `04 0e 04`; white space does not count.
///
/// Anything else ends the test: a mistyped expectation must not pass for a shorter one.
public func bytes(_ text: String) -> [UInt8] {
  let digits = text.filter { !$0.isWhitespace }.map { character in
    guard let digit = character.hexDigitValue else {
      preconditionFailure("not a hexadecimal digit: \(character)")
    }
    return UInt8(digit)
  }
  precondition(digits.count.isMultiple(of: 2), "half a byte: \(text)")
  return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

/// The hexadecimal digits of bytes, as `bytes` reads them.
public func hex(_ bytes: [UInt8], separator: String = " ") -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: separator)
}

/// Octets from a number as the specifications print it, the most significant digit first.
public func number<let count: Int>(_ text: String) -> Octets<count> {
  let numeral = bytes(text)
  precondition(numeral.count == count, "not \(count) octets: \(text)")
  var octets = Octets<count>()
  for index in 0..<count { octets[index] = numeral[count - 1 - index] }
  return octets
}

/// So many milliseconds after the clock began.
public func at(_ milliseconds: Int64) -> Instant { Instant(milliseconds: milliseconds) }

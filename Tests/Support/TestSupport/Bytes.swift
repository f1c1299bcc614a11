package import Bytes
// `array` and `bytes`.
@_exported public import Hexadecimal

/// The text of a span of UTF-8.
package func string(_ bytes: Span<UInt8>) -> String {
  String(decoding: array(bytes), as: UTF8.self)
}

/// The hexadecimal digits of bytes, as `bytes` reads them.
package func hex(_ bytes: [UInt8], separator: String = " ") -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: separator)
}

/// Octets from a number as the specifications print it, the most significant digit first.
package func number<let count: Int>(_ text: String) -> Octets<count> {
  let numeral = bytes(text)
  precondition(numeral.count == count, "not \(count) octets: \(text)")
  var octets = Octets<count>()
  for index in 0..<count { octets[index] = numeral[count - 1 - index] }
  return octets
}

/// So many milliseconds after the clock began.
package func at(_ milliseconds: Int64) -> Instant { Instant(milliseconds: milliseconds) }

/// The bytes of a span, which can be copied, compared and printed.
package func array(_ bytes: Span<UInt8>) -> [UInt8] { bytes.indices.map { bytes[$0] } }

/// Bytes from hexadecimal digits such as `04 0e 04`; white space does not count.
///
/// Anything else ends the program: a mistyped expectation must not pass for a shorter one.
package func bytes(_ text: String) -> [UInt8] {
  var bytes: [UInt8] = []
  var half: UInt8?
  for character in text.utf8 {
    let digit: UInt8
    switch character {
    case 0x09, 0x0A, 0x0D, 0x20: continue
    case 0x30...0x39: digit = character - 0x30
    case 0x41...0x46: digit = character - 0x37
    case 0x61...0x66: digit = character - 0x57
    default: preconditionFailure("not a hexadecimal digit")
    }
    if let first = half { bytes.append(first << 4 | digit) }
    half = half == nil ? digit : nil
  }
  precondition(half == nil, "half a byte")
  return bytes
}

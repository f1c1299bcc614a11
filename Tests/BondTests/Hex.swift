/// Bytes from text such as `04 0e 04`, as specifications print them.
func bytes(_ text: String) -> [UInt8] {
  text.split(whereSeparator: { $0 == " " || $0 == "\n" }).map { pair in
    guard pair.count == 2, let byte = UInt8(pair, radix: 16) else {
      preconditionFailure("not a byte: \(pair)")
    }
    return byte
  }
}

/// The text of bytes, the other way round.
func hex(_ bytes: [UInt8]) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
}

/// The bytes that a test can compare and print.
func array(_ span: Span<UInt8>) -> [UInt8] {
  var array: [UInt8] = []
  for index in span.indices { array.append(span[index]) }
  return array
}

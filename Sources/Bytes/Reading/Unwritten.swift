/// Whether the bytes were never written: all zeros, or all ones like erased flash.
public func isUnwritten(_ bytes: Span<UInt8>) -> Bool {
  var (ones, zeros) = (true, true)
  for index in bytes.indices {
    ones = ones && bytes[index] == 0xFF
    zeros = zeros && bytes[index] == 0
  }
  return ones || zeros
}

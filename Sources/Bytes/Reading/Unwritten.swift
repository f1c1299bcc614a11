/// Whether nobody has written there: all zeros, or all ones as flash is when it was erased.
public func isUnwritten(_ bytes: Span<UInt8>) -> Bool {
  var (ones, zeros) = (true, true)
  for index in bytes.indices {
    ones = ones && bytes[index] == 0xFF
    zeros = zeros && bytes[index] == 0
  }
  return ones || zeros
}

// `Int64(x)`, `x << n` and `Int(y)` between 64-bit numbers and smaller ones go through the words
// of a number where a word has 32 bits, which the compiler counts as an allocation and refuses
// with -no-allocations. These conversions do not; for the others write `&<<`, `&>>` and
// `truncatingIfNeeded`.

extension UInt64 {
  /// The same number, wider.
  public init(widening value: UInt32) { self.init(_truncatingBits: UInt(value)) }
}

extension Int64 {
  /// The same number, wider where `Int` has 32 bits.
  public init(widening value: Int) {
    let bits = Int64(_truncatingBits: UInt(bitPattern: value))
    self = Int.bitWidth < 64 && value < 0 ? bits - 0x1_0000_0000 : bits
  }
}

// On a machine of 32-bit words, `UInt64(_:)`, `UInt64(truncatingIfNeeded:)` and the shifts `<<` and `>>` of
// 64 bits refer to arrays, which `-no-allocations` forbids. These initialisers, `&<<` and `&>>` do not.

extension UInt64 {
  /// The same number in 64 bits.
  public init(widening value: UInt) { self.init(_truncatingBits: value) }

  /// The same number in 64 bits.
  public init(widening value: UInt32) { self.init(_truncatingBits: UInt(value)) }
}

extension Int64 {
  /// The same number in 64 bits.
  public init(widening value: UInt32) { self.init(bitPattern: UInt64(widening: value)) }

  /// The same number in 64 bits.
  public init(widening value: Int) {
    let magnitude = Int64(
      bitPattern: UInt64(widening: UInt(bitPattern: value < 0 ? ~value : value)))
    self = value < 0 ? ~magnitude : magnitude
  }
}

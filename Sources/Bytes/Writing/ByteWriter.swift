/// Something that takes bytes one after the other; numbers go in little-endian.
///
/// A writer of bounded size drops what does not fit and sets a flag of its own, so that a long packet does
/// not trap.
public protocol ByteWriter: ~Copyable {
  /// Takes one byte.
  mutating func append(_ byte: UInt8)

  /// Takes all of `bytes` in order, or none if they do not fit.
  mutating func append(_ bytes: Span<UInt8>)
}

extension ByteWriter where Self: ~Copyable {
  /// Two bytes, the low one first.
  public mutating func append(u16 value: UInt16) {
    append(UInt8(truncatingIfNeeded: value))
    append(UInt8(truncatingIfNeeded: value >> 8))
  }

  /// Four bytes, the lowest one first.
  public mutating func append(u32 value: UInt32) {
    append(u16: UInt16(truncatingIfNeeded: value))
    append(u16: UInt16(truncatingIfNeeded: value >> 16))
  }

  /// Eight bytes, the lowest one first.
  public mutating func append(u64 value: UInt64) {
    append(u32: UInt32(truncatingIfNeeded: value))
    append(u32: UInt32(truncatingIfNeeded: value &>> 32))
  }

  /// The UTF-8 bytes of `text`, which must be a literal in programs without a heap.
  @inline(never)  // one copy
  public mutating func append(_ text: String) {
    let utf8 = text.utf8
    append(utf8.span)
  }

  /// `value` in decimal digits, with a minus sign if it is negative.
  public mutating func append(decimal value: Int64) {
    if value < 0 { append(0x2D) }
    append(digits: value.magnitude, base: 10, atLeast: 1)
  }

  /// The last six decimal digits of `value`, zeros in front included, as a pairing's number is shown.
  public mutating func append(sixDigits value: UInt32) {
    append(digits: UInt64(widening: value % 1_000_000), base: 10, atLeast: 6)
  }

  /// A byte as the board file and data sheets have it: `0x3c`.
  public mutating func append(hexByte byte: UInt8) {
    append("0x")
    append(hex: UInt64(widening: UInt32(byte)), atLeast: 2)
  }

  /// `value`, padded with zeros to `atLeast` digits.
  public mutating func append(decimal value: UInt, atLeast: Int) {
    append(digits: UInt64(widening: value), base: 10, atLeast: atLeast)
  }

  /// `value` in lowercase hexadecimal, padded with zeros to `atLeast` digits.
  public mutating func append(hex value: UInt64, atLeast: Int) {
    append(digits: value, base: 16, atLeast: atLeast)
  }

  private mutating func append(digits value: UInt64, base: UInt64, atLeast: Int) {
    let digits = Digits(of: value, base: base, atLeast: atLeast)
    append(digits.bytes)
  }
}

/// The digits of a number; one copy of this code serves all writers.
private struct Digits {
  /// Filled from its end.
  private var storage = InlineArray<20, UInt8>(repeating: 0x30)
  private var count = 0

  @inline(never)
  init(of value: UInt64, base: UInt64, atLeast: Int) {
    var rest = value
    repeat {
      let digit = UInt8(truncatingIfNeeded: rest % base)
      count += 1
      storage[storage.count - count] = digit < 10 ? 0x30 + digit : 0x57 + digit
      rest /= base
    } while rest > 0
    count = max(count, min(atLeast, storage.count))
  }

  var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { storage.span.extracting(last: count) }
  }
}

/// A 128-bit UUID, or a short one expanded by the Bluetooth Base UUID.
///
/// Core Specification, Vol 3, Part B, 2.5.1.
public struct UUID: Equatable, Sendable {
  /// The first eight bytes as they are written in text, most significant first.
  public var high: UInt64
  /// The last eight bytes as they are written in text, most significant first.
  public var low: UInt64

  /// The UUID `hhhhhhhh-hhhh-hhhh-llll-llllllllllll`.
  public init(_ high: UInt64, _ low: UInt64) { (self.high, self.low) = (high, low) }

  /// An assigned number of 16 or 32 bits: `xxxxxxxx-0000-1000-8000-00805F9B34FB`.
  public init(short: UInt32) {
    self.init(UInt64(widening: short) &<< 32 | 0x0000_1000, 0x8000_0080_5F9B_34FB)
  }

  /// The UUID in 2, 4 or 16 little-endian bytes, as attributes and advertisements hold it.
  public init(parsing bytes: Span<UInt8>) throws(ParseError) {
    var reader = ByteReader(bytes)
    switch bytes.count {
    case 2: self.init(short: UInt32(try reader.u16()))
    case 4: self.init(short: try reader.u32())
    case 16:
      let low = try reader.u64()
      self.init(try reader.u64(), low)
    default: throw .invalid
    }
  }

  /// The assigned 16-bit number, if this UUID is one.
  public var short: UInt16? {
    let number = UInt32(truncatingIfNeeded: high &>> 32)
    guard self == UUID(short: number) else { return nil }
    return UInt16(exactly: number)
  }
}

extension ByteWriter where Self: ~Copyable {
  /// A UUID in the 16 bytes that attributes and advertisements hold.
  public mutating func append(_ uuid: UUID) {
    append(u64: uuid.low)
    append(u64: uuid.high)
  }
}

/// Where the hyphens of a UUID are, as in `E20A39F4-73F5-4BC4-A12F-17D1AD07A961`.
private func isHyphen(_ index: Int) -> Bool {
  index == 8 || index == 13 || index == 18 || index == 23
}

extension UUID {
  /// The UUID of 36 characters, in letters of either case; `nil` if they are no such text.
  ///
  /// RFC 9562, 4.
  public init?(text: Span<UInt8>) {
    guard text.count == 36 else { return nil }
    var (high, low) = (UInt64(widening: UInt32(0)), UInt64(widening: UInt32(0)))
    for index in text.indices {
      if isHyphen(index) {
        guard text[index] == 0x2D else { return nil }
        continue
      }
      guard let digit = hexDigit(text[index]) else { return nil }
      // Behind the third hyphen.
      if index < 18 {
        high = high &<< 4 | UInt64(widening: UInt32(digit))
      } else {
        low = low &<< 4 | UInt64(widening: UInt32(digit))
      }
    }
    self.init(high, low)
  }

  /// The UUID of 4, 8 or 36 characters: an assigned number of 16 or 32 bits, or a whole one.
  public init?(anyText text: Span<UInt8>) {
    guard text.count == 4 || text.count == 8 else {
      self.init(text: text)
      return
    }
    guard let number = hexadecimal(text) else { return nil }
    self.init(short: UInt32(truncatingIfNeeded: number))
  }
}

extension ByteWriter where Self: ~Copyable {
  /// The UUID in 36 characters, its letters in upper case.
  public mutating func append(text uuid: UUID) {
    append(upperHex: uuid.high &>> 32, digits: 8)
    append("-")
    append(upperHex: uuid.high &>> 16, digits: 4)
    append("-")
    append(upperHex: uuid.high, digits: 4)
    append("-")
    append(upperHex: uuid.low &>> 48, digits: 4)
    append("-")
    append(upperHex: uuid.low, digits: 12)
  }

  /// The UUID in 4 characters if 16 bits say it, in 8 if 32 do, else in 36; its letters in upper case.
  public mutating func append(shortestText uuid: UUID) {
    let number = UInt32(truncatingIfNeeded: uuid.high &>> 32)
    guard uuid == UUID(short: number) else { return append(text: uuid) }
    append(upperHex: UInt64(widening: number), digits: number <= 0xFFFF ? 4 : 8)
  }
}

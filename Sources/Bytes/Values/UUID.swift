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

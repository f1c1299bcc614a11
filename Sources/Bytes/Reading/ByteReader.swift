/// Why a run of bytes could not be read as the field that was asked for.
public enum ParseError: Error, Equatable {
  /// The bytes end inside the field.
  case truncated
  /// The parser does not know the leading code.
  case unknown(UInt8)
  /// A field holds a value that its specification does not allow.
  case invalid
}

/// A little-endian cursor over bytes that it does not own.
///
/// Every read checks its length first, so a hostile packet can only ever make
/// it throw `ParseError.truncated`.
public struct ByteReader: ~Escapable {
  private var bytes: Span<UInt8>

  /// Reads `bytes` from the first one on.
  @_lifetime(copy bytes)
  public init(_ bytes: Span<UInt8>) { self.bytes = bytes }

  /// How many bytes are left.
  public var count: Int { bytes.count }

  /// Whether nothing is left.
  public var isEmpty: Bool { bytes.isEmpty }

  /// The next byte.
  public mutating func u8() throws(ParseError) -> UInt8 {
    guard bytes.count >= 1 else { throw .truncated }
    let value = bytes[0]
    bytes = bytes.extracting(droppingFirst: 1)
    return value
  }

  /// The next byte as a two's complement number, as RSSI is sent.
  public mutating func i8() throws(ParseError) -> Int8 { Int8(bitPattern: try u8()) }

  /// The next two bytes.
  public mutating func u16() throws(ParseError) -> UInt16 {
    guard bytes.count >= 2 else { throw .truncated }
    let value = UInt16(bytes[0]) | UInt16(bytes[1]) << 8
    bytes = bytes.extracting(droppingFirst: 2)
    return value
  }

  /// The next four bytes.
  public mutating func u32() throws(ParseError) -> UInt32 {
    guard bytes.count >= 4 else { throw .truncated }
    let low = try u16()
    let high = try u16()
    return UInt32(low) | UInt32(high) << 16
  }

  /// The next eight bytes.
  public mutating func u64() throws(ParseError) -> UInt64 {
    guard bytes.count >= 8 else { throw .truncated }
    let low = try u32()
    let high = try u32()
    return UInt64(widening: low) | UInt64(widening: high) &<< 32
  }

  /// The next `count` bytes, as a view.
  @_lifetime(copy self)
  public mutating func take(_ count: Int) throws(ParseError) -> Span<UInt8> {
    guard count >= 0, bytes.count >= count else { throw .truncated }
    let taken = bytes.extracting(first: count)
    bytes = bytes.extracting(droppingFirst: count)
    return taken
  }

  /// Passes over `count` bytes.
  public mutating func skip(_ count: Int) throws(ParseError) {
    guard count >= 0, bytes.count >= count else { throw .truncated }
    bytes = bytes.extracting(droppingFirst: count)
  }

  /// Everything not read yet, leaving nothing.
  @_lifetime(copy self)
  public mutating func takeRest() -> Span<UInt8> {
    let rest = bytes
    bytes = bytes.extracting(first: 0)
    return rest
  }

  /// Everything not read yet.
  @_lifetime(copy self)
  public consuming func rest() -> Span<UInt8> { bytes }
}

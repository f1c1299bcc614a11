package import Bytes

/// The fixed channels of an LE link.
///
/// Core Specification, Vol 3, Part A, 2.1.
package struct ChannelIdentifier: RawRepresentable, Equatable, Sendable {
  /// The number in the frame's header.
  package var rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }

  package static var attribute: Self { Self(rawValue: 0x0004) }
  package static var leSignaling: Self { Self(rawValue: 0x0005) }
  package static var securityManager: Self { Self(rawValue: 0x0006) }
}

/// A basic L2CAP frame (B-frame).
///
/// Core Specification, Vol 3, Part A, 3.1.
///
/// A view: `payload` points into the bytes it was parsed from.
package struct BasicFrame: ~Escapable {
  /// Bytes of the header: length and channel.
  package static var headerCount: Int { 4 }

  package let channel: ChannelIdentifier
  package let payload: Span<UInt8>

  /// Reads a whole frame; its length must be right.
  @_lifetime(copy bytes)
  package init(parsing bytes: Span<UInt8>) throws(ParseError) {
    var reader = ByteReader(bytes)
    let length = Int(try reader.u16())
    channel = ChannelIdentifier(rawValue: try reader.u16())
    guard reader.count == length else { throw .invalid }
    payload = reader.rest()
  }

  /// Writes the header of a frame that carries `count` bytes.
  package static func writeHeader<Writer: ByteWriter & ~Copyable>(
    count: Int, channel: ChannelIdentifier, into writer: inout Writer
  ) {
    writer.append(u16: UInt16(truncatingIfNeeded: count))
    writer.append(u16: channel.rawValue)
  }
}

/// Puts an L2CAP frame together from its ACL pieces.
///
/// Core Specification, Vol 3, Part A, 7.2.1. It drops a frame with a wrong length, a continuation without
/// a start, and a frame that is longer than `capacity` bytes with its header. The next start begins a
/// frame as usual.
package struct Reassembler<let capacity: Int>: ~Copyable {
  private var buffer = FixedBuffer<capacity>()
  private var isInsideFrame = false

  /// A reassembler that waits for the start of a frame.
  package init() {}

  /// The frame, once `receive` has returned that it is whole.
  package var frame: Span<UInt8> { buffer.bytes }

  /// Takes the next piece; returns whether the frame is whole now.
  package mutating func receive(_ piece: Span<UInt8>, isContinuation: Bool) -> Bool {
    if isContinuation {
      guard isInsideFrame else { return false }
    } else {
      buffer.removeAll()
      isInsideFrame = true
    }
    buffer.append(piece)
    return finish()
  }

  private mutating func finish() -> Bool {
    guard !buffer.isOverflown else { return drop() }
    // A controller may even split the header.
    guard buffer.count >= BasicFrame.headerCount else { return false }
    let wanted = BasicFrame.headerCount + (Int(buffer[0]) | Int(buffer[1]) << 8)
    guard wanted <= capacity, buffer.count <= wanted else { return drop() }
    guard buffer.count == wanted else { return false }
    isInsideFrame = false
    return true
  }

  private mutating func drop() -> Bool {
    isInsideFrame = false
    buffer.removeAll()
    return false
  }
}

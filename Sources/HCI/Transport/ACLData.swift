package import Bytes

/// A piece of an L2CAP frame on a link.
///
/// Core Specification, Vol 4, Part E, 5.4.2.
///
/// A view: `data` points into the packet it was parsed from.
package struct ACLData: ~Escapable {
  /// Which link.
  package let handle: UInt16
  /// Whether the frame began in an earlier packet (Packet_Boundary_Flag 0b01).
  package let isContinuation: Bool
  /// The piece.
  package let data: Span<UInt8>

  /// Takes the packet without its H4 indicator.
  @_lifetime(copy bytes)
  package init(parsing bytes: Span<UInt8>) throws(ParseError) {
    var reader = ByteReader(bytes)
    let field = try reader.u16()
    let length = Int(try reader.u16())
    guard reader.count == length else { throw .invalid }
    handle = field & 0x0FFF
    isContinuation = (field >> 12) & 0b11 == 0b01
    data = reader.rest()
  }

  /// Writes the header of a packet to the controller: indicator, handle, flags, length.
  package static func writeHeader<Writer: ByteWriter & ~Copyable>(
    handle: UInt16, isContinuation: Bool, count: Int, into writer: inout Writer
  ) {
    writer.append(PacketIndicator.aclData)
    writer.append(u16: handle & 0x0FFF | (isContinuation ? 0b01 << 12 : 0))
    writer.append(u16: UInt16(truncatingIfNeeded: count))
  }
}

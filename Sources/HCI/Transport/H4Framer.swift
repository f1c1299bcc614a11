package import Bytes

/// Why a stream of bytes is not, or no longer, a stream of HCI packets.
package enum H4Error: Error, Equatable {
  /// A packet began with a byte that indicates no packet.
  case unknownIndicator(UInt8)
  /// A packet claims more bytes than any controller sends us.
  case oversize(Int)
}

/// Cuts a stream of bytes into HCI packets, wherever the stream splits them.
///
/// Core Specification, Vol 4, Part A. The stream has no checksum and no start mark: after an error its
/// owner closes and reopens it.
package struct H4Framer: ~Copyable {
  /// The indicator, the ACL header and the 1021 data bytes of the largest BR/EDR packet.
  package static var maxPacket: Int { 1 + 4 + 1021 }

  private var buffer = FixedBuffer<1026>()

  /// A framer that waits for the first byte of a packet.
  package init() {}

  /// Whether the next byte continues a packet.
  package var isInsidePacket: Bool { !buffer.isEmpty && !isComplete }

  /// Whether `packet` is whole; the owner must take it before it passes more bytes.
  package var isComplete: Bool { wantedCount == buffer.count }

  /// The packet so far, its indicator first.
  package var packet: Span<UInt8> { buffer.bytes }

  /// Forgets the packet, or the part of it that is here.
  package mutating func removeAll() { buffer.removeAll() }

  /// Takes bytes up to the end of the current packet.
  ///
  /// Returns how many it took. It forgets a complete packet first.
  package mutating func receive(_ bytes: Span<UInt8>) throws(H4Error) -> Int {
    if isComplete { buffer.removeAll() }
    var taken = 0
    while taken < bytes.count, !isComplete {
      buffer.append(bytes[taken])
      taken += 1
      try check()
    }
    return taken
  }

  private func check() throws(H4Error) {
    guard headerCount != nil else { throw .unknownIndicator(buffer[0]) }
    if let wanted = wantedCount, wanted > Self.maxPacket { throw .oversize(wanted) }
  }

  /// Bytes of indicator and header, `nil` for a packet that no controller sends.
  private var headerCount: Int? {
    switch buffer[0] {
    case PacketIndicator.aclData: 1 + 4
    case PacketIndicator.synchronousData: 1 + 3
    case PacketIndicator.event: 1 + 2
    case PacketIndicator.isoData: 1 + 4
    default: nil
    }
  }

  /// Bytes of the whole packet, once its header is there.
  private var wantedCount: Int? {
    guard !buffer.isEmpty, let header = headerCount, buffer.count >= header else { return nil }
    switch buffer[0] {
    case PacketIndicator.aclData: return header + (Int(buffer[3]) | Int(buffer[4]) << 8)
    case PacketIndicator.synchronousData: return header + Int(buffer[3])
    case PacketIndicator.event: return header + Int(buffer[2])
    default: return header + (Int(buffer[3]) | Int(buffer[4] & 0x3F) << 8)
    }
  }
}

/// The first byte of each packet on a UART.
///
/// Core Specification, Vol 4, Part A, 2.
package enum PacketIndicator {
  /// Host to controller.
  package static var command: UInt8 { 0x01 }
  /// Both ways.
  package static var aclData: UInt8 { 0x02 }
  /// Both ways; this host uses none.
  package static var synchronousData: UInt8 { 0x03 }
  /// Controller to host.
  package static var event: UInt8 { 0x04 }
  /// Both ways; this host uses none.
  package static var isoData: UInt8 { 0x05 }
}

/// A packet of the controller: Core Specification, Vol 4, Part A, 2.
package enum ReceivedPacket: ~Escapable {
  case event(Event)
  case aclData(ACLData)

  /// Reads a whole packet, its indicator first; throws if it is of another kind, or malformed.
  @_lifetime(copy bytes)
  package init(parsing bytes: Span<UInt8>) throws(ParseError) {
    var reader = ByteReader(bytes)
    switch try reader.u8() {
    case PacketIndicator.event: self = .event(try Event(parsing: reader.takeRest()))
    case PacketIndicator.aclData: self = .aclData(try ACLData(parsing: reader.takeRest()))
    default: throw .invalid
    }
  }
}

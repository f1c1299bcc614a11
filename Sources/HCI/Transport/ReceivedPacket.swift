package import Bytes

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

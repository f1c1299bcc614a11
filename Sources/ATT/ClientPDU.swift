package import Bytes

/// A PDU that the phone, as a client, sends to our small server.
///
/// `AttributeOpcode` has the sections of the specification.
///
/// A view: spans point into the packet it was parsed from.
package enum ClientPDU: ~Escapable {
  case exchangeMTU(clientMTU: UInt16)
  case findInformation(HandleRange)
  case findByTypeValue(HandleRange, type: UInt16, value: Span<UInt8>)
  case readByType(HandleRange, UUID)
  case read(handle: UInt16)
  case readBlob(handle: UInt16, offset: UInt16)
  case readByGroupType(HandleRange, UUID)
  case write(handle: UInt16, value: Span<UInt8>)
  /// A part of a long value, which this server does not take.
  case prepareWrite(handle: UInt16)
  case confirmation
  /// A command: bit 6 of its opcode says that it gets no answer (3.3.1).
  case command(opcode: UInt8)
  /// A request that this server does not know.
  case unknownRequest(opcode: UInt8)

  /// Whether a PDU with this opcode gets an answer, even if it is malformed.
  package static func isRequest(opcode: UInt8) -> Bool {
    !isCommand(opcode: opcode) && opcode != AttributeOpcode.confirmation.rawValue
  }

  /// Bit 6 of the opcode marks a command, which gets no answer (3.3.1).
  private static func isCommand(opcode: UInt8) -> Bool { opcode & 0x40 != 0 }

  /// The opcode, which an Error Response repeats.
  package var opcode: UInt8 {
    switch self {
    case .exchangeMTU: AttributeOpcode.exchangeMTURequest.rawValue
    case .findInformation: AttributeOpcode.findInformationRequest.rawValue
    case .findByTypeValue: AttributeOpcode.findByTypeValueRequest.rawValue
    case .readByType: AttributeOpcode.readByTypeRequest.rawValue
    case .read: AttributeOpcode.readRequest.rawValue
    case .readBlob: AttributeOpcode.readBlobRequest.rawValue
    case .readByGroupType: AttributeOpcode.readByGroupTypeRequest.rawValue
    case .confirmation: AttributeOpcode.confirmation.rawValue
    case .write: AttributeOpcode.writeRequest.rawValue
    case .prepareWrite: AttributeOpcode.prepareWriteRequest.rawValue
    case .command(let opcode), .unknownRequest(let opcode): opcode
    }
  }

  /// Takes a whole PDU, its opcode first.
  @_lifetime(copy bytes)
  package init(parsing bytes: Span<UInt8>) throws(ParseError) {
    var reader = ByteReader(bytes)
    let opcode = try reader.u8()
    switch AttributeOpcode(rawValue: opcode) {
    case .exchangeMTURequest: self = .exchangeMTU(clientMTU: try reader.u16())
    case .findInformationRequest: self = .findInformation(try reader.handleRange())
    case .findByTypeValueRequest:
      let range = try reader.handleRange()
      self = .findByTypeValue(range, type: try reader.u16(), value: reader.takeRest())
    case .readByTypeRequest:
      self = .readByType(try reader.handleRange(), try reader.attributeType())
    case .readRequest: self = .read(handle: try reader.u16())
    case .readBlobRequest:
      self = .readBlob(handle: try reader.u16(), offset: try reader.u16())
    case .readByGroupTypeRequest:
      self = .readByGroupType(try reader.handleRange(), try reader.attributeType())
    case .writeRequest: self = .write(handle: try reader.u16(), value: reader.takeRest())
    case .prepareWriteRequest:
      self = .prepareWrite(handle: try reader.u16())
      try reader.skip(2)  // offset
      _ = reader.takeRest()
    case .confirmation: self = .confirmation
    default:
      self =
        Self.isCommand(opcode: opcode) ? .command(opcode: opcode) : .unknownRequest(opcode: opcode)
      return
    }
    // Requests of a fixed size must end where they should.
    if reader.count > 0 { throw .invalid }
  }
}

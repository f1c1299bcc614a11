package import Bytes

/// What an attribute server sends to us.
///
/// Core Specification, Vol 3, Part F, 3.4.
///
/// A view: spans point into the packet it was parsed from.
package enum ServerPDU: ~Escapable {
  /// ATT_ERROR_RSP, 3.4.1.1.
  case error(request: UInt8, handle: UInt16, code: AttributeError)
  /// ATT_EXCHANGE_MTU_RSP, 3.4.2.2.
  case exchangeMTU(serverMTU: UInt16)
  /// ATT_FIND_INFORMATION_RSP, 3.4.3.2.
  case findInformation(FoundInformation)
  /// ATT_FIND_BY_TYPE_VALUE_RSP, 3.4.3.4.
  case findByTypeValue(FoundRanges)
  /// ATT_READ_BY_TYPE_RSP, 3.4.4.2.
  case readByType(ReadValues)
  /// ATT_READ_RSP, 3.4.4.4.
  case read(value: Span<UInt8>)
  /// ATT_READ_BLOB_RSP, 3.4.4.6.
  case readBlob(part: Span<UInt8>)
  /// ATT_READ_BY_GROUP_TYPE_RSP, 3.4.4.10.
  case readByGroupType(ReadGroups)
  /// ATT_WRITE_RSP, 3.4.5.2.
  case write
  /// ATT_HANDLE_VALUE_NTF, 3.4.7.1.
  case notification(handle: UInt16, value: Span<UInt8>)
  /// ATT_HANDLE_VALUE_IND, 3.4.7.2.
  case indication(handle: UInt16, value: Span<UInt8>)

  /// Whether a PDU with this opcode comes from a server: responses, notifications, indications.
  package static func isServer(opcode: UInt8) -> Bool { opcode & 0x01 == 1 }

  /// Takes a whole PDU, its opcode first.
  @_lifetime(copy bytes)
  package init(parsing bytes: Span<UInt8>) throws(ParseError) {
    var reader = ByteReader(bytes)
    let opcode = try reader.u8()
    switch AttributeOpcode(rawValue: opcode) {
    case .errorResponse:
      let request = try reader.u8()
      let handle = try reader.u16()
      self = .error(
        request: request, handle: handle, code: AttributeError(rawValue: try reader.u8()))
    case .exchangeMTUResponse: self = .exchangeMTU(serverMTU: try reader.u16())
    case .findInformationResponse:
      self = .findInformation(try FoundInformation(parsing: reader.takeRest()))
    case .findByTypeValueResponse:
      self = .findByTypeValue(try FoundRanges(parsing: reader.takeRest()))
    case .readByTypeResponse: self = .readByType(try ReadValues(parsing: reader.takeRest()))
    case .readResponse: self = .read(value: reader.rest())
    case .readBlobResponse: self = .readBlob(part: reader.rest())
    case .readByGroupTypeResponse:
      self = .readByGroupType(try ReadGroups(parsing: reader.takeRest()))
    case .writeResponse: self = .write
    case .notification: self = .notification(handle: try reader.u16(), value: reader.rest())
    case .indication: self = .indication(handle: try reader.u16(), value: reader.rest())
    default: throw .unknown(opcode)
    }
  }
}

/// The handles and types of a Find Information Response: all of 16 bits, or all of 128.
package struct FoundInformation: ~Escapable {
  private let entries: Span<UInt8>
  private let size: Int

  @_lifetime(copy bytes)
  init(parsing bytes: Span<UInt8>) throws(ParseError) {
    var reader = ByteReader(bytes)
    switch try reader.u8() {
    case 0x01: size = 2 + 2
    case 0x02: size = 2 + 16
    default: throw .invalid
    }
    guard reader.count > 0, reader.count % size == 0 else { throw .invalid }
    entries = reader.rest()
  }

  /// How many attributes are listed; at least one.
  package var count: Int { entries.count / size }

  /// The handle and the type of one of them.
  package subscript(index: Int) -> (handle: UInt16, type: UUID) {
    get throws(ParseError) {
      var reader = ByteReader(entries)
      try reader.skip(index * size)
      let handle = try reader.u16()
      return (handle, try UUID(parsing: try reader.take(size - 2)))
    }
  }
}

/// The groups of a Find By Type Value Response: a service's handle and its last attribute's.
package struct FoundRanges: ~Escapable {
  private let entries: Span<UInt8>

  @_lifetime(copy bytes)
  init(parsing bytes: Span<UInt8>) throws(ParseError) {
    guard bytes.count > 0, bytes.count % 4 == 0 else { throw .invalid }
    entries = bytes
  }

  /// How many groups are listed; at least one.
  package var count: Int { entries.count / 4 }

  /// One of them.
  package subscript(index: Int) -> HandleRange {
    get throws(ParseError) {
      var reader = ByteReader(entries)
      try reader.skip(index * 4)
      return HandleRange(try reader.u16(), try reader.u16())
    }
  }
}

/// The values of a Read By Type Response, all of one length.
package struct ReadValues: ~Escapable {
  private let entries: Span<UInt8>
  private let size: Int

  @_lifetime(copy bytes)
  init(parsing bytes: Span<UInt8>) throws(ParseError) {
    var reader = ByteReader(bytes)
    size = Int(try reader.u8())
    guard size >= 2, reader.count > 0, reader.count % size == 0 else { throw .invalid }
    entries = reader.rest()
  }

  /// How many values are listed; at least one.
  package var count: Int { entries.count / size }

  /// The handle of the attribute at `index`.
  package func handle(at index: Int) throws(ParseError) -> UInt16 {
    var reader = ByteReader(entries)
    try reader.skip(index * size)
    return try reader.u16()
  }

  /// The value of the attribute at `index`.
  @_lifetime(copy self)
  package func value(at index: Int) throws(ParseError) -> Span<UInt8> {
    var reader = ByteReader(entries)
    try reader.skip(index * size + 2)
    return try reader.take(size - 2)
  }
}

/// The groups of a Read By Group Type Response: each one's range of handles, and its first value.
package struct ReadGroups: ~Escapable {
  private let entries: Span<UInt8>
  private let size: Int

  @_lifetime(copy bytes)
  init(parsing bytes: Span<UInt8>) throws(ParseError) {
    var reader = ByteReader(bytes)
    size = Int(try reader.u8())
    guard size >= 4, reader.count > 0, reader.count % size == 0 else { throw .invalid }
    entries = reader.rest()
  }

  /// How many groups are listed; at least one.
  package var count: Int { entries.count / size }

  /// The service at `index`: its range, and the UUID that its declaration has.
  package subscript(index: Int) -> (range: HandleRange, uuid: UUID) {
    get throws(ParseError) {
      var reader = ByteReader(entries)
      try reader.skip(index * size)
      let range = HandleRange(try reader.u16(), try reader.u16())
      return (range, try UUID(parsing: try reader.take(size - 4)))
    }
  }
}

/// The value of a characteristic's declaration.
///
/// Core Specification, Vol 3, Part G, 3.3.1.
package struct CharacteristicDeclaration: Equatable, Sendable {
  /// What can be done with the value: bit 1 read, bit 4 notify, bit 5 indicate.
  package var properties: UInt8
  /// Where the value is.
  package var valueHandle: UInt16
  /// What it is.
  package var uuid: UUID

  /// A characteristic whose value can be read and nothing else.
  package init(readOnly uuid: UUID, valueHandle: UInt16) {
    (properties, self.valueHandle, self.uuid) = (0x02, valueHandle, uuid)
  }

  /// Takes the declaration's value.
  package init(parsing bytes: Span<UInt8>) throws(ParseError) {
    var reader = ByteReader(bytes)
    properties = try reader.u8()
    valueHandle = try reader.u16()
    uuid = try UUID(parsing: reader.rest())
  }
}

extension ByteWriter where Self: ~Copyable {
  /// The value of a characteristic's declaration.
  package mutating func append(_ declaration: CharacteristicDeclaration) {
    append(declaration.properties)
    append(u16: declaration.valueHandle)
    appendShortest(declaration.uuid)
  }
}

package import Bytes

/// What an attribute server sends to us.
///
/// `AttributeOpcode` has the sections of the specification.
///
/// A view: spans point into the packet it was parsed from.
package enum ServerPDU: ~Escapable {
  case error(request: UInt8, handle: UInt16, code: AttributeError)
  case exchangeMTU(serverMTU: UInt16)
  case findInformation(FoundInformation)
  case findByTypeValue(FoundRanges)
  case readByType(ReadValues)
  case read(value: Span<UInt8>)
  case readBlob(part: Span<UInt8>)
  case readByGroupType(ReadGroups)
  case write
  case notification(handle: UInt16, value: Span<UInt8>)
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

/// The entries of a response, all of one size; there is at least one.
private struct Entries: ~Escapable {
  private let bytes: Span<UInt8>
  private let size: Int

  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>, size: Int, atLeast least: Int = 1) throws(ParseError) {
    guard size >= least, bytes.count > 0, bytes.count % size == 0 else { throw .invalid }
    (self.bytes, self.size) = (bytes, size)
  }

  var count: Int { bytes.count / size }

  /// The bytes of one entry.
  @_lifetime(copy self)
  func reader(at index: Int) throws(ParseError) -> ByteReader {
    var reader = ByteReader(bytes)
    try reader.skip(index * size)
    return ByteReader(try reader.take(size))
  }
}

/// The handles and types of a Find Information Response: all of 16 bits, or all of 128.
package struct FoundInformation: ~Escapable {
  private let entries: Entries

  @_lifetime(copy bytes)
  init(parsing bytes: Span<UInt8>) throws(ParseError) {
    var reader = ByteReader(bytes)
    switch try reader.u8() {
    case 0x01: entries = try Entries(reader.rest(), size: 2 + 2)
    case 0x02: entries = try Entries(reader.rest(), size: 2 + 16)
    default: throw .invalid
    }
  }

  package var count: Int { entries.count }

  package subscript(index: Int) -> (handle: UInt16, type: UUID) {
    get throws(ParseError) {
      var reader = try entries.reader(at: index)
      return (try reader.u16(), try UUID(parsing: reader.takeRest()))
    }
  }
}

/// The groups of a Find By Type Value Response: a service's handle and its last attribute's.
package struct FoundRanges: ~Escapable {
  private let entries: Entries

  @_lifetime(copy bytes)
  init(parsing bytes: Span<UInt8>) throws(ParseError) { entries = try Entries(bytes, size: 4) }

  package var count: Int { entries.count }

  package subscript(index: Int) -> HandleRange {
    get throws(ParseError) {
      var reader = try entries.reader(at: index)
      return try reader.handleRange()
    }
  }
}

/// The values of a Read By Type Response, all of one length.
package struct ReadValues: ~Escapable {
  private let entries: Entries

  @_lifetime(copy bytes)
  init(parsing bytes: Span<UInt8>) throws(ParseError) {
    var reader = ByteReader(bytes)
    let size = Int(try reader.u8())
    entries = try Entries(reader.rest(), size: size, atLeast: 2)
  }

  package var count: Int { entries.count }

  /// The handle of the attribute at `index`.
  package func handle(at index: Int) throws(ParseError) -> UInt16 {
    var reader = try entries.reader(at: index)
    return try reader.u16()
  }

  /// The value of the attribute at `index`.
  @_lifetime(copy self)
  package func value(at index: Int) throws(ParseError) -> Span<UInt8> {
    var reader = try entries.reader(at: index)
    try reader.skip(2)
    return reader.rest()
  }
}

/// The groups of a Read By Group Type Response: each one's range of handles, and its first value.
package struct ReadGroups: ~Escapable {
  private let entries: Entries

  @_lifetime(copy bytes)
  init(parsing bytes: Span<UInt8>) throws(ParseError) {
    var reader = ByteReader(bytes)
    let size = Int(try reader.u8())
    entries = try Entries(reader.rest(), size: size, atLeast: 4)
  }

  package var count: Int { entries.count }

  /// The service at `index`: its range, and the UUID in its declaration.
  package subscript(index: Int) -> (range: HandleRange, uuid: UUID) {
    get throws(ParseError) {
      var reader = try entries.reader(at: index)
      return (try reader.handleRange(), try UUID(parsing: reader.takeRest()))
    }
  }
}

/// The value of a characteristic's declaration.
///
/// Core Specification, Vol 3, Part G, 3.3.1.
package struct CharacteristicDeclaration: Equatable, Sendable {
  /// What can be done with the value: bit 1 read, bit 3 write, bit 4 notify, bit 5 indicate.
  package var properties: UInt8
  /// Where the value is.
  package var valueHandle: UInt16
  /// What it is.
  package var uuid: UUID

  package init(properties: UInt8, valueHandle: UInt16, uuid: UUID) {
    (self.properties, self.valueHandle, self.uuid) = (properties, valueHandle, uuid)
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

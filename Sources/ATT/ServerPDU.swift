package import Bytes

/// A PDU that an attribute server sends to us.
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

  /// Whether a PDU with this opcode comes from a server: a response, a notification, an indication.
  ///
  /// An odd opcode without a name belongs to an unknown request or command.
  package static func isServer(opcode: UInt8) -> Bool {
    opcode & 0x01 == 1 && AttributeOpcode(rawValue: opcode) != nil
  }

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

/// The groups of a Find By Type Value Response: the handles of a service and of its last attribute.
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
      return (try reader.handleRange(), try reader.attributeType())
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
    uuid = try reader.attributeType()
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

/// The other direction: what our small server answers.
extension ServerPDU {
  /// Writes an Error Response to the request with the opcode `request`.
  package static func writeError<Writer: ByteWriter & ~Copyable>(
    request: UInt8, handle: UInt16, code: AttributeError, into writer: inout Writer
  ) {
    writer.append(AttributeOpcode.errorResponse)
    writer.append(request)
    writer.append(u16: handle)
    writer.append(code.rawValue)
  }

  package static func writeExchangeMTU<Writer: ByteWriter & ~Copyable>(
    serverMTU: UInt16, into writer: inout Writer
  ) {
    writer.append(AttributeOpcode.exchangeMTUResponse)
    writer.append(u16: serverMTU)
  }

  /// Writes a Read Response: as much of `value` as fits.
  package static func writeRead<Writer: ByteWriter & ~Copyable>(
    value: Span<UInt8>, mtu: Int, into writer: inout Writer
  ) {
    writer.append(AttributeOpcode.readResponse)
    writer.append(value.extracting(first: min(value.count, mtu - 1)))
  }

  /// Writes a Read Blob Response: as much of `part`, the end of a value, as fits.
  package static func writeReadBlob<Writer: ByteWriter & ~Copyable>(
    part: Span<UInt8>, mtu: Int, into writer: inout Writer
  ) {
    writer.append(AttributeOpcode.readBlobResponse)
    writer.append(part.extracting(first: min(part.count, mtu - 1)))
  }

  package static func writeWrite<Writer: ByteWriter & ~Copyable>(into writer: inout Writer) {
    writer.append(AttributeOpcode.writeResponse)
  }

  /// Writes a Handle Value Notification; the value is at most 3 bytes shorter than the MTU.
  package static func writeNotification<Writer: ByteWriter & ~Copyable>(
    handle: UInt16, value: Span<UInt8>, into writer: inout Writer
  ) {
    writer.append(AttributeOpcode.notification)
    writer.append(u16: handle)
    writer.append(value)
  }

  /// Writes a Handle Value Indication of Service Changed.
  ///
  /// Core Specification, Vol 3, Part G, 7.1.
  package static func writeServiceChanged<Writer: ByteWriter & ~Copyable>(
    handle: UInt16, _ changed: HandleRange, into writer: inout Writer
  ) {
    writer.append(AttributeOpcode.indication)
    writer.append(u16: handle)
    writer.append(changed)
  }
}

/// A response that lists attributes: entries of one size, as many as fit.
///
/// The first entry that has another size or does not fit ends the list, and the client asks again
/// from there on.
///
/// Core Specification, Vol 3, Part F, 3.4.3 and 3.4.4.
package struct AttributeList: ~Copyable {
  /// Which of the responses.
  package enum Kind: Sendable {
    case findInformation, findByTypeValue, readByType, readByGroupType

    fileprivate var opcode: AttributeOpcode {
      switch self {
      case .findInformation: .findInformationResponse
      case .findByTypeValue: .findByTypeValueResponse
      case .readByType: .readByTypeResponse
      case .readByGroupType: .readByGroupTypeResponse
      }
    }
  }

  /// The longest list in bytes; a larger MTU is not used.
  package static var capacity: Int { 64 }

  private let mtu: Int
  private let kind: Kind
  private var pdu = FixedBuffer<64>()
  private var entrySize = 0
  private var isEnded = false

  /// An empty list for an MTU of at least 23.
  package init(_ kind: Kind, mtu: Int) {
    self.kind = kind
    self.mtu = min(mtu, Self.capacity)
  }

  /// Whether nothing was found; an Error Response must say so, as a list has at least one entry.
  package var isEmpty: Bool { pdu.isEmpty }

  /// The whole PDU, its opcode first.
  package var bytes: Span<UInt8> { pdu.bytes }

  /// Adds an attribute's handle and type, for `findInformation`.
  package mutating func append(_ handle: UInt16, type: UUID) {
    let isShort = type.short != nil
    guard beginEntry(of: isShort ? 2 + 2 : 2 + 16, header: isShort ? 0x01 : 0x02) else { return }
    pdu.append(u16: handle)
    pdu.appendShortest(type)
  }

  /// Adds an attribute's handle and the last one of its group, for `findByTypeValue`.
  package mutating func append(_ group: HandleRange) {
    guard beginEntry(of: 4, header: nil) else { return }
    pdu.append(group)
  }

  /// Adds an attribute's handle and value, cut to what fits, for `readByType`.
  package mutating func append(_ handle: UInt16, value: Span<UInt8>) {
    append(value, behind: 2) { $0.append(u16: handle) }
  }

  /// Adds a group and the value of its first attribute, cut to what fits, for `readByGroupType`.
  package mutating func append(_ group: HandleRange, value: Span<UInt8>) {
    append(value, behind: 4) { $0.append(group) }
  }

  private mutating func append(
    _ value: Span<UInt8>, behind size: Int, _ writeHandles: (inout FixedBuffer<64>) -> Void
  ) {
    let count = min(value.count, mtu - 2 - size)
    guard beginEntry(of: size + count, header: UInt8(truncatingIfNeeded: size + count)) else {
      return
    }
    writeHandles(&pdu)
    pdu.append(value.extracting(first: count))
  }

  /// Whether there is room for an entry of this size; the first one writes what precedes all entries.
  private mutating func beginEntry(of size: Int, header: UInt8?) -> Bool {
    if pdu.isEmpty {
      pdu.append(kind.opcode)
      if let header { pdu.append(header) }
      entrySize = size
    }
    isEnded = isEnded || size != entrySize || pdu.count + size > mtu
    return !isEnded
  }
}

package import Bytes

/// What we ask of the phone's server.
///
/// Core Specification, Vol 3, Part F, 3.4.
package enum Request: Equatable, Sendable {
  /// ATT_EXCHANGE_MTU_REQ, 3.4.2.1.
  case exchangeMTU(clientMTU: UInt16)
  /// ATT_FIND_INFORMATION_REQ, 3.4.3.1.
  case findInformation(HandleRange)
  /// ATT_FIND_BY_TYPE_VALUE_REQ for a primary service, 3.4.3.3.
  case findPrimaryService(HandleRange, UUID)
  /// ATT_READ_BY_TYPE_REQ, 3.4.4.1.
  case readByType(HandleRange, UUID)
  /// ATT_READ_REQ, 3.4.4.3.
  case read(handle: UInt16)
  /// ATT_READ_BLOB_REQ, 3.4.4.5.
  case readBlob(handle: UInt16, offset: UInt16)
  /// ATT_READ_BY_GROUP_TYPE_REQ for primary services, 3.4.4.9.
  case readByGroupType(HandleRange)
  /// ATT_WRITE_REQ of two bytes, as CCCDs take them, 3.4.5.1.
  case write(handle: UInt16, value: UInt16)
  /// ATT_WRITE_REQ of one byte, 3.4.5.1.
  case writeByte(handle: UInt16, value: UInt8)
  /// ATT_WRITE_REQ of some bytes, 3.4.5.1.
  case writeBytes(handle: UInt16, ShortValue)

  /// The opcode, which an Error Response repeats.
  package var opcode: UInt8 { name.rawValue }

  private var name: AttributeOpcode {
    switch self {
    case .exchangeMTU: .exchangeMTURequest
    case .findInformation: .findInformationRequest
    case .findPrimaryService: .findByTypeValueRequest
    case .readByType: .readByTypeRequest
    case .read: .readRequest
    case .readBlob: .readBlobRequest
    case .readByGroupType: .readByGroupTypeRequest
    case .write, .writeByte, .writeBytes: .writeRequest
    }
  }

  /// Writes the whole PDU, its opcode first.
  package func write<Writer: ByteWriter & ~Copyable>(into writer: inout Writer) {
    writer.append(name)
    switch self {
    case .exchangeMTU(let clientMTU): writer.append(u16: clientMTU)
    case .findInformation(let range): writer.append(range)
    case .findPrimaryService(let range, let service):
      writer.append(range)
      writer.appendShortest(.primaryService)
      writer.appendShortest(service)
    case .readByType(let range, let type):
      writer.append(range)
      writer.appendShortest(type)
    case .read(let handle): writer.append(u16: handle)
    case .readBlob(let handle, let offset):
      writer.append(u16: handle)
      writer.append(u16: offset)
    case .readByGroupType(let range):
      writer.append(range)
      writer.appendShortest(.primaryService)
    case .write(let handle, let value):
      writer.append(u16: handle)
      writer.append(u16: value)
    case .writeByte(let handle, let value):
      writer.append(u16: handle)
      writer.append(value)
    case .writeBytes(let handle, let value):
      writer.append(u16: handle)
      writer.append(value.bytes)
    }
  }

  /// Writes ATT_HANDLE_VALUE_CFM, 3.4.7.3, which every indication gets.
  package static func writeConfirmation<Writer: ByteWriter & ~Copyable>(into writer: inout Writer) {
    writer.append(AttributeOpcode.confirmation)
  }
}

/// A value to be written, of at most 12 bytes.
package struct ShortValue: Equatable, Sendable {
  private var octets = Octets<12>()
  private var count = 0

  /// What `write` writes; more than 12 bytes are left out.
  package init(_ write: (inout FixedBuffer<12>) -> Void) {
    var buffer = FixedBuffer<12>()
    write(&buffer)
    count = buffer.count
    for index in 0..<count { octets[index] = buffer[index] }
  }

  /// These bytes; more than 12 are left out.
  package init(_ bytes: Span<UInt8>) { self.init { $0.assign(bytes) } }

  /// All of it.
  package var bytes: Span<UInt8> {
    // The second attribute: see `FixedBuffer.bytes`.
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { octets.bytes.extracting(first: count) }
  }
}

extension ByteWriter where Self: ~Copyable {
  mutating func append(_ range: HandleRange) {
    append(u16: range.start)
    append(u16: range.end)
  }

  /// An assigned number in two bytes, any other UUID in sixteen.
  package mutating func appendShortest(_ uuid: UUID) {
    if let short = uuid.short { append(u16: short) } else { append(uuid) }
  }
}

package import Bytes

/// What we ask of an attribute server.
///
/// `AttributeOpcode` has the sections of the specification.
package enum Request: Equatable, Sendable {
  case exchangeMTU(clientMTU: UInt16)
  case findInformation(HandleRange)
  /// A Find By Type Value Request for a primary service.
  case findPrimaryService(HandleRange, UUID)
  case readByType(HandleRange, UUID)
  case read(handle: UInt16)
  case readBlob(handle: UInt16, offset: UInt16)
  /// For primary services.
  case readByGroupType(HandleRange)
  /// A Write Request of two bytes, as CCCDs take them.
  case write(handle: UInt16, value: UInt16)
  case writeByte(handle: UInt16, value: UInt8)
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
    case .exchangeMTU(let number), .read(let number): writer.append(u16: number)
    case .findInformation(let range): writer.append(range)
    case .findPrimaryService(let range, let service):
      writer.append(range)
      writer.appendShortest(.primaryService)
      writer.appendShortest(service)
    case .readByType(let range, let type):
      writer.append(range)
      writer.appendShortest(type)
    case .readBlob(let handle, let number), .write(let handle, let number):
      writer.append(u16: handle)
      writer.append(u16: number)
    case .readByGroupType(let range):
      writer.append(range)
      writer.appendShortest(.primaryService)
    case .writeByte(let handle, let value):
      writer.append(u16: handle)
      writer.append(value)
    case .writeBytes(let handle, let value):
      writer.append(u16: handle)
      writer.append(value.bytes)
    }
  }

  /// Writes the confirmation, which every indication gets.
  package static func writeConfirmation<Writer: ByteWriter & ~Copyable>(into writer: inout Writer) {
    writer.append(AttributeOpcode.confirmation)
  }
}

/// A value to be written, of at most 12 bytes.
package typealias ShortValue = ShortBytes<12>

extension ByteWriter where Self: ~Copyable {
  /// An assigned number in two bytes, any other UUID in sixteen.
  package mutating func appendShortest(_ uuid: UUID) {
    if let short = uuid.short { append(u16: short) } else { append(uuid) }
  }
}

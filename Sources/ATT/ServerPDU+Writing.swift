package import Bytes

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

  /// Whether nothing was found, which an error says instead: a list has at least one entry.
  package var isEmpty: Bool { pdu.isEmpty }

  /// The whole PDU, its opcode first.
  package var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { pdu.bytes }
  }

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

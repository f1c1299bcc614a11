import ATT
import Bytes

/// Our side as a server: who we are, and that there is nothing else.
///
/// Phones ask for it in mid-transaction. Generic Access with name and
/// appearance, and an empty Generic Attribute service. Core Specification,
/// Vol 3, Part C, 12 and Part G, 7.
struct GATTServer: ~Copyable {
  private static var lastHandle: UInt16 { 6 }
  /// Cycling: cycling computer.
  ///
  /// Assigned Numbers, 2.6.
  private static var appearance: UInt16 { 0x0481 }

  private var name: FixedBuffer<20>

  init(name: Span<UInt8>) {
    self.name = FixedBuffer<20>()
    self.name.assign(name)
  }

  /// Writes the answer to a request; nothing where none is due.
  func answer<let capacity: Int>(
    _ request: ClientPDU, mtu: Int, into answer: inout FixedBuffer<capacity>
  ) {
    switch request {
    case .exchangeMTU:
      answer.append(0x03)
      answer.append(u16: GATTClient.offeredMTU)
    case .findInformation(let range): findInformation(range, mtu, &answer)
    case .findByTypeValue(let range, let type, let value):
      findByTypeValue(range, type, value, mtu, &answer)
    case .readByType(let range, let type): readByType(range, type, mtu, &answer)
    case .readByGroupType(let range, let type): readByGroupType(range, type, mtu, &answer)
    case .read(let handle): read(0x0A, handle, offset: 0, mtu, &answer)
    case .readBlob(let handle, let offset): read(0x0C, handle, offset: Int(offset), mtu, &answer)
    case .write(let opcode, let handle):
      let code: AttributeError = isKnown(handle) ? .writeNotPermitted : .invalidHandle
      Self.writeError(opcode, handle, code, into: &answer)
    case .unknownRequest(let opcode):
      Self.writeError(opcode, 0, .requestNotSupported, into: &answer)
    case .confirmation, .command: break
    }
  }

  /// Writes ATT_ERROR_RSP (Vol 3, Part F, 3.4.1.1).
  static func writeError<let capacity: Int>(
    _ opcode: UInt8, _ handle: UInt16, _ code: AttributeError,
    into answer: inout FixedBuffer<capacity>
  ) {
    answer.append(0x01)
    answer.append(opcode)
    answer.append(u16: handle)
    answer.append(code.rawValue)
  }

  // MARK: - The attributes, by handle

  private func isKnown(_ handle: UInt16) -> Bool { handle >= 1 && handle <= Self.lastHandle }

  private func type(of handle: UInt16) -> UUID {
    switch handle {
    case 1, 6: .primaryService
    case 2, 4: .characteristic
    case 3: .deviceName
    default: .appearance
    }
  }

  private func writeValue(of handle: UInt16, into value: inout FixedBuffer<32>) {
    switch handle {
    case 1: value.appendShortest(.genericAccess)
    case 2: Self.writeDeclaration(of: .deviceName, valueHandle: 3, into: &value)
    case 3: value.append(name.bytes)
    case 4: Self.writeDeclaration(of: .appearance, valueHandle: 5, into: &value)
    case 5: value.append(u16: Self.appearance)
    default: value.appendShortest(.genericAttribute)
    }
  }

  private static func writeDeclaration(
    of uuid: UUID, valueHandle: UInt16, into value: inout FixedBuffer<32>
  ) {
    value.append(0x02)  // can be read
    value.append(u16: valueHandle)
    value.appendShortest(uuid)
  }

  /// Last handle of the service that begins at `handle`.
  private func groupEnd(_ handle: UInt16) -> UInt16 { handle == 1 ? 5 : 6 }

  // MARK: - Requests

  private func findInformation<let capacity: Int>(
    _ range: HandleRange, _ mtu: Int, _ answer: inout FixedBuffer<capacity>
  ) {
    guard range.isValid else {
      return Self.writeError(0x04, range.start, .invalidHandle, into: &answer)
    }
    guard range.start <= Self.lastHandle else {
      return Self.writeError(0x04, range.start, .attributeNotFound, into: &answer)
    }
    answer.append(0x05)
    answer.append(0x01)  // all types are short
    for handle in range.start...min(range.end, Self.lastHandle) where answer.count + 4 <= mtu {
      answer.append(u16: handle)
      answer.appendShortest(type(of: handle))
    }
  }

  private func findByTypeValue<let capacity: Int>(
    _ range: HandleRange, _ type: UInt16, _ wanted: Span<UInt8>, _ mtu: Int,
    _ answer: inout FixedBuffer<capacity>
  ) {
    guard range.isValid else {
      return Self.writeError(0x06, range.start, .invalidHandle, into: &answer)
    }
    answer.append(0x07)
    for handle in 1...Self.lastHandle
    where handle >= range.start && handle <= range.end && answer.count + 4 <= mtu {
      guard self.type(of: handle).short == type else { continue }
      var value = FixedBuffer<32>()
      writeValue(of: handle, into: &value)
      guard isEqual(value.bytes, wanted) else { continue }
      answer.append(u16: handle)
      answer.append(u16: type == 0x2800 ? groupEnd(handle) : handle)
    }
    guard answer.count == 1 else { return }
    answer.removeAll()
    Self.writeError(0x06, range.start, .attributeNotFound, into: &answer)
  }

  private func readByType<let capacity: Int>(
    _ range: HandleRange, _ type: UUID, _ mtu: Int, _ answer: inout FixedBuffer<capacity>
  ) {
    list(0x08, 0x09, range, type, mtu, isGrouped: false, &answer)
  }

  private func readByGroupType<let capacity: Int>(
    _ range: HandleRange, _ type: UUID, _ mtu: Int, _ answer: inout FixedBuffer<capacity>
  ) {
    guard type == .primaryService else {
      return Self.writeError(0x10, range.start, .unsupportedGroupType, into: &answer)
    }
    list(0x10, 0x11, range, type, mtu, isGrouped: true, &answer)
  }

  /// The attributes of one type with their values, as many of one length as fit.
  private func list<let capacity: Int>(
    _ request: UInt8, _ response: UInt8, _ range: HandleRange, _ type: UUID, _ mtu: Int,
    isGrouped: Bool, _ answer: inout FixedBuffer<capacity>
  ) {
    guard range.isValid else {
      return Self.writeError(request, range.start, .invalidHandle, into: &answer)
    }
    var entrySize = 0
    for handle in 1...Self.lastHandle where handle >= range.start && handle <= range.end {
      guard self.type(of: handle) == type else { continue }
      var value = FixedBuffer<32>()
      writeValue(of: handle, into: &value)
      let header = isGrouped ? 4 : 2
      value.truncate(to: mtu - 2 - header)
      if entrySize == 0 {
        entrySize = header + value.count
        answer.append(response)
        answer.append(UInt8(truncatingIfNeeded: entrySize))
      }
      guard header + value.count == entrySize, answer.count + entrySize <= mtu else { break }
      answer.append(u16: handle)
      if isGrouped { answer.append(u16: groupEnd(handle)) }
      answer.append(value.bytes)
    }
    if entrySize == 0 {
      Self.writeError(request, range.start, .attributeNotFound, into: &answer)
    }
  }

  private func read<let capacity: Int>(
    _ request: UInt8, _ handle: UInt16, offset: Int, _ mtu: Int,
    _ answer: inout FixedBuffer<capacity>
  ) {
    guard isKnown(handle) else {
      return Self.writeError(request, handle, .invalidHandle, into: &answer)
    }
    var value = FixedBuffer<32>()
    writeValue(of: handle, into: &value)
    guard offset <= value.count else {
      return Self.writeError(request, handle, .invalidOffset, into: &answer)
    }
    value.removeFirst(offset)
    value.truncate(to: mtu - 1)
    answer.append(request + 1)
    answer.append(value.bytes)
  }
}

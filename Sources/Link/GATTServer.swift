package import ATT
package import Bytes

/// Our side as a server: who we are, and that there is nothing else.
///
/// Phones ask for it in mid-transaction. Generic Access with name and
/// appearance, and an empty Generic Attribute service. Core Specification,
/// Vol 3, Part C, 12 and Part G, 7.
package struct GATTServer: ~Copyable {
  /// Why a request gets an Error Response.
  private struct Refusal: Error {
    var handle: UInt16
    var code: AttributeError

    init(_ handle: UInt16, _ code: AttributeError) { (self.handle, self.code) = (handle, code) }
  }

  private static var lastHandle: UInt16 { 6 }
  /// Cycling: cycling computer.
  ///
  /// Assigned Numbers, 2.6.
  private static var appearance: UInt16 { 0x0481 }

  private var name: FixedBuffer<20>

  package init(name: Span<UInt8>) {
    self.name = FixedBuffer<20>()
    self.name.assign(name)
  }

  /// Writes the answer to a request; nothing where none is due.
  package func answer<let capacity: Int>(
    _ request: ClientPDU, mtu: Int, into answer: inout FixedBuffer<capacity>
  ) {
    do throws(Refusal) {
      try respond(to: request, mtu, &answer)
    } catch {
      ServerPDU.writeError(
        request: request.opcode, handle: error.handle, code: error.code, into: &answer)
    }
  }

  private func respond<let capacity: Int>(
    to request: ClientPDU, _ mtu: Int, _ answer: inout FixedBuffer<capacity>
  ) throws(Refusal) {
    switch request {
    case .exchangeMTU:
      ServerPDU.writeExchangeMTU(serverMTU: GATTClient.offeredMTU, into: &answer)
    case .findInformation(let range):
      var list = AttributeList(.findInformation, mtu: mtu)
      for handle in try handles(in: range) { list.append(handle, type: type(of: handle)) }
      try finish(list, range, &answer)
    case .findByTypeValue(let range, let type, let value):
      try findByTypeValue(range, UUID(short: UInt32(type)), value, mtu, &answer)
    case .readByType(let range, let type): try readByType(range, type, mtu, &answer)
    case .readByGroupType(let range, let type): try readByGroupType(range, type, mtu, &answer)
    case .read(let handle):
      let value = try content(of: handle)
      ServerPDU.writeRead(value: value.bytes, mtu: mtu, into: &answer)
    case .readBlob(let handle, let offset):
      var part = try content(of: handle)
      guard offset <= part.count else { throw Refusal(handle, .invalidOffset) }
      part.removeFirst(Int(offset))
      ServerPDU.writeReadBlob(part: part.bytes, mtu: mtu, into: &answer)
    case .write(_, let handle):
      throw Refusal(handle, isKnown(handle) ? .writeNotPermitted : .invalidHandle)
    case .unknownRequest: throw Refusal(0, .requestNotSupported)
    case .confirmation, .command: break
    }
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

  private func content(of handle: UInt16) throws(Refusal) -> FixedBuffer<32> {
    var value = FixedBuffer<32>()
    switch handle {
    case 1: value.appendShortest(.genericAccess)
    case 2: value.append(CharacteristicDeclaration(readOnly: .deviceName, valueHandle: 3))
    case 3: value.append(name.bytes)
    case 4: value.append(CharacteristicDeclaration(readOnly: .appearance, valueHandle: 5))
    case 5: value.append(u16: Self.appearance)
    case 6: value.appendShortest(.genericAttribute)
    default: throw Refusal(handle, .invalidHandle)
    }
    return value
  }

  /// The attribute with all that belongs to it: a service with its characteristics.
  private func group(_ handle: UInt16) -> HandleRange {
    HandleRange(handle, handle == 1 ? 5 : handle)
  }

  /// Those of our handles that lie in a range.
  private func handles(in range: HandleRange) throws(Refusal) -> Range<UInt16> {
    guard range.isValid else { throw Refusal(range.start, .invalidHandle) }
    let end = Self.lastHandle + 1
    return min(range.start, end)..<min(range.end, Self.lastHandle) + 1
  }

  // MARK: - Requests

  private func findByTypeValue<let capacity: Int>(
    _ range: HandleRange, _ type: UUID, _ wanted: Span<UInt8>, _ mtu: Int,
    _ answer: inout FixedBuffer<capacity>
  ) throws(Refusal) {
    var list = AttributeList(.findByTypeValue, mtu: mtu)
    for handle in try handles(in: range) where self.type(of: handle) == type {
      let value = try content(of: handle)
      if isEqual(value.bytes, wanted) { list.append(group(handle)) }
    }
    try finish(list, range, &answer)
  }

  private func readByType<let capacity: Int>(
    _ range: HandleRange, _ type: UUID, _ mtu: Int, _ answer: inout FixedBuffer<capacity>
  ) throws(Refusal) {
    var list = AttributeList(.readByType, mtu: mtu)
    for handle in try handles(in: range) where self.type(of: handle) == type {
      let value = try content(of: handle)
      list.append(handle, value: value.bytes)
    }
    try finish(list, range, &answer)
  }

  private func readByGroupType<let capacity: Int>(
    _ range: HandleRange, _ type: UUID, _ mtu: Int, _ answer: inout FixedBuffer<capacity>
  ) throws(Refusal) {
    guard type == .primaryService else { throw Refusal(range.start, .unsupportedGroupType) }
    var list = AttributeList(.readByGroupType, mtu: mtu)
    for handle in try handles(in: range) where self.type(of: handle) == type {
      let value = try content(of: handle)
      list.append(group(handle), value: value.bytes)
    }
    try finish(list, range, &answer)
  }

  private func finish<let capacity: Int>(
    _ list: borrowing AttributeList, _ range: HandleRange, _ answer: inout FixedBuffer<capacity>
  ) throws(Refusal) {
    guard !list.isEmpty else { throw Refusal(range.start, .attributeNotFound) }
    answer.append(list.bytes)
  }
}

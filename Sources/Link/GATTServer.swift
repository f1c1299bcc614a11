package import ATT
package import Bond
package import Bytes

/// Our side as a server: it answers requests for the attributes of `ServerTable`, even while our client waits.
///
/// It keeps nothing but the name. What a phone has set belongs to its bond (`ServerSession`). The owner carries out
/// what a request changes (`Outcome`).
package struct GATTServer: ~Copyable {
  /// What a phone may access beyond the public attributes.
  package enum Access: Equatable {
    /// Nothing: it has no key of ours, or has not shown it.
    case stranger
    /// Nothing yet: the link to the remembered phone is about to be encrypted.
    case unencrypted
    /// Everything: it is the remembered phone, which has set this.
    case bond(Bond.Served)
  }

  /// What follows from a request that was answered.
  package enum Outcome: Equatable {
    case nothing
    case subscribed(Bond.Served.Subscription, Bool)
    /// The value of the UART's RX was written.
    case received
    case confirmed
  }

  /// Why a request gets an Error Response.
  private struct Refusal: Error {
    var handle: UInt16
    var code: AttributeError

    init(_ handle: UInt16, _ code: AttributeError) { (self.handle, self.code) = (handle, code) }
  }

  /// Cycling: cycling computer.
  ///
  /// Assigned Numbers, 2.6.
  package static var appearance: UInt16 { 0x0481 }
  /// The longest value of an attribute (Vol 3, Part F, 3.2.9).
  private static var longestValue: Int { 512 }
  /// The handle of the UART's RX, which a phone writes.
  package static var uartHandle: UInt16 { ServerTable.uartRX }

  /// Before the value of a Write Request: its opcode and the handle.
  package static var writeHeader: Int { 1 + 2 }

  private var name: FixedBuffer<20>

  package init(name: Span<UInt8>) {
    self.name = FixedBuffer<20>()
    self.name.assign(name)
  }

  /// The name that phones see.
  package var ownName: Span<UInt8> { name.bytes }

  /// Writes the answer to a request, nothing where none is due; returns what follows once it is sent.
  package func answer<let capacity: Int>(
    _ request: ClientPDU, access: Access, mtu: Int, offering offered: UInt16,
    into answer: inout FixedBuffer<capacity>
  ) -> Outcome {
    if case .exchangeMTU = request {
      ServerPDU.writeExchangeMTU(serverMTU: offered, into: &answer)
      return .nothing
    }
    do throws(Refusal) {
      return try respond(to: request, access, mtu, &answer)
    } catch {
      ServerPDU.writeError(
        request: request.opcode, handle: error.handle, code: error.code, into: &answer)
      return .nothing
    }
  }

  private func respond<let capacity: Int>(
    to request: ClientPDU, _ access: Access, _ mtu: Int, _ answer: inout FixedBuffer<capacity>
  ) throws(Refusal) -> Outcome {
    switch request {
    case .findInformation(let range): try findInformation(range, mtu, &answer)
    case .findByTypeValue(let range, let type, let value):
      try findByTypeValue(range, UUID(short: UInt32(type)), value, access, mtu, &answer)
    case .readByType(let range, let type): try readByType(range, type, access, mtu, &answer)
    case .readByGroupType(let range, let type):
      try readByGroupType(range, type, access, mtu, &answer)
    case .read(let handle):
      let value = try content(of: handle, access)
      ServerPDU.writeRead(value: value.bytes, mtu: mtu, into: &answer)
    case .readBlob(let handle, let offset):
      var part = try content(of: handle, access)
      guard offset <= part.count else { throw Refusal(handle, .invalidOffset) }
      part.removeFirst(Int(offset))
      ServerPDU.writeReadBlob(part: part.bytes, mtu: mtu, into: &answer)
    case .write(let handle, let value):
      let outcome = try write(value, to: handle, access)
      ServerPDU.writeWrite(into: &answer)
      return outcome
    case .prepareWrite(let handle): throw Refusal(handle, .requestNotSupported)
    case .unknownRequest: throw Refusal(0, .requestNotSupported)
    case .confirmation: return .confirmed
    case .command, .exchangeMTU: break
    }
    return .nothing
  }

  // MARK: - Values

  private func line(_ handle: UInt16) throws(Refusal) -> ServerAttribute {
    guard let line = ServerTable.line(handle) else { throw Refusal(handle, .invalidHandle) }
    return line
  }

  /// Throws where this phone has no permission: with `denial` where no phone has it (Vol 3, Part C, 10.3.1).
  private func check(
    _ permission: ServerAttribute.Permission, of handle: UInt16, _ access: Access,
    _ denial: AttributeError
  ) throws(Refusal) {
    switch (permission, access) {
    case (.everybody, _), (.bond, .bond): break
    case (.nobody, _): throw Refusal(handle, denial)
    case (.bond, .stranger): throw Refusal(handle, .insufficientAuthentication)
    case (.bond, .unencrypted): throw Refusal(handle, .insufficientEncryption)
    }
  }

  private func content(of handle: UInt16, _ access: Access) throws(Refusal) -> FixedBuffer<32> {
    let line = try line(handle)
    try check(line.read, of: handle, access, .readNotPermitted)
    var value = FixedBuffer<32>()
    switch line.content {
    case .service(let uuid): value.appendShortest(uuid)
    case .characteristic(let property, let uuid):
      value.append(
        CharacteristicDeclaration(
          properties: property.rawValue, valueHandle: handle + 1, uuid: uuid))
    case .name: value.append(name.bytes)
    case .appearance: value.append(u16: Self.appearance)
    case .nothing: break
    case .configuration(let subscription):
      if case .bond(let served) = access, served[subscription] {
        value.append(u16: subscription.configured)
      } else {
        value.append(u16: 0)
      }
    }
    return value
  }

  private func write(
    _ value: Span<UInt8>, to handle: UInt16, _ access: Access
  ) throws(Refusal) -> Outcome {
    let line = try line(handle)
    try check(line.write, of: handle, access, .writeNotPermitted)
    guard case .configuration(let subscription) = line.content else {
      guard value.count <= Self.longestValue else {
        throw Refusal(handle, .invalidAttributeValueLength)
      }
      return .received
    }
    guard value.count == 2 else { throw Refusal(handle, .invalidAttributeValueLength) }
    switch UInt16(value[0]) | UInt16(value[1]) << 8 {
    case 0: return .subscribed(subscription, false)
    case subscription.configured: return .subscribed(subscription, true)
    default: throw Refusal(handle, .valueNotAllowed)
    }
  }

  // MARK: - Lists

  /// Our handles in a range.
  private func handles(in range: HandleRange) throws(Refusal) -> Range<UInt16> {
    guard range.isValid else { throw Refusal(range.start, .invalidHandle) }
    return ServerTable.handles(in: range)
  }

  private func findInformation<let capacity: Int>(
    _ range: HandleRange, _ mtu: Int, _ answer: inout FixedBuffer<capacity>
  ) throws(Refusal) {
    var list = AttributeList(.findInformation, mtu: mtu)
    for handle in try handles(in: range) { list.append(handle, type: try line(handle).type) }
    try finish(list, range, &answer)
  }

  /// Lists the matching attributes; one that this phone may not read does not match (Vol 3, Part F, 3.4.3.3).
  private func findByTypeValue<let capacity: Int>(
    _ range: HandleRange, _ type: UUID, _ wanted: Span<UInt8>, _ access: Access, _ mtu: Int,
    _ answer: inout FixedBuffer<capacity>
  ) throws(Refusal) {
    var list = AttributeList(.findByTypeValue, mtu: mtu)
    for handle in try handles(in: range) where ServerTable.line(handle)?.type == type {
      do throws(Refusal) {
        let value = try content(of: handle, access)
        if isEqual(value.bytes, wanted) { list.append(ServerTable.group(handle)) }
      } catch {}
    }
    try finish(list, range, &answer)
  }

  /// Lists values; one that this phone may not read ends the list, or is refused as the first (3.4.4.1).
  private func readByType<let capacity: Int>(
    _ range: HandleRange, _ type: UUID, _ access: Access, _ mtu: Int,
    _ answer: inout FixedBuffer<capacity>
  ) throws(Refusal) {
    var list = AttributeList(.readByType, mtu: mtu)
    for handle in try handles(in: range) where ServerTable.line(handle)?.type == type {
      do throws(Refusal) {
        let value = try content(of: handle, access)
        list.append(handle, value: value.bytes)
      } catch {
        guard !list.isEmpty else { throw error }
        break
      }
    }
    try finish(list, range, &answer)
  }

  private func readByGroupType<let capacity: Int>(
    _ range: HandleRange, _ type: UUID, _ access: Access, _ mtu: Int,
    _ answer: inout FixedBuffer<capacity>
  ) throws(Refusal) {
    // A range that makes no sense is refused first.
    let handles = try handles(in: range)
    guard type == .primaryService || type == .secondaryService else {
      throw Refusal(range.start, .unsupportedGroupType)
    }
    var list = AttributeList(.readByGroupType, mtu: mtu)
    for handle in handles where ServerTable.line(handle)?.type == type {
      let value = try content(of: handle, access)
      list.append(ServerTable.group(handle), value: value.bytes)
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

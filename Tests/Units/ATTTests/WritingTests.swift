import ATT
import Bytes
import Expecting
import TestSupport

/// What a server writes, byte by byte: Core Specification, Vol 3, Part F, 3.4.
struct WritingTests {
  private func written(_ write: (inout FixedBuffer<64>) -> Void) -> [UInt8] {
    var buffer = FixedBuffer<64>()
    write(&buffer)
    return array(buffer.bytes)
  }

  @Test func anErrorNamesTheRequestAndTheHandle() {
    let pdu = written {
      ServerPDU.writeError(request: 0x0A, handle: 0x0122, code: .invalidHandle, into: &$0)
    }
    expect(pdu, [0x01, 0x0A, 0x22, 0x01, 0x01])
  }

  /// The MTU counts the opcode.
  @Test(arguments: [(0, 0), (22, 22), (23, 22), (40, 22)])
  func aValueIsCutToTheMTU(_ size: Int, _ sent: Int) {
    let value = (0..<size).map(UInt8.init)
    let whole = written { ServerPDU.writeRead(value: value.span, mtu: 23, into: &$0) }
    expect(whole, [0x0B] + value.prefix(sent))
    let part = written { ServerPDU.writeReadBlob(part: value.span, mtu: 23, into: &$0) }
    expect(part, [0x0D] + value.prefix(sent))
  }

  @Test func theMTUIsWrittenAndWhatAServerTellsByItselfHasItsHandleFirst() {
    let value: [UInt8] = [1, 2, 3]
    expect(written { ServerPDU.writeExchangeMTU(serverMTU: 517, into: &$0) }, [0x03, 0x05, 0x02])
    expect(written { ServerPDU.writeWrite(into: &$0) }, [0x13])
    expect(
      written { ServerPDU.writeNotification(handle: 0x0122, value: value.span, into: &$0) },
      [0x1B, 0x22, 0x01, 1, 2, 3])
    expect(
      written { ServerPDU.writeServiceChanged(handle: 8, HandleRange(1, 0xFFFF), into: &$0) },
      [0x1D, 8, 0, 1, 0, 0xFF, 0xFF])
  }

  @Test func aDeclarationIsWrittenAsItIsRead() throws {
    let declaration = CharacteristicDeclaration(
      properties: 0x02, valueHandle: 3, uuid: .deviceName)
    let bytes = written { $0.append(declaration) }
    expect(bytes, [0x02, 3, 0, 0x00, 0x2A])
    expect(try CharacteristicDeclaration(parsing: bytes.span), declaration)
  }
}

struct AttributeListTests {
  private func listed(
    _ kind: AttributeList.Kind, mtu: Int = 23, _ append: (inout AttributeList) -> Void
  ) -> [UInt8] {
    var list = AttributeList(kind, mtu: mtu)
    append(&list)
    return array(list.bytes)
  }

  @Test func shortAndLongTypesAreOfDifferentFormats() {
    let long = UUID(0x0F0E_0D0C_0B0A_0908, 0x0706_0504_0302_0100)
    let short = listed(.findInformation) {
      $0.append(1, type: .primaryService)
      $0.append(2, type: long)
    }
    expect(short, [0x05, 0x01, 1, 0, 0x00, 0x28], "the long one has another size")
    expect(listed(.findInformation) { $0.append(2, type: long) }, [0x05, 0x02, 2, 0] + (0..<16))
  }

  @Test func groupsAreListedWithTheirLastHandle() {
    let pdu = listed(.findByTypeValue) {
      $0.append(HandleRange(1, 5))
      $0.append(HandleRange(0x0106, 0xFFFF))
    }
    expect(pdu, [0x07, 1, 0, 5, 0, 0x06, 0x01, 0xFF, 0xFF])
  }

  @Test func servicesAreListedWithTheirEndAndValue() {
    let pdu = listed(.readByGroupType) {
      $0.append(HandleRange(1, 5), value: ([0x00, 0x18] as [UInt8]).span)
    }
    expect(pdu, [0x11, 6, 1, 0, 5, 0, 0x00, 0x18])
  }

  /// What comes behind the gap would be taken for the next attribute.
  @Test func theFirstEntryThatDoesNotFitEndsTheList() {
    let pdu = listed(.readByType) {
      $0.append(1, value: ([9] as [UInt8]).span)
      $0.append(2, value: ([9, 9] as [UInt8]).span)
      $0.append(3, value: ([9] as [UInt8]).span)
    }
    expect(pdu, [0x09, 3, 1, 0, 9])
  }

  /// A header of two bytes and entries of four, of which five end at 22; those of services have six.
  @Test(
    arguments: [
      (.findInformation, 23, 22), (.findInformation, 26, 26), (.findInformation, 64, 62),
      (.findInformation, 517, 62), (.readByGroupType, 25, 20), (.readByGroupType, 26, 26),
      (.readByGroupType, 27, 26), (.readByType, 25, 22), (.readByType, 26, 26),
      (.readByType, 27, 26),
    ] as [(AttributeList.Kind, Int, Int)])
  func noListIsLongerThanTheMTUOrItsCapacity(_ kind: AttributeList.Kind, _ mtu: Int, _ size: Int) {
    let value: [UInt8] = [0x00, 0x18]
    let pdu = listed(kind, mtu: mtu) {
      for handle: UInt16 in 1...100 {
        switch kind {
        case .findInformation: $0.append(handle, type: .characteristic)
        case .readByGroupType: $0.append(HandleRange(handle, handle), value: value.span)
        default: $0.append(handle, value: value.span)
        }
      }
    }
    expect(pdu.count, size)
    expect(AttributeList(kind, mtu: mtu).isEmpty, true)
  }

  @Test func aValueThatIsTooLongIsCut() {
    let value = [UInt8](repeating: 1, count: 40)
    expect(listed(.readByType) { $0.append(3, value: value.span) }.prefix(2), [0x09, 21])
    let group = listed(.readByGroupType) { $0.append(HandleRange(1, 2), value: value.span) }
    expect(group.prefix(2) == [0x11, 21] && group.count == 23)
  }

  @Test func valuesAreListedWithTheirSizeAndReadAsTheyWereWritten() throws {
    let pdu = listed(.readByType) {
      $0.append(3, value: ([7, 8] as [UInt8]).span)
      $0.append(5, value: ([9, 10] as [UInt8]).span)
    }
    expect(pdu, [0x09, 4, 3, 0, 7, 8, 5, 0, 9, 10])
    guard case .readByType(let values) = try ServerPDU(parsing: pdu.span) else {
      Issue.record("another PDU")
      return
    }
    expect(values.count, 2)
    expect(try values.handle(at: 1), 5)
    expect(array(try values.value(at: 1)), [9, 10])
  }
}

struct OpcodeTests {
  /// An Error Response repeats the opcode of what it refuses.
  @Test(
    arguments: [
      [0x02, 23, 0], [0x04, 1, 0, 2, 0], [0x06, 1, 0, 2, 0, 0, 0x28], [0x08, 1, 0, 2, 0, 0, 0x28],
      [0x0A, 1, 0], [0x0C, 1, 0, 0, 0], [0x0E, 1, 0, 2, 0], [0x10, 1, 0, 2, 0, 0, 0x28],
      [0x12, 1, 0, 9], [0x16, 1, 0, 0, 0, 9], [0x1E], [0x52, 1, 0], [0xD2],
    ] as [[UInt8]])
  func theOpcodeIsTheFirstByte(_ pdu: [UInt8]) throws {
    expect(try ClientPDU(parsing: pdu.span).opcode, pdu[0])
    expect(!ServerPDU.isServer(opcode: pdu[0]))
  }

  @Test func whatComesFromAServerIsOdd() {
    for (pdu, _) in ServerPDUTests.pdus { expect(ServerPDU.isServer(opcode: pdu[0])) }
  }

  /// Core Specification, Vol 3, Part C, 10.3.1: what a client answers by securing the link.
  @Test func threeErrorsAskForSecurity() {
    let asking = (UInt8.min...UInt8.max).filter { AttributeError(rawValue: $0).asksForSecurity }
    expect(asking, [0x05, 0x0C, 0x0F])
  }
}

struct HandleRangeTests {
  @Test func whatIsLeftBehindAHandleIsNothingAtTheEndAndOutside() {
    let range = HandleRange(5, 9)
    expect(range.after(5) == HandleRange(6, 9) && range.after(8) == HandleRange(9, 9))
    for handle: UInt16 in [0, 4, 9, 10, 0xFFFF] { expect(range.after(handle), nil) }
    expect(HandleRange.all.after(0xFFFF), nil)
    // A range begins above zero and does not end before it begins.
    expect(HandleRange(1, 1).isValid && HandleRange.all.isValid)
    expect(!HandleRange(0, 1).isValid && !HandleRange(2, 1).isValid)
  }
}

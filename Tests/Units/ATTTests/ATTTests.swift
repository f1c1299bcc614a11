import ATT
import Bytes
import Expecting
import TestSupport

/// The bytes are another PDU than they should be.
private struct AnotherPDU: Error {}

struct RequestTests {
  private static let service = UUID(0x71C1_E128_D92F_4FA8, 0xA2B2_0F17_1DB3_436C)

  /// Layouts of the Core Specification, Vol 3, Part F, 3.4.
  @Test(
    arguments: [
      (.exchangeMTU(clientMTU: 517), [0x02, 0x05, 0x02]),
      (.findInformation(HandleRange(0x23, 0x2F)), [0x04, 0x23, 0, 0x2F, 0]),
      (
        .findPrimaryService(.all, service),
        [
          0x06, 1, 0, 0xFF, 0xFF, 0, 0x28, 0x6C, 0x43, 0xB3, 0x1D, 0x17, 0x0F, 0xB2, 0xA2, 0xA8,
          0x4F,
        ]
          + [0x2F, 0xD9, 0x28, 0xE1, 0xC1, 0x71]
      ),
      (
        .findPrimaryService(.all, .genericAttribute), [0x06, 1, 0, 0xFF, 0xFF, 0, 0x28, 0x01, 0x18]
      ),
      (.readByType(HandleRange(1, 5), .characteristic), [0x08, 1, 0, 5, 0, 0x03, 0x28]),
      (.read(handle: 0x22), [0x0A, 0x22, 0]),
      (.readBlob(handle: 0x22, offset: 0x0116), [0x0C, 0x22, 0, 0x16, 0x01]),
      (.readByGroupType(HandleRange(8, 0xFFFF)), [0x10, 8, 0, 0xFF, 0xFF, 0, 0x28]),
      (.write(handle: 0x24, value: 1), [0x12, 0x24, 0, 1, 0]),
      (.writeByte(handle: 0x24, value: 255), [0x12, 0x24, 0, 255]),
    ] as [(Request, [UInt8])])
  func aRequestIsWrittenAsTheSpecificationSays(_ request: Request, _ expected: [UInt8]) {
    var pdu = FixedBuffer<64>()
    request.write(into: &pdu)
    expect(array(pdu.bytes), expected)
    expect(request.opcode, expected[0])
  }
}

struct ServerPDUTests {
  /// One of each PDU, and how many bytes of it at least make sense.
  static let pdus: [(pdu: [UInt8], minimum: Int)] = [
    ([0x01, 0x0A, 0x22, 0x00, 0x0A], 5),
    ([0x03, 0xB9, 0x00], 3),
    ([0x05, 0x01, 0x24, 0x00, 0x02, 0x29], 6),
    ([0x05, 0x02, 0x23, 0x00] + [UInt8](repeating: 7, count: 16), 20),
    ([0x07, 0x20, 0x00, 0x2F, 0x00], 5),
    ([0x09, 0x07, 0x20, 0x00, 0x02, 0x1F, 0x00, 0x19, 0x2A], 9),
    ([0x0B, 1, 2, 3], 1),
    ([0x0D], 1),
    ([0x11, 0x06, 0x01, 0x00, 0x07, 0x00, 0x00, 0x18], 8),
    ([0x13], 1),
    ([0x1B, 0x22, 0x00, 9], 3),
    ([0x1D, 0x22, 0x00], 3),
  ]

  @Test(arguments: pdus) func everyPrefixThatIsTooShortThrows(_ pdu: [UInt8], _ minimum: Int) throws
  {
    for count in 0...pdu.count {
      let prefix = Array(pdu[..<count])
      if count < minimum {
        #expect(throws: ParseError.self) { _ = try ServerPDU(parsing: prefix.span) }
      } else {
        _ = try ServerPDU(parsing: prefix.span)
      }
    }
  }

  @Test(
    arguments: [
      [0x05, 0x03, 0x24, 0x00, 0x02, 0x29], [0x05, 0x01, 0x24, 0x00, 0x02],
      [0x07, 0x20, 0x00, 0x2F, 0x00, 0x01], [0x09, 0x01, 0x20], [0x09, 0x07, 0x20, 0x00, 0x02],
      [0x11, 0x03, 0x01, 0x00, 0x07], [0x11, 0x06], [0x11, 0x06, 0x01, 0x00, 0x07, 0x00, 0x00],
    ] as [[UInt8]])
  func listsOfBrokenEntriesThrow(_ pdu: [UInt8]) {
    #expect(throws: ParseError.self) { _ = try ServerPDU(parsing: pdu.span) }
  }

  @Test(arguments: [UInt8(0x17), 0x19, 0x1F, 0x21, 0x23, 0xFF])
  func anUnknownPDUIsNamed(_ opcode: UInt8) {
    let pdu = [opcode, 1]
    #expect(throws: ParseError.unknown(opcode)) { _ = try ServerPDU(parsing: pdu.span) }
  }

  @Test func anEntryBeyondTheListThrows() throws {
    let ranges: [UInt8] = [0x07, 1, 0, 5, 0, 6, 0, 9, 0]
    guard case .findByTypeValue(let found) = try ServerPDU(parsing: ranges.span)
    else { throw AnotherPDU() }
    expect(found.count, 2)
    expect(try found[1], HandleRange(6, 9))
    #expect(throws: ParseError.truncated) { _ = try found[2] }
  }

  @Test func eachEntryOfAListOfTypesIsRead() throws {
    let types = bytes("05 01  23 00 01 29  24 00 02 29  25 00 03 28")
    guard case .findInformation(let found) = try ServerPDU(parsing: types.span)
    else { throw AnotherPDU() }
    expect(found.count, 3)
    let read = try (0..<3).map { try found[$0].handle }
    expect(read, [0x23, 0x24, 0x25])
    expect(try found[1].type, .clientCharacteristicConfiguration)
    expect(try found[2].type, .characteristic)
    #expect(throws: ParseError.truncated) { _ = try found[3] }
  }

  @Test func eachServiceOfAListOfGroupsIsRead() throws {
    let groups = bytes("11 06  01 00 07 00 00 18  08 00 ff ff 0d 18")
    guard case .readByGroupType(let found) = try ServerPDU(parsing: groups.span)
    else { throw AnotherPDU() }
    expect(found.count, 2)
    let (first, second) = (try found[0], try found[1])
    expect(first.range, HandleRange(1, 7))
    expect(first.uuid, .genericAccess)
    expect(second.range, HandleRange(8, 0xFFFF))
    expect(second.uuid, UUID(short: 0x180D))
    #expect(throws: ParseError.truncated) { _ = try found[2] }
  }

  /// The UUIDs of a list have 2 or 16 bytes: any other size is found out where it is read.
  @Test(arguments: ["11 07  01 00 07 00 00 18 00", "11 08  01 00 07 00 00 18 00 00"])
  func centralBehaviour144_aServiceWithAnOddUUIDThrows(_ groups: String) throws {
    let groups = bytes(groups)
    guard case .readByGroupType(let found) = try ServerPDU(parsing: groups.span)
    else { throw AnotherPDU() }
    #expect(throws: ParseError.invalid) { _ = try found[0] }
  }

  @Test func declarationsOfBothSizesAreRead() throws {
    let short = try CharacteristicDeclaration(
      parsing: ([0x12, 0x22, 0, 0x05, 0x2A] as [UInt8]).span)
    expect(short.properties == 0x12 && short.valueHandle == 0x22 && short.uuid == .serviceChanged)
    let long: [UInt8] = [0x12, 0x22, 0] + (0..<16)
    expect(
      try CharacteristicDeclaration(parsing: long.span).uuid,
      UUID(0x0F0E_0D0C_0B0A_0908, 0x0706_0504_0302_0100))
    for odd in [[1, 2, 3], [0, 0x2A, 0, 0]] as [[UInt8]] {
      let bytes = [0x12, 0x22, 0] + odd
      #expect(throws: ParseError.self) {
        _ = try CharacteristicDeclaration(parsing: bytes.span)
      }
    }
  }
}

struct ClientPDUTests {
  @Test(
    arguments: [
      [0x02, 1], [0x02, 1, 2, 3], [0x04, 1, 0, 2], [0x06, 1, 0, 2, 0, 0], [0x08, 1, 0, 2, 0],
      [0x08, 1, 0, 2, 0, 1], [0x0A, 1], [0x0A, 1, 0, 0], [0x0C, 1, 0, 0],
      [0x10, 1, 0, 2, 0, 1, 2, 3], [0x10, 1, 0, 2, 0, 0, 0x28, 0, 0],
      [0x12, 1], [0x16, 1, 0, 0], [0x1E, 0],
    ] as [[UInt8]])
  func aRequestOfTheWrongSizeThrows(_ pdu: [UInt8]) {
    #expect(throws: ParseError.self) { _ = try ClientPDU(parsing: pdu.span) }
  }

  /// One of each request, and how many bytes of it at least make sense; other sizes may not be.
  @Test(
    arguments: [
      ([0x02, 23, 0], [3]), ([0x04, 1, 0, 2, 0], [5]), ([0x06, 1, 0, 2, 0, 0, 0x28, 1], [7, 8]),
      ([0x08, 1, 0, 2, 0, 3, 0x28], [7]), ([0x0A, 1, 0], [3]), ([0x0C, 1, 0, 2, 0], [5]),
      ([0x10, 1, 0, 2, 0, 0, 0x28], [7]), ([0x12, 15, 0, 1, 0], [3, 4, 5]),
      ([0x16, 12, 0, 0, 0, 0x41], [5, 6]), ([0x18, 1], [1, 2]), ([0x1E], [1]),
      ([0x52, 12, 0, 1], [1, 2, 3, 4]), ([0xD2, 12, 0], [1, 2, 3]),
    ] as [([UInt8], [Int])])
  func onlyWholeRequestsAreRead(_ pdu: [UInt8], _ sizes: [Int]) {
    for count in 0...pdu.count {
      let prefix = Array(pdu[..<count])
      let isRead = (try? ClientPDU(parsing: prefix.span)) != nil
      expect(isRead, sizes.contains(count), "\(count) bytes")
    }
  }

  @Test(arguments: [0, 1, 2, 20, 512, 514]) func aWriteHasAHandleAndAllOfItsValue(_ count: Int)
    throws
  {
    let value = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    let pdu = [0x12, 0x0C, 0x01] + value
    guard case .write(let handle, let written) = try ClientPDU(parsing: pdu.span)
    else { throw AnotherPDU() }
    let bytes = array(written)
    expect(handle == 0x010C && bytes == value)
  }

  /// Bit 6 says that it is a command; what is none and not known is a request.
  @Test func anyOtherPDUIsAPreparedWriteACommandOrAnUnknownRequest() throws {
    let prepared: [UInt8] = [0x16, 0x0C, 0x00, 0x00, 0x00, 0x41]
    guard case .prepareWrite(handle: 0x000C) = try ClientPDU(parsing: prepared.span)
    else { throw AnotherPDU() }
    for pdu in [[0x52], [0xD2], [0x40], [0xFE]] as [[UInt8]] {
      guard case .command = try ClientPDU(parsing: pdu.span) else { throw AnotherPDU() }
    }
    for pdu in [[0x0E, 1], [0x18, 1], [0x20, 1], [0xBF, 1]] as [[UInt8]] {
      guard case .unknownRequest = try ClientPDU(parsing: pdu.span) else { throw AnotherPDU() }
    }
  }
}

struct AssignedNumberTests {
  @Test func anAssignedNumberIsItsOwnLongForm() throws {
    let long: [UInt8] = [0xFB, 0x34, 0x9B, 0x5F, 0x80, 0, 0, 0x80, 0, 0x10, 0, 0, 0x02, 0x29, 0, 0]
    let uuid = try UUID(parsing: long.span)
    expect(uuid, .clientCharacteristicConfiguration)
    expect(uuid.short, 0x2902)
    expect(try UUID(parsing: ([0x02, 0x29] as [UInt8]).span), uuid)
    expect(try UUID(parsing: ([0x02, 0x29, 0, 0] as [UInt8]).span), uuid, "in advertisements")
    expect(UUID(short: 0x1_2902).short, nil)
  }

  /// Assigned Numbers, 3.4 to 3.8.
  @Test(
    arguments: [
      (.genericAccess, 0x1800), (.genericAttribute, 0x1801), (.primaryService, 0x2800),
      (.characteristic, 0x2803), (.clientCharacteristicConfiguration, 0x2902),
      (.deviceName, 0x2A00), (.appearance, 0x2A01), (.serviceChanged, 0x2A05),
      (.batteryLevel, 0x2A19),
    ] as [(UUID, UInt32)])
  func aNameStandsForItsAssignedNumber(_ uuid: UUID, _ number: UInt32) {
    expect(uuid, UUID(short: number))
  }
}

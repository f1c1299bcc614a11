import Bytes
import Expecting
import HCI
import TestSupport

/// The bytes are another event than they should be.
private struct AnotherEvent: Error {}

struct EventTests {
  /// One of each event that is understood, without the H4 indicator.
  static let events: [[UInt8]] = [
    [0x05, 4, 0x00, 0x40, 0x00, 0x08],
    [0x0E, 4, 1, 0x03, 0x0C, 0],
    [0x0F, 4, 0, 1, 0x0D, 0x20],
    [0x10, 1, 0x42],
    [0x13, 9, 2, 0x40, 0x00, 2, 0, 0x41, 0x00, 1, 0],
    [0x3E, 19, 0x01, 0, 0x40, 0, 0, 1, 1, 2, 3, 4, 5, 6, 24, 0, 0, 0, 0x90, 1, 0],
    [0x3E, 31, 0x0A, 0, 0x40, 0, 0, 1, 1, 2, 3, 4, 5, 6] + [UInt8](repeating: 0, count: 12)
      + [24, 0, 0, 0, 0x90, 1, 0],
    [0x3E, 10, 0x03, 0, 0x40, 0, 24, 0, 0, 0, 0x90, 1],
    [0x3E, 11, 0x06, 0x40, 0, 24, 0, 40, 0, 0, 0, 0x90, 1],
    [0x08, 4, 0x00, 0x40, 0x00, 1],
    [0x30, 3, 0x06, 0x40, 0x00],
    [0x3E, 15, 0x02, 1, 0, 1, 1, 2, 3, 4, 5, 6, 3, 2, 1, 6, 0xC4],
    [0x3E, 13, 0x05, 0x40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
  ]

  @Test(arguments: events) func everyPrefixOfAnEventThrows(_ event: [UInt8]) throws {
    _ = try Event(parsing: event.span)
    for count in 0..<event.count {
      let prefix = Array(event[..<count])
      #expect(throws: ParseError.self, "\(count) bytes") { _ = try Event(parsing: prefix.span) }
      // The same with a length that claims no more than is there.
      guard count >= 2 else { continue }
      let honest = [event[0], UInt8(count - 2)] + prefix.dropFirst(2)
      if let parsed = try? Event(parsing: honest.span), isWhole(parsed) {
        Issue.record("\(honest) parses though it is cut")
      }
    }
  }

  /// Whether the event carries all its parameters, whatever comes behind them.
  private func isWhole(_ event: Event) -> Bool {
    switch event {
    // These may end in parameters of any length, which their users check.
    case .commandComplete, .leAdvertisingReport, .leExtendedAdvertisingReport, .other,
      .leConnectionUpdateComplete:
      false
    default: true
    }
  }

  @Test(
    arguments: [
      ([0x08, 4, 0x00, 0x40, 0x20, 1], "0 40 true"),
      ([0x08, 4, 0x06, 0x40, 0x00, 0], "6 40 false"),
      ([0x08, 4, 0x00, 0x41, 0x00, 2], "0 41 true"),  // AES-CCM, of BR/EDR, encrypts too
      ([0x30, 3, 0x05, 0x40, 0x00], "5 40"),
    ] as [([UInt8], String)])
  func encryptionIsToldWithItsLink(_ event: [UInt8], _ said: String) throws {
    switch try Event(parsing: event.span) {
    case .encryptionChange(let status, let handle, let isEncrypted):
      expect("\(status.rawValue) \(String(handle, radix: 16)) \(isEncrypted)", said)
    case .encryptionKeyRefreshComplete(let status, let handle):
      expect("\(status.rawValue) \(String(handle, radix: 16))", said)
    default: Issue.record("not an event of encryption")
    }
  }

  @Test func completedPacketsAreCountedForTheirLinkOnly() throws {
    let bytes = Self.events[4]
    guard case .numberOfCompletedPackets(let packets) = try Event(parsing: bytes.span)
    else { throw AnotherEvent() }
    let counts = [packets.count(for: 0x0040), packets.count(for: 0x0041), packets.count(for: 0x42)]
    expect(counts, [2, 1, 0])
  }

  @Test(arguments: [5, 6]) func bothEventsOfANewLinkSayTheSame(_ index: Int) throws {
    let bytes = Self.events[index]
    guard case .leConnectionComplete(let complete) = try Event(parsing: bytes.span)
    else { throw AnotherEvent() }
    expect(complete.status, .success)
    expect(complete.handle, 0x0040)
    expect(complete.isCentral)
    expect(complete.peer, DeviceAddress(0x0605_0403_0201, .random))
    expect(complete.interval, 24)
  }

  /// Core Specification, Vol 4, Part E, 7.7.65.1: 0x0000 to 0x0EFF.
  @Test(arguments: [(0x0EFF, true), (0x0F00, false), (0x0FFF, false)] as [(UInt16, Bool)])
  func aNewLinkHasAHandleThatLinksCanHave(_ handle: UInt16, _ isValid: Bool) {
    for index in [5, 6] {
      var bytes = Self.events[index]
      (bytes[4], bytes[5]) = (UInt8(handle & 0xFF), UInt8(handle >> 8))
      expect(((try? Event(parsing: bytes.span)) != nil), isValid)
    }
  }

  /// V7: an iPhone has connected; its interval is 30 ms.
  @Test func peripheralVector7_aLinkThatThePhoneMadeSaysSo() throws {
    let packet = bytes("04 3E 13 01 00 40 00 01 01 4F 09 80 E6 42 60 18 00 00 00 48 00 01")
    let event = Array(packet.dropFirst())
    guard case .leConnectionComplete(let complete) = try Event(parsing: event.span)
    else { throw AnotherEvent() }
    expect(complete.status, .success)
    expect(complete.handle, 0x0040)
    expect(!complete.isCentral)
    expect(complete.peer, DeviceAddress(0x6042_E680_094F, .random))
    expect(complete.interval, 24)
  }

  /// There are two roles; a failed attempt may say anything.
  @Test(arguments: [5, 6], [(0, true), (1, true), (2, false), (0xFF, false)] as [(UInt8, Bool)])
  func aRoleThatIsReservedIsNone(_ index: Int, _ role: (number: UInt8, isValid: Bool)) {
    var bytes = Self.events[index]
    bytes[6] = role.number
    expect(((try? Event(parsing: bytes.span)) != nil), role.isValid)
    bytes[3] = 0x02  // Unknown Connection Identifier
    #expect((try? Event(parsing: bytes.span)) != nil)
  }

  /// V8, and each of the ten bytes that a key of another kind could have.
  @Test func peripheralVector8_aCentralAsksForTheKeyOfSecureConnections() throws {
    let packet = bytes("04 3E 0D 05 40 00") + [UInt8](repeating: 0, count: 10)
    expect(try asksForSecureConnections(Array(packet.dropFirst())))
    for index in 6..<16 {
      var legacy = packet
      legacy[index] = 0x01
      expect(try !asksForSecureConnections(Array(legacy.dropFirst())), "byte \(index)")
    }
  }

  private func asksForSecureConnections(_ event: [UInt8]) throws -> Bool {
    guard
      case .leLongTermKeyRequest(let handle, let isForSecureConnections) = try Event(
        parsing: event.span)
    else { throw AnotherEvent() }
    expect(handle, 0x0040)
    return isForSecureConnections
  }

  @Test func anUnknownEventIsNoErrorAndAVendorsIsTakenForOneWhateverItSays() throws {
    let bytes: [UInt8] = [0x57, 1, 0]
    guard case .other(let code) = try Event(parsing: bytes.span)
    else { throw AnotherEvent() }
    expect(code, 0x57)
    for bytes in [[0xFF, 0], [0xFF, 5, 0x55, 0, 0, 0x40, 0]] as [[UInt8]] {
      guard case .vendor = try Event(parsing: bytes.span) else { throw AnotherEvent() }
    }
  }

  @Test func reportsComeOneAfterTheOther() throws {
    let first: [UInt8] = [0x00, 0x01, 1, 2, 3, 4, 5, 6, 2, 0xAA, 0xBB, 0xC4]
    let second: [UInt8] = [0x04, 0x00, 9, 9, 9, 9, 9, 9, 0, 0x7F]
    let bytes = [0x3E, UInt8(2 + first.count + second.count), 0x02, 2] + first + second
    guard case .leAdvertisingReport(var reports) = try Event(parsing: bytes.span)
    else { throw AnotherEvent() }
    var seen: [String] = []
    while let report = try reports.next() {
      seen.append(
        "\(report.address.value) \(report.kind) \(array(report.data)) "
          + (report.rssi.map { "\($0)" } ?? "unknown"))
    }
    expect(
      seen, ["6618611909121 connectable [170, 187] -60", "9934410942729 scanResponse [] unknown"])
  }

  /// Core Specification, Vol 4, Part E, 7.7.65.2 and 7.7.65.13: Event_Type of a legacy report, and the bits of
  /// an extended one, first as legacy PDUs look there.
  @Test(
    arguments: [
      (false, 0x00, .connectable), (false, 0x01, .directed), (false, 0x02, .scannable),
      (false, 0x03, .nonconnectable), (false, 0x04, .scanResponse), (false, 0x05, .nonconnectable),
      (false, 0xFF, .nonconnectable), (true, 0x13, .connectable), (true, 0x15, .directed),
      (true, 0x12, .scannable), (true, 0x10, .nonconnectable), (true, 0x1B, .scanResponse),
      (true, 0x1A, .scanResponse), (true, 0x01, .connectable), (true, 0x00, .nonconnectable),
      (true, 0x02, .scannable), (true, 0x0A, .scanResponse),
    ] as [(Bool, UInt8, AdvertisingReport.Kind)])
  func aReportSaysWhatCanBeDone(
    _ isExtended: Bool, _ type: UInt8, _ kind: AdvertisingReport.Kind
  ) throws {
    let extended =
      [type, 0, 0x01, 1, 2, 3, 4, 5, 6, 1, 0, 0xFF, 0x7F, 0xC4] + [UInt8](repeating: 0, count: 10)
    let report: [UInt8] = isExtended ? extended : [type, 0x00, 1, 2, 3, 4, 5, 6, 0, 0xC4]
    let bytes = [0x3E, UInt8(2 + report.count), isExtended ? 0x0D : 0x02, 1] + report
    switch try Event(parsing: bytes.span) {
    case .leAdvertisingReport(var reports), .leExtendedAdvertisingReport(var reports):
      let heard = try reports.next()?.kind
      expect(heard, kind)
    default: throw AnotherEvent()
    }
  }
}

struct AdvertisingDataTests {
  private static let service = UUID(0x71C1_E128_D92F_4FA8, 0xA2B2_0F17_1DB3_436C)

  @Test func structuresAreReadUntilOneLiesOrAZero() {
    for (bytes, types, isMalformed) in [
      ([2, 0x01, 0x06, 1, 0x09, 5, 0xFF, 1], [0x01, 0x09], true),
      ([2, 0x01, 0x06, 0, 2, 0x01, 0x06], [0x01], false),
    ] as [([UInt8], [UInt8], Bool)] {
      var data = AdvertisingData(bytes.span)
      var found: [UInt8] = []
      while let structure = data.next() { found.append(structure.type.rawValue) }
      expect(found == types && data.isMalformed == isMalformed)
    }
  }

  /// A length alone, a type without its data, and one octet too few.
  @Test(arguments: [
    ("", false), ("02 01 06", false), ("01 09", false), ("02 01 06 00 00", false),
    ("02", true), ("02 01", true), ("02 01 06 05", true), ("02 01 06 05 FF 4C 00", true),
    ("FF", true),
  ])
  func onlyWhatEndsInAStructureIsMalformed(text: String, isMalformed: Bool) {
    let bytes = bytes(text)
    var data = AdvertisingData(bytes.span)
    while data.next() != nil {}
    expect(data.isMalformed, isMalformed)
  }

  @Test func shortUUIDsAreFoundInTheirLists() {
    let bytes: [UInt8] = [5, 0x03, 0x0F, 0x18, 0x0A, 0x18]
    let found = [UUID(short: 0x180A), UUID(short: 0x180D), Self.service].map {
      AdvertisingData.contains($0, in: bytes.span)
    }
    expect(found, [true, false, false])
  }
}

/// What a controller says that it can do, for the peripheral role.
struct ControllerFeaturesTests {
  /// V12: a virtual controller that lacks the bits 22 and 23, and an old laptop's.
  @Test(
    arguments: [
      (0x3FF_FF3F_FFFF, true, true), (0x3FF_FFFF_FFFF, true, true), (0xFFFF, true, false),
      (0x0249_1F00_4404, true, true), (0, false, false),
    ] as [(UInt64, Bool, Bool)])
  func peripheralVector12_theStatesSayWhatGoesBesideAdvertising(
    _ number: UInt64, _ mayScan: Bool, _ mayHaveLinks: Bool
  ) {
    let states = LEStates(rawValue: number)
    expect(states.advertisingWhileScanning, mayScan)
    expect(states.advertisingAsCentral, mayHaveLinks)
    expect(states.allowsSensors, mayHaveLinks)
  }

  /// Core Specification, Vol 4, Part E, 7.8.27: one bit less at a time.
  @Test(arguments: [10, 14, 24, 25, 28, 35] as [UInt64])
  func peripheralVector12_eachStateHasItsBit(_ bit: UInt64) {
    let states = LEStates(rawValue: .max & ~(1 << bit))
    let all: [(Bool, [UInt64])] = [
      (states.advertisingWhileScanning, [10, 14]), (states.allowsSensors, [24, 25, 28]),
      (states.advertisingAsCentral, [35]),
    ]
    for (isAllowed, bits) in all { #expect(isAllowed != bits.contains(bit), "\(bits)") }
  }

  /// Vol 4, Part E, 6.27: octets 25, 26 and 28; first as a BCM43430A1 has them.
  @Test(
    arguments: [
      ("F7 FF FF 7F", true), ("A0 03 00 06", true), ("80 03 00 06", false),
      ("20 03 00 06", false), ("A0 02 00 06", false), ("A0 01 00 06", false),
      ("A0 03 00 04", false), ("A0 03 00 02", false), ("00 00 00 00", false),
    ])
  func theCommandsOfThePeripheralRoleAreNeededTogether(_ octets: String, _ hasAll: Bool) throws {
    var all = [UInt8](repeating: 0, count: 64)
    all.replaceSubrange(25..<29, with: bytes(octets))
    let commands = try SupportedCommands(parsing: all.span)
    expect(commands.peripheralRole, hasAll)
  }
}

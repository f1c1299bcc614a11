import BondFile
import Bytes
import Expecting
import PlainBonds
import TestSupport

/// What a record made by hand holds.
enum HandMade {
  case bond(UInt8)
  case erased
}

/// A record by the table in the documentation of `BondRecord`; `change` comes before the checksum.
func record(
  _ content: HandMade, sequence: UInt32, change: (inout [UInt8]) -> Void = { _ in }
) -> [UInt8] {
  var record = bytes("89 4c 4b 42 4f 4e 44 0a 02")
  switch content {
  case .bond: record += bytes("01 51 00")
  case .erased: record += bytes("02 00 00")
  }
  record += (0..<4).map { UInt8(truncatingIfNeeded: sequence >> (8 * $0)) }
  if case .bond(let number) = content {
    let bond = PlainBond(number: number)
    record += [bond.isAuthenticated ? 0x0B : 0x03, 0x01, number, 0, 0, 0xEE, 0xFF, 0xC0]
    record += (bond.irk ?? []) + (bond.ltk ?? [])
    record += [UInt8(bond.name.utf8.count)] + Array(bond.name.utf8)
    record += [UInt8](repeating: 0, count: 89 - record.count)
    record += bond.handles.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    record += [(bond.served[.serviceChanged] ? 1 : 0) + (bond.served[.uart] ? 2 : 0)]
    record += [bond.served.table]
  }
  record += [UInt8](repeating: 0, count: 508 - record.count)
  change(&record)
  let checksum = crc32(record.span)
  return record + (0..<4).map { UInt8(truncatingIfNeeded: checksum >> (8 * $0)) }
}

/// As the program of version 0.1 wrote a bond, with a third key and without handles; the longest name is 32 times a byte.
func recordOfVersionOne(number: UInt8, longNameOf byte: UInt8? = nil) -> [UInt8] {
  let plain = PlainBond(number: number)
  var record = bytes("89 4c 4b 42 4f 4e 44 0a 01 01 59 00 07 00 00 00")
  record += [plain.isAuthenticated ? 0x0F : 0x07, 0x01, number, 0, 0, 0xEE, 0xFF, 0xC0]
  record += (plain.irk ?? []) + (plain.ltk ?? []) + [UInt8](repeating: 0x55, count: 16)
  let name = byte.map { [UInt8](repeating: $0, count: 32) } ?? Array(plain.name.utf8)
  record += [UInt8(name.count)] + name
  record += [UInt8](repeating: 0, count: 508 - record.count)
  let checksum = crc32(record.span)
  return record + (0..<4).map { UInt8(truncatingIfNeeded: checksum >> (8 * $0)) }
}

struct BondRecordTests {
  /// The checksums are those of Python's `zlib.crc32`.
  @Test func aRecordIsLaidOutAsItsTableSays() throws {
    var plain = PlainBond(number: 0)
    plain.address = DeviceAddress(0xC1A2_B3D4_E5F6, .random)
    plain.handles = [0x0102, 0x0304, 0x0506, 0x0708]
    plain.name = "Zoë"
    var disk = Disk()
    var store = BondStore(disk.bytes.span)
    store.save(try plain.make(), isDim: false)
    disk.finish(&store)
    let expected = """
      89 4c 4b 42 4f 4e 44 0a 02 01 51 00 01 00 00 00
      0b 01 f6 e5 d4 b3 a2 c1
      00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f
      10 11 12 13 14 15 16 17 18 19 1a 1b 1c 1d 1e 1f
      04 5a 6f c3 ab 00 00 00 00 00 00 00 00 00 00 00
      00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
      02 01 04 03 06 05 08 07
      """
    expect(hex(Array(disk.bytes.prefix(97))), hex(bytes(expected)))
    #expect(disk.bytes[97..<508].allSatisfy { $0 == 0 })
    expect(hex(Array(disk.bytes[508...])), "3e fe ac 36")
    try disk.change(.erase)
    expect(hex(Array(disk.bytes[512..<528])), "89 4c 4b 42 4f 4e 44 0a 02 02 00 00 02 00 00 00")
    #expect(disk.bytes[528..<1020].allSatisfy { $0 == 0 })
    expect(hex(Array(disk.bytes[1020...])), "b7 c8 d5 8a")
    expect(hex(Array(disk.bytes[..<16])), "89 4c 4b 42 4f 4e 44 0a 02 02 00 00 03 00 00 00")
    #expect(disk.bytes[16..<508].allSatisfy { $0 == 0 })
    expect(hex(Array(disk.bytes[508..<512])), "45 e7 5b b3")
  }

  @Test func theBrightnessIsTheByteBehindTheLongestBond() throws {
    var disk = try Disk(after: .dim)
    expect(hex(Array(disk.bytes[..<16])), "89 4c 4b 42 4f 4e 44 0a 02 02 00 00 01 00 00 00")
    expect((16..<508).filter { disk.bytes[$0] != 0 } == [105] && disk.bytes[105] == 1)
    try disk.change(.save(2))
    expect(Array(disk.bytes[512...]), record(.bond(2), sequence: 2) { $0[105] = 1 })
    try disk.change(.brighten)
    expect(Array(disk.bytes[..<512]), record(.bond(2), sequence: 3))
  }

  /// In mm, behind the brightness; 0 is none.
  @Test(arguments: [(0, "00 00"), (2_105, "39 08"), (0xFFFF, "ff ff")] as [(UInt16, String)])
  func theWheelIsTwoBytesBehindTheBrightness(_ circumference: UInt16, _ expected: String) throws {
    var disk = Disk()
    for change in [Change.wheel(1_900), .dim, .wheel(circumference), .save(2)] {
      try disk.change(change)
    }
    let made = record(.bond(2), sequence: 4) {
      $0.replaceSubrange(105..<108, with: bytes("01 " + expected))
    }
    expect(hex(Array(disk.bytes[512...])), hex(made))
    expect(Disk(bytes: made).circumference == circumference && disk.circumference == circumference)
  }

  /// They end in zeros where one of these stands now, or in a name that is as long as can be.
  @Test(
    arguments: [.dim, .wheel(2_250), .remember(.heart), .notified("WhatsApp"), .told("0.3.0")]
      as [Change])
  func aRecordOfBeforeHasNoneAndLosesNothingWhenItGetsOne(_ change: Change) throws {
    let (short, long) = (
      recordOfVersionOne(number: 2), recordOfVersionOne(number: 2, longNameOf: 1)
    )
    for old in [record(.bond(2), sequence: 7), short, long] {
      var disk = Disk(bytes: old)
      let before = disk.contents
      expect(before == Disk.Contents(finding: before.finding) && disk.condition == .sound)
      try disk.change(change)
      expect(disk.contents, (try change.applied(to: before)))
    }
  }

  /// A brightness that only a later version knows must not cost the phone.
  @Test(arguments: [0, 1, 2, 0x80, 0xFF] as [UInt8])
  func anyBrightnessButDimIsBright(_ value: UInt8) {
    for content in [HandMade.bond(2), .erased] {
      let disk = Disk(bytes: record(content, sequence: 7) { $0[105] = value })
      expect(disk.isDim == (value == 1) && disk.condition == .sound)
      if case .bond = content { expect(disk.finding, .bond(PlainBond(number: 2))) }
    }
  }

  @Test func aRecordMadeByHandIsRead() {
    let disk = Disk(bytes: record(.bond(2), sequence: 7) + record(.bond(1), sequence: 6))
    expect(disk.finding == .bond(PlainBond(number: 2)) && disk.condition == .sound)
    let erased = Disk(bytes: record(.bond(2), sequence: 7) + record(.erased, sequence: 8))
    expect(erased.finding, .erased)
  }

  /// Nobody but a later version or a stranger writes these.
  @Test(arguments: [
    (0, 0x88), (8, 0), (8, 1), (9, 3), (9, 2), (10, 0x50), (11, 1), (16, 0x17), (17, 4), (23, 0x7F),
    (56, 33),
  ])
  func aRecordOfWhichAFieldMakesNoSenseDoesNotCount(_ index: Int, _ value: UInt8) {
    let bad = record(.bond(2), sequence: 7) { $0[index] = value }
    expect(Disk(bytes: bad).finding == .nothing && Disk(bytes: bad).condition == .damaged)
    let withOther = Disk(bytes: record(.bond(1), sequence: 6) + bad)
    expect(withOther.finding, .bond(PlainBond(number: 1)))
    expect(withOther.condition, .oneRecordDamaged)
  }

  @Test func aRecordOfVersionOneIsReadAndTheNextWriteIsOfVersionTwo() throws {
    var plain = PlainBond(number: 2)
    plain.handles = [0, 0, 0, 0]
    let first = recordOfVersionOne(number: 2)
    var disk = Disk(bytes: first)
    expect(disk.finding == .bond(plain) && disk.condition == .sound)
    let erased = bytes("89 4c 4b 42 4f 4e 44 0a 01 02 00 00 08 00 00 00")
    var second = erased + [UInt8](repeating: 0, count: 508 - erased.count)
    let secondChecksum = crc32(second.span)
    second += (0..<4).map { UInt8(truncatingIfNeeded: secondChecksum >> (8 * $0)) }
    expect(Disk(bytes: first + second).finding, .erased)
    try disk.change(.save(3))
    expect(disk.bytes[512 + 8], 2)
    expect(disk.finding, .bond(PlainBond(number: 3)))
  }

  /// It may hold what this version would lose, wherever it stands.
  @Test(arguments: [UInt8(3), 0xFF], [0, 1])
  func whatALaterVersionWroteIsLeftAlone(_ version: UInt8, _ place: Int) {
    let later = record(.bond(2), sequence: 7) { $0[8] = version }
    let ours = record(.bond(1), sequence: 8)
    let disk = Disk(bytes: place == 0 ? later + ours : ours + later)
    expect(disk.condition, .later)
  }

  @Test(arguments: [0, 1, 16, 300, 511, 512, 700, 1023, 1024])
  func aFileThatWasNeverWrittenIsNoBond(_ count: Int) {
    for blank: UInt8 in [0, 0xFF] {
      let disk = Disk(bytes: [UInt8](repeating: blank, count: count))
      expect(disk.finding == .nothing && disk.condition == .sound)
    }
  }

  @Test func aShortFileCountsAsFarAsItsRecordsAreWhole() {
    let whole = record(.bond(1), sequence: 1) + record(.bond(2), sequence: 2)
    for count in 0...whole.count {
      let disk = Disk(bytes: Array(whole.prefix(count)))
      let expected: Disk.Finding =
        count < 512
        ? .nothing : .bond(PlainBond(number: count < 1024 ? 1 : 2))
      expect(disk.finding, expected)
    }
  }

  @Test func whatFollowsTheRecordsDoesNotCount() {
    let disk = Disk(
      bytes: record(.bond(1), sequence: 1) + record(.bond(2), sequence: 2)
        + record(.bond(3), sequence: 3))
    expect(disk.finding == .bond(PlainBond(number: 2)) && disk.condition == .sound)
  }

  @Test func aFileOfSomethingElseIsTold() {
    let text = Array("# wpa_supplicant\nnetwork={ }\n".utf8)
    let sector = [UInt8](repeating: 0, count: 446) + bytes("80 20 21 00 0c") + text
    let gpt = [UInt8](repeating: 0, count: 450) + [0xEE] + [UInt8](repeating: 0, count: 61)
    for foreign in [text, text + [UInt8](repeating: 0x20, count: 4000), sector, gpt] {
      let disk = Disk(bytes: foreign)
      expect(disk.finding == .nothing && disk.condition == .foreign)
    }
  }

  @Test func aForeignFileIsOverwrittenIfItsOwnerWantsIt() throws {
    var disk = Disk(bytes: [UInt8](repeating: 0x20, count: 1024))
    try disk.change(.save(1))
    expect(disk.finding == .bond(PlainBond(number: 1)) && disk.condition == .oneRecordDamaged)
    try disk.change(.save(2))
    expect(disk.condition, .sound)
  }

  @Test func ofTwoRecordsWithTheSameNumberTheFirstCounts() {
    let disk = Disk(bytes: record(.bond(1), sequence: 5) + record(.bond(2), sequence: 5))
    expect(disk.finding, .bond(PlainBond(number: 1)))
  }
}

/// Stores that version 0.2.0 wrote: one as it was released, and one of later days that still bore its number.
///
/// Made apart from `BondRecord`, by its table; the checksums are those of Python's `zlib.crc32`.
struct EarlierStoreTests {
  private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

  /// Phone 1, which was paired with without a code, and bright: the release knew no sensors.
  private static let released =
    bytes(
      """
      89 4c 4b 42 4f 4e 44 0a 02 01 51 00 07 00 00 00 03 01 01 00 00 ee ff c0
      30 31 32 33 34 35 36 37 38 39 3a 3b 3c 3d 3e 3f 40 41 42 43 44 45 46 47 48 49 4a 4b 4c 4d 4e 4f
      07 70 68 6f 6e 65 20 31
      """) + zeros(25) + bytes("11 00 12 00 13 00 14") + zeros(412) + bytes("49 dd 14 0b")

  /// Phone 2, which was paired with by a code, dim, a wheel of 2105 mm, and a sensor of each kind of then.
  private static let whole =
    bytes(
      """
      89 4c 4b 42 4f 4e 44 0a 02 01 51 00 08 00 00 00 0b 01 02 00 00 ee ff c0
      60 61 62 63 64 65 66 67 68 69 6a 6b 6c 6d 6e 6f 70 71 72 73 74 75 76 77 78 79 7a 7b 7c 7d 7e 7f
      07 70 68 6f 6e 65 20 32
      """) + zeros(25) + bytes("21 00 22 00 23 00 24") + zeros(9) + bytes("01 39 08") + zeros(176)
    + bytes("01 01 01 00 00 ee ff d0 01 00 02 00 07 68 65 61 72 74 20 31") + zeros(36)
    + bytes("01 01 01 01 00 ee ff d0 01 01 02 01 07 73 70 65 65 64 20 31") + zeros(36)
    + bytes("01 01 01 02 00 ee ff d0 01 02 02 02 07 70 6f 77 65 72 20 31") + zeros(36)
    + bytes("01 01 01 03 00 ee ff d0 01 03 02 03 07 72 61 64 61 72 20 31") + zeros(36)
    + bytes("ec 3d 76 fb")

  private static var all: Disk.Contents {
    get throws {
      Disk.Contents(
        finding: .bond(PlainBond(number: 2)), isDim: true, circumference: 2_105,
        sensors: try plainSensors([.heart, .speed, .power, .radar]))
    }
  }

  /// In either half; the other one has what was before.
  @Test(arguments: [false, true])
  func aStoreOf020WithAPhoneAndFourSensorsIsReadWithNothingLost(_ isFirst: Bool) throws {
    let halves = isFirst ? Self.whole + Self.released : Self.released + Self.whole
    let disk = Disk(bytes: halves)
    expect(disk.bytes.count == BondStore.size && disk.condition == .sound)
    expect(disk.contents, (try Self.all))
  }

  @Test func aStoreOf020KeepsItsPhoneWhateverIsWrittenBesideIt() throws {
    var disk = Disk(bytes: Self.released)
    let before = disk.contents
    expect(before, Disk.Contents(finding: .bond(PlainBond(number: 1))))
    for kind in everyKind { try disk.change(.remember(kind)) }
    let sensors = try plainSensors()
    expect(disk.finding == before.finding && disk.sensors == sensors)
  }

  @Test func aStoreOf020KeepsItsSensorsWhenItsPhoneIsReplacedOrForgotten() throws {
    for change in [Change.save(3), .erase] {
      var disk = Disk(bytes: Self.released + Self.whole)
      try disk.change(change)
      let sensors = try Self.all.sensors
      expect(disk.sensors == sensors && disk.isDim && disk.circumference == 2_105)
    }
  }
}

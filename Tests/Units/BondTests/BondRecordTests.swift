import Bond
import Bytes
import PlainBonds
import TestSupport
import Testing

/// What a record made by hand holds.
enum HandMade {
  case bond(UInt8)
  case erased
}

/// A record by the table in the documentation of `BondRecord`; `change` comes before the checksum.
func record(
  _ content: HandMade, sequence: UInt32, change: (inout [UInt8]) -> Void = { _ in }
) -> [UInt8] {
  var record = bytes("89 4c 4b 42 4f 4e 44 0a 01")
  switch content {
  case .bond: record += bytes("01 59 00")
  case .erased: record += bytes("02 00 00")
  }
  record += (0..<4).map { UInt8(truncatingIfNeeded: sequence >> (8 * $0)) }
  if case .bond(let number) = content {
    let bond = PlainBond(number: number)
    record += [bond.isAuthenticated ? 0x0F : 0x07, 0x01, number, 0, 0, 0xEE, 0xFF, 0xC0]
    record += (bond.irk ?? []) + (bond.ltk ?? []) + (bond.localIRK ?? [])
    record += [UInt8(bond.name.utf8.count)] + Array(bond.name.utf8)
  }
  record += [UInt8](repeating: 0, count: 508 - record.count)
  change(&record)
  let checksum = crc32(record.span)
  return record + (0..<4).map { UInt8(truncatingIfNeeded: checksum >> (8 * $0)) }
}

@Suite struct BondRecordTests {
  /// The checksums are those of Python's `zlib.crc32`.
  @Test func aRecordIsLaidOutAsItsTableSays() throws {
    var plain = PlainBond(number: 0)
    plain.address = DeviceAddress(0xC1A2_B3D4_E5F6, .random)
    plain.localIRK = nil
    plain.name = "Zoë"
    var disk = Disk()
    var store = BondStore(disk.bytes.span)
    store.save(try plain.make())
    disk.finish(&store)
    let expected = """
      89 4c 4b 42 4f 4e 44 0a 01 01 59 00 01 00 00 00
      0b 01 f6 e5 d4 b3 a2 c1
      00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f
      10 11 12 13 14 15 16 17 18 19 1a 1b 1c 1d 1e 1f
      00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
      04 5a 6f c3 ab
      """
    #expect(hex(Array(disk.bytes.prefix(77))) == hex(bytes(expected)))
    #expect(disk.bytes[77..<508].allSatisfy { $0 == 0 })
    #expect(hex(Array(disk.bytes[508...])) == "eb ee 28 72")
    try disk.change(.erase)
    #expect(hex(Array(disk.bytes[512..<528])) == "89 4c 4b 42 4f 4e 44 0a 01 02 00 00 02 00 00 00")
    #expect(disk.bytes[528..<1020].allSatisfy { $0 == 0 })
    #expect(hex(Array(disk.bytes[1020...])) == "b2 e8 28 7e")
    #expect(hex(Array(disk.bytes[..<16])) == "89 4c 4b 42 4f 4e 44 0a 01 02 00 00 03 00 00 00")
    #expect(disk.bytes[16..<508].allSatisfy { $0 == 0 })
    #expect(hex(Array(disk.bytes[508..<512])) == "40 c7 a6 47")
  }

  @Test func aRecordMadeByHandIsRead() {
    let disk = Disk(bytes: record(.bond(2), sequence: 7) + record(.bond(1), sequence: 6))
    #expect(disk.finding == .bond(PlainBond(number: 2)) && disk.condition == .sound)
    let erased = Disk(bytes: record(.bond(2), sequence: 7) + record(.erased, sequence: 8))
    #expect(erased.finding == .erased)
  }

  /// Nobody but a later version or a stranger writes these.
  @Test(arguments: [
    (0, 0x88), (8, 2), (9, 3), (9, 2), (10, 0x58), (11, 1), (16, 0x17), (17, 4), (23, 0x7F),
    (72, 33),
  ])
  func aRecordOfWhichAFieldMakesNoSenseDoesNotCount(_ index: Int, _ value: UInt8) {
    let bad = record(.bond(2), sequence: 7) { $0[index] = value }
    #expect(Disk(bytes: bad).finding == .nothing && Disk(bytes: bad).condition == .damaged)
    let withOther = Disk(bytes: record(.bond(1), sequence: 6) + bad)
    #expect(withOther.finding == .bond(PlainBond(number: 1)))
    #expect(withOther.condition == .oneRecordDamaged)
  }

  @Test(arguments: [0, 1, 16, 300, 511, 512, 700, 1023, 1024])
  func aFileThatWasNeverWrittenIsNoBond(_ count: Int) {
    for blank: UInt8 in [0, 0xFF] {
      let disk = Disk(bytes: [UInt8](repeating: blank, count: count))
      #expect(disk.finding == .nothing && disk.condition == .sound)
    }
  }

  @Test func aShortFileCountsAsFarAsItsRecordsAreWhole() {
    let whole = record(.bond(1), sequence: 1) + record(.bond(2), sequence: 2)
    for count in 0...whole.count {
      let disk = Disk(bytes: Array(whole.prefix(count)))
      let expected: Disk.Finding =
        count < 512
        ? .nothing : .bond(PlainBond(number: count < 1024 ? 1 : 2))
      #expect(disk.finding == expected)
    }
  }

  @Test func whatFollowsTheRecordsDoesNotCount() {
    let disk = Disk(
      bytes: record(.bond(1), sequence: 1) + record(.bond(2), sequence: 2)
        + record(.bond(3), sequence: 3))
    #expect(disk.finding == .bond(PlainBond(number: 2)) && disk.condition == .sound)
  }

  @Test func aFileOfSomethingElseIsTold() {
    let text = Array("# wpa_supplicant\nnetwork={ }\n".utf8)
    let sector = [UInt8](repeating: 0, count: 446) + bytes("80 20 21 00 0c") + text
    let gpt = [UInt8](repeating: 0, count: 450) + [0xEE] + [UInt8](repeating: 0, count: 61)
    for foreign in [text, text + [UInt8](repeating: 0x20, count: 4000), sector, gpt] {
      let disk = Disk(bytes: foreign)
      #expect(disk.finding == .nothing && disk.condition == .foreign)
    }
  }

  @Test func aForeignFileIsOverwrittenIfItsOwnerWantsIt() throws {
    var disk = Disk(bytes: [UInt8](repeating: 0x20, count: 1024))
    try disk.change(.save(1))
    #expect(disk.finding == .bond(PlainBond(number: 1)) && disk.condition == .oneRecordDamaged)
    try disk.change(.save(2))
    #expect(disk.condition == .sound)
  }

  @Test func ofTwoRecordsWithTheSameNumberTheFirstCounts() {
    let disk = Disk(bytes: record(.bond(1), sequence: 5) + record(.bond(2), sequence: 5))
    #expect(disk.finding == .bond(PlainBond(number: 1)))
  }
}

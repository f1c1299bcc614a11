import Bond
import BondFile
import Bytes
import Expecting
import PlainBonds
import TestSupport

struct BondStoreTests {
  @Test(arguments: 0..<16)
  func eachFieldIsKeptOrItsAbsenceIs(_ fields: Int) throws {
    var bond = PlainBond(number: 3)
    if fields & 1 == 0 { bond.irk = nil }
    if fields & 2 == 0 { bond.ltk = nil }
    bond.isAuthenticated = fields & 8 != 0
    bond.address = DeviceAddress(0xA4C3_F0E1_D2B3, fields & 1 == 0 ? .public : .publicIdentity)
    bond.name = ["", "Jörgs Telefon", String(repeating: "n", count: 32)][fields % 3]
    var disk = Disk()
    var store = BondStore(disk.bytes.span)
    store.save(try bond.make(), isDim: false)
    disk.finish(&store)
    bond.address.type = .public
    expect(disk.finding, .bond(bond))
  }

  @Test func recordsAreWrittenByTurnsEachAsAWholeSector() throws {
    var disk = Disk()
    let changes: [Change] = [.save(1), .save(2), .save(3), .erase, .save(4), .erase]
    let writes = try changes.map { try disk.change($0).map(\.write) }
    expect(writes.map { $0.map(\.offset) }, [[0], [512], [0], [512, 0], [512], [0, 512]])
    #expect(writes.joined().allSatisfy { $0.bytes.count == 512 })
    expect(disk.bytes.count, BondStore.size)
  }

  @Test func theOldBondStaysOnDiskUntilTheNextSave() throws {
    var disk = Disk()
    for number: UInt8 in 1...3 { try disk.change(.save(number)) }
    let held = (1...3).map { disk.holds(PlainBond(number: $0).ltk) }
    expect(held, [false, true, true])
  }

  @Test func erasingLeavesNoKeyOnDisk() throws {
    let disk = try Disk(after: .save(1), .save(2), .erase)
    expect(disk.finding == .erased && disk.condition == .sound)
    for number: UInt8 in 1...2 {
      let bond = PlainBond(number: number)
      #expect(![bond.irk, bond.ltk].contains(where: disk.holds))
    }
  }

  @Test func whereNothingIsToForgetNothingIsWritten() throws {
    var disk = Disk()
    #expect(try disk.change(.erase).isEmpty)
    try disk.change(.save(1))
    try disk.change(.erase)
    #expect(try disk.change(.erase).isEmpty)
  }

  @Test func sequenceNumbersGoRound() throws {
    var disk = Disk(bytes: record(.bond(1), sequence: 0xFFFF_FFFE))
    for number: UInt8 in 2...5 {
      try disk.change(.save(number))
      expect(disk.finding, .bond(PlainBond(number: number)))
    }
    let sequences = [12, 512 + 12].map { Array(disk.bytes[$0..<$0 + 4]) }
    expect(sequences, [[2, 0, 0, 0], [1, 0, 0, 0]])
    try disk.change(.erase)
    expect(disk.finding, .erased)
  }

  // MARK: - The brightness

  @Test func aBrightnessIsWrittenBesideTheBondThatCounts() throws {
    var disk = try Disk(after: .save(1), .save(2))
    expect(try disk.change(.dim).map(\.write.offset), [0])
    expect(disk.isDim && disk.finding == .bond(PlainBond(number: 2)))
    expect(!disk.holds(PlainBond(number: 1).ltk))
  }

  @Test func whereAPhoneIsRememberedNoBrightnessTakesItsPlace() throws {
    let disk = try Disk(after: .save(1))
    var store = BondStore(disk.bytes.span)
    store.saveWithoutBond(isDim: true)
    expect(store.output.isEmpty, true)
  }

  // MARK: - Writes that fail

  @Test func aFailedWriteIsRepeatedInTheSamePlace() throws {
    var disk = try Disk(after: .save(1))
    var store = BondStore(disk.bytes.span)
    store.save(try PlainBond(number: 2).make(), isDim: false)
    let first = Write(offset: store.outputOffset, bytes: array(store.output))
    // Half of it came out. It is asked for again, or something else is wanted meanwhile.
    disk = disk.written(first, upTo: 200)
    expect(first, Write(offset: store.outputOffset, bytes: array(store.output)))
    store.save(try PlainBond(number: 3).make(), isDim: false)
    expect(store.outputOffset, first.offset)
    disk.finish(&store)
    expect(disk.finding, .bond(PlainBond(number: 3)))
  }

  @Test func erasingAlsoRemovesKeysOfAWriteThatFailed() throws {
    var disk = Disk()
    var store = BondStore(disk.bytes.span)
    store.save(try PlainBond(number: 1).make(), isDim: false)
    disk = disk.written(Write(offset: 0, bytes: array(store.output)), upTo: 500)
    expect(disk.holds(PlainBond(number: 1).ltk))
    store.erase(isDim: false)
    disk.finish(&store)
    expect(disk.finding == .erased && !disk.holds(PlainBond(number: 1).ltk))
  }

  @Test func aPhoneMayBeSavedInTheMiddleOfAnErasure() throws {
    var disk = try Disk(after: .save(1))
    var store = BondStore(disk.bytes.span)
    store.erase(isDim: false)
    disk = disk.written(Write(offset: store.outputOffset, bytes: array(store.output)), upTo: 512)
    store.outputWasWritten()
    store.save(try PlainBond(number: 2).make(), isDim: false)
    disk.finish(&store)
    expect(disk.finding == .bond(PlainBond(number: 2)) && !disk.holds(PlainBond(number: 1).ltk))
  }

  @Test func anOutputThatNobodyAskedForChangesNothing() throws {
    var disk = try Disk(after: .save(1))
    var store = BondStore(disk.bytes.span)
    store.outputWasWritten()
    disk.finish(&store)
    expect(store.content == .bond && disk.finding == .bond(PlainBond(number: 1)))
  }
}

struct BondTests {
  @Test func aPhoneWithAnAddressThatChangesCannotBeRemembered() throws {
    for value: UInt64 in [0x4000_0000_0000, 0x0000_1234_5678, 0x8000_0000_0001] {
      var bond = PlainBond(number: 1)
      bond.address = DeviceAddress(value, .random)
      #expect(throws: PlainBond.Refused.self) { _ = try bond.make() }
    }
  }

  @Test func anIdentityThatTheControllerResolvedIsTheAddressThatItIs() throws {
    var plain = PlainBond(number: 1)
    plain.address = DeviceAddress(0xC000_0000_0001, .randomIdentity)
    let random = try plain.make()
    expect(random.address, DeviceAddress(0xC000_0000_0001, .random))
    plain.address = DeviceAddress(0x0000_0000_0001, .publicIdentity)
    let fixed = try plain.make()
    expect(fixed.address, DeviceAddress(0x0000_0000_0001, .public))
  }

  @Test func aNameIsCutTo32Bytes() throws {
    var plain = PlainBond(number: 1)
    plain.name = String(repeating: "x", count: 33)
    let bond = try plain.make()
    expect(bond.name.count, 32)
  }

  @Test func aWipedBondLeavesNoKeyInItsMemory() {
    let plain = PlainBond(number: 1)
    var bond = try? plain.make()
    let before = Disk(bytes: memory(of: &bond))
    expect(before.holds(plain.irk) && before.holds(plain.ltk))
    bond.wipe()
    let after = Disk(bytes: memory(of: &bond))
    expect(!after.holds(plain.irk) && !after.holds(plain.ltk))
    let isGone = bond == nil
    expect(isGone)
  }

  private func memory(of bond: inout Bond?) -> [UInt8] {
    withUnsafeMutablePointer(to: &bond) { pointer in
      Array(UnsafeRawBufferPointer(start: pointer, count: MemoryLayout<Bond?>.size))
    }
  }
}

import Bond
import BondFile
import Bytes
import Expecting
import PlainBonds
import TestSupport

/// What a phone has set on our server, in its record.
@Suite struct ServedRecordTests {
  private func plain(_ table: UInt8, _ subscriptions: [Bond.Served.Subscription]) -> PlainBond {
    var bond = PlainBond(number: 2)
    bond.served = Bond.Served(table: table)
    for subscription in subscriptions { bond.served[subscription] = true }
    return bond
  }

  /// Behind the handles, in what were zeros.
  @Test(
    arguments: [
      (0, [], "00 00"), (1, [], "00 01"), (1, [.serviceChanged], "01 01"), (7, [.uart], "02 07"),
      (0xFF, [.serviceChanged, .uart], "03 ff"),
    ] as [(UInt8, [Bond.Served.Subscription], String)])
  func peripheralBehaviour32_twoOctetsBehindTheHandlesHaveIt(
    _ table: UInt8, _ subscriptions: [Bond.Served.Subscription], _ expected: String
  ) throws {
    var disk = Disk()
    var store = BondStore(disk.bytes.span)
    store.save(try plain(table, subscriptions).make(), isDim: false)
    disk.finish(&store)
    let made = record(.bond(2), sequence: 1) { $0.replaceSubrange(97..<99, with: bytes(expected)) }
    expect(disk.bytes, made)
    expect(disk.finding == .bond(plain(table, subscriptions)) && disk.condition == .sound)
    // They stay whatever is written beside them, and go with the phone.
    for change in [Change.dim, .wheel(2_105), .remember(.heart)] { try disk.change(change) }
    expect(disk.finding, .bond(plain(table, subscriptions)))
    try disk.change(.erase)
    #expect([97, 98, 512 + 97, 512 + 98].allSatisfy { disk.bytes[$0] == 0 })
  }

  /// Only a later version knows these bits.
  @Test(arguments: [0x04, 0x80, 0xFC] as [UInt8])
  func peripheralBehaviour32_unknownBitsCostNoPhone(_ bits: UInt8) {
    let disk = Disk(bytes: record(.bond(2), sequence: 7) { $0[97] = bits | 2 })
    expect(disk.finding == .bond(plain(0, [.uart])) && disk.condition == .sound)
  }

  /// A record of version 1 has the end of the name there.
  @Test func peripheralBehaviour32_theNameOfVersionOneIsNoConfiguration() throws {
    var disk = Disk(bytes: recordOfVersionOne(number: 2, longNameOf: 0x61))
    for _ in 0..<2 {
      guard case .bond(let bond) = disk.finding else {
        Issue.record("no bond")
        return
      }
      expect(bond.name.count == 32 && bond.served == Bond.Served())
      try disk.change(.dim)
    }
  }

  /// A write that is cut anywhere leaves what was set before, or what is set now.
  @Test func peripheralBehaviour32_aPowerCutLeavesTheOldOrTheNew() throws {
    var disk = try Disk(after: .save(1), .save(2))
    var store = BondStore(disk.bytes.span)
    store.save(try plain(1, [.uart]).make(), isDim: false)
    for step in disk.finish(&store) {
      for count in 0...step.write.bytes.count {
        let cut = step.before.written(step.write, upTo: count)
        expect(
          cut.finding == .bond(PlainBond(number: 2)) || cut.finding == .bond(plain(1, [.uart])))
      }
    }
  }

  @Test func aChangeIsANewBondAndNothingElseIs() throws {
    let bond = try plain(1, [.uart]).make()
    var served = bond.served
    let same = bond.updated(served: served) == nil
    served[.serviceChanged] = true
    let other = bond.updated(served: served)
    expect(same)
    switch other {
    case .some(let other): expect(PlainBond(other), plain(1, [.uart, .serviceChanged]))
    case .none: Issue.record("no bond")
    }
  }
}

import Bond
import Bytes
import Expecting
import PlainBonds
import TestSupport

@testable import BondFile

/// What stands in a record behind the bond: what the phone has set on our server, which version the rider was
/// told last, and which apps have notified.
struct RecordFieldTests {
  // MARK: - What the phone has set

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

  // MARK: - The version

  private static let place = 99..<103

  private func told(_ text: String) -> ToldVersion { ToldVersion(Array(text.utf8).span) }

  /// Behind what the phone has set on our server, in what were zeros.
  @Test(
    arguments: [
      ("0.3.0", "00 03 00 01"), ("0.3.0-dev", "00 03 00 02"),
      ("0.3.0-dev+1a2b3c4d", "00 03 00 02"), ("1.20.255", "01 14 ff 01"),
      ("10.0.9-dev", "0a 00 09 02"), ("", "00 00 00 00"),
    ])
  func fourBytesOfARecordHaveIt(_ version: String, _ expected: String) throws {
    for change in [Change.save(2), .remember(.heart)] {
      var disk = try Disk(after: change)
      try disk.change(.told(version))
      expect(hex(Array(disk.bytes[(512 + 99)..<(512 + 103)])), expected)
      expect(disk.contents.told == told(version) && disk.condition == .sound)
    }
  }

  @Test(
    arguments: [
      "", "dev", "0.3", "0.3.", "0.3.256", "0..1", ".3.0", "00.3.0", "-1.0.0", " 0.3.0", "0.3-dev",
      "4294967296.0.0",
    ])
  func whatDoesNotBeginWithThreeSmallNumbersIsNoVersion(_ text: String) {
    expect(told(text), .none)
  }

  @Test func versionsDifferByTheirNumbersAndByWhetherTheyAreReleased() {
    let all = ["0.3.0", "0.3.1", "0.4.0", "1.3.0", "0.3.0-dev"].map { told($0) }
    for (index, version) in all.enumerated() {
      #expect(!all[..<index].contains(version) && version != .none)
    }
    expect(told("0.3.0-dev+11111111"), told("0.3.0-dev+22222222"), "the panel says the same")
  }

  /// They read 83 bytes of a bond and what begins at 105, and leave alone what is between.
  @Test func anyFourBytesCostNothingElse() {
    for bytes in [[0xFF, 0xFF, 0xFF, 0xFF], [1, 0, 0, 0], [0, 0, 0, 3]] as [[UInt8]] {
      for content in [HandMade.bond(2), .erased] {
        let disk = Disk(
          bytes: record(content, sequence: 7) { $0.replaceSubrange(Self.place, with: bytes) })
        var (found, plain) = (disk.contents, Disk(bytes: record(content, sequence: 7)).contents)
        expect(found.told != .none && disk.condition == .sound)
        (found.told, plain.told) = (.none, .none)
        expect(found, plain)
      }
    }
  }

  // MARK: - The apps

  /// In their order.
  private func names(of apps: SeenApps) -> [String] {
    var names: [String] = []
    var start = 0
    while let name = SeenApps.name(in: apps.bytes, at: &start) { names.append(string(name)) }
    return names
  }

  private func seen(_ names: [String]) -> SeenApps {
    var apps = SeenApps()
    for name in names {
      let name = Array(name.utf8)
      _ = apps.see(name.span)
    }
    return apps
  }

  private func isNew(_ name: [UInt8], in apps: inout SeenApps) -> Bool { apps.see(name.span) }

  @Test func theLastOneIsTheFirst() {
    var apps = seen(["a", "b", "c"])
    expect(names(of: apps), ["c", "b", "a"])
    expect(!isNew(Array("a".utf8), in: &apps) && names(of: apps) == ["a", "c", "b"])
    expect(isNew(Array("d".utf8), in: &apps) && names(of: apps) == ["d", "a", "c", "b"])
  }

  @Test func theSameAppsInAnotherOrderAreTheSame() {
    expect(seen(["a", "b"]).hasSameApps(as: seen(["b", "a"])))
    expect(!seen(["a", "b"]).hasSameApps(as: seen(["a"])))
    expect(!seen(["a", "b"]).hasSameApps(as: seen(["a", "c"])))
    expect(seen([]).hasSameApps(as: SeenApps()) && seen([]).isEmpty && !seen(["a"]).isEmpty)
  }

  /// Of 39 bytes each three fit, with the byte before each.
  @Test func whereThereIsNoRoomTheOldestGo() {
    func name(_ letter: String) -> String { String(repeating: letter, count: 39) }
    expect(names(of: seen(["a", "b", "c"].map(name))), ["c", "b", "a"].map(name))
    let more = seen(["a", "b", "c", "d"].map(name))
    expect(names(of: more), ["d", "c", "b"].map(name))
    expect(names(of: seen(["x"] + ["a", "b", "c"].map(name))), ["c", "b", "a"].map(name))
  }

  @Test func aNameHas60BytesAndIsCutBehindALetter() {
    let long = String(repeating: "a", count: 300)
    expect(names(of: seen([long])), [String(repeating: "a", count: 60)])
    expect(
      names(of: seen([String(repeating: "€", count: 21)])), [String(repeating: "€", count: 20)])
    expect(
      names(of: seen([String(repeating: "ü", count: 31)])), [String(repeating: "ü", count: 30)])
  }

  @Test(arguments: [[], [0x0A], [0x61, 0x1B, 0x5B], [0xFF], [0x61, 0xC3]] as [[UInt8]])
  func whatIsNoNameIsNotKept(_ name: [UInt8]) {
    var apps = seen(["a"])
    expect(!isNew(name, in: &apps) && names(of: apps) == ["a"])
  }

  @Test func theyStandBehindTheWheelWithTheirLengths() throws {
    var disk = Disk()
    for change in [Change.save(2), .notified("com.apple.mail"), .notified("Büro")] {
      try disk.change(change)
    }
    let made = record(.bond(2), sequence: 3) {
      let apps = [0x05] + Array("Büro".utf8) + [0x0E] + Array("com.apple.mail".utf8)
      $0.replaceSubrange(108..<108 + apps.count, with: apps)
    }
    expect(hex(Array(disk.bytes[..<512])), hex(made))
    expect(names(of: Disk(bytes: made).contents.apps), ["Büro", "com.apple.mail"])
  }

  @Test func aPhoneThatIsForgottenOrUnknownLeavesNoneOnTheDisk() throws {
    for changes in [
      [Change.save(2), .notified("WhatsApp"), .erase], [.remember(.heart), .notified("WhatsApp")],
    ] {
      var disk = Disk()
      for change in changes { try disk.change(change) }
      #expect(disk.contents.apps.isEmpty)
      #expect(disk.bytes.ranges(of: Array("WhatsApp".utf8)).isEmpty)
    }
  }

  /// A damaged app is no reason to lose a bond.
  @Test(arguments: [0, 1, 13, 14, 61, 119] as [Int], [0, 1, 60, 61, 0x7F, 0xFF] as [UInt8])
  func anyBytesThereAreNamesOrNone(_ place: Int, _ value: UInt8) {
    for filler: UInt8 in [0, 1, 0x61, 0xFF] {
      let bytes = record(.bond(2), sequence: 7) {
        for index in 108..<228 { $0[index] = filler }
        $0[108 + place] = value
      }
      let disk = Disk(bytes: bytes)
      expect(disk.finding == .bond(PlainBond(number: 2)) && disk.condition == .sound)
      #expect(names(of: disk.contents.apps).allSatisfy { (1...60).contains($0.utf8.count) })
    }
  }

  @Test func aDescriptionHidesThem() throws {
    let disk = try Disk(after: .save(2), .notified("WhatsApp"))
    var text = FixedBuffer<4096>()
    BondStore.describe(disk.bytes.span, into: &text)
    var plain = FixedBuffer<4096>()
    let without = record(.bond(2), sequence: 1) + record(.bond(2), sequence: 2)
    BondStore.describe(without.span, into: &plain)
    expect(string(text.bytes), string(plain.bytes))
    #expect(!disk.bytes.ranges(of: Array("WhatsApp".utf8)).isEmpty)
  }
}

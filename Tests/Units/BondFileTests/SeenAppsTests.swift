import Bytes
import Expecting
import PlainBonds
import TestSupport

@testable import BondFile

/// The apps that have notified, in a record of the phone.
@Suite struct SeenAppsTests {
  private func seen(_ names: [String]) -> SeenApps {
    var apps = SeenApps()
    for name in names {
      let name = Array(name.utf8)
      _ = apps.see(name.span)
    }
    return apps
  }

  private func isNew(_ name: [UInt8], in apps: inout SeenApps) -> Bool { apps.see(name.span) }

  // MARK: - Which are kept

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

  // MARK: - In a record

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

  /// 108 to 227 were zeros.
  @Test func aStoreOfBeforeHasNoneAndKeepsItsPhoneWhenItGetsOne() throws {
    for old in [record(.bond(2), sequence: 7), recordOfVersionOne(number: 2)] {
      var disk = Disk(bytes: old)
      let before = disk.finding
      expect(disk.contents.apps.isEmpty && disk.condition == .sound)
      try disk.change(.notified("WhatsApp"))
      expect(disk.finding == before && names(of: disk.contents.apps) == ["WhatsApp"])
    }
  }

  @Test func otherChangesKeepThemAndForgettingThePhoneLeavesNoneOnTheDisk() throws {
    var disk = Disk()
    let changes = [
      Change.save(2), .notified("WhatsApp"), .dim, .wheel(2_250), .remember(.heart), .save(2),
    ]
    for change in changes { try disk.change(change) }
    expect(names(of: disk.contents.apps), ["WhatsApp"])
    try disk.change(.erase)
    #expect(disk.contents.apps.isEmpty)
    #expect(disk.bytes.ranges(of: Array("WhatsApp".utf8)).isEmpty)
  }

  @Test func whereNobodyIsRememberedNoneAreKept() throws {
    let disk = try Disk(after: .remember(.heart), .notified("WhatsApp"))
    #expect(disk.contents.apps.isEmpty)
    #expect(disk.bytes.ranges(of: Array("WhatsApp".utf8)).isEmpty)
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

/// In their order.
func names(of apps: SeenApps) -> [String] {
  var names: [String] = []
  var start = 0
  while let name = SeenApps.name(in: apps.bytes, at: &start) { names.append(string(name)) }
  return names
}

import BondFile
import Bytes
import Expecting
import PlainBonds
import TestSupport

/// The version that the rider was told last, in a record.
@Suite struct ToldVersionTests {
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

  @Test func itStaysWhateverIsWrittenBesideIt() throws {
    var disk = try Disk(after: .told("0.3.0"), .save(1))
    expect(disk.contents.told, told("0.3.0"))
    let changes: [Change] = [
      .dim, .wheel(2_105), .remember(.heart), .notified("Chat"), .save(2), .forgetSensors, .erase,
    ]
    for change in changes {
      try disk.change(change)
      expect(disk.contents.told, told("0.3.0"))
    }
    // An erasure that a power cut has interrupted is finished with it, too.
    for half in [0, 512] {
      expect(hex(Array(disk.bytes[(half + 99)..<(half + 103)])), "00 03 00 01")
    }
  }

  /// By programs that knew of none: their records end in zeros there, or in a name.
  @Test func aRecordOfBeforeHasNoneAndLosesNothingWhenItGetsOne() throws {
    let (short, long) = (
      recordOfVersionOne(number: 2), recordOfVersionOne(number: 2, longNameOf: 1)
    )
    for old in [record(.bond(2), sequence: 7), short, long] {
      var disk = Disk(bytes: old)
      var before = disk.contents
      expect(before.told == .none && disk.condition == .sound)
      try disk.change(.told("0.3.0"))
      before.told = told("0.3.0")
      expect(disk.contents, before)
    }
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
}

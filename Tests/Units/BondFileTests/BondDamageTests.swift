import BondFile
import Bytes
import Expecting
import PlainBonds
import Sensors
import TestSupport

/// Power cuts at each byte and errors of each bit.
struct BondDamageTests {
  private static let histories: [[Change]] = [
    [.save(1)], [.save(1), .save(2)], [.save(1), .save(2), .save(3)], [.save(1), .erase],
    [.save(1), .save(2), .erase], [.save(1), .erase, .save(2)],
    [.save(1), .erase, .save(2), .erase], [.dim], [.dim, .brighten, .dim], [.save(1), .dim],
    [.save(1), .save(2), .dim, .brighten, .dim], [.save(1), .dim, .erase, .brighten, .dim],
    [.dim, .save(1), .erase, .save(2)], [.remember(.heart)],
    [.remember(.heart), .remember(.radar), .remember(.heart, 2), .forgetSensors],
    [.save(1), .remember(.speed), .save(2), .dim, .erase, .remember(.power), .save(3)],
    [.remember(.power), .save(1), .save(2), .forgetSensors, .remember(.heart), .erase, .brighten],
    [.save(1), .notified("WhatsApp"), .dim, .notified("Signal"), .erase, .save(2)],
    [.wheel(2_250), .save(1), .wheel(2_199), .dim, .remember(.speed), .erase, .wheel(1_900)],
    [.told("0.2.0"), .save(1), .told("0.3.0-dev"), .dim, .told("0.2.0"), .erase, .told("0.3.0")],
    [.told("0.3.0"), .save(1), .notified("Chat"), .save(1), .dim, .wheel(2_105), .forgetSensors],
    everyKind.map { .remember($0) } + [.save(1), .save(2), .dim, .erase],
  ]

  /// Both where the file has its size from the start on and where it grows.
  @Test(arguments: histories, [0, 1024])
  func aPowerCutLeavesTheOldOrTheNew(_ history: [Change], _ size: Int) throws {
    var disk = Disk(bytes: [UInt8](repeating: 0, count: size))
    var latest = Disk.Contents()
    for change in history {
      let old = latest
      let steps = try disk.change(change)
      latest = try change.applied(to: old)
      expect(disk.contents == latest && disk.condition == .sound, "\(change)")
      if change == .erase {
        let halves = [disk.bytes[..<512], disk.bytes[512...]].map { Disk(bytes: Array($0)) }
        expect(halves.allSatisfy { $0.contents == latest }, "in both records")
      }
      for (number, step) in steps.enumerated() {
        var last: Disk?
        for count in 0...512 {
          let cut = step.before.written(step.write, upTo: count)
          guard cut != last else { continue }  // a byte that was so before
          last = cut
          // The first write decides, before its last byte and after it.
          let expected =
            number == 0 && cut.bytes != step.before.written(step.write, upTo: 512).bytes
          if cut.contents != (expected ? old : latest) {
            Issue.record("\(change), write \(number), \(count)")
          }
          if count % 64 < 2 { try checkGoingOn(from: cut) }
        }
      }
    }
  }

  /// A start after the cut ends an erasure that was begun, and can save and erase.
  private func checkGoingOn(from cut: Disk) throws {
    var disk = cut
    var store = BondStore(cut.bytes.span)
    disk.finish(&store)
    expect(disk.contents, cut.contents)
    if disk.finding == .erased {
      expect(![1, 2, 3].contains { disk.holds(PlainBond(number: $0).ltk) })
    }
    try disk.change(.save(9))
    expect(disk.finding, .bond(PlainBond(number: 9)))
    try disk.change(.erase)
    expect(disk.finding == .erased && !disk.holds(PlainBond(number: 9).ltk))
    expect(disk.isDim, cut.isDim, "neither a phone nor forgetting it changes the brightness")
    expect(disk.sensors, cut.sensors, "nor the sensors")
    expect(disk.circumference, cut.circumference, "nor the wheel")
    expect(disk.contents.told, cut.contents.told, "nor the version")
  }

  /// It is in both records, the old brightness in one and the new one in the other.
  @Test func aWrongBitAfterABrightnessLeavesTheBond() throws {
    let disk = try Disk(after: .save(1), .dim)
    for index in disk.bytes.indices {
      for bit in 0..<8 {
        var wrong = disk
        wrong.bytes[index] ^= 1 << bit
        expect(wrong.finding == .bond(PlainBond(number: 1)) && wrong.isDim == (index < 512))
      }
    }
  }

  /// They stay until a phone is paired or forgotten.
  @Test(arguments: [Change.dim, .wheel(2_250)])
  func aBrightnessOrAWheelIsNotWrittenOverDamagedRecords(_ change: Change) throws {
    var disk = try Disk(after: .save(1), .save(2))
    disk.bytes[100] ^= 1
    disk.bytes[600] ^= 1
    let before = disk
    let writes = try disk.change(change)
    expect(writes.isEmpty && disk == before)
    try disk.change(.save(3))
    try disk.change(change)
    expect(disk.finding, .bond(PlainBond(number: 3)))
    expect(disk.isDim == (change == .dim) && disk.circumference == (change == .dim ? 0 : 2_250))
  }

  /// A rider who keeps a sensor has given the old phone up, whose bond cannot be read.
  @Test func aSensorIsWrittenOverDamagedRecordsWhoseKeysAreGoneThen() throws {
    var disk = Disk(bytes: record(.bond(1), sequence: 1) + record(.bond(2), sequence: 2))
    disk.bytes[100] ^= 1
    disk.bytes[600] ^= 1
    #expect(try disk.change(.forgetSensors).isEmpty)
    try disk.change(.remember(.radar))
    let radar = try plainSensors([.radar])
    expect(disk.sensors == radar && disk.finding == .erased)
    expect(!disk.holds(PlainBond(number: 1).ltk) && !disk.holds(PlainBond(number: 2).ltk))
  }

  @Test func aWrongBitLeavesTheNewestOrTheOneBefore() throws {
    var disk = try Disk(after: .save(1), .save(2))
    expectAtEachBit(of: disk, inFirst: .bond(PlainBond(number: 2)), .bond(PlainBond(number: 1)))
    try disk.change(.erase)
    expectAtEachBit(of: disk, inFirst: .erased, .erased)
    try disk.change(.save(3))
    // The newest is the first record now.
    expectAtEachBit(of: disk, inFirst: .erased, .bond(PlainBond(number: 3)))
  }

  private func expectAtEachBit(
    of disk: Disk, inFirst first: Disk.Finding, _ second: Disk.Finding
  ) {
    for index in disk.bytes.indices {
      for bit in 0..<8 {
        var wrong = disk
        wrong.bytes[index] ^= 1 << bit
        let expected = index < 512 ? first : second
        expect(wrong.finding == expected && wrong.condition == .oneRecordDamaged)
      }
    }
  }

  @Test func whereBothRecordsAreDamagedThereIsNoBondAndItIsTold() throws {
    let disk = try Disk(after: .save(1), .save(2))
    for index in stride(from: 0, to: 512, by: 7) {
      var wrong = disk
      wrong.bytes[index] ^= 0x10
      wrong.bytes[512 + 511 - index] ^= 0x01
      expect(wrong.finding == .nothing && wrong.condition == .damaged)
    }
  }

  @Test func aFirstSaveThatWasCutIsToldAsDamage() throws {
    var disk = Disk()
    let step = try disk.change(.save(1))[0]
    for count in 1..<512 {
      let cut = step.before.written(step.write, upTo: count)
      expect(cut.finding == .nothing && cut.condition == .damaged, "\(count)")
    }
  }

  @Test func damagedRecordsAreErasedToo() throws {
    var disk = try Disk(after: .save(1), .save(2))
    disk.bytes[100] ^= 1
    disk.bytes[600] ^= 1
    let writes = try disk.change(.erase).map(\.write.offset)
    // Each record behind what spoils the checksum of the one that was there.
    expect(writes == [508, 0, 1020, 512] && disk.finding == .erased)
    expect(!disk.holds(PlainBond(number: 1).ltk) && !disk.holds(PlainBond(number: 2).ltk))
  }

  /// Whichever record is damaged, and wherever, its keys are there to be found.
  @Test(arguments: [0, 8, 20, 100, 511], [[0], [1], [0, 1]])
  func centralBehaviour53_forgettingLeavesNoKeyInDamagedRecordsEither(
    _ index: Int, _ damaged: [Int]
  ) throws {
    let keys = [1, 2].flatMap { [PlainBond(number: $0).irk, PlainBond(number: $0).ltk] }
    var disk = Disk(bytes: record(.bond(1), sequence: 1) + record(.bond(2), sequence: 2))
    for half in damaged { disk.bytes[half * 512 + index] ^= 0x10 }
    #expect(keys.contains(where: disk.holds))
    try disk.change(.erase)
    expect(
      disk.finding != .bond(PlainBond(number: 1)) && disk.finding != .bond(PlainBond(number: 2)))
    #expect(!keys.contains(where: disk.holds))
  }
}

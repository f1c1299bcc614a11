import BondFile
import Bytes
import Expecting
import PlainBonds
import Sensors
import TestSupport

/// What stands in one record before a test writes to the store.
enum RecordDamage: Equatable, Sendable, CaseIterable {
  case none, zeros, ones, cutShort, someoneElses
  /// The whole record of an earlier save.
  case earlier
  case magic, version, kind, length, sequence, highSequence, address, key, name, brightness, wheel
  case checksum, lastOfChecksum

  /// Where one bit is wrong.
  private var flippedByte: Int? {
    switch self {
    case .none, .zeros, .ones, .cutShort, .someoneElses, .earlier: nil
    case .magic: 0
    case .version: 8
    case .kind: 9
    case .length: 10
    case .sequence: 12
    case .highSequence: 15
    case .address: 23
    case .key: 40
    case .name: 57
    case .brightness: 105
    case .wheel: 106
    case .checksum: 508
    case .lastOfChecksum: 511
    }
  }

  func applied(to record: [UInt8], earlier: [UInt8]) -> [UInt8] {
    var record = record
    if let flippedByte { record[flippedByte] ^= 0x80 }
    switch self {
    case .zeros: return [UInt8](repeating: 0, count: 512)
    case .ones: return [UInt8](repeating: 0xFF, count: 512)
    case .cutShort: return record[..<60] + [UInt8](repeating: 0, count: 452)
    case .someoneElses: return [UInt8](repeating: 0x55, count: 8) + record[8...]
    case .earlier: return earlier
    default: return record
    }
  }
}

/// What is asked of the store while damaged records are on the disk.
enum Save: CaseIterable {
  /// The same phone with another wheel.
  case same
  case another
  case erasure

  /// Puts it into `store`, and returns what is to be read when all of it is written.
  func begin(_ store: inout BondStore, on disk: Disk, wheel: UInt16) throws -> Disk.Contents {
    var new = disk.contents
    store.newCircumference = wheel
    new.circumference = wheel
    switch (self, new.finding) {
    case (.erasure, let finding):
      store.erase(isDim: new.isDim)
      guard !store.output.isEmpty else { return disk.contents }
      new.finding = finding == .erased ? finding : .erased
    case (.same, .bond(let phone)): store.save(try phone.make(), isDim: new.isDim)
    case (.same, _), (.another, _):
      let phone = sparePhone(UInt8(truncatingIfNeeded: wheel))
      store.save(try phone.make(), isDim: new.isDim)
      new.finding = .bond(phone)
    }
    return new
  }
}

/// Phones that differ in few bytes: the record of one mends much of another's.
private func sparePhone(_ number: UInt8) -> PlainBond {
  var phone = PlainBond(number: 0)
  phone.address = DeviceAddress(0xC000_0000_0000 + UInt64(number), .random)
  phone.irk = nil
  phone.ltk = [number] + [UInt8](repeating: 0, count: 15)
  phone.handles = [0, 0, 0, 0]
  phone.name = "A"
  return phone
}

/// Cuts of writes over damaged records, which must not be mended by what is written over them.
struct BondMendingTests {
  /// Three records in a row, each of another phone with another wheel.
  private func records(from sequence: UInt32) throws -> [[UInt8]] {
    try (0..<3).map { number in
      let before = record(.erased, sequence: sequence &+ UInt32(number) &- 1)
      var disk = Disk(bytes: before)
      var store = BondStore(before.span)
      _ = try Save.another.begin(&store, on: disk, wheel: 2_001 + UInt16(number))
      disk.finish(&store)
      return Array(disk.bytes[512...])
    }
  }

  /// Two saves in each order, on each damage beside itself and beside those that decide which record counts.
  @Test(arguments: RecordDamage.allCases)
  func centralBehaviour88_aCutLeavesTheOldOrTheNewWhateverIsDamaged(_ damage: RecordDamage) throws {
    let records = try records(from: 8)
    let pairs =
      [(damage, damage), (damage, .none), (.none, damage)]
      + [(damage, .highSequence), (.highSequence, damage), (.earlier, damage)]
    var seen: Set<[UInt8]> = []
    for (first, second) in pairs {
      let start = Disk(
        bytes: first.applied(to: records[1], earlier: records[0])
          + second.applied(to: records[2], earlier: records[0]))
      for save in Save.allCases {
        let disk = try checkEachCut(of: save, on: start, wheel: 2_100)
        guard seen.insert(disk.bytes).inserted else { continue }
        for save in Save.allCases { _ = try checkEachCut(of: save, on: disk, wheel: 2_200) }
      }
    }
  }

  @Test(arguments: [(0, 0), (12, 12), (15, 15), (511, 511), (0, 15), (106, 8)])
  func centralBehaviour88_numbersThatGoRoundDoNotBringADamagedRecordBack(
    _ first: Int, _ second: Int
  ) throws {
    for sequence: UInt32 in [0x7FFF_FFFE, 0xFFFF_FFFC, 0xFFFF_FFFD, 0xFFFF_FFFE] {
      var disk = Disk(bytes: Array(try records(from: sequence)[1...].joined()))
      disk.bytes[first] ^= 0x80
      disk.bytes[512 + second] ^= 0x80
      for save in [Save.another, .same, .same] {
        disk = try checkEachCut(of: save, on: disk, wheel: disk.circumference + 1)
      }
    }
  }

  /// A cut that follows a cut finds a record that is half of one and half of another.
  @Test(arguments: [0, 106, 508], [15, 511])
  func centralBehaviour88_aSecondCutLeavesTheOldOrTheNewToo(_ first: Int, _ second: Int) throws {
    var start = Disk(bytes: Array(try records(from: 8)[1...].joined()))
    start.bytes[first] ^= 0x40
    start.bytes[512 + second] ^= 0x40
    for save in [Save.another, .erasure] {
      _ = try checkEachCut(of: save, on: start, wheel: 2_100) { torn in
        _ = try checkEachCut(of: .same, on: torn, wheel: 2_200)
      }
    }
  }

  /// Whether its write failed, or the rider wants something else before it is written.
  @Test func aChecksumThatMayNotBeSpoiledYetIsSpoiledBeforeAnyRecordIsWritten() throws {
    var disk = Disk(bytes: Array(try records(from: 8)[1...].joined()))
    disk.bytes[512] ^= 0x40
    var store = BondStore(disk.bytes.span)
    for save in [Save.another, .same, .erasure] {
      _ = try save.begin(&store, on: disk, wheel: 2_100)
      let (offset, count) = (store.outputOffset, store.output.count)
      expect(offset == 1020 && count == 4)
    }
    store.outputWasWritten()
    let (offset, count) = (store.outputOffset, store.output.count)
    expect(offset == 512 && count == 512)
  }

  /// A file that ends early gets zeros where nothing is when its end is written.
  @Test(arguments: [1, 8, 60, 200, 508, 509, 511, 513, 600, 1020, 1023])
  func centralBehaviour88_aDamagedFileThatEndsEarlyIsNotMendedByAWriteThatIsCut(_ count: Int) throws
  {
    let whole = Array(try records(from: 8)[1...].joined())
    var cases = [Array(whole[..<count])]
    if count > 512 { cases.append([whole[0] ^ 0x40] + whole[1..<count]) }
    for bytes in cases {
      let start = Disk(bytes: bytes)
      for save in Save.allCases {
        let disk = try checkEachCutFromItsBeginning(of: save, on: start)
        _ = try checkEachCut(of: .same, on: disk, wheel: 2_300)
      }
    }
  }

  private func checkEachCutFromItsBeginning(of save: Save, on start: Disk) throws -> Disk {
    var disk = start
    var store = BondStore(start.bytes.span)
    let old = start.contents
    let new = try save.begin(&store, on: start, wheel: 2_200)
    for (before, write) in disk.finish(&store) {
      for count in 0...write.bytes.count where count % 8 < 1 || count > 500 {
        let found = before.written(write, upTo: count).contents
        expect(found == old || found == new, "\(save), \(write.offset), \(count)")
      }
    }
    expect(disk.contents, new)
    return disk.bytes.count == BondStore.size ? disk : Disk(bytes: disk.bytes + zeros(to: disk))
  }

  private func zeros(to disk: Disk) -> [UInt8] {
    [UInt8](repeating: 0, count: BondStore.size - disk.bytes.count)
  }

  /// Cuts each write of a save at each byte, and at each from its end, as a disk may take its parts in any
  /// order; returns the disk that has all of it.
  ///
  /// The wheel tells which record is read: each save has another one.
  private func checkEachCut(
    of save: Save, on start: Disk, wheel: UInt16, then goOn: (Disk) throws -> Void = { _ in }
  ) throws -> Disk {
    var disk = start
    var store = BondStore(start.bytes.span)
    let old = start.contents
    let new = try save.begin(&store, on: start, wheel: wheel)
    var latest = old
    for (before, write) in disk.finish(&store) {
      let next = before.written(write, upTo: write.bytes.count).contents
      expect(next == latest || next == new, "\(save), written at \(write.offset)")
      for places in [Array(write.bytes.indices), write.bytes.indices.reversed()] {
        var torn = before
        for index in places where torn.bytes[write.offset + index] != write.bytes[index] {
          torn.bytes[write.offset + index] = write.bytes[index]
          let (found, isBlank) = torn.wheelAndBlankness
          let isOld = found == latest.circumference && isBlank == (latest.finding == .nothing)
          let isNext = found == next.circumference && isBlank == (next.finding == .nothing)
          guard isOld || isNext else {
            Issue.record("\(save), cut at byte \(write.offset + index): a wheel of \(found) mm")
            return disk
          }
          if places.first == 0 { try goOn(torn) }
        }
      }
      latest = next
    }
    expect(disk.contents, new, "\(save)")
    return disk
  }
}

extension Disk {
  /// What is quickly read: the wheel, and whether no record counts.
  fileprivate var wheelAndBlankness: (UInt16, Bool) {
    let store = BondStore(bytes.span)
    return (store.circumference, store.content == .nothing)
  }
}

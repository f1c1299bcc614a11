package import Bond
package import Bytes
package import Sensors

/// The bond file: which of its two records counts, and what to write next.
///
/// Each record has the bond with the apps that notified, the brightness that the rider wants, the wheel's
/// circumference, the sensors and the version that the rider was told. So a change of one of them writes all
/// of them. It keeps no bond, but finds it in the bytes of the file.
///
/// It does no input or output. The owner of the file reads it once. After each change the owner writes `output`
/// at `outputOffset`, syncs the file and calls `outputWasWritten`, until `output` is empty. After a failed write
/// it writes the same output again: the file may hold anything there meanwhile.
///
/// The two records are written alternately, each with the next sequence number. The record that counts is never
/// touched, so a power cut leaves the old bond or the new one. For this the owner must keep the two halves
/// of the file where no single write covers both. The old bond's keys stay until the save after the next
/// one, or until `erase`, which overwrites both records.
///
/// A damaged record may lack only a few bytes, which a new record may have at the same place. A power cut in its
/// write could then bring the old bond back. So a separate write spoils the old checksum first.
package struct BondStore: ~Copyable {
  /// Bytes of the file.
  package static var size: Int { 1024 }

  /// What the file remembers.
  package enum Content: Sendable {
    /// No phone was ever remembered, or the record of it is unreadable.
    case nothing
    case bond
    /// No phone is remembered: the last one was forgotten, or there never was one.
    case erased
  }

  /// How much of the file could be read.
  package enum Condition: Sendable {
    case sound
    /// One record is damaged, for example by a power cut in a write: the other one counts.
    case oneRecordDamaged
    /// There is no whole record, but parts of one, which may have keys.
    case damaged
    /// It holds other data: set a file aside, and write to no device.
    case foreign
    /// A later version than this one wrote the file: leave it alone.
    case later
  }

  /// How the file was when it was read.
  package let condition: Condition

  private var records: InlineArray<2, BondRecord>
  /// The record that counts, if one does.
  private var newest: Int?
  private var pending = FixedBuffer<512>()
  /// The checksum that spoils the record at `target` before `pending` is written; empty if not necessary.
  private var spoiler = FixedBuffer<4>()
  private var target = 0
  private var writing = BondRecord(.blank)
  /// The sensors for the next records; `nil` keeps those that are remembered.
  package var newSensors: RememberedSensors?
  /// The wheel's circumference for the next records, in millimetres; `nil` keeps the current one.
  package var newCircumference: UInt16?
  /// The version that the rider was told, for the next records; `nil` keeps the current one.
  package var newTold: ToldVersion?
  /// The apps for the next records of a bond; `nil` keeps the current ones.
  package var newApps: SeenApps?

  /// Reads the first 1024 bytes of the file; missing bytes count as never written.
  ///
  /// If a power cut interrupted an erasure, `output` is the rest of it.
  package init(_ file: Span<UInt8>) {
    let first = BondRecord(parsing: Self.record(0, of: file))
    let second = BondRecord(parsing: Self.record(1, of: file))
    records = [first, second]
    newest = Self.newest(first, second)
    condition = Self.condition(first, second)
    finishErasure()
  }

  /// The content of the record that counts.
  package var content: Content {
    guard let newest else { return .nothing }
    return records[newest].content == .bond ? .bond : .erased
  }

  /// Whether the rider wants the panel dim, by the record that counts; bright without one.
  package var isDim: Bool { newest.map { records[$0].isDim } ?? false }

  /// The learned circumference of the wheel in millimetres, by the record that counts; 0 for none.
  package var circumference: UInt16 { newest.map { records[$0].circumference } ?? 0 }

  /// The version that the rider was told last, by the record that counts.
  package var told: ToldVersion { newest.map { records[$0].told } ?? .none }

  /// The apps that have notified lately, by the record that counts.
  package var apps: SeenApps { newest.map { records[$0].apps } ?? SeenApps() }

  /// The sensors of the record that counts.
  package var sensors: RememberedSensors {
    @inline(never)  // one copy
    get {
      guard let newest else { return RememberedSensors() }
      return records[newest].sensors
    }
  }

  /// Whether the record that does not count has the key of a sensor that is no longer remembered, or may have it, as it
  /// is damaged.
  ///
  /// Another write of the same values overwrites it.
  package var hasOldSensorKey: Bool {
    guard let newest else { return false }
    let other = records[1 - newest]
    return other.content == .damaged
      || other.isValid && other.sensors.haveKey(missingIn: records[newest].sensors)
  }

  /// The bond in the file that this store was made from; `nil` if none counts.
  package func bond(in file: Span<UInt8>) -> Bond? {
    guard content == .bond, let newest else { return nil }
    do throws(ParseError) {
      return try BondRecord.bond(in: Self.record(newest, of: file))
    } catch {
      return nil
    }
  }

  /// Writes each record in these bytes of the file as a word without keys: see `BondRecord.describe`.
  package static func describe<Writer: ByteWriter & ~Copyable>(
    _ bytes: Span<UInt8>, into writer: inout Writer
  ) {
    var rest = bytes
    while !rest.isEmpty {
      writer.append(" ")
      BondRecord.describe(rest.extracting(first: min(rest.count, BondRecord.size)), into: &writer)
      rest = rest.extracting(droppingFirst: min(rest.count, BondRecord.size))
    }
  }

  // MARK: - Out

  /// What to write next: a record or the checksum of a damaged one; empty if there is nothing.
  package var output: Span<UInt8> { spoiler.isEmpty ? pending.bytes : spoiler.bytes }

  /// Where in the file `output` belongs.
  package var outputOffset: Int {
    target * BondRecord.size + (spoiler.isEmpty ? 0 : BondRecord.checksumOffset)
  }

  /// `output` is written and synced; the next output takes its place, if there is one.
  package mutating func outputWasWritten() {
    guard !pending.isEmpty else { return }
    guard spoiler.isEmpty else {
      spoiler.wipe()
      records[target].spoiler = nil
      return
    }
    pending.wipe()
    records[target] = writing
    newest = target
    finishErasure()
  }

  // MARK: - In

  /// Puts a record of `bond` into `output`, and drops any output that was there.
  package mutating func save(_ bond: borrowing Bond, isDim: Bool) {
    begin(.bond, isDim: isDim)
    writing.write(bond, into: &pending)
  }

  /// Puts a record of everything but a bond into `output`, if no phone is remembered.
  ///
  /// Damaged records are overwritten for a sensor, or when a phone is paired or forgotten. A brightness or a
  /// wheel is no reason.
  package mutating func saveWithoutBond(isDim: Bool) {
    let hasSensors = !(newSensors ?? sensors).isEmpty
    guard content != .bond, newest != nil || !mayHoldKeys || hasSensors else { return }
    writeErasure(isDim: isDim)
  }

  /// Puts a record into `output` that forgets the phone, unless there is nothing to forget.
  ///
  /// The first record forgets the phone, the second one overwrites its keys.
  package mutating func erase(isDim: Bool) {
    guard mayHoldKeys else { return }
    writeErasure(isDim: isDim)
  }

  private var mayHoldKeys: Bool { records[0].mayHoldKeys || records[1].mayHoldKeys }

  private mutating func finishErasure() {
    guard let newest, content == .erased, records[1 - newest].mayHoldKeys else { return }
    writeErasure(isDim: records[newest].isDim)
  }

  private mutating func writeErasure(isDim: Bool) {
    begin(.erased, isDim: isDim)
    writing.writeErasure(into: &pending)
  }

  /// Chooses the record that does not count.
  private mutating func begin(_ content: BondRecord.Content, isDim: Bool) {
    pending.wipe()
    spoiler.wipe()
    writing = BondRecord(
      content, sequence: 1, isDim: isDim, circumference: newCircumference ?? circumference,
      told: newTold ?? told,
      apps: content == .bond ? newApps ?? apps : SeenApps(), sensors: newSensors ?? sensors)
    target = 0
    if let newest {
      target = 1 - newest
      writing.sequence = records[newest].sequence &+ 1
    }
    // Until the write is confirmed, the file may have any part of the record.
    records[target].content = .damaged
    if let bytes = records[target].spoiler { spoiler.append(u32: bytes) }
  }

  // MARK: - Reading

  private static func newest(_ first: BondRecord, _ second: BondRecord) -> Int? {
    guard first.isValid else { return second.isValid ? 1 : nil }
    guard second.isValid else { return 0 }
    // The numbers wrap round: the older one is less than half of their range behind.
    return Int32(bitPattern: second.sequence &- first.sequence) > 0 ? 1 : 0
  }

  private static func condition(_ first: BondRecord, _ second: BondRecord) -> Condition {
    if first.content == .later || second.content == .later { return .later }
    let isOneBad = first.isBad || second.isBad
    guard isOneBad else { return .sound }
    if first.isValid || second.isValid { return .oneRecordDamaged }
    // After a power cut, a file with our mark in one half may have anything in the other one.
    return first.content == .damaged || second.content == .damaged ? .damaged : .foreign
  }

  @_lifetime(copy file)
  private static func record(_ index: Int, of file: Span<UInt8>) -> Span<UInt8> {
    let rest = file.extracting(droppingFirst: min(file.count, index * BondRecord.size))
    return rest.extracting(first: min(rest.count, BondRecord.size))
  }
}

package import Bytes

/// The bond file: which of its two records counts, and what to write next.
///
/// The brightness that the rider wants, the wheel's circumference and the sensors stand in each record
/// beside the bond, so that either all are there or none, and what is written alone writes the others once
/// more.
///
/// Does no input or output. Whoever owns it reads the file once, and after each
/// change writes `output` at `outputOffset`, syncs the file, calls `outputWasWritten`,
/// and goes on until `output` is empty. If a write fails, the same output is written
/// again: what the file holds there is not known until then.
///
/// Records are written by turns, each with the next sequence number, so that the one that
/// counts is never touched: a power cut leaves the old bond or the new one. For that, whoever owns
/// the file keeps its two halves where they are not written together. The old bond's
/// keys stay until the save after the next one or until `erase`, which overwrites both.
///
/// A damaged record may need only a few bytes to be whole again, and the beginning of the next one may
/// have them. Its old bond would come back with its old number. Before it is overwritten, a write of its
/// own spoils its checksum.
package struct BondStore: ~Copyable {
  /// Bytes of the file.
  package static var size: Int { 1024 }

  /// What the file says of the past.
  package enum Content: Sendable {
    /// No phone was ever remembered, or that cannot be read any more.
    case nothing
    case bond
    /// Nobody is remembered: the last phone was forgotten, or there never was one.
    case erased
  }

  /// How much of the file could be read.
  package enum Condition: Sendable {
    case sound
    /// One record is damaged, as by a power cut in a write: the other one counts.
    case oneRecordDamaged
    /// There is no whole record but parts of some, in which keys may be read.
    case damaged
    /// It holds something else; a file should be kept aside, a device not be written to.
    case foreign
    /// A later version than this one has written it: it is to be left alone.
    case later
  }

  /// How the file was when it was read.
  package let condition: Condition

  private var records: InlineArray<2, BondRecord>
  /// The record that counts, if one does.
  private var newest: Int?
  private var pending = FixedBuffer<512>()
  /// What spoils the record at `target` before `pending` is written; empty if nothing needs to.
  private var spoiler = FixedBuffer<4>()
  private var target = 0
  private var writing = BondRecord(.blank)
  /// The sensors that the next records are to have; `nil` for those that are remembered.
  package var newSensors: RememberedSensors?
  /// The wheel's circumference that the next records are to have, in millimetres; `nil` for that which counts.
  package var newCircumference: UInt16?

  /// Reads the file, of which missing bytes count as never written and others than the first 1024
  /// do not count.
  ///
  /// If a power cut ended an erasure, `output` is the rest of it.
  package init(_ file: Span<UInt8>) {
    let first = BondRecord(parsing: Self.record(0, of: file))
    let second = BondRecord(parsing: Self.record(1, of: file))
    records = InlineArray(repeating: first)
    records[1] = second
    newest = Self.newest(first, second)
    condition = Self.condition(first, second)
    finishErasure()
  }

  /// What counts.
  package var content: Content {
    guard let newest else { return .nothing }
    return records[newest].content == .bond ? .bond : .erased
  }

  /// Whether the rider wants the panel dim, by what counts; bright if nothing does.
  package var isDim: Bool {
    guard let newest else { return false }
    return records[newest].isDim
  }

  /// The wheel's circumference that was learned, in millimetres, by what counts; 0 if none was.
  package var circumference: UInt16 {
    guard let newest else { return 0 }
    return records[newest].circumference
  }

  /// The sensors that are remembered, by what counts; none if nothing does.
  package var sensors: RememberedSensors {
    @inline(never)  // else a board's file has three copies of it
    get {
      guard let newest else { return RememberedSensors() }
      return records[newest].sensors
    }
  }

  /// Whether the record that does not count has a sensor's key that is not remembered any more.
  ///
  /// Another write of all that counts overwrites it.
  package var hasOldSensorKey: Bool {
    guard let newest, records[1 - newest].isValid else { return false }
    return records[1 - newest].sensors.haveKey(missingIn: records[newest].sensors)
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

  /// Writes what each record in these bytes of the file says without its keys, a word each: see
  /// `BondRecord.describe`.
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

  /// What to write next, a record or the checksum of a damaged one; empty when there is nothing.
  package var output: Span<UInt8> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { spoiler.isEmpty ? pending.bytes : spoiler.bytes }
  }

  /// Where in the file `output` belongs.
  package var outputOffset: Int {
    target * BondRecord.size + (spoiler.isEmpty ? 0 : BondRecord.checksumOffset)
  }

  /// Takes `output` for written and synced, and puts the rest there if there is one.
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

  /// Puts a record of `bond` into `output`, in the place of what is still there.
  package mutating func save(_ bond: borrowing Bond, isDim: Bool) {
    begin(.bond, isDim: isDim)
    writing.write(bond, into: &pending)
  }

  /// Puts a record of all but a bond into `output`, where no phone is remembered.
  ///
  /// For a brightness or a wheel damaged records stay as they are: they are overwritten for a sensor, and for a
  /// phone that is paired or forgotten.
  package mutating func saveWithoutBond(isDim: Bool) {
    let hasSensors = !(newSensors ?? sensors).isEmpty
    guard content != .bond, newest != nil || !mayHoldKeys || hasSensors else { return }
    writeErasure(isDim: isDim)
  }

  /// Puts what forgets the phone into `output`, unless there is nothing to forget.
  ///
  /// After the first record the phone is forgotten, after the second its keys are gone, too.
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
      sensors: newSensors ?? sensors)
    target = 0
    if let newest {
      target = 1 - newest
      writing.sequence = records[newest].sequence &+ 1
    }
    // Any part of it may be in the file before all of it is known to be there.
    records[target].content = .damaged
    if let bytes = records[target].spoiler { spoiler.append(u32: bytes) }
  }

  // MARK: - Reading

  private static func newest(_ first: BondRecord, _ second: BondRecord) -> Int? {
    guard first.isValid else { return second.isValid ? 1 : nil }
    guard second.isValid else { return 0 }
    // The numbers go round: the one that is less than half of all behind is the older one.
    return Int32(bitPattern: second.sequence &- first.sequence) > 0 ? 1 : 0
  }

  private static func condition(_ first: BondRecord, _ second: BondRecord) -> Condition {
    if first.content == .later || second.content == .later { return .later }
    let isOneBad = first.isBad || second.isBad
    guard isOneBad else { return .sound }
    if first.isValid || second.isValid { return .oneRecordDamaged }
    // What bears our mark in one half may have anything in the other one after a power cut.
    return first.content == .damaged || second.content == .damaged ? .damaged : .foreign
  }

  @_lifetime(copy file)
  private static func record(_ index: Int, of file: Span<UInt8>) -> Span<UInt8> {
    let rest = file.extracting(droppingFirst: min(file.count, index * BondRecord.size))
    return rest.extracting(first: min(rest.count, BondRecord.size))
  }
}

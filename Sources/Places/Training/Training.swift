package import Beacons
package import Bytes

/// Listens to the beacons of one group in one location, and keeps what a fingerprint is made of.
///
/// A beacon has at most one reading for each second: the mean of what was heard of it in that second. So the
/// number of readings says in how many of the seconds it was heard, however often it advertises. Only whole
/// seconds count, and a pause stops the clock.
package struct Training: ~Copyable {
  package enum State: Equatable, Sendable {
    case running
    case paused
    /// It has listened as long as it was to, or was finalized.
    case complete
    /// It was aborted, and has nothing to write.
    case aborted
  }

  private struct Beacon {
    var beacon = IBeacon(UUID(0, 0), major: 0, minor: 0)
    /// How many readings there are.
    var readings = 0
    /// What was heard in the second that runs.
    var heardSum: Int32 = 0
    var heardCount: Int32 = 0
  }

  /// A fingerprint of fewer beacons is refused.
  package static var fewestBeacons: Int { 3 }
  /// A fingerprint of fewer seconds is refused.
  package static var fewestSeconds: Int { 10 }

  package let uuid: UUID
  package let seconds: Int
  package private(set) var state = State.running
  /// How many whole seconds were listened to, as of the last call with the time.
  package private(set) var secondsDone = 0
  /// How many beacons have readings.
  package private(set) var beaconCount = 0
  /// How many readings were dropped because 32 other beacons were heard before.
  package private(set) var droppedCount: Int64 = 0

  /// The milliseconds before `resumed`.
  private var ran: Int64 = 0
  private var resumed: Instant
  /// Those that were heard for the first time in the second that runs come last, and have no readings yet.
  private var beacons = InlineArray<32, Beacon>(repeating: Beacon())
  private var count = 0
  /// 240 for each beacon.
  private var readings = InlineArray<7680, Int8>(repeating: 0)

  /// Begins to listen to the beacons with this UUID, for 1 to 240 seconds.
  package init(_ uuid: UUID, seconds: Int = 60, at now: Instant) throws(PlaceError) {
    guard 1...Fingerprint.longest ~= seconds else { throw .badSeconds }
    (self.uuid, self.seconds, resumed) = (uuid, seconds, now)
  }

  /// Hears a beacon; those of another group, and what is no reading, do not count.
  package mutating func hear(_ beacon: IBeacon, rssi: Int8?, at now: Instant) {
    advance(to: now)
    guard state == .running, let rssi = SignalMean.reading(rssi), beacon.uuid == uuid
    else { return }
    guard let index = index(of: beacon) else {
      droppedCount += 1
      return
    }
    // The air has room for a few thousand advertisements a second.
    beacons[index].heardSum &+= Int32(rssi)
    beacons[index].heardCount &+= 1
  }

  /// Ends the seconds that are over.
  package mutating func advance(to now: Instant) {
    guard state == .running else { return }
    let whole = (ran + (now - resumed)) / 1_000
    while Int64(widening: secondsDone) < whole {
      endSecond()
      guard secondsDone < seconds else {
        state = .complete
        return
      }
    }
  }

  /// When the second ends that runs; `nil` unless it is running.
  package var deadline: Instant? {
    state == .running ? resumed + (Int64(widening: secondsDone + 1) * 1_000 - ran) : nil
  }

  package mutating func pause(at now: Instant) {
    advance(to: now)
    guard state == .running else { return }
    ran += now - resumed
    state = .paused
  }

  package mutating func resume(at now: Instant) {
    guard state == .paused else { return }
    resumed = now
    state = .running
  }

  /// Gives up: nothing is to be written.
  package mutating func abort() { state = .aborted }

  /// Stops listening, early or not; throws if what was heard is no fingerprint.
  package mutating func finalize(at now: Instant) throws(TrainingError) {
    advance(to: now)
    guard state != .aborted else { throw .aborted }
    state = .complete
    guard secondsDone >= Self.fewestSeconds else { throw .tooShort(seconds: secondsDone) }
    guard beaconCount >= Self.fewestBeacons else { throw .tooFewBeacons(beaconCount) }
  }

  /// A beacon with readings, below `beaconCount`, in the order in which they were heard first.
  package func beacon(at index: Int) -> IBeacon { beacons[index].beacon }

  package func readingCount(at index: Int) -> Int { beacons[index].readings }

  /// A reading of a beacon in dBm, below its `readingCount`.
  package func reading(_ number: Int, at index: Int) -> Int8 {
    readings[index * Fingerprint.longest + number]
  }

  /// The place of a beacon, a new one if need be; `nil` if all are taken.
  private mutating func index(of beacon: IBeacon) -> Int? {
    for index in 0..<count where beacons[index].beacon.isSame(as: beacon) { return index }
    guard count < beacons.count else { return nil }
    beacons[count].beacon = beacon
    count += 1
    return count - 1
  }

  /// Makes a reading of what was heard of each beacon in the second that is over.
  private mutating func endSecond() {
    for index in 0..<count where beacons[index].heardCount > 0 {
      let (sum, heard) = (beacons[index].heardSum, beacons[index].heardCount)
      let place = index * Fingerprint.longest + beacons[index].readings
      // Sums are below zero: this rounds to the nearest.
      readings[place] = Int8(truncatingIfNeeded: (sum - heard / 2) / heard)
      beacons[index].readings += 1
      (beacons[index].heardSum, beacons[index].heardCount) = (0, 0)
    }
    beaconCount = count
    secondsDone += 1
  }
}

/// The file of a fingerprint, as `FingerprintReader` reads it.
///
/// One JSON object (RFC 8259): the readings of each beacon, and the seconds.
///
///     {"E20A39F4-73F5-4BC4-A12F-17D1AD07A961.Maj:1.Min:2":[-61,-63],
///     "seconds":60}
extension Training {
  package static var longestPiece: Int { IBeacon.longestText + 240 * 5 + 8 }

  /// Of how many pieces the file is made: one for each beacon and one for the end; none if it was aborted.
  package var pieceCount: Int { state == .aborted ? 0 : beaconCount + 1 }

  /// Writes a piece of the file, below `pieceCount`; one after the other they are the whole.
  package borrowing func write(piece number: Int, to writer: inout some ByteWriter & ~Copyable) {
    writer.append(number == 0 ? "{" : ",\n")
    guard number < beaconCount else {
      writer.append("\"seconds\":")
      writer.append(decimal: Int64(widening: secondsDone))
      writer.append("}\n")
      return
    }
    writer.append("\"")
    writer.append(text: beacon(at: number))
    writer.append("\":[")
    for index in 0..<readingCount(at: number) {
      if index > 0 { writer.append(",") }
      writer.append(decimal: Int64(widening: Int(reading(index, at: number))))
    }
    writer.append("]")
  }
}

/// Why a training is no fingerprint; `write` has the words of each.
package enum TrainingError: Error, Equatable, Sendable {
  case tooShort(seconds: Int)
  case tooFewBeacons(Int)
  case aborted

  /// Writes what is wrong, and what to do, without a newline.
  ///
  /// `Training.write(heard:to:)` says what was heard.
  package func write(to writer: inout some ByteWriter & ~Copyable) {
    switch self {
    case .tooShort(let seconds):
      writer.append("only ")
      writer.append(decimal: Int64(widening: seconds))
      writer.append(" s were listened to, and a fingerprint takes ")
      writer.append(decimal: Int64(widening: Training.fewestSeconds))
      writer.append("; listen longer")
    case .tooFewBeacons(let count):
      writer.append("beacons of the group that were heard: ")
      writer.append(decimal: Int64(widening: count))
      writer.append(", and a fingerprint takes ")
      writer.append(decimal: Int64(widening: Training.fewestBeacons))
      writer.append(
        count == 0
          ? "; check the UUID, and that the beacons have power" : "; go nearer, or add a beacon")
    case .aborted: writer.append("aborted; nothing is written")
    }
  }
}

extension Training {
  /// Writes what was heard of a beacon, below `beaconCount`: `UUID.Maj:1.Min:2: 12 readings, -61 dBm`.
  package borrowing func write(heard index: Int, to writer: inout some ByteWriter & ~Copyable) {
    var sum: Int32 = 0
    let count = readingCount(at: index)
    for number in 0..<count { sum += Int32(reading(number, at: index)) }
    writer.append(text: beacon(at: index))
    writer.append(": ")
    writer.append(decimal: Int64(widening: count))
    writer.append(count == 1 ? " reading, " : " readings, ")
    // The sum is below zero: this rounds to the nearest.
    writer.append(decimal: Int64(widening: (Int(sum) - count / 2) / max(1, count)))
    writer.append(" dBm")
  }
}

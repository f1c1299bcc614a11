package import Beacons
package import Bytes

/// Listens to the beacons of one group in one location, and keeps the readings for a fingerprint.
///
/// A beacon has at most one reading for each second: the mean of its signals in that second. So the number of
/// readings says in how many of the seconds it was heard, however often it advertises. Only whole seconds
/// count, and a pause stops the clock.
package struct Training: ~Copyable {
  private struct Beacon {
    var beacon: IBeacon
    var readings = FixedList<240, Int8>(filler: 0)
    /// The signals of the current second.
    var heardSum: Int32 = 0
    var heardCount: Int32 = 0
  }

  /// A fingerprint of fewer beacons is refused.
  fileprivate static var fewestBeacons: Int { 3 }
  /// A fingerprint of fewer seconds is refused.
  fileprivate static var fewestSeconds: Int { 10 }

  package let uuid: UUID
  package let seconds: Int
  /// How many whole seconds it has listened, as of the last call with the time.
  package private(set) var secondsDone = 0
  /// How many beacons have readings.
  package private(set) var beaconCount = 0

  /// Since when the clock runs; `nil` in a pause and when the training is over.
  private var resumed: Instant?
  /// How long the clock ran before, in milliseconds.
  private var ran: Int64 = 0
  /// Beacons that were first heard in the current second come last, and have no readings yet.
  private var beacons = FixedList<32, Beacon>(
    filler: Beacon(beacon: IBeacon(UUID(0, 0), major: 0, minor: 0)))

  /// A training for the beacons with this UUID, of 1 to 240 seconds; it begins with `resume`.
  package init(_ uuid: UUID, seconds: Int) throws(PlaceError) {
    guard 1...Fingerprint.longest ~= seconds else { throw .badSeconds }
    (self.uuid, self.seconds) = (uuid, seconds)
  }

  /// Receives a beacon; beacons of another group, and signals that are no readings, do not count.
  package mutating func receive(_ beacon: IBeacon, rssi: Int8?, at now: Instant) {
    advance(to: now)
    guard resumed != nil, let rssi = SignalMean.reading(rssi), beacon.uuid == uuid,
      let index = index(of: beacon)
    else { return }
    // The air has room for a few thousand advertisements a second.
    beacons[index].heardSum &+= Int32(rssi)
    beacons[index].heardCount &+= 1
  }

  /// Whether it has listened for all its seconds.
  package var isComplete: Bool { secondsDone == seconds }

  /// Ends the seconds that are over.
  package mutating func advance(to now: Instant) {
    guard let resumed else { return }
    let whole = (ran + (now - resumed)) / 1_000
    while !isComplete, Int64(widening: secondsDone) < whole { endSecond() }
    if isComplete { self.resumed = nil }
  }

  /// When the current second ends; `nil` while the clock stands.
  package var deadline: Instant? {
    resumed.map { $0 + (Int64(widening: secondsDone + 1) * 1_000 - ran) }
  }

  package mutating func pause(at now: Instant) {
    advance(to: now)
    guard let resumed else { return }
    ran += now - resumed
    self.resumed = nil
  }

  package mutating func resume(at now: Instant) {
    if resumed == nil, !isComplete { resumed = now }
  }

  /// Stops listening, early or not; throws if it has heard too little for a fingerprint.
  package mutating func finalize(at now: Instant) throws(TrainingError) {
    pause(at: now)
    guard secondsDone >= Self.fewestSeconds else { throw .tooShort(seconds: secondsDone) }
    guard beaconCount >= Self.fewestBeacons else { throw .tooFewBeacons(beaconCount) }
  }

  /// The place of a beacon, a new one if need be; `nil` if all are taken.
  private mutating func index(of beacon: IBeacon) -> Int? {
    for index in 0..<beacons.count where beacons[index].beacon.isSame(as: beacon) { return index }
    guard !beacons.isFull else { return nil }
    beacons.append(Beacon(beacon: beacon))
    return beacons.count - 1
  }

  /// Makes a reading of the signals of each beacon in the second that is over.
  private mutating func endSecond() {
    for index in 0..<beacons.count where beacons[index].heardCount > 0 {
      let (sum, heard) = (beacons[index].heardSum, beacons[index].heardCount)
      // Sums are below zero: this rounds to the nearest.
      beacons[index].readings.append(Int8(truncatingIfNeeded: (sum - heard / 2) / heard))
      (beacons[index].heardSum, beacons[index].heardCount) = (0, 0)
    }
    beaconCount = beacons.count
    secondsDone += 1
  }
}

extension Training {
  /// Writes the file of the fingerprint, 40,500 bytes at most.
  ///
  /// One JSON object (RFC 8259): the readings of each beacon, and the seconds.
  ///
  ///     {"E20A39F4-73F5-4BC4-A12F-17D1AD07A961.Maj:1.Min:2":[-61,-63],
  ///     "seconds":60}
  package func write(to writer: inout some ByteWriter & ~Copyable) {
    writer.append("{")
    for index in 0..<beaconCount {
      let (beacon, readings) = (beacons[index].beacon, beacons[index].readings)
      writer.append("\"")
      writer.append(text: beacon)
      writer.append("\":")
      for number in 0..<readings.count {
        writer.append(number == 0 ? "[" : ",")
        writer.append(decimal: Int64(widening: Int(readings[number])))
      }
      writer.append("],\n")
    }
    writer.append("\"seconds\":")
    writer.append(decimal: Int64(widening: secondsDone))
    writer.append("}\n")
  }

  /// Writes a line for each beacon that was heard: `UUID.Maj:1.Min:2: 12 readings, -61 dBm`.
  package func writeHeard(to writer: inout some ByteWriter & ~Copyable) {
    for index in 0..<beaconCount {
      let (beacon, readings) = (beacons[index].beacon, beacons[index].readings)
      var sum = 0
      for number in 0..<readings.count { sum += Int(readings[number]) }
      writer.append("\n  heard ")
      writer.append(text: beacon)
      writer.append(": ")
      writer.append(decimal: Int64(widening: readings.count))
      writer.append(readings.count == 1 ? " reading, " : " readings, ")
      // The sum is below zero: this rounds to the nearest.
      writer.append(decimal: Int64(widening: (sum - readings.count / 2) / max(1, readings.count)))
      writer.append(" dBm")
    }
  }
}

/// Why a training gives no fingerprint; `write` has the words of each.
package enum TrainingError: Error, Equatable, Sendable {
  case tooShort(seconds: Int)
  case tooFewBeacons(Int)
  case aborted

  /// Writes what is wrong, and what to do, without a newline; `Training.writeHeard` lists the beacons.
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

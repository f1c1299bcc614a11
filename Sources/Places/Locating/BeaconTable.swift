package import Beacons
package import Bytes

/// The beacons that are heard at present.
///
/// A stranger can send any number of them. So a beacon that was silent for three seconds is forgotten. In a
/// full table a beacon that no location knows gives way to a known one: an unknown beacon costs all
/// locations the same.
package struct BeaconTable {
  package struct Entry {
    /// The beacon, with the power that it claims to have at 1 m.
    package fileprivate(set) var beacon: IBeacon
    fileprivate var isKnown: Bool
    fileprivate var mean = SignalMean()
    /// The mean signal of the three seconds before the last tick, in sixteenths of a dBm.
    fileprivate(set) var signal: Int32 = 0
    /// The mean signal of the last second in dBm; `nil` if the beacon was silent then, or came later.
    package fileprivate(set) var rssi: Int8?
  }

  /// In the order in which they came.
  package private(set) var entries = FixedList<32, Entry>(
    filler: Entry(beacon: IBeacon(UUID(0, 0), major: 0, minor: 0), isKnown: false))

  init() {}

  /// Receives a beacon, which a location knows or not; without room it is lost.
  mutating func receive(_ beacon: IBeacon, _ rssi: Int8, isKnown: Bool, at now: Instant) {
    guard let index = place(of: beacon, isKnown: isKnown) else { return }
    entries[index].beacon = beacon
    entries[index].mean.receive(rssi, at: now)
  }

  private mutating func place(of beacon: IBeacon, isKnown: Bool) -> Int? {
    var stranger: Int?
    for index in 0..<entries.count {
      if entries[index].beacon.isSame(as: beacon) { return index }
      if !entries[index].isKnown { stranger = stranger ?? index }
    }
    let entry = Entry(beacon: beacon, isKnown: isKnown)
    if !entries.isFull {
      entries.append(entry)
      return entries.count - 1
    }
    guard isKnown, let stranger else { return nil }
    entries[stranger] = entry
    return stranger
  }

  /// Takes the means as of `end`, the last moment of a second, and forgets silent beacons.
  mutating func tick(at end: Instant) {
    let old = entries
    entries.removeAll()
    for index in 0..<old.count {
      var entry = old[index]
      guard let signal = entry.mean.sixteenths(at: end) else { continue }
      entry.signal = signal
      // Signals are below zero: this rounds to the nearest.
      entry.rssi = entry.mean.sixteenths(at: end, overSeconds: 1).map {
        Int8(truncatingIfNeeded: ($0 - 8) / 16)
      }
      entries.append(entry)
    }
  }
}

/// Beacons are reported second by second.
extension Instant {
  /// When the next second begins.
  var nextSecond: Instant { Instant(milliseconds: (milliseconds / 1_000 + 1) * 1_000) }

  /// The last millisecond of the second that is over.
  var endOfLastSecond: Instant { Instant(milliseconds: milliseconds / 1_000 * 1_000 - 1) }
}

/// The beacons of all groups that are heard in each second, 32 at most.
package struct BeaconSurvey: ~Copyable {
  package private(set) var table = BeaconTable()
  /// When the current second ends; `nil` while no beacon is heard.
  package private(set) var deadline: Instant?

  package init() {}

  /// Receives a beacon; a signal that is not a reading does not count.
  package mutating func receive(_ beacon: IBeacon, rssi: Int8?, at now: Instant) {
    guard let rssi = SignalMean.reading(rssi) else { return }
    if deadline == nil { deadline = now.nextSecond }
    table.receive(beacon, rssi, isKnown: false, at: now)
  }

  /// Advances to `now`; returns whether a second is over, whose beacons are then in the table.
  package mutating func advance(to now: Instant) -> Bool {
    guard let end = deadline, end <= now else { return false }
    table.tick(at: now.endOfLastSecond)
    deadline = table.entries.isEmpty ? nil : now.nextSecond
    return true
  }
}

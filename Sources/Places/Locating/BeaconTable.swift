package import Beacons
package import Bytes

/// A beacon that was heard within a second.
package struct HeardBeacon: Equatable, Sendable {
  /// Which one it is, and how strong it says that it is at 1 m.
  package var beacon: IBeacon
  /// The mean of the second, in dBm.
  package var rssi: Int8

  package init(_ beacon: IBeacon, rssi: Int8) { (self.beacon, self.rssi) = (beacon, rssi) }
}

/// The beacons of one group that are heard at present.
///
/// A stranger can send any number of them. So one that was silent for three seconds is forgotten. In a
/// full table a beacon that no location knows gives way to one that is known: an unknown beacon costs all
/// locations the same.
struct BeaconTable: ~Copyable {
  private struct Entry {
    var beacon: IBeacon
    var isKnown: Bool
    var mean = SignalMean()
    /// The mean of three seconds in sixteenths of a dBm, and that of one in dBm, as of the last tick.
    var signal: Int32?
    var rssi: Int8?
  }

  private var entries = InlineArray<32, Entry>(
    repeating: Entry(beacon: IBeacon(UUID(0, 0), major: 0, minor: 0), isKnown: false))
  private(set) var count = 0

  init() {}

  /// A beacon, in the order in which they came.
  func beacon(at index: Int) -> IBeacon { entries[index].beacon }

  /// Its mean of the three seconds before the last tick, in sixteenths of a dBm; `nil` if it came later.
  func signal(at index: Int) -> Int32? { entries[index].signal }

  /// A beacon with its mean of the second before the last tick; `nil` if it was silent then.
  func heard(at index: Int) -> HeardBeacon? {
    entries[index].rssi.map { HeardBeacon(entries[index].beacon, rssi: $0) }
  }

  var heardCount: Int {
    var heard = 0
    for index in 0..<count where entries[index].rssi != nil { heard += 1 }
    return heard
  }

  func heard(number: Int) -> HeardBeacon? {
    var left = number
    for index in 0..<count {
      guard let beacon = heard(at: index) else { continue }
      if left == 0 { return beacon }
      left -= 1
    }
    return nil
  }

  var signalCount: Int {
    var signals = 0
    for index in 0..<count where entries[index].signal != nil { signals += 1 }
    return signals
  }

  /// The place of a beacon, if it has one.
  func index(of beacon: IBeacon) -> Int? {
    for index in 0..<count where entries[index].beacon.isSame(as: beacon) { return index }
    return nil
  }

  /// Hears a beacon that has a place.
  mutating func hear(at index: Int, _ beacon: IBeacon, _ rssi: Int8, at now: Instant) {
    entries[index].beacon = beacon
    entries[index].mean.hear(rssi, at: now)
  }

  /// Gives a beacon a place; `nil` if there is none for it.
  mutating func insert(_ beacon: IBeacon, isKnown: Bool) -> Int? {
    let entry = Entry(beacon: beacon, isKnown: isKnown)
    guard count == entries.count else {
      entries[count] = entry
      count += 1
      return count - 1
    }
    guard isKnown else { return nil }
    for index in entries.indices where !entries[index].isKnown {
      entries[index] = entry
      return index
    }
    return nil
  }

  /// Takes the means as of `end`, the last moment of a second, and forgets silent beacons.
  mutating func tick(at end: Instant) {
    var kept = 0
    for index in 0..<count {
      var entry = entries[index]
      entry.signal = entry.mean.sixteenths(at: end)
      guard entry.signal != nil else { continue }
      entry.rssi = entry.mean.sixteenths(at: end, overSeconds: 1).map { wholeDecibels($0) }
      entries[kept] = entry
      kept += 1
    }
    count = kept
  }

  mutating func removeAll() { count = 0 }
}

/// Sixteenths of a dBm below zero, rounded.
private func wholeDecibels(_ sixteenths: Int32) -> Int8 {
  Int8(truncatingIfNeeded: (sixteenths - 8) / 16)
}

/// Beacons are reported second by second.
extension Instant {
  /// When the next second begins.
  var nextSecond: Instant { Instant(milliseconds: (milliseconds / 1_000 + 1) * 1_000) }

  /// The last millisecond of the second that is over.
  var endOfLastSecond: Instant { Instant(milliseconds: milliseconds / 1_000 * 1_000 - 1) }
}

/// Which beacons are heard in each second, of whatever group: 32 at most.
package struct BeaconSurvey: ~Copyable {
  private var table = BeaconTable()
  /// When the second ends that runs; `nil` while none is heard.
  package private(set) var deadline: Instant?

  package init() {}

  /// Hears a beacon; what is no reading does not count.
  package mutating func hear(_ beacon: IBeacon, rssi: Int8?, at now: Instant) {
    guard let rssi = SignalMean.reading(rssi) else { return }
    if deadline == nil { deadline = now.nextSecond }
    guard let index = table.index(of: beacon) ?? table.insert(beacon, isKnown: false) else {
      return
    }
    table.hear(at: index, beacon, rssi, at: now)
  }

  /// Lets the time pass; returns whether a second is over, whose beacons `heard(at:)` has.
  package mutating func advance(to now: Instant) -> Bool {
    guard let end = deadline, end <= now else { return false }
    table.tick(at: now.endOfLastSecond)
    deadline = table.count > 0 ? now.nextSecond : nil
    return true
  }

  package var heardCount: Int { table.heardCount }

  package func heard(at number: Int) -> HeardBeacon? { table.heard(number: number) }
}

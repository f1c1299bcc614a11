package import Beacons
package import Bytes

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

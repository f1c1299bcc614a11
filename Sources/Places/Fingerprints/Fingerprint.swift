package import Beacons
package import Bytes

/// How the beacons of one group sound in one location, learned there.
///
/// Of each beacon's readings only their number, sum and sum of squares are kept.
package struct Fingerprint: Sendable {
  /// The readings of one beacon, at most one for each second.
  struct Readings: Sendable {
    var major: UInt16 = 0
    var minor: UInt16 = 0
    /// How many there are, 240 at most.
    var count: Int32 = 0
    /// Their sum in dBm; each reading is below zero.
    var sum: Int32 = 0
    var squares: Int32 = 0

    /// Adds one of at least -128 dBm.
    mutating func add(_ rssi: Int8) {
      count += 1
      sum += Int32(rssi)
      squares += Int32(rssi) * Int32(rssi)
    }

    func isOf(_ beacon: IBeacon) -> Bool { major == beacon.major && minor == beacon.minor }
  }

  package static var capacity: Int { 32 }
  /// How many seconds it took at most, and how many readings a beacon has at most.
  package static var longest: Int { 240 }

  /// The UUID of the group, which all beacons have.
  package internal(set) var uuid = UUID(0, 0)
  /// How many seconds were listened to.
  package internal(set) var seconds: Int32 = 0
  package private(set) var count = 0
  private var readings = InlineArray<32, Readings>(repeating: Readings())

  init() {}

  /// The readings of one of the beacons.
  subscript(index: Int) -> Readings {
    get { readings[index] }
    set { readings[index] = newValue }
  }

  /// A beacon, in the order in which the fingerprint has them.
  package func beacon(at index: Int) -> IBeacon {
    precondition(index < count)
    return IBeacon(uuid, major: readings[index].major, minor: readings[index].minor)
  }

  mutating func append(_ beacon: IBeacon) {
    readings[count].major = beacon.major
    readings[count].minor = beacon.minor
    count += 1
  }

  /// The place of a beacon of this group, if it was heard.
  func index(of beacon: IBeacon) -> Int? {
    for index in 0..<count where readings[index].isOf(beacon) { return index }
    return nil
  }
}

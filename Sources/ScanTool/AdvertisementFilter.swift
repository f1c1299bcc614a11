import Beacons
import Bytes

/// Which advertisements the tool shows: those that one of the filters names, or all without a filter.
struct AdvertisementFilter {
  /// How many services and how many beacons may be named.
  static var capacity: Int { 8 }

  private var services = InlineArray<8, UUID>(repeating: UUID(0, 0))
  private var serviceCount = 0
  private var beacons = InlineArray<8, UUID>(repeating: UUID(0, 0))
  private var beaconCount = 0
  var wantsCrownstones = false
  /// Whether all iBeacons are shown, whatever their UUID.
  var wantsBeacons = false
  var wantsSensors = false

  /// Whether any iBeacons are asked for.
  var isForBeacons: Bool { wantsBeacons || beaconCount > 0 }

  /// Adds a service; `false` if there are too many.
  mutating func add(service: UUID) -> Bool {
    guard serviceCount < Self.capacity else { return false }
    services[serviceCount] = service
    serviceCount += 1
    return true
  }

  mutating func add(beacon: UUID) -> Bool {
    guard beaconCount < Self.capacity else { return false }
    beacons[beaconCount] = beacon
    beaconCount += 1
    return true
  }

  func contains(_ advertisement: borrowing Advertisement) -> Bool {
    if wantsCrownstones, advertisement.isOfCrownstone { return true }
    if wantsSensors, advertisement.sensor != nil { return true }
    if let beacon = advertisement.beacon, containsBeacon(beacon.uuid) { return true }
    for index in 0..<serviceCount where advertisement.names(services[index]) { return true }
    return serviceCount == 0 && !isForBeacons && !wantsCrownstones && !wantsSensors
  }

  /// Whether beacons with this UUID are asked for.
  func containsBeacon(_ uuid: UUID) -> Bool {
    if wantsBeacons { return true }
    for index in 0..<beaconCount where beacons[index] == uuid { return true }
    return false
  }
}

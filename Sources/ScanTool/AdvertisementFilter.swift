import Beacons
import Bytes

/// Which advertisements the tool shows: all that match one of the filters, or all without a filter.
struct AdvertisementFilter {
  var services = FixedList<8, UUID>(filler: UUID(0, 0))
  var beacons = FixedList<8, UUID>(filler: UUID(0, 0))
  var wantsCrownstones = false
  /// Whether all iBeacons are shown, whatever their UUID.
  var wantsBeacons = false
  var wantsSensors = false

  /// Whether any iBeacons are asked for.
  var isForBeacons: Bool { wantsBeacons || !beacons.isEmpty }

  func contains(_ advertisement: borrowing Advertisement) -> Bool {
    if wantsCrownstones, advertisement.isOfCrownstone { return true }
    if wantsSensors, advertisement.sensor != nil { return true }
    if let beacon = advertisement.beacon {
      if wantsBeacons { return true }
      for index in 0..<beacons.count where beacons[index] == beacon.uuid { return true }
    }
    for index in 0..<services.count where advertisement.names(services[index]) { return true }
    return services.isEmpty && !isForBeacons && !wantsCrownstones && !wantsSensors
  }
}

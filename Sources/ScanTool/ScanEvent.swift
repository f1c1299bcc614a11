import Events

/// The events of the scan tool, with name and topic.
enum ScanEvent {
  case advertisement
  case ibeacons, enterRegion, exitRegion, enterLocation, exitLocation, currentLocation, training
  case link, service, characteristic, descriptor, value, switched
  case summary

  /// As its line has it.
  var name: String { row.name }

  /// Which topic it belongs to: each event has one.
  var topic: Topic { row.topic }

  private var row: (name: String, topic: Topic) {
    switch self {
    case .advertisement: ("advertisement", .advertisementData)
    case .ibeacons: ("ibeacons", .beacons)
    case .enterRegion: ("enterRegion", .beacons)
    case .exitRegion: ("exitRegion", .beacons)
    case .enterLocation: ("enterLocation", .beacons)
    case .exitLocation: ("exitLocation", .beacons)
    case .currentLocation: ("currentLocation", .beacons)
    case .training: ("training", .beacons)
    case .link: ("link", .radio)
    case .service: ("service", .radio)
    case .characteristic: ("characteristic", .radio)
    case .descriptor: ("descriptor", .radio)
    case .value: ("value", .radio)
    case .switched: ("switched", .radio)
    case .summary: ("summary", .device)
    }
  }
}

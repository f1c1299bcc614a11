import Events

/// What the scan tool tells, by the name and the topic of its event.
enum ScanEvent {
  case advertisement
  case ibeacons, enterRegion, exitRegion, enterLocation, exitLocation, currentLocation, training
  case link, service, characteristic, descriptor, value, switched
  case summary

  /// As its line has it.
  var name: String {
    switch self {
    case .advertisement: "advertisement"
    case .ibeacons: "ibeacons"
    case .enterRegion: "enterRegion"
    case .exitRegion: "exitRegion"
    case .enterLocation: "enterLocation"
    case .exitLocation: "exitLocation"
    case .currentLocation: "currentLocation"
    case .training: "training"
    case .link: "link"
    case .service: "service"
    case .characteristic: "characteristic"
    case .descriptor: "descriptor"
    case .value: "value"
    case .switched: "switched"
    case .summary: "summary"
    }
  }

  /// Which topic it belongs to: each event has one.
  var topic: Topic {
    switch self {
    case .advertisement: .advertisementData
    case .ibeacons, .enterRegion, .exitRegion: .beacons
    case .enterLocation, .exitLocation, .currentLocation, .training: .beacons
    case .link, .service, .characteristic, .descriptor, .value, .switched: .radio
    case .summary: .device
    }
  }
}

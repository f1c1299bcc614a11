import Sensors

/// The place of a sensor's link: one for each kind, and one for the sensor that the search tries or offers.
enum SensorPlace: Equatable {
  case of(SensorKind)
  case sought

  /// How many there are.
  static var count: Int { SensorKind.count + 1 }

  /// The place with this number.
  init(_ index: Int) {
    self =
      index < SensorKind.count
      ? .of(SensorKind(rawValue: UInt8(truncatingIfNeeded: index)) ?? .heart) : .sought
  }

  /// Its number in a table of all places.
  var index: Int {
    switch self {
    case .of(let kind): Int(kind.rawValue)
    case .sought: SensorKind.count
    }
  }
}

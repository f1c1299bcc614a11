package import Sensors

/// How full the batteries of the sensors are, and whether the rider is told of it.
package struct SensorBatteries {
  /// Percent below which the rider is told of a battery.
  private static var low: UInt8 { 15 }

  /// Whether the rider is told of a battery that is nearly empty, which is once a ride.
  private enum Warning { case none, due, told }

  private var percents = PerKind<UInt8?>(repeating: nil)
  private var warnings = PerKind<Warning>(repeating: .none)

  /// How full it is, in percent, if that is known.
  package subscript(kind: SensorKind) -> UInt8? { percents[kind] }

  /// Notes how full it is, in percent.
  package mutating func note(_ percent: UInt8, of kind: SensorKind) {
    percents[kind] = percent
    if percent < Self.low, warnings[kind] == .none { warnings[kind] = .due }
  }

  /// How full it is if the rider is to be told of it now; once a ride.
  mutating func takeLow(_ kind: SensorKind) -> UInt8? {
    guard warnings[kind] == .due else { return nil }
    warnings[kind] = .told
    return percents[kind]
  }

  /// Another sensor of the kind may come, whose battery is not known.
  package mutating func forget(_ kind: SensorKind) {
    percents[kind] = nil
    if warnings[kind] == .due { warnings[kind] = .none }
  }

  /// What was taken for the sensor of speed is that of cadence, and the other way round.
  package mutating func exchangeSpeedAndCadence() {
    percents.swapAt(.speed, .cadence)
    warnings.swapAt(.speed, .cadence)
  }

  /// In the next ride the rider is told of them once more.
  package mutating func rideIsOver() {
    for kind in SensorKind.all where warnings[kind] == .told { warnings[kind] = .none }
  }
}

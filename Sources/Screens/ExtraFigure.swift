/// The figure that the rider wants above the distance to the next turn.
package enum ExtraFigure: Sendable {
  /// No figure.
  case none
  /// How fast the wheel turns, as the sensor says.
  case speed
  /// The pulse, in beats a minute.
  case heart
  /// How fast the crank turns, in turns a minute.
  case cadence
  /// The rider's power, in watts.
  case power
  /// How long it is to the next turn.
  case seconds
  /// The time of day, as the phone says.
  case clock
}

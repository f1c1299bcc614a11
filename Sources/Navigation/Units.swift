/// The units of distances and speeds on the panel.
package enum Units: Equatable, Sendable {
  case metric
  case imperial

  /// Millimetres of a kilometre or a mile, which is 1609.344 m exactly.
  var unit: Int64 { self == .metric ? 1_000_000 : 1_609_344 }

  /// The unit of a speed.
  package var speedUnit: String { self == .metric ? "km/h" : "mph" }

  /// A speed in millimetres a second, in `parts` of a kilometre or a mile an hour, rounded half up.
  package func perHour(_ speed: Int64, parts: Int64 = 1) -> Int64 {
    (speed * 3_600 * parts + unit / 2) / unit
  }
}

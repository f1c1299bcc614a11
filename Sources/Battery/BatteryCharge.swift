/// What a gauge says of the battery.
package struct BatteryCharge: Equatable, Sendable {
  /// How full it is: 0–100.
  package let percent: UInt8
  /// The voltage of the cell.
  package let millivolts: UInt16
  /// Whether it is being charged; `nil` where the gauge does not say.
  package let isCharging: Bool?
}

/// Why a gauge that answers says nothing of the battery.
package enum GaugeFault: Equatable, Sendable {
  /// What it says of itself is not what this kind says.
  case otherDevice
  /// It is switched off, or measures when it is told to only.
  case notMeasuring
  /// Its values are not those of one lithium cell; `percent` is as it says it.
  case impossible(millivolts: UInt32, percent: UInt32?)
}

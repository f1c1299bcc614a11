/// A text of the panel about sensors; `Language` has it in each language, as it has a `Phrase`.
///
/// `%` is the place of a sensor's name or of a number.
package enum SensorPhrase: UInt8, Sendable {
  /// All of them, and each kind.
  case sensors, heart, cadence, speed, power, radar
  /// Units: beats and turns a minute.
  case beats, turns
  /// How a sensor is.
  case looking, isReady, changesAddress, noLinkFree
  /// The buttons on the page of the sensors.
  case bAddSensor, bAdd, holdDelete
  /// Looking for a sensor.
  case wearAndSpin, nothingFound, howToWake, wakeSensor
  /// How to make a sensor send something.
  case putStrapOn, spinWheel, turnCrank
  /// Whether a sensor is the rider's.
  case isYours, aKeep, bNext, oneVehicle, vehicles, noVehicles
  /// Forgetting, and the battery.
  case keepHoldingToForgetAll, areForgotten, battery

  /// How many phrases there are; their raw values are 0..<count.
  package static var count: UInt8 { battery.rawValue + 1 }
}

package import Messages
package import Sensors

/// What the rider sees; `Bitmap.draw(_:in:)` draws it on a panel of any size.
///
/// The cases are in the order of a ride. Its texts are borrowed UTF-8.
package enum Screen: ~Escapable {
  /// The program has just started; `version` is its own.
  case starting(version: Span<UInt8>)
  /// The program has just been updated to this version.
  case updated(version: Span<UInt8>)
  /// No phone is known; a press of A starts the search.
  case noPhone
  /// Searching for a phone, which will see `name`; `secondsLeft` is `nil` for a search without end.
  ///
  /// If `isListed`, Lenker is in the phone's own Bluetooth settings as well.
  case searching(name: Span<UInt8>, secondsLeft: Int?, isListed: Bool = false)
  /// A phone was found; its signal in dBm, if that is known.
  case found(phone: Span<UInt8>, rssi: Int8?)
  /// Does the phone, which sees `name`, show the same six digits?
  case comparison(number: UInt32, name: Span<UInt8>, phone: Span<UInt8>)
  /// Pair with a phone that cannot compare numbers?
  case noCode(phone: Span<UInt8>)
  /// The rider has agreed here, and must agree on the phone within `secondsLeft`.
  case phoneAsked(phone: Span<UInt8>, secondsLeft: Int)
  /// The phone is paired, and remembered from now on.
  case paired(phone: Span<UInt8>)
  /// The phone failed to pair; Lenker asks it again after `secondsLeft`.
  case pairingDelayed(secondsLeft: Int)
  case pairingFailed(PairingSetback)
  /// Waiting for a phone that is known.
  case waiting(phone: Span<UInt8>, isKomoots: Bool = true)
  /// A phone was found and the link is being made; `name` is empty while it is not known.
  case connecting(name: Span<UInt8>)
  /// A phone is connected and sends no instruction yet; `name` is empty while it is not known.
  case ready(name: Span<UInt8>, isKomoots: Bool = true)
  /// The phone gives instructions to paired devices only, and this one is not.
  case refused
  case navigation(ShownTurn)
  case ride(RidePage)
  /// The ride has ended at its destination.
  case arrived(Arrival)
  /// A call, which a button takes or refuses; `name` is empty if it is not known.
  case call(name: Span<UInt8>)
  case notification(title: Span<UInt8>, message: Span<UInt8>)
  /// What the phone plays; both are empty if it plays nothing.
  case music(title: Span<UInt8>, artist: Span<UInt8>)
  /// What the sensors measure now, and what comes from behind, if there is a radar.
  case data(DataFigures, radar: ShownRadar?)
  /// The sensors and their states.
  case sensors(SensorsPage)
  /// Searching for a sensor; the search ends after `secondsLeft`.
  case sensorSearch(secondsLeft: Int)
  /// Is this sensor the rider's?
  case sensorCandidate(SensorCandidate)
  /// Which of these sensors is the rider's?
  case sensorChoice(SensorChoice)
  /// May this sensor, which is remembered and does not have its key, be paired with again?
  case sensorPairing(SensorKind, name: Span<UInt8>)
  /// The search found no new sensor.
  case noSensorFound
  /// A sensor is remembered from now on.
  case sensorSaved(SensorKind, name: Span<UInt8>)
  /// The store cannot be written: the sensor is not remembered, or with `nil` none is forgotten.
  case sensorNotSaved(SensorKind?)
  /// The battery of a sensor is nearly empty.
  case sensorBattery(SensorKind, percent: UInt8)
  /// Lenker's own battery is nearly empty.
  case ownBattery(percent: UInt8)
  /// Button B is held; the sensors are forgotten when `permille` gets to 1000.
  case forgettingSensors(permille: Int)
  /// The sensors were forgotten at the rider's request.
  case sensorsForgotten
  /// Which phone it is, and how to forget it.
  case phone(Span<UInt8>, Acquaintance)
  /// Button B is held; the phone is forgotten when `permille` gets to 1000.
  case unpairing(phone: Span<UInt8>, permille: Int)
  /// The phone was forgotten at the rider's request.
  case unpaired
  /// The phone could not be forgotten: the store cannot be written.
  case unpairFailed
  /// The rider's report was written.
  case reportSaved
  /// The report could not be written; `advice` says what to do.
  case reportFailed(advice: Span<UInt8>)
  /// The phone has forgotten this device.
  case forgotten(phone: Span<UInt8>)
  /// Phones are near, and one may be the rider's, but none can be recognised.
  case unrecognised
  /// The phone was paired without a code; it is refused, as a code is required now.
  case codeMissing
  /// The phone ends each link at once: its Bluetooth must be switched off and on.
  case switchBluetooth
  /// The board file is wrong, and other settings are used; `mistake` says where and what it is.
  case wrongSettings(mistake: Span<UInt8>)
  /// The memory of phones and sensors cannot be read; `advice` says why.
  case noStore(advice: Span<UInt8>)
  /// The Bluetooth controller does not work; `advice` says what to do.
  case noRadio(advice: Span<UInt8>)
  /// Something does not work on a machine without a command line.
  case trouble(MachineTrouble)
}

/// The figure that the rider wants above the distance to the next turn.
package enum ExtraFigure: Sendable {
  /// The speed on a square panel, which has room for it below the street; else nothing.
  case auto
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

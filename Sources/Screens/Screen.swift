package import Sensors

/// What the rider is to see; texts are UTF-8 from anywhere and are borrowed.
///
/// The cases are in the order of a ride. `Bitmap.draw(_:)` turns one into a picture for a panel of
/// any size.
package enum Screen: ~Escapable {
  /// The program has just started; `version` is its own.
  case starting(version: Span<UInt8>)
  /// No phone is known, and none is searched for until the page button is pressed.
  case noPhone
  /// Searching for a phone, which will see `name`; `secondsLeft` until the search ends, if it does.
  case searching(name: Span<UInt8>, secondsLeft: Int?)
  /// A phone was found; its signal in dBm, if that is known.
  case found(phone: Span<UInt8>, rssi: Int8?)
  /// Whether the phone, which sees `name`, shows this number of six digits too.
  case comparison(number: UInt32, name: Span<UInt8>, phone: Span<UInt8>)
  /// Whether to pair with a phone that can compare nothing.
  case noCode(phone: Span<UInt8>)
  /// The rider has agreed here, and is to agree on the phone within so many seconds.
  case phoneAsked(phone: Span<UInt8>, secondsLeft: Int)
  /// The phone is paired, and remembered from now on.
  case paired(phone: Span<UInt8>)
  /// The phone has failed to pair, and is asked by itself when these seconds are over.
  case pairingDelayed(secondsLeft: Int)
  /// The pairing came to nothing.
  case pairingFailed(PairingSetback)
  /// Waiting for a phone that is known.
  case waiting(phone: Span<UInt8>)
  /// A phone was found and the link is being made; `name` is empty while it is not known.
  case connecting(name: Span<UInt8>)
  /// A phone is connected and sends no instruction yet; `name` is empty while it is not known.
  case ready(name: Span<UInt8>)
  /// The phone gives instructions to paired devices only, and this one is not.
  case refused
  /// The next turn.
  case navigation(ShownTurn)
  /// What there is to know about the ride beside the next turn.
  case ride(RidePage)
  /// The ride has ended where it was to end.
  case arrived(Arrival)
  /// Somebody calls, who may be taken by a press or refused; `name` is empty if it is not known.
  case call(name: Span<UInt8>)
  /// The phone has notified of something.
  case notification(title: Span<UInt8>, message: Span<UInt8>)
  /// What the phone plays; both are empty if it plays nothing.
  case music(title: Span<UInt8>, artist: Span<UInt8>)
  /// What the sensors say now, and what comes from behind, if there is a radar.
  case data(DataFigures, radar: ShownRadar?)
  /// The sensors, and how they are.
  case sensors(SensorsPage)
  /// Looking for a sensor for so many seconds more.
  case sensorSearch(secondsLeft: Int)
  /// Whether a sensor is the rider's.
  case sensorCandidate(SensorCandidate)
  /// No sensor was found that is not remembered already.
  case noSensorFound
  /// A sensor is remembered from now on.
  case sensorSaved(SensorKind, name: Span<UInt8>)
  /// The store cannot be written, so that a sensor, or with `nil` that there is none, is not remembered.
  case sensorNotSaved(SensorKind?)
  /// The battery of a sensor is nearly empty.
  case sensorBattery(SensorKind, percent: UInt8)
  /// The unpair button is held; the sensors are forgotten when `permille` gets to 1000.
  case forgettingSensors(permille: Int)
  /// The sensors were forgotten, as the rider wished.
  case sensorsForgotten
  /// Which phone it is, and how to forget it.
  case phone(Span<UInt8>, Acquaintance)
  /// The unpair button is held; the phone is forgotten when `permille` gets to 1000.
  case unpairing(phone: Span<UInt8>, permille: Int)
  /// The phone was forgotten, as the rider wished.
  case unpaired
  /// The phone could not be forgotten: the store cannot be written.
  case unpairFailed
  /// The rider's report was written.
  case reportSaved
  /// The report could not be written; `advice` says what to do.
  case reportFailed(advice: Span<UInt8>)
  /// The phone has forgotten this device.
  case forgotten(phone: Span<UInt8>)
  /// The phone was paired without a code, and is not followed, as a code is required now.
  case codeMissing
  /// The phone ends each link at once: its Bluetooth is to be switched off and on.
  case switchBluetooth
  /// The board file is wrong, and other settings are used; `mistake` says where and what it is.
  case wrongSettings(mistake: Span<UInt8>)
  /// Who is remembered cannot be read; `advice` says why.
  case noStore(advice: Span<UInt8>)
  /// The Bluetooth controller does not work; `advice` says what to do.
  case noRadio(advice: Span<UInt8>)
  /// Something does not work on a machine without a command line.
  case trouble(MachineTrouble)
}

import Bytes
import Graphics
import Messages
import Navigation
import Panel
import PhoneServices
import Screens
import Sensors
import TestSupport
import Turns
import Words

/// How many kinds of screens there are below.
private let screenCount: UInt8 = 28

/// Every screen with texts from anywhere, on each panel, in each language: the same twice, and nothing of what was before.
func drawScreen(_ feed: inout Feed) {
  let kind = feed.pick(panelKinds)
  let which = feed.u8()
  let values = ScreenValues(&feed)
  let rotation = feed.pick([Rotation.noTurn, .quarterTurn])
  let size = kind.pictureSize(rotation)
  var first = Bitmap(size)
  draw(which, values, on: &first)
  var second = Bitmap(size)
  second.fill(Point(0, 0), size)
  draw(which, values, on: &second)
  if picture(first) != picture(second) { finding("a picture shows what was there before") }
  reach("screen \(which % screenCount) on \(kind.name) \(rotation), \(language(which))")
}

/// What is left of the byte that says which screen it is.
private func language(_ which: UInt8) -> Language {
  let languages = (0...UInt8.max).compactMap(Language.init)
  return languages[Int(which / screenCount) % languages.count]
}

/// What screens are filled with.
private struct ScreenValues {
  let direction, small, percent: UInt8
  let wide: UInt16
  let isTrue: Bool
  let name, text: [UInt8]

  init(_ feed: inout Feed) {
    (direction, small, percent) = (feed.u8(), feed.u8(), feed.u8() % 101)
    (wide, isTrue) = (feed.u16(), feed.bool())
    name = feed.take(Int(feed.u8()))
    text = feed.rest()
  }

  /// A signal in dBm, or none that is known.
  var rssi: Int8? { small == 127 ? nil : Int8(bitPattern: small) }
}

private func draw(_ which: UInt8, _ values: ScreenValues, on bitmap: inout Bitmap) {
  let (name, text) = (values.name.span, values.text.span)
  let rssi = values.rssi
  let language = language(which)
  switch which % screenCount {
  case 0:
    bitmap.draw(values.isTrue ? .starting(version: text) : .updated(version: text), in: language)
  case 1: bitmap.draw(.noPhone, in: language)
  case 2:
    bitmap.draw(
      .searching(name: name, secondsLeft: values.isTrue ? Int(values.wide) : nil), in: language)
  case 3: bitmap.draw(.found(phone: name, rssi: rssi), in: language)
  case 4:
    bitmap.draw(.comparison(number: UInt32(values.wide), name: text, phone: name), in: language)
  case 5: bitmap.draw(.noCode(phone: name), in: language)
  case 6: bitmap.draw(.pairingFailed(setbacks[Int(values.small) % setbacks.count]), in: language)
  case 7: bitmap.draw(.waiting(phone: name), in: language)
  case 8: bitmap.draw(.connecting(name: name), in: language)
  case 9: bitmap.draw(.ready(name: name), in: language)
  case 10: bitmap.draw(.refused, in: language)
  case 11: drawRide(values, on: &bitmap, in: language)
  case 12: bitmap.draw(.phone(name, values.isTrue ? .paired : .ride), in: language)
  case 13: bitmap.draw(.unpairing(phone: name, permille: Int(values.wide)), in: language)
  case 14: bitmap.draw(.unpaired, in: language)
  case 15: bitmap.draw(.unpairFailed, in: language)
  case 16: bitmap.draw(values.isTrue ? .reportSaved : .reportFailed(advice: text), in: language)
  case 17: bitmap.draw(.forgotten(phone: name), in: language)
  case 18: bitmap.draw(.wrongSettings(mistake: text), in: language)
  case 19: bitmap.draw(.noStore(advice: text), in: language)
  case 20: bitmap.draw(.noRadio(advice: text), in: language)
  case 21: bitmap.drawTestPicture(caption: name)
  case 22: drawData(values, on: &bitmap, in: language)
  case 23: drawSensors(values, on: &bitmap, in: language)
  case 24: drawCandidate(values, on: &bitmap, in: language)
  case 25: drawSensorNews(values, on: &bitmap, in: language)
  default: drawTurn(values, on: &bitmap, in: language)
  }
}

private let setbacks: [PairingSetback] = [
  .refusedByPhone, .refusedHere, .timeout, .wrongAnswer, .insecure, .tooManyAttempts, .linkLost,
  .notSaved,
]

private func drawRide(
  _ values: ScreenValues, on bitmap: inout Bitmap, in language: Language
) {
  let number = Int(values.wide)
  var trip = TripFigures(
    units: values.isTrue ? .metric : .imperial, isUnderWay: values.percent & 1 == 1)
  trip.language = language
  if values.small & 1 == 1 { trip.speed = number % 1_000 }
  if values.small & 2 == 2 { trip.average = number / 7 % 1_000 }
  if values.small & 4 == 4 { trip.minutes = number % 6_000 }
  if values.small & 8 == 8 { trip.tenths = number }
  if values.small & 48 == 48 {
    return bitmap.draw(.arrived(Arrival(trip, street: values.text.span)), in: language)
  }
  var page = RidePage(
    RideFigures(
      trip, isConnected: values.isTrue, rssi: values.rssi,
      battery: values.percent == 100 ? nil : values.percent), phone: values.name.span)
  if values.percent & 2 == 2 { page.figures.radar = radar(values) }
  bitmap.draw(.ride(page), in: language)
}

private func radar(_ values: ScreenValues) -> ShownRadar {
  var radar = ShownRadar(isSilent: values.isTrue)
  for metres in values.name { radar.add(metres: metres) }
  return radar
}

private func figure(_ values: ScreenValues) -> ShownFigure {
  let number = values.isTrue ? Int(Int16(bitPattern: values.wide)) : nil
  switch values.small % 6 {
  case 0: return .speed(number, values.percent & 1 == 1 ? .metric : .imperial)
  case 1: return .heart(number)
  case 2: return .cadence(number)
  case 3: return .power(number)
  case 4: return .seconds(number)
  default: return .clock(minutes: number)
  }
}

private func drawData(
  _ values: ScreenValues, on bitmap: inout Bitmap, in language: Language
) {
  func reading(_ bits: UInt8) -> DataFigures.Reading {
    switch values.small >> bits & 3 {
    case 0: .absent
    case 1: .unknown
    default: .value(Int(Int16(bitPattern: values.wide &+ UInt16(bits))))
    }
  }
  bitmap.draw(
    .data(
      DataFigures(
        speed: reading(0), heart: reading(2), cadence: reading(4), power: reading(6),
        units: values.isTrue ? .metric : .imperial),
      radar: values.percent & 1 == 1 ? radar(values) : nil), in: language)
}

private func drawSensors(
  _ values: ScreenValues, on bitmap: inout Bitmap, in language: Language
) {
  func row(_ bits: UInt16) -> SensorState {
    switch values.wide >> bits & 7 {
    case 0: .absent
    case 1: .looking
    case 2: .away
    case 3: .changesAddress
    case 4: .noLinkFree
    case 5: .ready(battery: nil)
    default: .ready(battery: values.small)
    }
  }
  let (name, text) = (values.name.span, values.text.span)
  bitmap.draw(
    .sensors(
      SensorsPage(
        heart: SensorRow(name, row(0)), cadence: SensorRow(name, row(2)),
        speed: SensorRow(text, row(3)), power: SensorRow(name, row(6)),
        radar: SensorRow(text, row(9)))), in: language)
}

private func kind(_ values: ScreenValues) -> SensorKind {
  SensorKind(rawValue: values.direction % UInt8(SensorKind.count)) ?? .heart
}

private func drawCandidate(
  _ values: ScreenValues, on bitmap: inout Bitmap, in language: Language
) {
  let reading: SensorCandidate.Reading =
    switch values.percent % 4 {
    case 0: .connecting
    case 1: .still
    case 2: .figure(figure(values))
    default: .vehicles(Int(values.small))
    }
  let candidate = SensorCandidate(kind(values), values.name.span, reading)
  guard values.isTrue else { return bitmap.draw(.sensorCandidate(candidate), in: language) }
  let other = SensorCandidate(.radar, values.text.span, .vehicles(1))
  bitmap.draw(
    .sensorChoice(
      SensorChoice(
        other, candidate, other, candidate, count: Int(values.small), mark: Int(values.percent) % 5)
    ), in: language)
}

private func drawSensorNews(
  _ values: ScreenValues, on bitmap: inout Bitmap, in language: Language
) {
  switch values.small % 7 {
  case 0: bitmap.draw(.sensorSearch(secondsLeft: Int(values.wide)), in: language)
  case 1: bitmap.draw(.noSensorFound, in: language)
  case 2: bitmap.draw(.sensorSaved(kind(values), name: values.name.span), in: language)
  case 3:
    bitmap.draw(.sensorNotSaved(values.isTrue ? kind(values) : nil), in: language)
  case 4 where values.isTrue: bitmap.draw(.ownBattery(percent: values.percent), in: language)
  case 4: bitmap.draw(.sensorBattery(kind(values), percent: values.percent), in: language)
  case 5: bitmap.draw(.forgettingSensors(permille: Int(values.wide)), in: language)
  default: bitmap.draw(.sensorsForgotten, in: language)
  }
}

private func drawTurn(
  _ values: ScreenValues, on bitmap: inout Bitmap, in language: Language
) {
  let distance = RoundedDistance(
    metres: UInt32(values.wide), units: values.isTrue ? .metric : .imperial
  ).text(in: language)
  var turn = ShownTurn(
    TurnFigures(
      Maneuver(direction: values.direction),
      age: values.percent > 50 ? Age(milliseconds: Int64(values.small) * 60_000) : nil),
    distance: distance.bytes, street: values.text.span)
  turn.streetOffset = Int(values.small)
  turn.figures.isPhoneInDoubt = values.percent & 1 == 1
  turn.figures.isInverted = values.percent & 2 == 2
  turn.figures.isEstimated = values.percent & 4 == 4
  if values.percent & 8 == 8 { turn.figures.extra = figure(values) }
  if values.percent & 16 == 16 { turn.figures.radar = radar(values) }
  bitmap.draw(.navigation(turn), in: language)
}

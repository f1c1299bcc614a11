import Bytes
import Graphics
import Komoot
import Navigation
import Panel
import Screens
import TestSupport
import Turns
import Words

private let kinds = (0..<UInt8(PanelKind.count)).compactMap(PanelKind.init)

/// Every screen with texts from anywhere, on each panel, in each language: the same twice, and nothing of what was before.
func drawScreen(_ feed: inout Feed) {
  let kind = feed.pick(kinds)
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
  reach("screen \(which % 24) on \(kind.name) \(rotation), \(language(which))")
}

/// What is left of the byte that says which screen it is.
private func language(_ which: UInt8) -> Language {
  Language(rawValue: which / 24 % Language.count) ?? .english
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
}

private func draw(_ which: UInt8, _ values: ScreenValues, on bitmap: inout Bitmap) {
  let (name, text) = (values.name.span, values.text.span)
  let rssi = Int8(bitPattern: values.small)
  let language = language(which)
  switch which % 24 {
  case 0: bitmap.draw(.starting(version: text), in: language)
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
  bitmap.draw(
    .ride(
      RidePage(
        trip, phone: values.name.span, isConnected: values.isTrue,
        rssi: Int8(bitPattern: values.small),
        battery: values.percent == 100 ? nil : values.percent)), in: language)
}

private func drawTurn(
  _ values: ScreenValues, on bitmap: inout Bitmap, in language: Language
) {
  let distance = RoundedDistance(
    metres: UInt32(values.wide), units: values.isTrue ? .metric : .imperial
  ).text(in: language)
  var turn = ShownTurn(
    Maneuver(direction: values.direction), distance: distance.bytes, street: values.text.span,
    age: values.percent > 50 ? Age(milliseconds: Int64(values.small) * 60_000) : nil)
  turn.streetOffset = Int(values.small)
  turn.isPhoneInDoubt = values.percent & 1 == 1
  turn.isInverted = values.percent & 2 == 2
  bitmap.draw(.navigation(turn), in: language)
}

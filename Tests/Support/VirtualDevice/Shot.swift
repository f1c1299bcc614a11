import Graphics
import Messages
import Navigation
import Screens
import Sensors
import Turns
import Words

/// A screen as a test names it, with texts that it can copy.
package enum Shot {
  case starting
  case updated
  case searching(secondsLeft: Int?)
  case found(String, rssi: Int8)
  case waiting(String)
  case connecting(String)
  case ready(String)
  case noPhone
  case comparison(UInt32, phone: String)
  case noCode(String)
  case phoneAsked(String, secondsLeft: Int)
  case paired(String)
  case pairingDelayed(secondsLeft: Int)
  case codeMissing
  case unrecognised
  case trouble(MachineTrouble)
  case failed(PairingSetback)
  case phone(String, Acquaintance)
  case unpaired
  case unpairFailed
  case reportSaved
  case reportFailed(String)
  case switchBluetooth
  case forgotten(String)
  case wrongSettings(String)
  case noStore(String)
  case noRadio(String)
  case turn(
    Maneuver, String, String, age: Age? = nil, isInverted: Bool = false, isMarked: Bool = false,
    isLinkLost: Bool = false, isPhoneInDoubt: Bool = false)
  case ride(String, TripFigures, isConnected: Bool, rssi: Int8 = 127, battery: UInt8? = nil)
  case atHome(TripFigures)
  case music(String, String)
  case call(String)
  case notification(String, String)
  case arrived(String, TripFigures)
  case sensor(SensorShot)

  /// Draws it on a panel of which phones see the name `Lenker`, in version 0.2.0.
  package func draw(on bitmap: inout Bitmap, in language: Language = .english) {
    let (own, version) = (Array("Lenker".utf8), Array("0.2.0".utf8))
    switch self {
    case .starting: bitmap.draw(.starting(version: version.span), in: language)
    case .updated: bitmap.draw(.updated(version: version.span), in: language)
    case .searching(let secondsLeft):
      bitmap.draw(.searching(name: own.span, secondsLeft: secondsLeft), in: language)
    case .noPhone: bitmap.draw(.noPhone, in: language)
    case .comparison(let number, let phone):
      let phone = Array(phone.utf8)
      bitmap.draw(.comparison(number: number, name: own.span, phone: phone.span), in: language)
    case .failed(let setback): bitmap.draw(.pairingFailed(setback), in: language)
    case .unpaired: bitmap.draw(.unpaired, in: language)
    case .codeMissing: bitmap.draw(.codeMissing, in: language)
    case .unrecognised: bitmap.draw(.unrecognised, in: language)
    case .pairingDelayed(let secondsLeft):
      bitmap.draw(.pairingDelayed(secondsLeft: secondsLeft), in: language)
    case .trouble(let trouble): bitmap.draw(.trouble(trouble), in: language)
    case .phoneAsked(let phone, let secondsLeft):
      let phone = Array(phone.utf8)
      bitmap.draw(.phoneAsked(phone: phone.span, secondsLeft: secondsLeft), in: language)
    case .unpairFailed: bitmap.draw(.unpairFailed, in: language)
    case .reportSaved: bitmap.draw(.reportSaved, in: language)
    case .switchBluetooth: bitmap.draw(.switchBluetooth, in: language)
    case .reportFailed(let advice):
      let advice = Array(advice.utf8)
      bitmap.draw(.reportFailed(advice: advice.span), in: language)
    case .turn(
      let maneuver, let text, let street, let age, let isInverted, let isMarked, let isLinkLost,
      let isPhoneInDoubt):
      let (distance, street) = (Array(text.utf8), Array(street.utf8))
      var turn = ShownTurn(
        TurnFigures(maneuver, age: age), distance: distance.span, street: street.span)
      turn.figures.isInverted = isInverted
      turn.figures.isMarked = isMarked
      turn.figures.isLinkLost = isLinkLost
      if age == nil, maneuver != .offRoute, maneuver != .start {
        turn.figures.nearness = nearness(of: text)
      }
      turn.figures.isPhoneInDoubt = isPhoneInDoubt
      bitmap.draw(.navigation(turn), in: language)
    case .ride(let name, let trip, let isConnected, let rssi, let battery):
      let name = Array(name.utf8)
      bitmap.draw(
        .ride(
          RidePage(
            RideFigures(trip, isConnected: isConnected, rssi: rssi, battery: battery),
            phone: name.span)),
        in: language)
    case .atHome(let trip):
      var page = RidePage(RideFigures(trip, isConnected: false), phone: own.span)
      page.figures.isAtHome = true
      bitmap.draw(.ride(page), in: language)
    case .sensor(let shot): shot.draw(on: &bitmap, in: language)
    case .call(let name):
      let name = Array(name.utf8)
      bitmap.draw(.call(name: name.span), in: language)
    case .notification(let title, let message):
      let (title, message) = (Array(title.utf8), Array(message.utf8))
      bitmap.draw(.notification(title: title.span, message: message.span), in: language)
    case .music(let title, let artist):
      let (title, artist) = (Array(title.utf8), Array(artist.utf8))
      bitmap.draw(.music(title: title.span, artist: artist.span), in: language)
    case .arrived(let street, let trip):
      let street = Array(street.utf8)
      bitmap.draw(.arrived(Arrival(trip, street: street.span)), in: language)
    case .found(let name, _), .waiting(let name), .connecting(let name), .ready(let name),
      .phone(let name, _), .forgotten(let name), .wrongSettings(let name), .noCode(let name),
      .noStore(let name), .noRadio(let name), .paired(let name):
      draw(Array(name.utf8), on: &bitmap, in: language)
    }
  }

  /// The metres of a distance that is shown as less than 100 m.
  private func nearness(of distance: String) -> Int? {
    let words = distance.split(separator: " ")
    // A word of any language for what is due now.
    if words.count == 1 { return 0 }
    guard words.last == "m", let metres = Int(words[0]), metres < 100 else { return nil }
    return metres
  }

  private func draw(_ name: [UInt8], on bitmap: inout Bitmap, in language: Language) {
    switch self {
    case .found(_, let rssi): bitmap.draw(.found(phone: name.span, rssi: rssi), in: language)
    case .waiting: bitmap.draw(.waiting(phone: name.span), in: language)
    case .connecting: bitmap.draw(.connecting(name: name.span), in: language)
    case .ready: bitmap.draw(.ready(name: name.span), in: language)
    case .phone(_, let acquaintance): bitmap.draw(.phone(name.span, acquaintance), in: language)
    case .forgotten: bitmap.draw(.forgotten(phone: name.span), in: language)
    case .noCode: bitmap.draw(.noCode(phone: name.span), in: language)
    case .paired: bitmap.draw(.paired(phone: name.span), in: language)
    case .noStore: bitmap.draw(.noStore(advice: name.span), in: language)
    case .noRadio: bitmap.draw(.noRadio(advice: name.span), in: language)
    default: bitmap.draw(.wrongSettings(mistake: name.span), in: language)
    }
  }
}

/// A screen about sensors as a test names it.
package enum SensorShot {
  case data(DataFigures, radar: ShownRadar? = nil)
  /// A line for each sensor that is there: its name and its state.
  case page([SensorKind: (String, SensorState)])
  case search(secondsLeft: Int)
  case candidate(SensorKind, String, SensorCandidate.Reading)
  /// The lines of a list, of which number `mark` is offered.
  case choice([(SensorKind, String, SensorCandidate.Reading)], mark: Int)
  case pairing(SensorKind, String)
  case noneFound
  case saved(SensorKind, String)
  case notSaved(SensorKind?)
  case battery(SensorKind, percent: UInt8)
  case forgetting(permille: Int)
  case forgotten
  /// A turn with what sensors add to it.
  case turn(
    Maneuver, String, String, extra: ShownFigure? = nil, isEstimated: Bool = false,
    radar: ShownRadar? = nil)

  func draw(on bitmap: inout Bitmap, in language: Language) {
    switch self {
    case .data(let figures, let radar): bitmap.draw(.data(figures, radar: radar), in: language)
    case .page(let rows): draw(rows, on: &bitmap, in: language)
    case .search(let secondsLeft):
      bitmap.draw(.sensorSearch(secondsLeft: secondsLeft), in: language)
    case .candidate(let kind, let name, let reading):
      let name = Array(name.utf8)
      bitmap.draw(
        .sensorCandidate(SensorCandidate(kind, name.span, reading)), in: language)
    case .choice(let lines, let mark): draw(lines, mark: mark, on: &bitmap, in: language)
    case .pairing(let kind, let name):
      let name = Array(name.utf8)
      bitmap.draw(.sensorPairing(kind, name: name.span), in: language)
    case .noneFound: bitmap.draw(.noSensorFound, in: language)
    case .saved(let kind, let name):
      let name = Array(name.utf8)
      bitmap.draw(.sensorSaved(kind, name: name.span), in: language)
    case .notSaved(let kind): bitmap.draw(.sensorNotSaved(kind), in: language)
    case .battery(let kind, let percent):
      bitmap.draw(.sensorBattery(kind, percent: percent), in: language)
    case .forgetting(let permille):
      bitmap.draw(.forgettingSensors(permille: permille), in: language)
    case .turn(let maneuver, let distance, let street, let extra, let isEstimated, let radar):
      let (distance, street) = (Array(distance.utf8), Array(street.utf8))
      var turn = ShownTurn(TurnFigures(maneuver), distance: distance.span, street: street.span)
      turn.figures.extra = extra
      turn.figures.isEstimated = isEstimated
      turn.figures.radar = radar
      bitmap.draw(.navigation(turn), in: language)
    case .forgotten: bitmap.draw(.sensorsForgotten, in: language)
    }
  }

  private func draw(
    _ lines: [(SensorKind, String, SensorCandidate.Reading)], mark: Int,
    on bitmap: inout Bitmap, in language: Language
  ) {
    let names = (0..<4).map { $0 < lines.count ? Array(lines[$0].1.utf8) : [] }
    func kind(_ index: Int) -> SensorKind { index < lines.count ? lines[index].0 : .heart }
    func reading(_ index: Int) -> SensorCandidate.Reading {
      index < lines.count ? lines[index].2 : .still
    }
    let (first, second, third, fourth) = (names[0], names[1], names[2], names[3])
    bitmap.draw(
      .sensorChoice(
        SensorChoice(
          SensorCandidate(kind(0), first.span, reading(0)),
          SensorCandidate(kind(1), second.span, reading(1)),
          SensorCandidate(kind(2), third.span, reading(2)),
          SensorCandidate(kind(3), fourth.span, reading(3)), count: lines.count, mark: mark)),
      in: language)
  }

  private func draw(
    _ rows: [SensorKind: (String, SensorState)], on bitmap: inout Bitmap, in language: Language
  ) {
    func name(_ kind: SensorKind) -> [UInt8] { Array((rows[kind]?.0 ?? "").utf8) }
    func state(_ kind: SensorKind) -> SensorState { rows[kind]?.1 ?? .absent }
    let (heart, cadence, speed) = (name(.heart), name(.cadence), name(.speed))
    let (power, radar) = (name(.power), name(.radar))
    bitmap.draw(
      .sensors(
        SensorsPage(
          heart: SensorRow(heart.span, state(.heart)),
          cadence: SensorRow(cadence.span, state(.cadence)),
          speed: SensorRow(speed.span, state(.speed)),
          power: SensorRow(power.span, state(.power)), radar: SensorRow(radar.span, state(.radar)))),
      in: language)
  }
}

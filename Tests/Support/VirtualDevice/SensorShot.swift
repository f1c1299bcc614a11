import Graphics
import Screens
import Sensors
import Turns
import Words

/// A screen about sensors as a test names it.
package enum SensorShot {
  case data(DataFigures, radar: ShownRadar? = nil)
  /// A line for each sensor that is there: its name and its state.
  case page([SensorKind: (String, SensorState)])
  case search(secondsLeft: Int)
  case candidate(SensorKind, String, SensorCandidate.Reading)
  /// The lines of a list, of which number `mark` is offered.
  case choice([(SensorKind, String, SensorCandidate.Reading)], mark: Int)
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
      var turn = ShownTurn(maneuver, distance: distance.span, street: street.span)
      (turn.extra, turn.isEstimated, turn.radar) = (extra, isEstimated, radar)
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

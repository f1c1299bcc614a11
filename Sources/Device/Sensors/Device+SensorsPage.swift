import BoardFile
import Bond
import Buttons
import Bytes
import Central
import DeviceState
import Graphics
import Link
import Navigation
import Panel
import Recording
import Screens
import SensorLinks
import Sensors

/// The page of the sensors: which there are, and how one is added or all are forgotten.
extension Device {
  // MARK: - The buttons

  /// Begins a search for a sensor, or makes it go on to the next one.
  mutating func searchNextSensor(at now: Instant) {
    scene.touchPage(at: now)
    switch host.sensors.stage {
    case .listening where host.sensors.search.hasList, .trying, .offering:
      step(.searchNextSensor, at: now)
    case .off, .listening:
      desk.searchBegins()
      step(.searchSensors, at: now)
    }
  }

  /// Keeps the sensor that is offered, or searches for another one.
  mutating func answer(_ isYes: Bool, toSensor kind: SensorKind, at now: Instant) {
    if isYes { keepSensor(kind, at: now) } else { step(.searchNextSensor, at: now) }
  }

  /// Allows pairing again with the sensor that denies its key, or refuses it.
  mutating func answer(_ isYes: Bool, toPairingOf kind: SensorKind, at now: Instant) {
    step(.answerSensor(kind, isYes: isYes), at: now)
  }

  /// Ends the search, and forgets all that are remembered.
  mutating func endSensors(at now: Instant) {
    scene.show(nil, at: now)
    step(.endSensorSearch, at: now)
    forgetSensors(at: now)
  }

  /// Remembers the offered sensor as the kind of what has moved; refuses a sensor whose address changes.
  private mutating func keepSensor(_ place: SensorKind, at now: Instant) {
    guard let address = host.sensors.linkedAddress(place) else { return }
    let kind = candidateMeasurements(of: place).moved(place) ?? place
    let (handles, key) = (host.sensors.handles(place), host.sensors.newKey(of: address))
    guard let sensor = desk.accept(kind, address, handles, key) else {
      log.sensor(kind, address, name: desk.candidateName.bytes, .refused("address"), at: now)
      return step(.endSensorSearch, at: now)
    }
    remember(sensor, at: now)
  }

  /// The search has come further, or has ended without a sensor that the rider keeps.
  mutating func sensorSearchChanged(at now: Instant) {
    // The next sensor that is tried has not sent its name yet.
    desk.forgetCandidate()
    guard scene.page == .sensors else { return }
    scene.touchPage(at: now)
    if host.sensors.stage == .off, desk.notes.isEmpty {
      log.noSensorFound(at: now)
      scene.show(.noSensorFound, isRequested: true, at: now)
    }
  }

  /// Makes the host follow the remembered sensors.
  mutating func followSensors(at now: Instant) {
    let remembered = desk.remembered
    if withHost(at: now, { $0.followSensors(remembered, at: now) }) {
      desk.exchangeSpeedAndCadence(
        isSpeedLinked: host.sensors.hasLinkToRemembered(.speed),
        isCadenceLinked: host.sensors.hasLinkToRemembered(.cadence))
      letOthersGiveWay()
    }
  }

  // MARK: - The screens

  /// What the seconds on the panel count down to, if there is anything.
  var countdownEnd: Instant? {
    if let end = host.phoneAnswerEnd ?? host.phoneConsentEnd { return end }
    if scene.page == .sensors, case .listening(let end) = host.sensors.stage { return end }
    return host.pairingDelayEnd ?? host.searchEnd
  }

  /// The page of the sensors, or the stage of the search that begins there.
  var sensorsShowing: Showing {
    switch host.sensors.stage {
    case .off:
      if let kind = host.sensors.pairingWish { return .sensorPairing(kind) }
      var states = PerKind(repeating: SensorState.absent)
      for kind in SensorKind.all { states[kind] = state(of: kind) }
      return .sensors(states)
    case .listening: return .sensorSearch(secondsLeft: scene.secondsLeft ?? 0)
    case .trying(let place): return .sensorTried(shownKind(of: place))
    case .offering(let place):
      guard let address = host.sensors.linkedAddress(place) else {
        return .sensorTried(shownKind(of: place))
      }
      return .sensorOffered(
        OfferedSensor(
          place: place, kind: shownKind(of: place), address: address,
          reading: candidateReading(place, at: upkeep.now)))
    }
  }

  func drawCandidate(
    _ kind: SensorKind, _ reading: SensorCandidate.Reading, into picture: inout Bitmap
  ) {
    let name = SensorLabel { copyCandidateLabel(into: &$0) }
    picture.draw(
      .sensorCandidate(SensorCandidate(kind, name.bytes, reading)), in: board.language)
  }

  /// Draws the offered sensor in the list of those that the search has heard.
  func draw(_ sensor: OfferedSensor, into picture: inout Bitmap) {
    var (count, mark) = (0, 0)
    while let listed = host.sensors.search.listed(count) {
      if listed.isMarked { mark = count }
      count += 1
    }
    let start = max(0, min(mark - 1, count - SensorChoice.room))
    var first = SensorLabel()
    var second = SensorLabel()
    var third = SensorLabel()
    var fourth = SensorLabel()
    let lines = (
      listed(start, sensor, into: &first), listed(start + 1, sensor, into: &second),
      listed(start + 2, sensor, into: &third), listed(start + 3, sensor, into: &fourth)
    )
    picture.draw(
      .sensorChoice(
        SensorChoice(
          SensorCandidate(lines.0.kind, first.bytes, lines.0.reading),
          SensorCandidate(lines.1.kind, second.bytes, lines.1.reading),
          SensorCandidate(lines.2.kind, third.bytes, lines.2.reading),
          SensorCandidate(lines.3.kind, fourth.bytes, lines.3.reading),
          count: count - start, mark: mark - start)), in: board.language)
  }

  /// A line of the list; the offered sensor is shown as `offered`, and an empty line is `still`.
  private func listed(
    _ number: Int, _ offered: OfferedSensor, into label: inout SensorLabel
  ) -> (kind: SensorKind, reading: SensorCandidate.Reading) {
    guard let listed = host.sensors.search.listed(number) else { return (.heart, .still) }
    copyLabel(of: listed.address, into: &label)
    if listed.isMarked { return (offered.kind, offered.reading) }
    let note = desk.notes.note(of: listed.address) ?? (listed.kind, .still)
    return listed.isUnreachable ? (note.0, .gone) : note
  }

  /// The candidate's reading, by which the rider recognises it.
  func candidateReading(_ kind: SensorKind, at now: Instant) -> SensorCandidate.Reading {
    let figures = candidateMeasurements(of: kind).figures(of: kind, at: now)
    switch kind {
    case .heart: return figures.heart.map { .figure(.heart(Int($0))) } ?? .still
    case .speed, .cadence:
      if let speed = figures.speed, speed > 0 {
        return .figure(.speed(Int(truncatingIfNeeded: speed), board.units))
      }
      if let cadence = figures.cadence, cadence > 0 {
        return .figure(.cadence(Int(truncatingIfNeeded: cadence)))
      }
      return .still
    case .power: return figures.power.map { $0 == 0 ? .still : .figure(.power(Int($0))) } ?? .still
    case .radar:
      let radar = candidateMeasurements(of: kind).radar
      return radar.isSilent(at: now) ? .still : .vehicles(radar.count)
    }
  }

  func drawSensors(_ states: PerKind<SensorState>, into picture: inout Bitmap) {
    let heart = SensorLabel { copyLabel(of: .heart, into: &$0) }
    let cadence = SensorLabel { copyLabel(of: .cadence, into: &$0) }
    let speed = SensorLabel { copyLabel(of: .speed, into: &$0) }
    let power = SensorLabel { copyLabel(of: .power, into: &$0) }
    let radar = SensorLabel { copyLabel(of: .radar, into: &$0) }
    picture.draw(
      .sensors(
        SensorsPage(
          heart: SensorRow(heart.bytes, states[.heart]),
          cadence: SensorRow(cadence.bytes, states[.cadence]),
          speed: SensorRow(speed.bytes, states[.speed]),
          power: SensorRow(power.bytes, states[.power]),
          radar: SensorRow(radar.bytes, states[.radar]))), in: board.language)
  }

  private func state(of kind: SensorKind) -> SensorState {
    guard host.areSensorsPossible else { return .noLinkFree }
    guard desk.remembered[kind] != nil else {
      return desk.changingKind == kind ? .changesAddress : .absent
    }
    if host.sensors.isReady(kind) { return .ready(battery: desk.batteries[kind]) }
    if host.sensors.areLinksExhausted || host.sensors.isLeftOut(kind) { return .noLinkFree }
    return host.controllerFacts == nil ? .away : .looking
  }

  // MARK: - The data page and the spare line

  var dataFigures: DataFigures {
    let (known, sensors) = (desk.figures, desk.remembered)
    let measurements = desk.measurements
    let hasSpeed = sensors[.speed] != nil || sensors[.power] != nil
    // A sensor of speed and cadence is taken to have a wheel until its crank alone has turned.
    let hasWheel =
      hasSpeed && measurements.hasWheel
      || sensors[.speed] != nil && measurements.moved(.speed) != .cadence
    let hasCrank = sensors[.cadence] != nil || hasSpeed && measurements.hasCrank
    return DataFigures(
      speed: .init(known.speed, isThere: hasWheel),
      heart: .init(known.heart.map { Int64(widening: Int($0)) }, isThere: sensors[.heart] != nil),
      cadence: .init(known.cadence, isThere: hasCrank),
      power: .init(
        known.power.map { Int64(widening: Int($0)) }, isThere: sensors[.power] != nil),
      units: board.units)
  }

  /// The figure on the spare line of a turn, except the clock, if the rider wants one and has its sensor.
  var extraFigure: ShownFigure? {
    let (figures, sensors) = (desk.figures, desk.remembered)
    let hasSpeed = sensors[.speed] != nil || sensors[.power] != nil
    switch board.extra {
    case .speed where hasSpeed, .auto where hasSpeed && board.panel.size.isSquare:
      return .speed(figures.speed.map { Int(truncatingIfNeeded: $0) }, board.units)
    case .heart where sensors[.heart] != nil: return .heart(figures.heart.map { Int($0) })
    case .cadence where hasSpeed || sensors[.cadence] != nil:
      return .cadence(figures.cadence.map { Int(truncatingIfNeeded: $0) })
    case .power where sensors[.power] != nil: return .power(figures.power.map { Int($0) })
    case .seconds:
      return .seconds(guidance.progress?.seconds.map { Int(truncatingIfNeeded: $0) })
    case .auto, .none, .speed, .heart, .cadence, .power, .clock: return nil
    }
  }
}

extension DataFigures.Reading {
  /// A figure: absent, unknown, or its value.
  fileprivate init(_ value: Int64?, isThere: Bool) {
    guard isThere else {
      self = .absent
      return
    }
    self = value.map { .value(Int(truncatingIfNeeded: $0)) } ?? .unknown
  }
}

/// What the panel calls sensors, so that the rider can tell two of a kind apart, such as the pedals of a bicycle.
///
/// It is the sensor's name, or the last two bytes of its address if it has none, or both if another one
/// has the same name.
extension Device {
  /// Room for a name and two bytes.
  typealias SensorLabel = FixedBuffer<40>

  /// Replaces `label` by the label of the remembered sensor of this kind; empty if there is none.
  func copyLabel(of kind: SensorKind, into label: inout SensorLabel) {
    desk.remembered.copyName(of: kind, into: &label)
    if label.isEmpty, let sensor = desk.remembered[kind] { label.append(endOf: sensor.address) }
  }

  /// Replaces `label` by the label of the candidate; empty until the candidate's values come.
  ///
  /// Its name comes after its first value.
  func copyCandidateLabel(into label: inout SensorLabel) {
    label.removeAll()
    if let address = host.sensors.candidate { copyLabel(of: address, into: &label) }
  }

  /// Replaces `label` by the label of a sensor that the search has heard.
  func copyLabel(of address: DeviceAddress, into label: inout SensorLabel) {
    desk.notes.copyName(of: address, into: &label)
    let isClear =
      !label.isEmpty && !desk.notes.isNameTwice(of: address) && !isNameKnown(label.bytes)
    guard !isClear else { return }
    if !label.isEmpty { label.append(" ") }
    label.append(endOf: address)
  }

  /// Whether a remembered sensor has this name.
  private func isNameKnown(_ name: Span<UInt8>) -> Bool {
    for kind in SensorKind.all {
      var known = SensorLabel()
      desk.remembered.copyName(of: kind, into: &known)
      if isEqual(known.bytes, name) { return true }
    }
    return false
  }

  /// The kind to show and report for an unconfirmed sensor.
  ///
  /// It is at a wheel until its crank alone has moved; a sensor that was kept as `cadence` is at the crank.
  func shownKind(of kind: SensorKind) -> SensorKind {
    guard kind == .speed || kind == .cadence && desk.remembered[.cadence] == nil
    else { return kind }
    return candidateMeasurements(of: kind).moved(kind) ?? .speed
  }

  /// The measurements of the sensor that is tried or offered.
  func candidateMeasurements(of kind: SensorKind) -> Measurements {
    host.sensors.hasLinkToRemembered(kind) ? desk.rival : desk.measurements
  }
}

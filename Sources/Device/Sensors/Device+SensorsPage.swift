import BoardFile
import Bond
import Buttons
import Bytes
import Host
import Navigation
import Screens
import Sensors

/// The page of the sensors: which there are, and how one is added or all are forgotten.
extension Device {
  // MARK: - The buttons

  /// Does what a press means on this page; returns whether it means anything special there.
  mutating func handleOnSensorsPage(_ gesture: Gesture, isLit: Bool, at now: Instant) -> Bool {
    switch (gesture, host.sensorSearch) {
    // What is not seen cannot be agreed to.
    case (.pageShort, .offering(let kind)):
      scene.show(nil, at: now)
      if isLit { keepSensor(kind, at: now) }
    case (.pageShort, _):
      host.endSensorSearch(at: now)
      return false
    case (.unpairShort, .off), (.unpairShort, .listening):
      scene.show(nil, at: now)
      sensorKeeper.changingKind = nil
      host.searchSensors(at: now)
    case (.unpairShort, _):
      scene.show(nil, at: now)
      host.searchNextSensor(at: now)
    case (.unpairLong, _):
      scene.show(nil, at: now)
      host.endSensorSearch(at: now)
      forgetSensors(at: now)
    default: return false
    }
    handleHostEvents(at: now)
    return true
  }

  /// Remembers the sensor that is offered; one whose address changes could not be known again.
  private mutating func keepSensor(_ kind: SensorKind, at now: Instant) {
    guard let address = host.sensorAddress(kind) else { return }
    guard
      let sensor = RememberedSensor(
        kind, address: address, handles: host.sensorHandles(kind),
        name: sensorKeeper.candidateName.bytes)
    else {
      sensorKeeper.changingKind = kind
      return host.endSensorSearch(at: now)
    }
    remember(sensor, at: now)
  }

  /// The search has come further, or has ended without a sensor that the rider keeps.
  mutating func sensorSearchChanged(at now: Instant) {
    // Whoever is tried next has not said its name.
    sensorKeeper.candidateName.removeAll()
    scene.isChanged = true
    guard scene.page == .sensors else { return }
    scene.touchPage(at: now)
    if host.sensorSearch == .off { scene.show(.noSensorFound, isAsked: true, at: now) }
  }

  /// Has the radio follow those that are remembered.
  mutating func followSensors(at now: Instant) {
    for index in 0..<SensorKind.count {
      guard let kind = SensorKind(rawValue: UInt8(truncatingIfNeeded: index)) else { continue }
      host.followSensor(
        kind, sensors[kind]?.address, handles: sensors[kind]?.handles ?? .none, at: now)
    }
    handleHostEvents(at: now)
  }

  // MARK: - The screens

  /// What the seconds on the panel count down to, if there is anything.
  var countdownEnd: Instant? {
    if let end = host.phoneAnswerEnd { return end }
    if scene.page == .sensors, case .listening(let end) = host.sensorSearch { return end }
    return host.searchEnd
  }

  mutating func drawSensors(at now: Instant) {
    switch host.sensorSearch {
    case .off: drawSensorsPage()
    case .listening:
      picture.draw(.sensorSearch(secondsLeft: scene.secondsLeft ?? 0), in: board.language)
    case .trying(let kind): drawCandidate(kind, .connecting)
    case .offering(let kind): drawCandidate(kind, candidateReading(kind, at: now))
    }
  }

  private mutating func drawCandidate(_ kind: SensorKind, _ reading: SensorCandidate.Reading) {
    picture.draw(
      .sensorCandidate(SensorCandidate(kind, sensorKeeper.candidateName.bytes, reading)),
      in: board.language)
  }

  /// What the candidate says, by which the rider knows it.
  private func candidateReading(_ kind: SensorKind, at now: Instant) -> SensorCandidate.Reading {
    let measurements =
      host.isSensorLinked(kind) ? sensorKeeper.rival : sensorKeeper.measurements
    let figures = measurements.figures(at: now)
    switch kind {
    case .heart: return figures.heart.map { .figure(.heart(Int($0))) } ?? .still
    case .speed:
      if let speed = figures.speed, speed > 0 {
        return .figure(.speed(Int(truncatingIfNeeded: speed), board.units))
      }
      if let cadence = figures.cadence, cadence > 0 {
        return .figure(.cadence(Int(truncatingIfNeeded: cadence)))
      }
      return .still
    case .power: return figures.power.map { $0 == 0 ? .still : .figure(.power(Int($0))) } ?? .still
    case .radar:
      let radar = measurements.radar
      return radar.isSilent(at: now) ? .still : .vehicles(radar.count)
    }
  }

  private typealias Name = FixedBuffer<20>

  private mutating func drawSensorsPage() {
    var heart = Name()
    var speed = Name()
    var power = Name()
    var radar = Name()
    sensors.copyName(of: .heart, into: &heart)
    sensors.copyName(of: .speed, into: &speed)
    sensors.copyName(of: .power, into: &power)
    sensors.copyName(of: .radar, into: &radar)
    picture.draw(
      .sensors(
        SensorsPage(
          heart: SensorRow(heart.bytes, state(of: .heart)),
          speed: SensorRow(speed.bytes, state(of: .speed)),
          power: SensorRow(power.bytes, state(of: .power)),
          radar: SensorRow(radar.bytes, state(of: .radar)))), in: board.language)
  }

  private func state(of kind: SensorKind) -> SensorState {
    guard host.areSensorsPossible else { return .noLinkFree }
    guard sensors[kind] != nil else {
      return sensorKeeper.changingKind == kind ? .changesAddress : .absent
    }
    if host.isSensorReady(kind) {
      return .ready(battery: sensorKeeper.batteries[Int(kind.rawValue)])
    }
    if host.isSensorLinkMissing || host.isSensorLeftOut(kind) { return .noLinkFree }
    return host.controllerFacts == nil ? .away : .looking
  }

  // MARK: - The data page and the spare line

  mutating func drawData(at now: Instant) {
    let known = sensorKeeper.figures
    let measurements = sensorKeeper.measurements
    let hasSpeed = sensors[.speed] != nil || sensors[.power] != nil
    // Until its crank has turned alone a sensor of speed and cadence is taken to have a wheel.
    let hasWheel =
      hasSpeed && measurements.hasWheel || sensors[.speed] != nil && !measurements.hasCrank
    let figures = DataFigures(
      speed: .init(known.speed, isThere: hasWheel),
      heart: .init(known.heart.map { Int64(widening: Int($0)) }, isThere: sensors[.heart] != nil),
      cadence: .init(known.cadence, isThere: hasSpeed && measurements.hasCrank),
      power: .init(
        known.power.map { Int64(widening: Int($0)) }, isThere: sensors[.power] != nil),
      units: board.units)
    picture.draw(.data(figures, radar: lastRadar), in: board.language)
  }

  /// What the spare line of a turn shows, if the rider wants anything there and has the sensor for it.
  var extraFigure: ShownFigure? {
    let figures = sensorKeeper.figures
    let hasSpeed = sensors[.speed] != nil || sensors[.power] != nil
    switch board.extra {
    case .speed where hasSpeed:
      return .speed(figures.speed.map { Int(truncatingIfNeeded: $0) }, board.units)
    case .heart where sensors[.heart] != nil: return .heart(figures.heart.map { Int($0) })
    case .cadence where hasSpeed:
      return .cadence(figures.cadence.map { Int(truncatingIfNeeded: $0) })
    case .power where sensors[.power] != nil: return .power(figures.power.map { Int($0) })
    case .seconds:
      return .seconds(guidance.progress?.seconds.map { Int(truncatingIfNeeded: $0) })
    case .clock: return .clock(minutes: dayClock.minutes(at: clock))
    case .none, .speed, .heart, .cadence, .power: return nil
    }
  }
}

extension DataFigures.Reading {
  /// What is known of a figure that there is.
  fileprivate init(_ value: Int64?, isThere: Bool) {
    guard isThere else {
      self = .absent
      return
    }
    self = value.map { .value(Int(truncatingIfNeeded: $0)) } ?? .unknown
  }
}

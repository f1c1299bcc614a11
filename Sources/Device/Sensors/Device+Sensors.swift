import BoardFile
import Bond
import Bytes
import HCI
import Host
import Navigation
import Panel
import Screens
import Sensors

/// What the sensors say, and what follows from it.
extension Device {
  /// Handles what happens with a sensor.
  mutating func handle(_ event: SensorEvent, of kind: SensorKind, at now: Instant) {
    switch event {
    case .connecting:
      // What one that is offered has measured is not the other's.
      if !isAboutRemembered(kind) || isCandidate(kind) { forgetUnremembered(kind) }
      if !isAboutRival(kind) { sensorKeeper.forgetBattery(of: kind) }
      tell(kind, .connecting, at: now)
    case .ready: tell(kind, .ready, at: now)
    case .secured: keepKey(at: now)
    case .value: hearValue(of: kind, at: now)
    case .name:
      // One that comes back meanwhile is no candidate.
      guard isCandidate(kind), !isAboutRemembered(kind) else { break }
      sensorKeeper.candidateName.assign(text: host.sensorBytes)
      scene.isChanged = true
    case .battery(let percent):
      tell(kind, .battery(percent), at: now)
      if isAboutRival(kind) {
        sensorKeeper.rivalBattery = percent
      } else {
        sensorKeeper.noteBattery(of: kind, percent: percent)
      }
    case .refused(let refusal): tell(kind, .refused(refusal.name), at: now)
    case .disconnected(let address, let reason):
      tell(kind, address, .disconnected(reason), at: now)
      sensorWasLost(kind, isRemembered: sensors[kind]?.address == address, at: now)
    }
  }

  /// Tells the rider of a battery that is nearly empty, at a quiet moment.
  mutating func tellOfBatteries(at now: Instant) {
    guard isPanelOn else { return }
    for kind in SensorKind.all where guidance.isQuiet && scene.notice == nil {
      guard sensors[kind] != nil, let percent = sensorKeeper.takeLowBattery(of: kind)
      else { continue }
      scene.show(.sensorBattery(kind, percent: percent), at: now)
    }
  }

  /// Whether the search has come to a sensor of this kind, which the rider may keep.
  private func isCandidate(_ kind: SensorKind) -> Bool {
    switch host.sensorSearch {
    case .off, .listening: false
    case .trying(let candidate), .offering(let candidate): candidate == kind
    }
  }

  /// A search has heard somebody.
  mutating func sensorFound(_ kind: SensorKind, _ address: DeviceAddress, at now: Instant) {
    log.sensor(kind, address, name: "".utf8.span, .found, at: now)
  }

  /// The controller has no link for another sensor.
  mutating func sensorLimitReached(_ reason: ErrorCode, at now: Instant) {
    var message = Explanation()
    message.append("the Bluetooth chip has no link left for another sensor (error ")
    message.append(decimal: Int64(widening: Int(reason.rawValue)))
    message.append("); it is asked again in a minute")
    fail(.sensor, message.bytes, at: now)
    scene.isChanged = true
  }

  private mutating func tell(
    _ kind: SensorKind, _ happening: SensorHappening, at now: Instant
  ) {
    scene.isChanged = true
    tell(kind, host.sensorTold, happening, at: now)
  }

  private mutating func tell(
    _ kind: SensorKind, _ address: DeviceAddress, _ happening: SensorHappening, at now: Instant
  ) {
    if let sensor = sensors[kind], sensor.address == address {
      log.sensor(sensor, happening, at: now)
    } else {
      log.sensor(
        shownKind(of: kind), address, name: sensorKeeper.candidateName.bytes, happening, at: now)
    }
  }

  // MARK: - Values

  private mutating func hearValue(of kind: SensorKind, at now: Instant) {
    if isAboutRival(kind) { return hearRival(kind, at: now) }
    sensorKeeper.measurements.circumference = circumference
    let isRemembered = isAboutRemembered(kind)
    let isOne = sensorKeeper.measurements.hear(
      kind, host.sensorBytes, isOurs: isRemembered, at: now)
    host.step(.sensorValueMadeSense(isOne), at: now)
    if kind == .radar { return radarChanged(at: now) }
    sensorKeeper.heard(at: now)
    // Who is only offered is looked at, and moves nothing.
    guard isRemembered else {
      scene.isChanged = true
      return
    }
    letOthersGiveWay()
    if kind.twin != nil { arrangeSensors(at: now) }
    guard sensorKeeper.measurements.isWheel(of: kind, at: now) else { return }
    hearWheel(
      distance: sensorKeeper.measurements.distance,
      speed: sensorKeeper.measurements.figures(at: now).speed, at: now)
  }

  /// Who is measured by another sensor, too, gives way to others.
  mutating func letOthersGiveWay() {
    host.letSpeedGiveWay(sensorKeeper.measurements.doesPowerReplaceSpeed)
    host.letCadenceGiveWay(sensorKeeper.measurements.doesAnotherReplaceCadence)
  }

  /// The remembered one of its kind goes on beside it.
  private mutating func hearRival(_ kind: SensorKind, at now: Instant) {
    sensorKeeper.rival.circumference = circumference
    let isOne = sensorKeeper.rival.hear(kind, host.sensorBytes, isOurs: false, at: now)
    host.step(.sensorValueMadeSense(isOne), at: now)
    sensorKeeper.heard(at: now)
    scene.isChanged = true
  }

  /// Whether the last event was about a sensor that is offered while the remembered one of its kind is linked.
  private func isAboutRival(_ kind: SensorKind) -> Bool {
    host.isSensorLinked(kind) && !isAboutRemembered(kind)
  }

  /// Forgets what was measured by a sensor of the kind that is not remembered.
  private mutating func forgetUnremembered(_ kind: SensorKind) {
    sensorKeeper.forgetRival()
    guard !isAboutRival(kind) else { return }
    sensorKeeper.measurements.forget(kind)
    letOthersGiveWay()
  }

  /// Whether the last event of a sensor was about the one that is remembered.
  private func isAboutRemembered(_ kind: SensorKind) -> Bool {
    guard let known = sensors[kind] else { return false }
    return host.sensorTold == known.address
  }

  private mutating func sensorWasLost(_ kind: SensorKind, isRemembered: Bool, at now: Instant) {
    if isRemembered, !isCandidate(kind) {
      sensorKeeper.measurements.linkWasLost(kind)
    } else {
      forgetUnremembered(kind)
    }
    sensorKeeper.heard(at: now)
    if kind == .radar { radarChanged(at: now) }
    if sensorKeeper.measurements.figures(at: now).speed == nil { wheelWasLost(at: now) }
    scene.isChanged = true
  }

  /// Looks at the figures, and lets vehicles pass, where that is due.
  mutating func advanceMeasurements(to now: Instant) {
    if sensorKeeper.advance(to: now, isAnyReady: isAnySensorReady) {
      log.measure(sensorKeeper.figures, at: now)
      if scene.page == .data || board.extra != .none { scene.isChanged = true }
      if case .offering = host.sensorSearch { scene.isChanged = true }
    }
    if sensorKeeper.takeRivalChange() { scene.isChanged = true }
    if let due = sensorKeeper.measurements.radar.deadline, now >= due {
      sensorKeeper.measurements.advanceRadar(to: now)
      radarChanged(at: now)
    }
    if let due = sensorKeeper.rival.radar.deadline, now >= due {
      sensorKeeper.rival.advanceRadar(to: now)
      scene.isChanged = true
    }
  }

  private var isAnySensorReady: Bool {
    host.isSensorReady(.heart) || host.isSensorReady(.speed) || host.isSensorReady(.power)
      || host.isSensorReady(.cadence)
  }

  private mutating func radarChanged(at now: Instant) {
    let traffic = sensorKeeper.lookBehind()
    if traffic.isChanged { log.radar(sensorKeeper.measurements.radar, at: now) }
    if traffic.hasNew, host.isSensorLinked(.radar) { alert.beginVehicle(at: now) }
    // One that is not remembered yet is known by what it sees.
    if shownRadar(at: now) != lastRadar || isCandidate(.radar) { scene.isChanged = true }
  }

  /// What the strip at the edge shows; `nil` without a radar that is remembered.
  func shownRadar(at now: Instant) -> ShownRadar? {
    guard sensors[.radar] != nil else { return nil }
    let radar = host.isSensorLinked(.radar) ? sensorKeeper.measurements.radar : Radar()
    var shown = ShownRadar(isSilent: radar.isSilent(at: now))
    for index in 0..<radar.count { shown.add(metres: radar[index].distance) }
    return shown
  }
}

import BoardFile
import Bond
import Bytes
import Central
import DeviceState
import HCI
import Navigation
import Panel
import Recording
import Screens
import SensorLinks
import Sensors

/// What the sensors say, and what follows from it.
extension Device {
  /// Handles what happens with a sensor.
  mutating func handle(_ event: SensorEvent, of kind: SensorKind, at now: Instant) {
    let source = SensorSource(
      kind: kind, address: host.sensorTold, isKindLinked: host.isSensorLinked(kind),
      isCandidate: isCandidate(kind))
    switch event {
    case .connecting:
      act(on: desk.connecting(source), at: now)
      tell(kind, .connecting, at: now)
    case .ready: tell(kind, .ready, at: now)
    case .secured: keepKey(at: now)
    case .value: hearValue(of: source, at: now)
    case .name: desk.hear(name: host.sensorBytes, of: source)
    case .battery(let percent):
      tell(kind, .battery(percent), at: now)
      desk.note(battery: percent, of: source)
    case .refused(let refusal): tell(kind, .refused(refusal.name), at: now)
    case .disconnected(let address, let reason):
      tell(kind, address, .disconnected(reason), at: now)
      act(on: desk.lost(source, address, at: now), at: now)
      if desk.measurements.figures(at: now).speed == nil { wheelWasLost(at: now) }
    }
    if source.isCandidate { noteCandidate(kind, at: now) }
  }

  /// Notes what the candidate calls itself and says, for the list in which the rider finds it again.
  private mutating func noteCandidate(_ place: SensorKind, at now: Instant) {
    guard let address = host.sensorCandidate else { return }
    let (kind, reading) = (shownKind(of: place), candidateReading(place, at: now))
    desk.note(kind, reading, of: address)
  }

  /// Tells the rider of a battery that is nearly empty, at a quiet moment.
  mutating func tellOfBatteries(at now: Instant) {
    guard isPanelOn else { return }
    while ride.guidance.isQuiet, scene.notice == nil, let (kind, percent) = desk.takeLowBattery() {
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
  }

  private mutating func tell(
    _ kind: SensorKind, _ happening: SensorHappening, at now: Instant
  ) {
    tell(kind, host.sensorTold, happening, at: now)
  }

  private mutating func tell(
    _ kind: SensorKind, _ address: DeviceAddress, _ happening: SensorHappening, at now: Instant
  ) {
    if let sensor = desk.remembered[kind], sensor.address == address {
      log.sensor(sensor, happening, at: now)
    } else {
      log.sensor(
        shownKind(of: kind), address, name: desk.candidateName.bytes, happening, at: now)
    }
  }

  // MARK: - Values

  private mutating func hearValue(of source: SensorSource, at now: Instant) {
    let circumference = circumference
    let news = desk.hear(host.sensorBytes, of: source, circumference: circumference, at: now)
    host.step(.sensorValueMadeSense(news.isValue), at: now)
    act(on: news, at: now)
    guard news.doesRideGoOn else { return }
    if source.kind.twin != nil { arrangeSensors(at: now) }
    guard desk.measurements.isWheel(of: source.kind, at: now) else { return }
    hearWheel(
      distance: desk.measurements.distance, speed: desk.measurements.figures(at: now).speed,
      at: now)
  }

  /// A sensor whose figures another one has, too, gives way to others.
  mutating func letOthersGiveWay() {
    host.letSpeedGiveWay(desk.measurements.doesPowerReplaceSpeed)
    host.letCadenceGiveWay(desk.measurements.doesAnotherReplaceCadence)
  }

  /// Looks at the figures, and lets vehicles pass, where that is due.
  mutating func advanceMeasurements(to now: Instant) {
    act(on: desk.advance(to: now, isAnyReady: isAnySensorReady), at: now)
  }

  private mutating func act(on news: DeskNews, at now: Instant) {
    if news.mayOthersGiveWay { letOthersGiveWay() }
    if news.areFiguresOthers { log.measure(desk.figures, at: now) }
    if news.mayVehiclesBeOthers { radarChanged(at: now) }
  }

  private var isAnySensorReady: Bool {
    host.isSensorReady(.heart) || host.isSensorReady(.speed) || host.isSensorReady(.power)
      || host.isSensorReady(.cadence)
  }

  private mutating func radarChanged(at now: Instant) {
    let traffic = desk.lookBehind()
    if traffic.isAny { log.radar(desk.measurements.radar, at: now) }
    if traffic.hasNew, host.isSensorLinked(.radar) { ride.vehicleComes(at: now) }
  }
}

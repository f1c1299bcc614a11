import BoardFile
import Bond
import BondFile
package import Bytes
import Central
import DeviceState
import Events
import HCI
import Link
import Navigation
import Panel
import Recording
import Screens
import SensorLinks
package import Sensors

/// What the sensors say, and what follows from it.
extension Device {
  /// Handles what happens with a sensor.
  mutating func handle(_ event: SensorEvent, of kind: SensorKind, at now: Instant) {
    let source = SensorSource(
      kind: kind, address: host.sensorAddress,
      isKindLinked: host.sensors.hasLinkToRemembered(kind),
      isCandidate: isCandidate(kind))
    switch event {
    case .connecting:
      receive(desk.connecting(source), at: now)
      report(kind, .connecting, at: now)
    case .ready: report(kind, .ready, at: now)
    case .secured: keepKey(mayReplace: false, at: now)
    case .value: receiveValue(of: source, at: now)
    case .name: desk.receive(name: host.sensorBytes, of: source)
    case .battery(let percent):
      report(kind, .battery(percent), at: now)
      desk.receive(battery: percent, of: source)
    case .refused(let refusal): report(kind, .refused(refusal.name), at: now)
    case .disconnected(let address, let reason):
      report(kind, address, .disconnected(reason), at: now)
      receive(desk.lost(source, address, at: now), at: now)
      if desk.measurements.figures(at: now).speed == nil { wheelWasLost(at: now) }
    }
    if source.isCandidate { noteCandidate(kind, at: now) }
  }

  /// Notes the candidate's name and reading, for the list in which the rider finds it again.
  private mutating func noteCandidate(_ place: SensorKind, at now: Instant) {
    guard let address = host.sensors.candidate else { return }
    let (kind, reading) = (shownKind(of: place), candidateReading(place, at: now))
    desk.noteCandidate(kind, reading, of: address)
  }

  /// Warns the rider at a quiet moment that a sensor's battery is nearly empty.
  mutating func warnOfBatteries(at now: Instant) {
    guard display.isOn else { return }
    while guidance.isQuiet, scene.notice == nil, let (kind, percent) = desk.takeLowBattery() {
      scene.show(.sensorBattery(kind, percent: percent), at: now)
    }
  }

  /// Whether the search has come to a sensor of this kind, which the rider may keep.
  private func isCandidate(_ kind: SensorKind) -> Bool {
    switch host.sensors.stage {
    case .off, .listening: false
    case .trying(let candidate), .offering(let candidate): candidate == kind
    }
  }

  /// A search has heard a sensor.
  mutating func sensorFound(_ kind: SensorKind, _ address: DeviceAddress, at now: Instant) {
    log.sensor(kind, address, name: "".utf8.span, .found, at: now)
  }

  /// The controller has no link for another sensor.
  mutating func sensorLimitReached(_ reason: ErrorCode, at now: Instant) {
    var message = Explanation()
    message.append("the Bluetooth chip has no link left for another sensor (error ")
    message.append(decimal: Int64(widening: Int(reason.rawValue)))
    message.append("); it is asked again in a minute")
    fail(.sensor, message, at: now)
  }

  private mutating func report(
    _ kind: SensorKind, _ state: EventLog.SensorState, at now: Instant
  ) {
    report(kind, host.sensorAddress, state, at: now)
  }

  private mutating func report(
    _ kind: SensorKind, _ address: DeviceAddress, _ state: EventLog.SensorState, at now: Instant
  ) {
    if let sensor = desk.remembered[kind], sensor.address == address {
      log.sensor(sensor, state, at: now)
    } else {
      log.sensor(
        shownKind(of: kind), address, name: desk.candidateName.bytes, state, at: now)
    }
  }

  // MARK: - Values

  private mutating func receiveValue(of source: SensorSource, at now: Instant) {
    let circumference = circumference
    let outcome = desk.receive(host.sensorBytes, of: source, circumference: circumference, at: now)
    if outcome.wasValueValid {
      step(.sensorValueMadeSense, at: now)
      keepKey(mayReplace: true, at: now)
    }
    receive(outcome, at: now)
    guard outcome.hasRememberedSensorMeasured else { return }
    if source.kind.twin != nil { arrangeSensors(at: now) }
    guard desk.measurements.isWheel(of: source.kind, at: now) else { return }
    receiveWheel(
      distance: desk.measurements.distance, speed: desk.measurements.figures(at: now).speed,
      at: now)
  }

  /// Makes a sensor give way if another one measures the same.
  mutating func letOthersGiveWay() {
    var kinds = SensorKinds()
    if desk.measurements.doesPowerReplaceSpeed { kinds.insert(.speed) }
    if desk.measurements.doesAnotherReplaceCadence { kinds.insert(.cadence) }
    withHost(at: upkeep.now) { $0.setGivingWay(kinds) }
  }

  /// Updates the figures, and forgets vehicles that are gone, where that is due.
  mutating func advanceMeasurements(to now: Instant) {
    receive(desk.advance(to: now, isAnyReady: isAnySensorReady), at: now)
  }

  private mutating func receive(_ outcome: SensorDesk.Outcome, at now: Instant) {
    if outcome.mayPriorityHaveChanged { letOthersGiveWay() }
    if outcome.haveFiguresChanged { log.measure(desk.figures, at: now) }
    if outcome.mayVehiclesHaveChanged { radarChanged(at: now) }
  }

  /// Whether a sensor is ready that has figures; a radar has none.
  private var isAnySensorReady: Bool {
    for kind in SensorKind.all where kind != .radar && host.sensors.isReady(kind) { return true }
    return false
  }

  private mutating func radarChanged(at now: Instant) {
    let traffic = desk.lookBehind()
    if traffic.hasChanged { log.radar(desk.measurements.radar, at: now) }
    if traffic.hasNewVehicle, host.sensors.hasLinkToRemembered(.radar) {
      alert.beginVehicle(at: now)
    }
  }
}

/// The sensors that are remembered: on disk, in the events and on the panel.
///
/// A change waits until nothing else is to be written. An earlier write includes it, and then no other follows.
extension Device {
  /// The remembered sensors; a change that the rider asked for is among them once it is on disk.
  package var sensors: RememberedSensors { desk.remembered }

  /// Saves a sensor, which replaces the one of its kind; it counts once it is on disk.
  ///
  /// If the old one has only moved a crank, and the new one is at the wheel, both are kept.
  ///
  /// A change that the rider did not ask for (`isRequested` is false), such as a first key, counts at once.
  package mutating func remember(
    _ sensor: RememberedSensor, isRequested: Bool = true, at now: Instant
  ) {
    var changed = sensorsToBe
    if sensor.kind == .speed, changed[.cadence] == nil, let old = changed[.speed],
      old.address != sensor.address, host.sensors.linkedAddress(.speed) != sensor.address,
      desk.measurements.moved(.speed) == .cadence
    {
      changed.exchangeSpeedAndCadence()
    }
    changed.set(sensor)
    saveSensors(changed, areRequested: isRequested, at: now)
  }

  /// The sensors that are remembered once all is written.
  private var sensorsToBe: RememberedSensors { store.records.newSensors ?? desk.remembered }

  /// Keeps the key that was made on the link of the last event, if it is new and the sensor is remembered.
  ///
  /// Only a key that has brought a value `mayReplace` the old one. The rider has agreed to that.
  private mutating func keepKey(mayReplace: Bool, at now: Instant) {
    guard let key = host.sensors.newKey(of: host.sensorAddress),
      let sensor = sensorsToBe.sensor(host.sensorAddress), sensor.key != key,
      mayReplace || sensor.key == nil
    else { return }
    remember(sensor.with(key: key), isRequested: sensor.key != nil, at: now)
  }

  /// Exchanges the sensors of speed and cadence if what has moved shows that they are at each other's place.
  ///
  /// This waits for the end of a search, as a sensor that is only offered may be at one of the places.
  mutating func arrangeSensors(at now: Instant) {
    guard host.sensors.stage == .off, !store.areSensorsRequested,
      upkeep.ports[.store].isOpen || board.pairing == .off, let changed = desk.takeArrangement()
    else { return }
    saveSensors(changed, areRequested: false, at: now)
  }

  /// Forgets all sensors: on disk first, so that a power cut cannot bring them back.
  package mutating func forgetSensors(at now: Instant) {
    saveSensors(RememberedSensors(), areRequested: true, at: now)
  }

  /// Saves changed sensors; with `pairing = off` there is no store, and they count until the program ends.
  private mutating func saveSensors(
    _ changed: RememberedSensors, areRequested: Bool, at now: Instant
  ) {
    guard board.sensors == .learned else { return }
    guard board.pairing != .off else { return sensorsWereKept(changed, at: now) }
    guard areRequested || store.areSensorsRequested else {
      store.keep(changed, areRequested: false)
      return sensorsWereKept(changed, at: now)
    }
    guard upkeep.ports[.store].isOpen else {
      reportWhyStoreIsClosed(at: now)
      return sensorsWereNotKept(at: now)
    }
    store.keep(changed, areRequested: true)
    advanceSensors(at: now)
  }

  /// Whether a sensor is linked whose changes are not on disk yet.
  var areChangedSensorsLinked: Bool {
    for kind in SensorKind.all where desk.remembered[kind] != store.records.sensors[kind] {
      if host.sensors.hasLinkToRemembered(kind) { return true }
    }
    return false
  }

  /// Writes a change of the sensors once nothing else is to be written, or adopts one that was written.
  mutating func advanceSensors(at now: Instant) {
    guard store.isIdle, store.records.newSensors != nil else { return }
    if let changed = store.takeSensorsIfWritten() {
      sensorsWereKept(changed, at: now)
    } else if store.areSensorsUrgent {
      store.save(isDim: display.power.isDimByHand, besideBondOf: host)
    }
  }

  /// Takes the sensors of the store, if any are to be used.
  mutating func restoreSensors(at now: Instant) {
    guard board.sensors == .learned else { return }
    let hasUnwrittenKey = desk.restore(store.records.sensors)
    followSensors(at: now)
    if hasUnwrittenKey { store.keep(desk.remembered, areRequested: false) }
    // The power was cut between the two writes that forget a key.
    guard store.records.hasOldSensorKey else { return }
    store.keep(desk.remembered, areRequested: true)
    advanceSensors(at: now)
  }

  /// These sensors are remembered from now on.
  private mutating func sensorsWereKept(_ kept: RememberedSensors, at now: Instant) {
    for kind in SensorKind.all {
      let (old, new) = (desk.remembered[kind], kept[kind])
      guard old != new else { continue }
      if let old, kept.sensor(old.address) == nil { log.sensor(old, .forgotten, at: now) }
      guard let new else { continue }
      log.sensor(new, .remembered, at: now)
      // A new kind or key of a known sensor is nothing that the rider has done.
      guard desk.remembered.sensor(new.address) == nil else { continue }
      scene.show(.sensorSaved(kind), isRequested: true, at: now)
    }
    let wasAny = !desk.remembered.isEmpty
    let (rival, offered) = (rivalAddress, host.sensors.candidate)
    desk.keep(kept, rival: rival, offered: offered)
    followSensors(at: now)
    if wasAny, kept.isEmpty { scene.show(.sensorsForgotten, isRequested: true, at: now) }
  }

  /// The sensor that the search offers while the remembered one of its kind is linked.
  private var rivalAddress: DeviceAddress? {
    guard case .offering(let kind) = host.sensors.stage, host.sensors.hasLinkToRemembered(kind)
    else { return nil }
    return host.sensors.linkedAddress(kind)
  }

  /// A change of the sensors could not be saved: the old ones are still remembered.
  mutating func sensorsWereNotKept(at now: Instant) {
    scene.show(.sensorNotSaved(offeredKind), isRequested: true, at: now)
  }

  /// The kind of the sensor that the rider is asked about.
  private var offeredKind: SensorKind? {
    if case .offering(let place) = host.sensors.stage { shownKind(of: place) } else { nil }
  }
}

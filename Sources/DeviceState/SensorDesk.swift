package import Bond
package import Bytes
import Navigation
package import Screens
package import Sensors

/// What the device knows of sensors: which are remembered, what they measure, their batteries, the vehicles, and
/// which one is offered.
///
/// Only its functions change it. They return what follows, as `Outcome`. `SensorSource` is what the host knows of
/// the sensor.
package struct SensorDesk: ~Copyable {
  /// What follows for the device from a change of the desk.
  package struct Outcome {
    /// The bytes were a value of their kind.
    package fileprivate(set) var wasValueValid = false
    /// Which sensors give way to others may have changed.
    package fileprivate(set) var mayPriorityHaveChanged = false
    /// A remembered sensor has measured: its wheel and its place are to be looked at.
    package fileprivate(set) var hasRememberedSensorMeasured = false
    /// The figures have changed, and are to be reported.
    package fileprivate(set) var haveFiguresChanged = false
    /// The vehicles are to be looked at.
    package fileprivate(set) var mayVehiclesHaveChanged = false
  }

  /// Figures are reported, and drawn, at most once in this time, in milliseconds.
  private static var pause: Int64 { 1_000 }
  /// How much later the figures are looked at if no value comes, in milliseconds.
  ///
  /// Mostly the next value comes first, and saves a wake-up.
  private static var patience: Int64 { 500 }

  /// The remembered sensors; a change that the rider asked for is among them once it is on disk.
  package private(set) var remembered = RememberedSensors()
  package private(set) var measurements = Measurements(circumference: Guidance.usualCircumference)
  /// The figures that were reported last.
  package private(set) var figures = Figures()
  /// When these were reported.
  private var lastReport: Instant?
  /// When the figures are looked at next; `nil` while no sensor sends values.
  private var due: Instant?
  package private(set) var batteries = SensorBatteries()
  private var traffic = Traffic()
  /// Whether the sensors of speed and cadence may be exchanged.
  private var mayArrange = true

  /// The measurements of a sensor that is offered while the remembered one of its kind is linked.
  package private(set) var rival = Measurements(circumference: Guidance.usualCircumference)
  /// How full its battery is, in percent, if that is known.
  private var rivalBattery: UInt8?
  /// The name of the offered sensor; empty while it is unknown.
  package private(set) var candidateName = FixedBuffer<32>()
  /// The names and readings of the sensors that the search has come to.
  package private(set) var notes = SensorNotes()
  /// The kind of the last sensor that cannot be remembered, until the next search.
  package private(set) var changingKind: SensorKind?

  package init() {}

  /// When the figures, or the vehicles, may have changed by time.
  package var deadline: Instant? {
    let radars = earlier(measurements.radar.deadline, rival.radar.deadline)
    return earlier(due.map { $0 + Self.patience }, radars)
  }

  // MARK: - Which sensor an event is about

  /// Whether the event is about the remembered sensor of its kind.
  private func isRemembered(_ source: SensorSource) -> Bool {
    remembered[source.kind]?.address == source.address
  }

  /// Whether the event is about a sensor that is offered while the remembered one of its kind is linked.
  private func isRival(_ source: SensorSource) -> Bool {
    source.isKindLinked && !isRemembered(source)
  }

  // MARK: - What happens with a sensor

  /// A link begins: what another offered sensor has measured is forgotten.
  package mutating func connecting(_ source: SensorSource) -> Outcome {
    var outcome = Outcome()
    if !isRemembered(source) || source.isCandidate { outcome = forgetUnremembered(source) }
    // The new candidate has not sent its name yet.
    if source.isCandidate, !isRemembered(source) { forgetCandidate() }
    if !isRival(source) { batteries.forget(source.kind) }
    return outcome
  }

  /// The link to the sensor with this address is lost.
  package mutating func lost(
    _ source: SensorSource, _ address: DeviceAddress, at now: Instant
  ) -> Outcome {
    valueCame(at: now)
    var outcome = Outcome()
    if remembered[source.kind]?.address == address, !source.isCandidate {
      measurements.linkWasLost(source.kind)
    } else {
      outcome = forgetUnremembered(source)
    }
    outcome.mayVehiclesHaveChanged = source.kind == .radar
    return outcome
  }

  /// Forgets the measurements of a sensor that is not remembered.
  private mutating func forgetUnremembered(_ source: SensorSource) -> Outcome {
    forgetRival()
    guard !isRival(source) else { return Outcome() }
    measurements.forget(source.kind)
    return Outcome(mayPriorityHaveChanged: true)
  }

  /// Receives the name of the offered sensor.
  package mutating func receive(name: Span<UInt8>, of source: SensorSource) {
    // A remembered sensor that comes back meanwhile is no candidate.
    if source.isCandidate, !isRemembered(source) { candidateName.assign(text: name) }
  }

  /// Receives how full a battery is, in percent.
  package mutating func receive(battery percent: UInt8, of source: SensorSource) {
    if isRival(source) {
      rivalBattery = percent
    } else {
      batteries.receive(percent, of: source.kind)
    }
  }

  /// Receives a value, by a wheel of this circumference in millimetres.
  package mutating func receive(
    _ value: Span<UInt8>, of source: SensorSource, circumference: Int64, at now: Instant
  ) -> Outcome {
    let (kind, isRemembered) = (source.kind, isRemembered(source))
    var outcome = Outcome()
    if isRival(source) {
      // The remembered one of its kind goes on beside it.
      rival.circumference = circumference
      outcome.wasValueValid = rival.receive(kind, value, isOurs: false, at: now)
    } else {
      measurements.circumference = circumference
      outcome.wasValueValid = measurements.receive(kind, value, isOurs: isRemembered, at: now)
      outcome.mayVehiclesHaveChanged = kind == .radar
    }
    guard !outcome.mayVehiclesHaveChanged else { return outcome }
    valueCame(at: now)
    // The values of a sensor that is only offered are shown, and change nothing else.
    outcome.hasRememberedSensorMeasured = isRemembered
    outcome.mayPriorityHaveChanged = isRemembered
    return outcome
  }

  /// A value came: the figures are looked at now, or as soon as they may be reported again.
  ///
  /// This does not wait for the look that is due each second: a value right after one look would wait for the next.
  private mutating func valueCame(at now: Instant) {
    due = earlier(due, lastReport.map { max(now, $0 + Self.pause) } ?? now)
  }

  // MARK: - Time

  /// Updates the figures, and forgets vehicles that are gone, where that is due; returns what has changed.
  package mutating func advance(to now: Instant, isAnyReady: Bool) -> Outcome {
    var outcome = Outcome()
    if let due, now >= due {
      let old = figures
      figures = measurements.figures(at: now)
      self.due = isAnyReady ? now + Self.pause : nil
      outcome.haveFiguresChanged = figures != old
      if outcome.haveFiguresChanged { lastReport = now }
    }
    if let due = measurements.radar.deadline, now >= due {
      measurements.advanceRadar(to: now)
      outcome.mayVehiclesHaveChanged = true
    }
    if let due = rival.radar.deadline, now >= due { rival.advanceRadar(to: now) }
    return outcome
  }

  /// Looks at the vehicles that there are now.
  package mutating func lookBehind() -> Traffic.Outcome { traffic.look(at: measurements.radar) }

  // MARK: - Batteries

  /// The next remembered sensor of whose battery to warn the rider now; each once a ride.
  package mutating func takeLowBattery() -> (SensorKind, percent: UInt8)? {
    for kind in SensorKind.all where remembered[kind] != nil {
      if let percent = batteries.takeLow(kind) { return (kind, percent) }
    }
    return nil
  }

  /// The ride is over: in the next one the rider is warned of a battery once more.
  package mutating func rideIsOver() { batteries.rideIsOver() }

  // MARK: - The search

  /// Another search begins.
  package mutating func searchBegins() {
    changingKind = nil
    notes = SensorNotes()
    candidateName.removeAll()
  }

  /// The candidate is passed over, or kept: the next one has not sent its name.
  package mutating func forgetCandidate() { candidateName.removeAll() }

  /// Notes the candidate's name and reading.
  package mutating func noteCandidate(
    _ kind: SensorKind, _ reading: SensorCandidate.Reading, of address: DeviceAddress
  ) {
    notes.note(kind, candidateName.bytes, reading, of: address)
  }

  /// The offered sensor as it is to be remembered; `nil` if its address changes, which is noted.
  package mutating func accept(
    _ kind: SensorKind, _ address: DeviceAddress, _ handles: SubscribedHandles, _ key: Bond.Key?
  ) -> RememberedSensor? {
    var name = FixedBuffer<40>()
    notes.copyName(of: address, into: &name)
    let sensor = RememberedSensor(
      kind, address: address, handles: handles, key: key, name: name.bytes)
    if sensor == nil { changingKind = kind }
    return sensor
  }

  /// Another sensor may be offered.
  @inline(never)  // one copy
  private mutating func forgetRival() {
    rival = Measurements(circumference: rival.circumference)
    rivalBattery = nil
  }

  // MARK: - The remembered sensors

  /// These are remembered from now on, as the store has them.
  ///
  /// A key that counts already is not lost as the disk has yet to get it; returns whether there is one.
  package mutating func restore(_ kept: RememberedSensors) -> Bool {
    var known = kept
    for kind in SensorKind.all {
      guard let sensor = kept[kind], sensor.key == nil,
        let key = remembered.sensor(sensor.address)?.key
      else { continue }
      known.set(sensor.with(key: key))
    }
    remembered = known
    return known != kept
  }

  /// These are remembered from now on.
  ///
  /// `offered` is the one that the search offers, and `rival` the same if the remembered one of its kind is linked.
  package mutating func keep(
    _ kept: RememberedSensors, rival: DeviceAddress?, offered: DeviceAddress?
  ) {
    for kind in SensorKind.all where remembered[kind] != kept[kind] {
      guard let new = kept[kind] else { continue }
      if new.address == rival { adoptRival(kind) }
      if new.address == offered { forgetCandidate() }
    }
    remembered = kept
    mayArrange = true
  }

  /// The sensor that was offered takes the place of the remembered one of its kind.
  private mutating func adoptRival(_ kind: SensorKind) {
    let battery = rivalBattery
    measurements.forget(kind)
    batteries.forget(kind)
    forgetRival()
    if let battery { batteries.receive(battery, of: kind) }
  }

  /// The sensors with speed and cadence exchanged, if what has moved shows that they are at each other's place.
  ///
  /// They are returned once until they are on disk: a store that fails is not asked with each revolution.
  package mutating func takeArrangement() -> RememberedSensors? {
    guard mayArrange else { return nil }
    let (speed, cadence) = (remembered[.speed], remembered[.cadence])
    let isSpeedWrong = speed != nil && measurements.surelyMoved(.speed) == .cadence
    let isCadenceWrong = cadence != nil && measurements.surelyMoved(.cadence) == .speed
    guard isSpeedWrong || speed == nil, isCadenceWrong || cadence == nil,
      isSpeedWrong || isCadenceWrong
    else { return nil }
    mayArrange = false
    var changed = remembered
    changed.exchangeSpeedAndCadence()
    return changed
  }

  /// Exchanges the sensors of speed and cadence; the measurements of a kind without a link are forgotten.
  package mutating func exchangeSpeedAndCadence(isSpeedLinked: Bool, isCadenceLinked: Bool) {
    measurements.exchangeSpeedAndCadence()
    batteries.exchangeSpeedAndCadence()
    if !isSpeedLinked { measurements.forget(.speed) }
    if !isCadenceLinked { measurements.forget(.cadence) }
  }
}

/// The sensor that an event is about, as the host knows it.
package struct SensorSource {
  package let kind: SensorKind
  package let address: DeviceAddress
  /// Whether there is a link to the remembered sensor of its kind.
  package let isKindLinked: Bool
  /// Whether the search has come to a sensor of this kind, which the rider may keep.
  package let isCandidate: Bool

  package init(kind: SensorKind, address: DeviceAddress, isKindLinked: Bool, isCandidate: Bool) {
    self.kind = kind
    self.address = address
    self.isKindLinked = isKindLinked
    self.isCandidate = isCandidate
  }
}

/// How full the batteries of the sensors are, and whether the rider is warned of it.
package struct SensorBatteries {
  /// Percent below which the rider is warned of a battery.
  private static var low: UInt8 { 15 }

  /// Whether the rider is warned of a battery that is nearly empty, which is once a ride.
  private enum Warning { case none, due, given }

  private var percents = PerKind<UInt8?>(repeating: nil)
  private var warnings = PerKind<Warning>(repeating: .none)

  /// How full it is, in percent, if that is known.
  package subscript(kind: SensorKind) -> UInt8? { percents[kind] }

  /// Receives how full it is, in percent.
  package mutating func receive(_ percent: UInt8, of kind: SensorKind) {
    percents[kind] = percent
    if percent < Self.low, warnings[kind] == .none { warnings[kind] = .due }
  }

  /// How full it is if the rider is to be warned of it now; once a ride.
  mutating func takeLow(_ kind: SensorKind) -> UInt8? {
    guard warnings[kind] == .due else { return nil }
    warnings[kind] = .given
    return percents[kind]
  }

  /// Forgets a battery, as the next sensor of the kind may be another one.
  package mutating func forget(_ kind: SensorKind) {
    percents[kind] = nil
    if warnings[kind] == .due { warnings[kind] = .none }
  }

  /// Exchanges the batteries of the sensors of speed and cadence.
  package mutating func exchangeSpeedAndCadence() {
    percents.swapAt(.speed, .cadence)
    warnings.swapAt(.speed, .cadence)
  }

  /// In the next ride the rider is warned of low batteries once more.
  package mutating func rideIsOver() {
    for kind in SensorKind.all where warnings[kind] == .given { warnings[kind] = .none }
  }
}

/// The vehicles that were reported last.
package struct Traffic {
  /// What has changed since the last look.
  package struct Outcome {
    /// Whether there is a new vehicle.
    package fileprivate(set) var hasNewVehicle = false
    package fileprivate(set) var hasChanged = false
  }

  private var vehicles = InlineArray<16, Radar.Vehicle>(
    repeating: Radar.Vehicle(track: 0, distance: 0))
  private var count = 0

  /// Looks at the vehicles that there are now.
  package mutating func look(at radar: Radar) -> Outcome {
    var outcome = Outcome(hasChanged: radar.count != count)
    for index in 0..<radar.count {
      if vehicles[index] != radar[index] { outcome.hasChanged = true }
      if !isKnown(radar[index].track) { outcome.hasNewVehicle = true }
    }
    count = radar.count
    for index in 0..<radar.count { vehicles[index] = radar[index] }
    return outcome
  }

  private func isKnown(_ track: UInt8) -> Bool {
    for index in 0..<count where vehicles[index].track == track { return true }
    return false
  }
}

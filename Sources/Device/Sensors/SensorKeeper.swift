import Bytes
import Navigation
import Sensors

/// What the device knows of sensors beside who is remembered: what they measure, and what is told of it.
struct SensorKeeper: ~Copyable {
  /// Figures are told, and drawn, no more often than once in so many milliseconds.
  private static var pause: Int64 { 1_000 }
  /// How much later they are looked at if nothing else happens, in milliseconds.
  ///
  /// The next value comes first, mostly, and spares a wake-up.
  private static var patience: Int64 { 500 }
  /// Percent below which the rider is told of a battery.
  private static var lowBattery: UInt8 { 15 }

  /// Whether the rider is told of a battery that is nearly empty, which is once a ride.
  private enum Warning { case none, due, told }

  var measurements = Measurements(circumference: Guidance.usualCircumference)
  /// What a sensor measures that is being offered while the remembered one of its kind is linked.
  var rival = Measurements(circumference: Guidance.usualCircumference)
  private var rivalFigures = Figures()
  private var isRivalChanged = false
  /// How full its battery is, in percent, if that is known.
  var rivalBattery: UInt8?
  /// What was told last.
  private(set) var figures = Figures()
  /// When that was.
  private var told: Instant?
  /// When the figures are looked at next; `nil` while no sensor says anything.
  private var due: Instant?
  /// How full the batteries are, in percent, as far as that is known.
  private(set) var batteries = PerKind<UInt8?>(repeating: nil)
  /// Whether the rider is told of them.
  private var warnings = PerKind<Warning>(repeating: .none)
  /// What the sensor calls itself that is being offered; empty while that is not known.
  var candidateName = FixedBuffer<32>()
  /// What the one before it in the same search called itself: two that are called the same need more.
  private var passedName = FixedBuffer<32>()
  /// The kind of the last one that cannot be remembered, until another one is looked for.
  var changingKind: SensorKind?
  /// Whether a sensor of wheel or crank may be put at the other one's place.
  var mayArrange = true
  /// The vehicles that were told last.
  private var vehicles = InlineArray<16, Radar.Vehicle>(
    repeating: Radar.Vehicle(track: 0, distance: 0))
  private var vehicleCount = 0

  /// When the figures, or the vehicles, may have changed by time.
  var deadline: Instant? {
    let radars = earlier(measurements.radar.deadline, rival.radar.deadline)
    return earlier(due.map { $0 + Self.patience }, radars)
  }

  /// Notes that a sensor said something: the figures are looked at now, or as soon as they may be told again.
  ///
  /// Without a wait for a look that is due each second: a sensor's second may end right after it.
  mutating func heard(at now: Instant) {
    due = earlier(due, told.map { max(now, $0 + Self.pause) } ?? now)
  }

  /// Looks at the figures where that is due; returns whether they have changed.
  mutating func advance(to now: Instant, isAnyReady: Bool) -> Bool {
    guard let due, now >= due else { return false }
    let (old, oldRival) = (figures, rivalFigures)
    figures = measurements.figures(at: now)
    rivalFigures = rival.figures(at: now)
    if rivalFigures != oldRival { isRivalChanged = true }
    self.due = isAnyReady ? now + Self.pause : nil
    guard figures != old else { return false }
    told = now
    return true
  }

  /// Whether the figures of the rival have changed since this was asked last.
  mutating func takeRivalChange() -> Bool {
    defer { isRivalChanged = false }
    return isRivalChanged
  }

  /// Another sensor may be offered.
  @inline(never)  // else a board's file has a copy for each use
  mutating func forgetRival() {
    rival = Measurements(circumference: rival.circumference)
    rivalBattery = nil
  }

  /// The sensor that was offered takes the place of the remembered one of its kind.
  mutating func adoptRival(_ kind: SensorKind) {
    let battery = rivalBattery
    measurements.forget(kind)
    forgetBattery(of: kind)
    forgetRival()
    if let battery { noteBattery(of: kind, percent: battery) }
  }

  /// Notes how full a battery is.
  mutating func noteBattery(of kind: SensorKind, percent: UInt8) {
    batteries[kind] = percent
    if percent < Self.lowBattery, warnings[kind] == .none { warnings[kind] = .due }
  }

  /// How full the battery is that the rider is to be told of now, if that is so; once a ride.
  mutating func takeLowBattery(of kind: SensorKind) -> UInt8? {
    guard warnings[kind] == .due else { return nil }
    warnings[kind] = .told
    return batteries[kind]
  }

  /// Another sensor of the kind may come, whose battery is not known.
  mutating func forgetBattery(of kind: SensorKind) {
    batteries[kind] = nil
    if warnings[kind] == .due { warnings[kind] = .none }
  }

  /// What was taken for the sensor of speed is that of cadence, and the other way round.
  mutating func exchangeSpeedAndCadence() {
    measurements.exchangeSpeedAndCadence()
    batteries.swapAt(.speed, .cadence)
    warnings.swapAt(.speed, .cadence)
  }

  /// The candidate is passed over, or kept: the next one has not said its name.
  mutating func forgetCandidate() {
    if !candidateName.isEmpty { passedName.assign(candidateName.bytes) }
    candidateName.removeAll()
  }

  /// Another search begins.
  mutating func forgetCandidates() {
    candidateName.removeAll()
    passedName.removeAll()
  }

  /// Whether the candidate calls itself as the one before it did.
  var isNameTwice: Bool {
    !candidateName.isEmpty && isEqual(candidateName.bytes, passedName.bytes)
  }

  /// The ride is over: in the next one the rider is told of a battery anew.
  mutating func rideIsOver() {
    for kind in SensorKind.all where warnings[kind] == .told { warnings[kind] = .none }
  }

  /// What has become of the vehicles since they were looked at.
  struct Traffic {
    /// Whether there is one that was not there.
    var hasNew = false
    /// Whether anything is otherwise.
    var isChanged = false
  }

  /// Looks at the vehicles that there are now.
  mutating func lookBehind() -> Traffic {
    let radar = measurements.radar
    var traffic = Traffic()
    traffic.isChanged = radar.count != vehicleCount
    for index in 0..<radar.count {
      if index >= vehicleCount || vehicles[index] != radar[index] { traffic.isChanged = true }
      if !isKnown(radar[index].track) { traffic.hasNew = true }
    }
    vehicleCount = radar.count
    for index in 0..<radar.count { vehicles[index] = radar[index] }
    return traffic
  }

  private func isKnown(_ track: UInt8) -> Bool {
    for index in 0..<vehicleCount where vehicles[index].track == track { return true }
    return false
  }
}

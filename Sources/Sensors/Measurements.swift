package import Bytes

/// What the sensors measure now; an unknown figure is `nil`.
package struct Figures: Equatable, Sendable {
  /// Beats a minute.
  package var heart: UInt16?
  /// Millimetres a second.
  package var speed: Int64?
  /// Revolutions of the crank a minute.
  package var cadence: Int64?
  /// Watts, the mean of three seconds; below zero where the rider brakes by the pedals.
  package var power: Int16?
  /// Watts, as the sensor last reported them.
  package var powerNow: Int16?
  /// Metres that the wheel has rolled since the start; `nil` before it has.
  package var distance: Int64?

  package init() {}
}

/// The counts of one sensor, of a wheel and a crank.
///
/// A sensor has a wheel or a crank once the part has turned, as the flags of real sensors are wrong.
private struct Rotation: Sendable {
  var wheel: Wheel
  var crank = Crank()

  init(circumference: Int64, timeResolution: Int64) {
    wheel = Wheel(circumference: circumference, timeResolution: timeResolution)
  }

  var hasWheel: Bool { wheel.distance > 0 }

  func speed(at now: Instant) -> Int64? { hasWheel ? wheel.speed(at: now) : nil }

  /// Revolutions of the crank a minute.
  func cadence(at now: Instant) -> Int64? { crank.hasTurned ? crank.cadence(at: now) : nil }

  /// Receives what the sensor has counted; returns by how many millimetres the wheel has rolled.
  mutating func receive(wheel revolutions: Revolutions?, crank turns: Revolutions?, at now: Instant)
    -> Int64
  {
    let before = wheel.distance
    if let revolutions { wheel.receive(revolutions, at: now) }
    if let turns { crank.receive(turns, at: now) }
    return wheel.distance - before
  }

  mutating func linkWasLost() {
    wheel.linkWasLost()
    crank.linkWasLost()
  }
}

/// The figures that the rider may see, from the values of all sensors.
///
/// The wheel comes from the speed sensor, or else from the power meter; the crank from the cadence sensor, the speed
/// sensor, or the power meter.
package struct Measurements: Sendable {
  /// How long a rate or a power counts, in milliseconds.
  private static var lifetime: Int64 { 5_000 }
  /// After this many turns of the crank alone there is no wheel; a rider at a stop turns it less often.
  private static var certainTurns: Int64 { 20 }

  private struct Dated<Value: Sendable>: Sendable {
    var value: Value
    var end: Instant
  }

  private var pulse = Pulse()
  private var heart: Dated<UInt16>?
  private var power: Dated<Power>?
  /// What the sensor of each of these kinds has counted.
  private var speedSensor, cadenceSensor, powerMeter: Rotation
  /// How far the wheel has rolled since the start, by any sensor, in millimetres.
  package private(set) var distance: Int64 = 0
  /// The distance when the speed sensor was lost: on its return it reports what the power meter may have counted, too.
  private var distanceAtLoss: Int64?
  /// The vehicles behind the rider.
  package private(set) var radar = Radar()

  /// Nothing is measured yet; the wheel has this circumference in millimetres.
  package init(circumference: Int64) {
    speedSensor = Self.counter(circumference)
    cadenceSensor = Self.counter(circumference)
    powerMeter = Self.powerMeter(circumference)
  }

  private static func counter(_ circumference: Int64) -> Rotation {
    Rotation(circumference: circumference, timeResolution: CSCMeasurement.timeResolution)
  }

  private static func powerMeter(_ circumference: Int64) -> Rotation {
    Rotation(
      circumference: circumference, timeResolution: CyclingPowerMeasurement.wheelTimeResolution)
  }

  /// The circumference of the wheel in millimetres.
  package var circumference: Int64 {
    get { speedSensor.wheel.circumference }
    set {
      speedSensor.wheel.circumference = newValue
      cadenceSensor.wheel.circumference = newValue
      powerMeter.wheel.circumference = newValue
    }
  }

  // MARK: - In

  /// Receives a value of a sensor; returns whether it was a value of this kind.
  ///
  /// The way of the wheel adds to the distance if the sensor `isOurs`.
  @discardableResult
  package mutating func receive(
    _ kind: SensorKind, _ value: Span<UInt8>, isOurs: Bool = true, at now: Instant
  ) -> Bool {
    do throws(ParseError) {
      switch kind {
      case .heart:
        let beats = pulse.receive(try HeartRateMeasurement(parsing: value))
        heart = beats.map { Dated(value: $0, end: now + Self.lifetime) }
      case .speed:
        let value = try CSCMeasurement(parsing: value)
        let way = speedSensor.receive(wheel: value.wheel, crank: value.crank, at: now)
        if isOurs { roll(way) }
      case .cadence:
        let value = try CSCMeasurement(parsing: value)
        // A wheel only shows that this is no cadence sensor.
        _ = cadenceSensor.receive(wheel: value.wheel, crank: value.crank, at: now)
      case .power: receive(try CyclingPowerMeasurement(parsing: value), isOurs: isOurs, at: now)
      case .radar: radar.receive(value, at: now)
      }
      return true
    } catch {
      return false  // the next value is as good
    }
  }

  /// The link to a sensor is lost: what it measured is unknown now.
  package mutating func linkWasLost(_ kind: SensorKind) {
    switch kind {
    case .heart:
      heart = nil
      pulse.linkWasLost()
    case .speed:
      speedSensor.linkWasLost()
      distanceAtLoss = distanceAtLoss ?? distance
    case .cadence: cadenceSensor.linkWasLost()
    case .power:
      power = nil
      powerMeter.linkWasLost()
    case .radar: radar.linkWasLost()
    }
  }

  /// Forgets what a kind has measured except the distance, as the next sensor may be another one.
  @inline(never)  // one copy
  package mutating func forget(_ kind: SensorKind) {
    switch kind {
    case .heart: (heart, pulse) = (nil, Pulse())
    case .speed: (speedSensor, distanceAtLoss) = (Self.counter(circumference), nil)
    case .cadence: cadenceSensor = Self.counter(circumference)
    case .power: (power, powerMeter) = (nil, Self.powerMeter(circumference))
    case .radar: radar = Radar()
    }
  }

  /// Exchanges the two sensors, as each turned out to be of the other's kind.
  package mutating func exchangeSpeedAndCadence() {
    swap(&speedSensor, &cadenceSensor)
    distanceAtLoss = nil
  }

  /// Forgets vehicles that the radar no longer reports.
  package mutating func advanceRadar(to now: Instant) { radar.advance(to: now) }

  /// Adds a way to the distance, but for what the power meter has counted while the link was lost.
  private mutating func roll(_ way: Int64) {
    guard way > 0 else { return }
    distance = max(distance, (distanceAtLoss ?? distance) + way)
    distanceAtLoss = nil
  }

  private mutating func receive(
    _ value: CyclingPowerMeasurement, isOurs: Bool, at now: Instant
  ) {
    var power = self.power?.value ?? Power()
    power.receive(value.power, at: now)
    self.power = Dated(value: power, end: now + Self.lifetime)
    let way = powerMeter.receive(wheel: value.wheel, crank: value.crank, at: now)
    // The speed sensor counts the same wheel.
    if isOurs, speedSensor.speed(at: now) == nil { distance += way }
  }

  // MARK: - What turns

  package var hasWheel: Bool { speedSensor.hasWheel || powerMeter.hasWheel }

  package var hasCrank: Bool {
    cadenceSensor.crank.hasTurned || speedSensor.crank.hasTurned || powerMeter.crank.hasTurned
  }

  /// Whether the distance comes from the sensor of this kind.
  package func isWheel(of kind: SensorKind, at now: Instant) -> Bool {
    switch kind {
    case .heart, .radar, .cadence: false
    case .speed: speedSensor.hasWheel
    case .power: powerMeter.hasWheel && speedSensor.speed(at: now) == nil
    }
  }

  /// Whether the power meter measures all that a speed sensor would.
  package var doesPowerReplaceSpeed: Bool { powerMeter.hasWheel && powerMeter.crank.hasTurned }

  /// Whether another sensor measures what a cadence sensor would.
  package var doesAnotherReplaceCadence: Bool {
    speedSensor.crank.hasTurned || powerMeter.crank.hasTurned
  }

  /// The kind of the sensor at this place, by the part that has moved; `nil` while nothing has moved.
  package func moved(_ kind: SensorKind) -> SensorKind? { moved(kind, turns: 1) }

  /// The same, once enough turns of the crank make it certain that there is no wheel.
  package func surelyMoved(_ kind: SensorKind) -> SensorKind? {
    moved(kind, turns: Self.certainTurns)
  }

  private func moved(_ kind: SensorKind, turns: Int64) -> SensorKind? {
    guard let rotation = rotation(kind) else { return kind }
    if rotation.hasWheel { return .speed }
    return rotation.crank.turns >= turns ? .cadence : nil
  }

  /// The counts of the speed or the cadence sensor; `nil` for other kinds.
  private func rotation(_ kind: SensorKind) -> Rotation? {
    switch kind {
    case .heart, .power, .radar: nil
    case .speed: speedSensor
    case .cadence: cadenceSensor
    }
  }

  // MARK: - Out

  @inline(never)  // one copy
  package func figures(at now: Instant) -> Figures {
    var figures = Figures()
    if let heart, now < heart.end { figures.heart = heart.value }
    if let power, now < power.end {
      (figures.power, figures.powerNow) = (power.value.mean, power.value.last)
    }
    figures.speed = speedSensor.speed(at: now) ?? powerMeter.speed(at: now)
    figures.cadence =
      cadenceSensor.cadence(at: now) ?? speedSensor.cadence(at: now)
      ?? powerMeter.cadence(at: now)
    if hasWheel || distance > 0 { figures.distance = distance / 1_000 }
    return figures
  }

  /// What the sensor of this kind measures itself, without the others.
  package func figures(of kind: SensorKind, at now: Instant) -> Figures {
    var figures = Figures()
    if let rotation = rotation(kind) {
      (figures.speed, figures.cadence) = (rotation.speed(at: now), rotation.cadence(at: now))
    }
    if kind == .heart { figures.heart = self.figures(at: now).heart }
    if kind == .power { figures.power = self.figures(at: now).powerNow }
    return figures
  }
}

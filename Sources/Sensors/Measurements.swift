package import Bytes

/// What the sensors measure now; what is not known is `nil`.
package struct Figures: Equatable, Sendable {
  /// Beats a minute.
  package var heart: UInt16?
  /// Millimetres a second.
  package var speed: Int64?
  /// Revolutions of the crank a minute.
  package var cadence: Int64?
  /// Watts; below zero where the rider brakes by the pedals.
  package var power: Int16?
  /// Metres that the wheel has rolled since the start; `nil` before it has.
  package var distance: Int64?

  /// Nothing is known.
  package init() {}
}

/// What a sensor that counts revolutions has told.
///
/// It is taken to have a wheel or a crank once that has turned: the flags of real ones lie.
private struct Rotation: Sendable {
  var wheel: Wheel
  var crank = Crank()

  init(circumference: Int64, timeResolution: Int64) {
    wheel = Wheel(circumference: circumference, timeResolution: timeResolution)
  }

  var hasWheel: Bool { wheel.distance > 0 }

  /// Millimetres a second.
  func speed(at now: Instant) -> Int64? { hasWheel ? wheel.speed(at: now) : nil }

  /// Revolutions of the crank a minute.
  func cadence(at now: Instant) -> Int64? { crank.hasTurned ? crank.cadence(at: now) : nil }

  /// Hears what has been counted; returns by how many millimetres the wheel has come on.
  mutating func hear(wheel revolutions: Revolutions?, crank turns: Revolutions?, at now: Instant)
    -> Int64
  {
    let before = wheel.distance
    if let revolutions { wheel.hear(revolutions, at: now) }
    if let turns { crank.hear(turns, at: now) }
    return wheel.distance - before
  }

  mutating func linkWasLost() {
    wheel.linkWasLost()
    crank.linkWasLost()
  }
}

/// From the bytes of values of all sensors to what the rider may know.
///
/// The wheel comes from the sensor of speed, and from power where that one gives none; the crank from the
/// sensor of cadence, that of speed, or power.
package struct Measurements: Sendable {
  /// A rate or a power that nobody has told for so many milliseconds is not known.
  private static var lifetime: Int64 { 5_000 }
  /// A crank that has turned so often while the wheel stood still is alone; a rider who stands turns it less.
  private static var certainTurns: Int64 { 20 }

  private struct Told<Value: Sendable>: Sendable {
    var value: Value
    var end: Instant
  }

  private var pulse = Pulse()
  private var heart: Told<UInt16>?
  private var power: Told<Int16>?
  /// What the sensor of each of these kinds has counted.
  private var speedSensor, cadenceSensor, powerMeter: Rotation
  /// What the wheel has rolled since the start, whichever sensor counted it, in millimetres.
  package private(set) var distance: Int64 = 0
  /// That at the loss of the sensor of speed, which tells on its return what power may have counted meanwhile.
  private var distanceAtLoss: Int64?
  /// What comes from behind.
  package private(set) var radar = Radar()

  /// Nothing is known but the way around the wheel, in millimetres.
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

  /// The way around the wheel in millimetres.
  package var circumference: Int64 {
    get { speedSensor.wheel.circumference }
    set {
      speedSensor.wheel.circumference = newValue
      cadenceSensor.wheel.circumference = newValue
      powerMeter.wheel.circumference = newValue
    }
  }

  // MARK: - In

  /// Hears a value of a sensor; one that is cut short says nothing.
  ///
  /// What the wheel rolls is a part of the distance if it `isOurs`. Returns whether it was a value of this
  /// kind.
  @discardableResult
  package mutating func hear(
    _ kind: SensorKind, _ value: Span<UInt8>, isOurs: Bool = true, at now: Instant
  ) -> Bool {
    do throws(ParseError) {
      switch kind {
      case .heart: hear(try HeartRateMeasurement(parsing: value), at: now)
      case .speed: hear(try CSCMeasurement(parsing: value), isOurs: isOurs, at: now)
      case .cadence:
        let value = try CSCMeasurement(parsing: value)
        // Its wheel, if it has one, only tells that it is no sensor of cadence.
        _ = cadenceSensor.hear(wheel: value.wheel, crank: value.crank, at: now)
      case .power: hear(try CyclingPowerMeasurement(parsing: value), isOurs: isOurs, at: now)
      case .radar: radar.hear(value, at: now)
      }
      return true
    } catch {
      return false  // the next value is as good
    }
  }

  /// The link to a sensor is lost: what it measured is not known any more.
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

  /// Forgets what a kind has measured, but not the distance: the next sensor of the kind may be another one.
  @inline(never)  // else a board's file has a copy for each use
  package mutating func forget(_ kind: SensorKind) {
    switch kind {
    case .heart: (heart, pulse) = (nil, Pulse())
    case .speed: (speedSensor, distanceAtLoss) = (Self.counter(circumference), nil)
    case .cadence: cadenceSensor = Self.counter(circumference)
    case .power: (power, powerMeter) = (nil, Self.powerMeter(circumference))
    case .radar: radar = Radar()
    }
  }

  /// What was taken for the sensor of speed is that of cadence, and the other way round.
  package mutating func exchangeSpeedAndCadence() {
    swap(&speedSensor, &cadenceSensor)
    distanceAtLoss = nil
  }

  /// Lets vehicles pass that are not told of any more.
  package mutating func advanceRadar(to now: Instant) { radar.advance(to: now) }

  private mutating func hear(_ value: HeartRateMeasurement, at now: Instant) {
    heart = pulse.hear(value).map { Told(value: $0, end: now + Self.lifetime) }
  }

  private mutating func hear(_ value: CSCMeasurement, isOurs: Bool, at now: Instant) {
    let way = speedSensor.hear(wheel: value.wheel, crank: value.crank, at: now)
    if isOurs { roll(way) }
  }

  /// What rolled while the link was lost may be a part of the distance already.
  private mutating func roll(_ way: Int64) {
    guard way > 0 else { return }
    distance = max(distance, (distanceAtLoss ?? distance) + way)
    distanceAtLoss = nil
  }

  private mutating func hear(
    _ value: CyclingPowerMeasurement, isOurs: Bool, at now: Instant
  ) {
    power = Told(value: value.power, end: now + Self.lifetime)
    let way = powerMeter.hear(wheel: value.wheel, crank: value.crank, at: now)
    // The other sensor counts the same wheel.
    if isOurs, speedSensor.speed(at: now) == nil { distance += way }
  }

  // MARK: - What turns

  /// Whether there is a wheel that has turned.
  package var hasWheel: Bool { speedSensor.hasWheel || powerMeter.hasWheel }

  /// Whether there is a crank that has turned.
  package var hasCrank: Bool {
    cadenceSensor.crank.hasTurned || speedSensor.crank.hasTurned || powerMeter.crank.hasTurned
  }

  /// Whether the wheel that counts is that of this kind.
  package func isWheel(of kind: SensorKind, at now: Instant) -> Bool {
    switch kind {
    case .heart, .radar, .cadence: false
    case .speed: speedSensor.hasWheel
    case .power: powerMeter.hasWheel && speedSensor.speed(at: now) == nil
    }
  }

  /// Whether power measures what the sensor of speed would.
  package var doesPowerReplaceSpeed: Bool { powerMeter.hasWheel && powerMeter.crank.hasTurned }

  /// Whether another sensor measures what that of cadence would.
  package var doesAnotherReplaceCadence: Bool {
    speedSensor.crank.hasTurned || powerMeter.crank.hasTurned
  }

  /// What the sensor at the place of this kind is by what has moved; `nil` while nothing has.
  package func moved(_ kind: SensorKind) -> SensorKind? { moved(kind, turns: 1) }

  /// The same once the crank has turned so often that its sensor certainly has no wheel.
  package func surelyMoved(_ kind: SensorKind) -> SensorKind? {
    moved(kind, turns: Self.certainTurns)
  }

  private func moved(_ kind: SensorKind, turns: Int64) -> SensorKind? {
    let rotation: Rotation
    switch kind {
    case .heart, .power, .radar: return kind
    case .speed: rotation = speedSensor
    case .cadence: rotation = cadenceSensor
    }
    if rotation.hasWheel { return .speed }
    return rotation.crank.turns >= turns ? .cadence : nil
  }

  // MARK: - Out

  /// What is known at a time.
  @inline(never)  // likewise
  package func figures(at now: Instant) -> Figures {
    var figures = Figures()
    if let heart, now < heart.end { figures.heart = heart.value }
    if let power, now < power.end { figures.power = power.value }
    figures.speed = speedSensor.speed(at: now) ?? powerMeter.speed(at: now)
    figures.cadence =
      cadenceSensor.cadence(at: now) ?? speedSensor.cadence(at: now)
      ?? powerMeter.cadence(at: now)
    if hasWheel || distance > 0 { figures.distance = distance / 1_000 }
    return figures
  }

  /// What the sensor of this kind says by itself, whatever others measure beside it.
  package func figures(of kind: SensorKind, at now: Instant) -> Figures {
    var figures = Figures()
    switch kind {
    case .heart: figures.heart = self.figures(at: now).heart
    case .speed:
      (figures.speed, figures.cadence) = (speedSensor.speed(at: now), speedSensor.cadence(at: now))
    case .cadence:
      figures.speed = cadenceSensor.speed(at: now)
      figures.cadence = cadenceSensor.cadence(at: now)
    case .power: figures.power = self.figures(at: now).power
    case .radar: break
    }
    return figures
  }
}

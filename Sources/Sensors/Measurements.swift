public import Bytes

/// What the sensors measure now; what is not known is `nil`.
public struct Figures: Equatable, Sendable {
  /// Beats a minute.
  public var heart: UInt16?
  /// Millimetres a second.
  public var speed: Int64?
  /// Revolutions of the crank a minute.
  public var cadence: Int64?
  /// Watts; below zero where the rider brakes by the pedals.
  public var power: Int16?
  /// Metres that the wheel has rolled since the start; `nil` before it has.
  public var distance: Int64?

  /// Nothing is known.
  public init() {}
}

/// From the bytes of values of all sensors to what the rider may know.
///
/// Wheel and crank come from the sensor of speed and cadence where that one gives them, too. A sensor is
/// taken to count a wheel or a crank once it has turned: the flags of real ones lie.
public struct Measurements: Sendable {
  /// A rate or a power that nobody has told for so many milliseconds is not known.
  private static var lifetime: Int64 { 5_000 }

  private struct Told<Value: Sendable>: Sendable {
    var value: Value
    var end: Instant
  }

  private var heart: Told<UInt16>?
  private var power: Told<Int16>?
  private var wheel: Wheel
  private var powerWheel: Wheel
  private var crank = Crank()
  private var powerCrank = Crank()
  /// What the wheel has rolled since the start, whichever sensor counted it, in millimetres.
  public private(set) var distance: Int64 = 0
  /// That at the loss of the sensor of speed, which tells on its return what power may have counted meanwhile.
  private var distanceAtLoss: Int64?
  /// What comes from behind.
  public private(set) var radar = Radar()

  /// Nothing is known but the way around the wheel, in millimetres.
  public init(circumference: Int64) {
    wheel = Self.wheel(circumference)
    powerWheel = Self.powerWheel(circumference)
  }

  private static func wheel(_ circumference: Int64) -> Wheel {
    Wheel(circumference: circumference, timeResolution: CSCMeasurement.timeResolution)
  }

  private static func powerWheel(_ circumference: Int64) -> Wheel {
    Wheel(
      circumference: circumference, timeResolution: CyclingPowerMeasurement.wheelTimeResolution)
  }

  /// The way around the wheel in millimetres.
  public var circumference: Int64 {
    get { wheel.circumference }
    set { (wheel.circumference, powerWheel.circumference) = (newValue, newValue) }
  }

  /// Hears a value of a sensor; one that is cut short says nothing.
  ///
  /// What the wheel rolls is a part of the distance if it `isOurs`.
  public mutating func hear(
    _ kind: SensorKind, _ value: Span<UInt8>, isOurs: Bool = true, at now: Instant
  ) {
    do throws(ParseError) {
      switch kind {
      case .heart: hear(try HeartRateMeasurement(parsing: value), at: now)
      case .speed: hear(try CSCMeasurement(parsing: value), isOurs: isOurs, at: now)
      case .power: hear(try CyclingPowerMeasurement(parsing: value), isOurs: isOurs, at: now)
      case .radar: radar.hear(value, at: now)
      }
    } catch {
      // The next value is as good.
    }
  }

  /// The link to a sensor is lost: what it measured is not known any more.
  public mutating func linkWasLost(_ kind: SensorKind) {
    switch kind {
    case .heart: heart = nil
    case .speed:
      wheel.linkWasLost()
      crank.linkWasLost()
      distanceAtLoss = distanceAtLoss ?? distance
    case .power:
      power = nil
      powerWheel.linkWasLost()
      powerCrank.linkWasLost()
    case .radar: radar.linkWasLost()
    }
  }

  /// Forgets what a kind has measured, but not the distance: the next sensor of the kind may be another one.
  @inline(never)  // else a board's file has a copy for each use
  public mutating func forget(_ kind: SensorKind) {
    switch kind {
    case .heart: heart = nil
    case .speed: (wheel, crank, distanceAtLoss) = (Self.wheel(circumference), Crank(), nil)
    case .power:
      (power, powerWheel, powerCrank) = (nil, Self.powerWheel(circumference), Crank())
    case .radar: radar = Radar()
    }
  }

  /// Lets vehicles pass that are not told of any more.
  public mutating func advanceRadar(to now: Instant) { radar.advance(to: now) }

  /// Whether there is a wheel that has turned.
  public var hasWheel: Bool { wheel.distance > 0 || powerWheel.distance > 0 }

  /// Whether the wheel that counts is that of this kind.
  public func isWheel(of kind: SensorKind, at now: Instant) -> Bool {
    switch kind {
    case .heart, .radar: false
    case .speed: wheel.distance > 0
    case .power: powerWheel.distance > 0 && speedOfWheel(at: now) == nil
    }
  }

  /// Whether there is a crank that has turned.
  public var hasCrank: Bool { crank.hasTurned || powerCrank.hasTurned }

  /// Whether power measures what the sensor of speed and cadence would.
  public var doesPowerReplaceSpeed: Bool { powerWheel.distance > 0 && powerCrank.hasTurned }

  /// What is known at a time.
  @inline(never)  // likewise
  public func figures(at now: Instant) -> Figures {
    var figures = Figures()
    if let heart, now < heart.end { figures.heart = heart.value }
    if let power, now < power.end { figures.power = power.value }
    figures.speed = speedOfWheel(at: now) ?? powerWheel.speed(at: now)
    figures.cadence = crank.hasTurned ? crank.cadence(at: now) : nil
    if figures.cadence == nil, powerCrank.hasTurned {
      figures.cadence = powerCrank.cadence(at: now)
    }
    if hasWheel || distance > 0 { figures.distance = distance / 1_000 }
    return figures
  }

  /// A wheel that has not turned is none.
  private func speedOfWheel(at now: Instant) -> Int64? {
    wheel.distance > 0 ? wheel.speed(at: now) : nil
  }

  private mutating func hear(_ value: HeartRateMeasurement, at now: Instant) {
    heart = value.rate.map { Told(value: $0, end: now + Self.lifetime) }
  }

  private mutating func hear(_ value: CSCMeasurement, isOurs: Bool, at now: Instant) {
    if let revolutions = value.wheel {
      let before = wheel.distance
      wheel.hear(revolutions, at: now)
      if isOurs { roll(wheel.distance - before) }
    }
    if let revolutions = value.crank { crank.hear(revolutions, at: now) }
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
    if let revolutions = value.wheel {
      let before = powerWheel.distance
      powerWheel.hear(revolutions, at: now)
      // The other sensor counts the same wheel.
      if isOurs, speedOfWheel(at: now) == nil { distance += powerWheel.distance - before }
    }
    if let revolutions = value.crank { powerCrank.hear(revolutions, at: now) }
  }
}

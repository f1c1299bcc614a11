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
  /// What comes from behind.
  public private(set) var radar = Radar()

  /// Nothing is known but the way around the wheel, in millimetres.
  public init(circumference: Int64) {
    wheel = Wheel(circumference: circumference, timeResolution: 1_024)
    powerWheel = Wheel(
      circumference: circumference, timeResolution: CyclingPowerMeasurement.wheelTimeResolution)
  }

  /// The way around the wheel in millimetres.
  public var circumference: Int64 {
    get { wheel.circumference }
    set { (wheel.circumference, powerWheel.circumference) = (newValue, newValue) }
  }

  /// Hears a value of a sensor; one that is cut short says nothing.
  public mutating func hear(_ kind: SensorKind, _ value: Span<UInt8>, at now: Instant) {
    do throws(ParseError) {
      switch kind {
      case .heart: hear(try HeartRateMeasurement(parsing: value), at: now)
      case .speed: hear(try CSCMeasurement(parsing: value), at: now)
      case .power: hear(try CyclingPowerMeasurement(parsing: value), at: now)
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
    case .power:
      power = nil
      powerWheel.linkWasLost()
      powerCrank.linkWasLost()
    case .radar: radar.linkWasLost()
    }
  }

  /// Lets vehicles pass that are not told of any more.
  public mutating func advanceRadar(to now: Instant) { radar.advance(to: now) }

  /// Whether there is a wheel that has turned.
  public var hasWheel: Bool { wheel.distance > 0 || powerWheel.distance > 0 }

  /// Whether there is a crank that has turned.
  public var hasCrank: Bool { crank.hasTurned || powerCrank.hasTurned }

  /// Whether power measures what the sensor of speed and cadence would.
  public var doesPowerReplaceSpeed: Bool { powerWheel.distance > 0 && powerCrank.hasTurned }

  /// What is known at a time.
  public func figures(at now: Instant) -> Figures {
    var figures = Figures()
    if let heart, now < heart.end { figures.heart = heart.value }
    if let power, now < power.end { figures.power = power.value }
    figures.speed = wheel.speed(at: now) ?? powerWheel.speed(at: now)
    figures.cadence = crank.hasTurned ? crank.cadence(at: now) : nil
    if figures.cadence == nil, powerCrank.hasTurned {
      figures.cadence = powerCrank.cadence(at: now)
    }
    if hasWheel { figures.distance = distance / 1_000 }
    return figures
  }

  private mutating func hear(_ value: HeartRateMeasurement, at now: Instant) {
    heart = value.rate.map { Told(value: $0, end: now + Self.lifetime) }
  }

  private mutating func hear(_ value: CSCMeasurement, at now: Instant) {
    if let revolutions = value.wheel {
      let before = wheel.distance
      wheel.hear(revolutions, at: now)
      distance += wheel.distance - before
    }
    if let revolutions = value.crank { crank.hear(revolutions, at: now) }
  }

  private mutating func hear(_ value: CyclingPowerMeasurement, at now: Instant) {
    power = Told(value: value.power, end: now + Self.lifetime)
    if let revolutions = value.wheel {
      let before = powerWheel.distance
      powerWheel.hear(revolutions, at: now)
      // The other sensor counts the same wheel.
      if wheel.speed(at: now) == nil { distance += powerWheel.distance - before }
    }
    if let revolutions = value.crank { powerCrank.hear(revolutions, at: now) }
  }
}

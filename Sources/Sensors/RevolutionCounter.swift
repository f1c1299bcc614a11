package import Bytes

/// How far and how fast a wheel or a crank turns, by the counts and the clock of its sensor.
///
/// Sensors repeat a revolution until the next one. Their clock wraps in 64 s or less, so only the time of arrival shows
/// the length of a long pause, or that the clock has gone back; the rate then begins again.
struct RevolutionCounter: Sendable {
  /// What counts, and how its counts and times are written.
  enum Kind: Sendable {
    /// 32 bits that start at 0 with the sensor; times in these parts of a second.
    case wheel(resolution: Int64)
    /// 16 bits that wrap, with the times of `CSCMeasurement`; a power meter's, too.
    case crank
  }

  /// After this many ticks a clock of 16 bits wraps.
  private static var wrap: Int64 { 65_536 }

  private let kind: Kind
  /// A greater rate is an error.
  private let fastest: Int64
  /// The last value that counted, and when it arrived.
  private var baseline: (revolutions: Revolutions, arrival: Instant)?
  /// Whether the link has been up since the baseline.
  private var isContinuous = false
  /// Units a second in the last revolutions; `nil` if unknown.
  private(set) var rate: Int64?
  /// When the last value with a revolution came, or the first value on this link.
  private(set) var lastRevolution: Instant?

  init(_ kind: Kind, fastest: Int64) { (self.kind, self.fastest) = (kind, fastest) }

  /// Receives a value that arrived now; returns by how many units it advanced, with `unit` for a revolution.
  ///
  /// It is 0 for a value that says nothing about the way, and `nil` for an impossible rate.
  mutating func receive(_ new: Revolutions, unit: Int64, at now: Instant) -> Int64? {
    let (wasContinuous, arrival) = (isContinuous, baseline?.arrival ?? now)
    guard let step = advance(to: new, at: now) else {
      lastRevolution = lastRevolution ?? now
      return 0
    }
    let way = step.revolutions * unit
    guard step.ticks > 0 else {
      // The clock stood still or has gone back, but the count may be right.
      linkWasLost()
      return way * 1_000 <= fastest * (now - arrival) ? way : nil
    }
    let newRate = (way * resolution + step.ticks / 2) / step.ticks
    guard newRate <= fastest else { return nil }
    if wasContinuous { rate = newRate }
    lastRevolution = now
    return way
  }

  /// The link is lost: the sensor counts on, but the rate is unknown.
  mutating func linkWasLost() { (isContinuous, rate, lastRevolution) = (false, nil, nil) }

  /// Advances to a value; `nil` if it says nothing about the way.
  ///
  /// Such values are the first one, one without a new revolution, and one of a counter that started again. A new time
  /// without a revolution means nothing: some sensors send the time of the value, others that of the last revolution.
  /// The ticks are 0 or fewer if the time stands still, or has gone back.
  private mutating func advance(
    to new: Revolutions, at now: Instant
  ) -> (revolutions: Int64, ticks: Int64)? {
    let revolutions = baseline.map { difference(from: $0.revolutions.count, to: new.count) }
    guard let old = baseline, let revolutions, revolutions >= 0 else {
      setBaseline(new, at: now)
      return nil
    }
    guard revolutions > 0 else { return nil }
    let ticks = Int64(widening: UInt32(new.time &- old.revolutions.time))
    setBaseline(new, at: now)
    return (revolutions, ticks + Self.wrap * wraps(beside: ticks, in: now - old.arrival))
  }

  private mutating func setBaseline(_ revolutions: Revolutions, at now: Instant) {
    baseline = (revolutions, now)
    isContinuous = true
  }

  private func difference(from old: UInt32, to new: UInt32) -> Int64 {
    switch kind {
    case .wheel: Int64(widening: Int(Int32(bitPattern: new &- old)))
    case .crank: Int64(widening: (new &- old) & 0xFFFF)
    }
  }

  /// How often the sensor's clock wrapped in this time, to the nearest number; -1 if it has gone back.
  private func wraps(beside ticks: Int64, in milliseconds: Int64) -> Int64 {
    let rest = milliseconds * resolution - ticks * 1_000
    return (rest + Self.wrap * 1_500) / (Self.wrap * 1_000) - 1
  }

  private var resolution: Int64 {
    switch kind {
    case .wheel(let resolution): resolution
    case .crank: CSCMeasurement.timeResolution
    }
  }
}

/// What a sensor has counted of a wheel or a crank, and when the last revolution was.
package struct Revolutions: Equatable, Sendable {
  /// A wheel's count has 32 bits and never wraps; a crank's has 16 bits and does.
  package var count: UInt32
  /// When the last revolution ended, in ticks of the value's specification; wraps.
  package var time: UInt16

  package init(count: UInt32, time: UInt16) {
    (self.count, self.time) = (count, time)
  }
}

extension ByteReader {
  mutating func wheelRevolutions() throws(ParseError) -> Revolutions {
    Revolutions(count: try u32(), time: try u16())
  }

  /// The next four bytes: a crank's revolutions, and the time of the last one.
  mutating func crankRevolutions() throws(ParseError) -> Revolutions {
    Revolutions(count: UInt32(try u16()), time: try u16())
  }
}

/// A value of CSC Measurement (2A5B): what a speed and cadence sensor has counted.
///
/// Flags (1 byte), the wheel's revolutions (4) and time (2), the crank's (2 and 2), little-endian,
/// times in 1/1024 s. Cycling Speed and Cadence Service 1.0, 3.1.
package struct CSCMeasurement: Equatable, Sendable {
  /// Ticks a second of the times.
  package static var timeResolution: Int64 { 1_024 }

  /// Of the wheel; `nil` if absent.
  package let wheel: Revolutions?
  /// Of the crank; `nil` if absent.
  package let crank: Revolutions?

  /// Reads the whole fields of a value; throws `ParseError.truncated` if it announces some and none is whole.
  package init(parsing value: Span<UInt8>) throws(ParseError) {
    var reader = ByteReader(value)
    let flags = try reader.u8()
    let wheel = flags & 0x01 == 0 ? nil : try reader.wheelRevolutions()
    self.wheel = wheel
    guard flags & 0x02 != 0 else {
      crank = nil
      return
    }
    crank = wheel == nil ? try reader.crankRevolutions() : try? reader.crankRevolutions()
  }
}

/// Cadence by the revolutions of a crank.
package struct Crank: Sendable {
  /// After this many milliseconds without a revolution it stands still.
  private static var longestRevolution: Int64 { 3_000 }

  /// How often it has turned since the first value.
  package private(set) var turns: Int64 = 0
  /// In revolutions a minute; more than 200 are an error.
  private var counter = RevolutionCounter(.crank, fastest: 200)

  package init() {}

  /// Receives what the sensor has counted.
  package mutating func receive(_ revolutions: Revolutions, at now: Instant) {
    turns += (counter.receive(revolutions, unit: 60, at: now) ?? 0) / 60
  }

  /// Whether it has turned at all, as the features that a sensor claims may be wrong.
  package var hasTurned: Bool { turns > 0 }

  /// The link is lost: the cadence is unknown.
  package mutating func linkWasLost() { counter.linkWasLost() }

  /// Revolutions a minute; `nil` if unknown.
  package func cadence(at now: Instant) -> Int64? {
    guard let lastRevolution = counter.lastRevolution else { return nil }
    return now - lastRevolution >= Self.longestRevolution ? 0 : counter.rate
  }
}

/// Speed and distance by the revolutions of a wheel.
package struct Wheel: Sendable {
  /// After this many milliseconds without a revolution it stands still.
  private static var longestRevolution: Int64 { 4_000 }
  /// A sensor that is silent for 2 s has no revolution to report; most send a value each second.
  private static var longestPause: Int64 { 2_000 }

  /// In millimetres.
  package var circumference: Int64
  /// How far it has rolled since the first value, in millimetres.
  package private(set) var distance: Int64 = 0
  /// In millimetres a second; more than 30,000 are an error.
  private var counter: RevolutionCounter
  /// When the last value came, with or without a new revolution.
  private var lastValue: Instant?

  /// A wheel whose times have `timeResolution` ticks a second.
  package init(circumference: Int64, timeResolution: Int64) {
    self.circumference = circumference
    counter = RevolutionCounter(.wheel(resolution: timeResolution), fastest: 30_000)
  }

  /// Receives what the sensor has counted.
  package mutating func receive(_ revolutions: Revolutions, at now: Instant) {
    guard let way = counter.receive(revolutions, unit: circumference, at: now) else { return }
    distance += way
    lastValue = now
  }

  /// The link is lost: the speed is unknown, and the distance goes on from here.
  package mutating func linkWasLost() {
    counter.linkWasLost()
    lastValue = nil
  }

  /// Millimetres a second; `nil` if unknown.
  ///
  /// A wheel without a new revolution is slower than one revolution in the time since the last one.
  package func speed(at now: Instant) -> Int64? {
    guard let lastRevolution = counter.lastRevolution, let lastValue else { return nil }
    if now - lastRevolution >= Self.longestRevolution { return 0 }
    guard let rate = counter.rate else { return nil }
    let isSilent = now - lastValue >= Self.longestPause
    let time = (isSilent ? now : lastValue) - lastRevolution
    return time > 0 ? min(rate, circumference * 1_000 / time) : rate
  }
}

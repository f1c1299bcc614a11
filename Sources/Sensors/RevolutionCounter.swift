import Bytes

/// How far and how fast a wheel or a crank turns, by the counts and the clock of its sensor.
///
/// Sensors repeat a revolution until there is another one. Their clock wraps round in a minute or less, so
/// only the time of arrival shows how long a long pause was. It keeps the last value that counted and the
/// last rate, which only `hear` and `linkWasLost` change.
struct RevolutionCounter: Sendable {
  /// What counts, and how its counts and times are written.
  enum Kind: Sendable {
    /// 32 bits that start at 0 with the sensor; times in these parts of a second.
    case wheel(resolution: Int64)
    /// 16 bits that wrap round, with the times of `CSCMeasurement`; of a power meter too.
    case crank
  }

  /// After this many ticks a clock of 16 bits wraps round.
  private static var wrap: Int64 { 65_536 }

  private let kind: Kind
  /// A greater rate is an error.
  private let fastest: Int64
  /// The last value that counted, and when it arrived.
  private var baseline: (revolutions: Revolutions, arrival: Instant)?
  /// Whether the link was up since then.
  private var isContinuous = false
  /// Units a second in the last revolutions; `nil` if unknown.
  private(set) var rate: Int64?
  /// When the last value with a revolution came, or the first one since the link is up.
  private(set) var lastRevolution: Instant?

  init(_ kind: Kind, fastest: Int64) { (self.kind, self.fastest) = (kind, fastest) }

  /// Hears a value that arrived now; returns by how many units it advanced, with `unit` for a revolution.
  ///
  /// It is 0 for a value that says nothing about the way, and `nil` for an impossible rate.
  mutating func hear(_ new: Revolutions, unit: Int64, at now: Instant) -> Int64? {
    let wasContinuous = isContinuous
    guard let (revolutions, ticks) = advance(to: new, at: now) else {
      lastRevolution = lastRevolution ?? now
      return 0
    }
    let way = revolutions * unit
    let newRate = (way * resolution + ticks / 2) / ticks
    guard newRate <= fastest else { return nil }
    if wasContinuous { rate = newRate }
    lastRevolution = now
    return way
  }

  /// The link is lost: the sensor counts on, but the rate is unknown.
  mutating func linkWasLost() { (isContinuous, rate, lastRevolution) = (false, nil, nil) }

  /// Advances to a value; `nil` if it says nothing about the way.
  ///
  /// These are the first value, one without a new revolution, and a counter that started again. So are
  /// revolutions in no time, which count with the next ones. A time without a revolution is no news: some
  /// sensors send the time of the value, others that of the last revolution.
  private mutating func advance(
    to new: Revolutions, at now: Instant
  ) -> (revolutions: Int64, ticks: Int64)? {
    guard let old = baseline else {
      setBaseline(new, at: now)
      return nil
    }
    let revolutions = difference(from: old.revolutions.count, to: new.count)
    guard revolutions >= 0 else {
      setBaseline(new, at: now)
      return nil
    }
    let ticks = Int64(widening: UInt32(new.time &- old.revolutions.time))
    let all = ticks + Self.wrap * wraps(beside: ticks, in: now - old.arrival)
    guard revolutions > 0, all > 0 else { return nil }
    setBaseline(new, at: now)
    return (revolutions, all)
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

  /// How often the sensor's clock wrapped round in this time, to the nearest number.
  private func wraps(beside ticks: Int64, in milliseconds: Int64) -> Int64 {
    let rest = milliseconds * resolution - ticks * 1_000
    return max(0, rest + Self.wrap * 500) / (Self.wrap * 1_000)
  }

  private var resolution: Int64 {
    switch kind {
    case .wheel(let resolution): resolution
    case .crank: CSCMeasurement.timeResolution
    }
  }
}

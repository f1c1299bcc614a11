import Bytes

/// How far a wheel or a crank has come between two values, by its counts and its own clock.
///
/// Sensors send the same revolution again until there is another one; their clock rolls over in a
/// minute or less, so that only the time of arrival tells how long a long pause was.
struct RevolutionCounter: Sendable {
  /// What counts, and how its counts and times are written.
  enum Kind: Sendable {
    /// 32 bits that begin anew when the sensor does; times in these parts of a second.
    case wheel(resolution: Int64)
    /// 16 bits that roll over; of a power meter, too, in the times of `CSCMeasurement`.
    case crank

    var resolution: Int64 {
      switch self {
      case .wheel(let resolution): resolution
      case .crank: CSCMeasurement.timeResolution
      }
    }
  }

  /// What happened between two values, of which the second one has more revolutions.
  struct Advance: Equatable {
    /// More than 0.
    var revolutions: Int64
    /// In parts of a second, more than 0.
    var ticks: Int64
    /// Whether the link was there all the time.
    var isContinuous: Bool
  }

  private struct Baseline {
    var revolutions: Revolutions
    var arrival: Instant
  }

  /// After so many ticks a clock of 16 bits begins anew.
  private static var wrap: Int64 { 65_536 }

  private let kind: Kind
  private var baseline: Baseline?
  private var isContinuous = false

  init(_ kind: Kind) { self.kind = kind }

  /// Hears of a value that arrived now; `nil` for the first one, one without a new revolution, a counter
  /// that began again, and revolutions in no time, which count with the next ones.
  ///
  /// A time without a revolution is no news: some sensors send the time of the value, others that of the
  /// last revolution.
  mutating func hear(_ new: Revolutions, at now: Instant) -> Advance? {
    guard let old = baseline else {
      setBaseline(new, at: now)
      return nil
    }
    let revolutions = difference(from: old.revolutions.count, to: new.count)
    guard revolutions >= 0 else {
      setBaseline(new, at: now)
      return nil
    }
    guard revolutions > 0 else { return nil }
    let ticks = Int64(widening: UInt32(new.time &- old.revolutions.time))
    let all = ticks + Self.wrap * wraps(beside: ticks, in: now - old.arrival)
    guard all > 0 else { return nil }
    let advance = Advance(revolutions: revolutions, ticks: all, isContinuous: isContinuous)
    setBaseline(new, at: now)
    return advance
  }

  /// The link is lost: what is counted meanwhile was ridden at no known speed.
  mutating func linkWasLost() { isContinuous = false }

  private mutating func setBaseline(_ revolutions: Revolutions, at now: Instant) {
    baseline = Baseline(revolutions: revolutions, arrival: now)
    isContinuous = true
  }

  private func difference(from old: UInt32, to new: UInt32) -> Int64 {
    switch kind {
    case .wheel: Int64(widening: Int(Int32(bitPattern: new &- old)))
    case .crank: Int64(widening: (new &- old) & 0xFFFF)
    }
  }

  /// How often the sensor's clock began anew in so many milliseconds, to the nearest.
  private func wraps(beside ticks: Int64, in milliseconds: Int64) -> Int64 {
    let rest = milliseconds * kind.resolution - ticks * 1_000
    return max(0, rest + Self.wrap * 500) / (Self.wrap * 1_000)
  }
}

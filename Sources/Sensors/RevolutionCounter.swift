import Bytes

/// How far a wheel or a crank has turned between two values, by its counts and the sensor's clock.
///
/// Sensors repeat a revolution until there is another one. Their clock wraps round in a minute or less, so
/// only the time of arrival shows how long a long pause was. It keeps the last value that counted, which only
/// `hear` and `linkWasLost` change.
struct RevolutionCounter: Sendable {
  /// What counts, and how its counts and times are written.
  enum Kind: Sendable {
    /// 32 bits that start at 0 with the sensor; times in these parts of a second.
    case wheel(resolution: Int64)
    /// 16 bits that wrap round, with the times of `CSCMeasurement`; of a power meter too.
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
    /// Whether the link was up all the time.
    var isContinuous: Bool
  }

  /// After this many ticks a clock of 16 bits wraps round.
  private static var wrap: Int64 { 65_536 }

  private let kind: Kind
  /// The last value that counted, and when it arrived.
  private var baseline: (revolutions: Revolutions, arrival: Instant)?
  private var isContinuous = false

  init(_ kind: Kind) { self.kind = kind }

  /// Hears a value that arrived now; returns `nil` if it says nothing about the way.
  ///
  /// These are the first value, one without a new revolution, and a counter that started again. So are
  /// revolutions in no time, which count with the next ones. A time without a revolution is no news: some sensors send the
  /// time of the value, others that of the last revolution.
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

  /// The link is lost: the sensor counts on, but the speed is unknown.
  mutating func linkWasLost() { isContinuous = false }

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
    let rest = milliseconds * kind.resolution - ticks * 1_000
    return max(0, rest + Self.wrap * 500) / (Self.wrap * 1_000)
  }
}

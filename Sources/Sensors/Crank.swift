package import Bytes

/// Cadence by the revolutions of a crank.
package struct Crank: Sendable {
  /// Without a revolution for so many milliseconds it stands.
  private static var longestRevolution: Int64 { 3_000 }
  /// Revolutions a minute that nobody pedals.
  private static var impossible: Int64 { 200 }

  /// How often it has turned since it was first heard of.
  package private(set) var turns: Int64 = 0
  private var counter = RevolutionCounter(.crank)
  private var measured: Int64?
  private var lastRevolution: Instant?

  /// A crank of which nothing is known.
  package init() {}

  /// Hears what the sensor has counted.
  package mutating func hear(_ revolutions: Revolutions, at now: Instant) {
    guard let advance = counter.hear(revolutions, at: now) else {
      lastRevolution = lastRevolution ?? now
      return
    }
    let minute = 60 * RevolutionCounter.Kind.crank.resolution
    let cadence = rounded(advance.revolutions * minute, over: advance.ticks)
    guard cadence <= Self.impossible else { return }
    if advance.isContinuous { measured = cadence }
    turns += advance.revolutions
    lastRevolution = now
  }

  /// Whether it has turned since it was first heard of: what a sensor says that it can do may be a lie.
  package var hasTurned: Bool { turns > 0 }

  /// The link is lost: nothing is known.
  package mutating func linkWasLost() {
    counter.linkWasLost()
    (measured, lastRevolution) = (nil, nil)
  }

  /// Revolutions a minute; `nil` where that is not known.
  package func cadence(at now: Instant) -> Int64? {
    guard let lastRevolution else { return nil }
    return now - lastRevolution >= Self.longestRevolution ? 0 : measured
  }
}

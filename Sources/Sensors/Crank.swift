package import Bytes

/// Cadence by the revolutions of a crank.
///
/// It keeps the turns and the last cadence, which only `hear` and `linkWasLost` change.
package struct Crank: Sendable {
  /// Without a revolution for this many milliseconds it stands.
  private static var longestRevolution: Int64 { 3_000 }
  /// More revolutions a minute than these are an error.
  private static var impossible: Int64 { 200 }

  /// How often it has turned since the first value.
  package private(set) var turns: Int64 = 0
  private var counter = RevolutionCounter(.crank)
  private var measured: Int64?
  private var lastRevolution: Instant?

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

  /// Whether it has turned at all, as the features that a sensor claims may be wrong.
  package var hasTurned: Bool { turns > 0 }

  /// The link is lost: the cadence is unknown.
  package mutating func linkWasLost() {
    counter.linkWasLost()
    (measured, lastRevolution) = (nil, nil)
  }

  /// Revolutions a minute; `nil` if unknown.
  package func cadence(at now: Instant) -> Int64? {
    guard let lastRevolution else { return nil }
    return now - lastRevolution >= Self.longestRevolution ? 0 : measured
  }
}

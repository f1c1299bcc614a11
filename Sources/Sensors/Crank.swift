package import Bytes

/// Cadence by the revolutions of a crank.
///
/// It keeps the turns, which only `hear` changes.
package struct Crank: Sendable {
  /// Without a revolution for this many milliseconds it stands.
  private static var longestRevolution: Int64 { 3_000 }

  /// How often it has turned since the first value.
  package private(set) var turns: Int64 = 0
  /// In revolutions a minute, of which more than 200 are an error.
  private var counter = RevolutionCounter(.crank, fastest: 200)

  package init() {}

  /// Hears what the sensor has counted.
  package mutating func hear(_ revolutions: Revolutions, at now: Instant) {
    turns += (counter.hear(revolutions, unit: 60, at: now) ?? 0) / 60
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

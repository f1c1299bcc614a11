import Bytes

/// When the brightness may be written, so that no rider wears out a card with a button.
struct BrightnessKeeper {
  /// For how long a choice must stand, as dim is on the way from bright to off, in milliseconds.
  private static var settlingTime: Int64 { 5_000 }
  /// From one write to the next, even if that failed, in milliseconds.
  private static var pause: Int64 { 600_000 }

  private var settlingEnd: Instant?
  private var pauseEnd: Instant?

  /// Whether the rider has chosen since the start.
  var isChosen: Bool { settlingEnd != nil }

  /// When the choice may be written; `nil` if there is none.
  var writeTime: Instant? {
    guard let settlingEnd, let pauseEnd else { return settlingEnd }
    return max(settlingEnd, pauseEnd)
  }

  mutating func wasChosen(at now: Instant) { settlingEnd = now + Self.settlingTime }

  mutating func writeBegins(at now: Instant) { pauseEnd = now + Self.pause }
}

import Bytes
import Navigation

/// How a level sounds, or looks, on the alert line: when the line is high.
///
/// `high` is three short pulses, over before its first second is; `arrive` is a long one. The other
/// levels want no attention right now and are silent. A pattern that a new one meets is cut off.
struct AlertPattern {
  private static var short: Int64 { 150 }
  private static var long: Int64 { 600 }

  private var start = Instant(milliseconds: 0)
  /// How many pulses there are.
  private var count: Int64 = 0
  /// How long each is, and each pause between two.
  private var length: Int64 = 0
  private var now = Instant(milliseconds: 0)
  /// The level that the line was set to; it is opened low.
  private var isLineHigh = false

  /// Whether the line is to be high.
  var isHigh: Bool { half < count * 2 && half % 2 == 0 }

  /// The level that the line is to be set to; `nil` while it has that.
  var change: Bool? { isHigh == isLineHigh ? nil : isHigh }

  /// The line has this level.
  mutating func lineIs(high: Bool) { isLineHigh = high }

  /// Ends what there is of a pattern: the line is to be low.
  mutating func end() { count = 0 }

  /// When the line is to change; `nil` for never.
  var deadline: Instant? {
    half + 1 < count * 2 ? start + (half + 1) * length : nil
  }

  /// The rider is told of this level now.
  mutating func begin(_ level: AlertLevel, at now: Instant) {
    switch level {
    case .high: (count, length) = (3, Self.short)
    case .arrive: (count, length) = (1, Self.long)
    case .none, .depart, .low, .medium: return
    }
    (start, self.now) = (now, now)
  }

  /// Lets the time be `now`.
  mutating func advance(to now: Instant) { self.now = now }

  /// How many lengths of a pulse have passed.
  private var half: Int64 { length == 0 ? 0 : (now - start) / length }
}

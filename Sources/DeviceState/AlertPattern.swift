package import Bytes
package import Navigation
package import Turns

/// How a level sounds, or looks, on the alert line: when the line is high.
///
/// `high` is three short pulses, all within a second, and its second cue two; `arrive` is one long
/// pulse; a vehicle that comes from behind is two short ones, too. The other levels need no attention
/// right now and are silent. A new pattern cuts off the one before.
///
/// With `alert-sides`, a turn to the left is two short pulses, also as its second cue, and one to the right is a long
/// and a short one. A vehicle is four quick ones then, as it must not sound like a turn.
package struct AlertPattern {
  package enum LineLevel { case low, high }

  private static var short: Int64 { 150 }
  private static var long: Int64 { 600 }
  private static var quick: Int64 { 75 }

  private let hasSides: Bool
  private var start = Instant(milliseconds: 0)
  /// How many pulses there are.
  private var count: Int64 = 0
  /// How long the first one is.
  private var first: Int64 = 0
  /// How long each other one is, and each pause between two.
  private var length: Int64 = 0
  private var now = Instant(milliseconds: 0)
  /// The level that the line has; it is opened low.
  private var line = LineLevel.low

  package init(hasSides: Bool = false) { self.hasSides = hasSides }

  /// Whether the line is to be high.
  package var isHigh: Bool { half < count * 2 && half % 2 == 0 }

  /// The level that the line is to be set to; `nil` while it has the right one.
  package var change: LineLevel? {
    let wanted = isHigh ? LineLevel.high : .low
    return wanted == line ? nil : wanted
  }

  /// Notes the level that the line has.
  package mutating func lineIs(_ level: LineLevel) { line = level }

  /// Ends the pattern, if one is running: the line is to be low.
  package mutating func end() { count = 0 }

  /// When the line is to change; `nil` for never.
  package var deadline: Instant? {
    half + 1 < count * 2 ? start + first + half * length : nil
  }

  /// Begins the pattern of a level that has just been announced.
  package mutating func begin(
    _ level: AlertLevel, toward side: Maneuver.Side? = nil, at now: Instant
  ) {
    switch level {
    case .high where hasSides && side != nil: begin(toward: side, at: now)
    case .high: begin(3, Self.short, at: now)
    case .arrive: begin(1, Self.long, at: now)
    case .none, .depart, .low, .medium: break
    }
  }

  /// Begins the pattern of a turn that was announced before and is near now.
  package mutating func beginSecondCue(toward side: Maneuver.Side? = nil, at now: Instant) {
    begin(toward: hasSides ? side : nil, at: now)
  }

  private mutating func begin(toward side: Maneuver.Side?, at now: Instant) {
    begin(2, first: side == .right ? Self.long : nil, Self.short, at: now)
  }

  /// Begins the pattern of a vehicle that comes from behind; it cuts off none that is running.
  package mutating func beginVehicle(at now: Instant) {
    guard deadline == nil else { return }
    if hasSides { begin(4, Self.quick, at: now) } else { begin(2, Self.short, at: now) }
  }

  private mutating func begin(
    _ count: Int64, first: Int64? = nil, _ length: Int64, at now: Instant
  ) {
    (self.count, self.first, self.length) = (count, first ?? length, length)
    (start, self.now) = (now, now)
  }

  /// Advances to `now`.
  package mutating func advance(to now: Instant) { self.now = now }

  /// How many pulses and pauses have passed.
  private var half: Int64 {
    let time = now - start
    return time < first || length == 0 ? 0 : 1 + (time - first) / length
  }
}

import Bytes
import Turns

/// How much attention the next turn wants, from what is said of it and when.
///
/// These are all the rules:
///
/// 1. A turn's level is `depart` at the start and `arrive` at a finish within 30 m. Else it is
///    `high` within 30 m or 15 s, `medium` within 70 s, and `low` before that. 30 m and the seconds
///    themselves are not within, but for the finish. Off the route and every maneuver that is not
///    known are turns like others.
/// 2. The seconds come from the distance and the speed at which it fell lately: see `ClosingSpeed`.
///    Without such a speed, as before a red light, only the metres count.
/// 3. A level is announced when the turn gets it for the first time, and levels only rise. What is
///    left out, as the turn was too close, stays so.
/// 4. The first reading of a turn gives no `medium`: it says that the turn before it is done.
/// 5. Another maneuver or street is another turn. So are the same ones if two readings in a row say
///    that the distance grew by more than 40 m: the rider has passed the one and sees the next, or
///    the route is another one. A single such reading is an error and does not count. A rider who
///    slowly moves away stays before the same turn.
/// 6. Off the route is an interruption: the same turn after it goes on with the levels that it has
///    had, and so does off the route if it comes again before the next turn.
/// 7. Once the turn is stale the level is `none`, announced once for each turn. A reading of the
///    same turn gives it the level back that it has had, with no announcement.
/// 8. `high` is shown inverted for its first second, and its turn stays marked until it is done. A
///    second cue comes when it gets within 30 m, if it was not there yet. Straight on is no turn: it
///    has its levels, but none of these.
/// 9. With a wheel, the distance between two readings is what that has left of it, and the speed of
///    an estimate is the wheel's. Neither gives a first level nor another turn.
///
/// Reads no clock: call `advance` no later than `deadline`.
struct Alerts: Sendable {
  /// Distances in metres, times in milliseconds.
  private static var near: Int64 { 30 }
  private static var highTime: Int64 { 15_000 }
  private static var mediumTime: Int64 { 70_000 }
  private static var growth: Int64 { 40 }
  private static var inversionTime: Int64 { 1_000 }

  /// What is remembered of a turn.
  private struct KnownTurn {
    /// Which turn it is.
    var mark: TurnMark
    /// In metres, as last heard.
    var distance: Int64
    /// The highest level it has had.
    var level = AlertLevel.none
    /// Whether it has been within 30 m.
    var wasNear = false
    /// Whether it was announced that nothing fresh is known of it.
    var isLossAnnounced = false
  }

  private var turn: KnownTurn?
  /// The turn that being off the route interrupts, or the interruption that is over.
  private var other: KnownTurn?
  private var isGrowthDoubted = false
  private var speed = ClosingSpeed()
  private var isFresh = false
  private var inversionEnd: Instant?
  private var isCueDue = false
  private var announcement: AlertLevel?

  /// Knows no turn.
  init() {}

  /// Whether the turn is to be shown inverted.
  var isInverted: Bool { inversionEnd != nil }

  /// Whether the turn is due and not done yet.
  var level: AlertLevel { isFresh ? turn?.level ?? .none : .none }

  var isMarked: Bool { isFresh && turn?.level == .high && turn?.mark.isTurning == true }

  /// The finish that the rider has reached, while it is the turn that is said.
  var reachedFinish: TurnMark? { turn?.level == .arrive ? turn?.mark : nil }

  /// How fast the rider closes in on the turn: see `ClosingSpeed`.
  var closingSpeed: ClosingSpeed { speed }

  /// Whether the last reading may be an error.
  var isDoubtful: Bool { isGrowthDoubted }

  /// When time alone changes something; `nil` for never.
  var deadline: Instant? { inversionEnd }

  /// The level that is new since the last call, if there is one.
  mutating func takeAnnouncement() -> AlertLevel? {
    defer { announcement = nil }
    return announcement
  }

  /// Whether the turn that was announced before is within 30 m now; once for each turn.
  mutating func takeSecondCue() -> Bool {
    defer { isCueDue = false }
    return isCueDue
  }

  /// Hears the turn each time that it is said, even if it is the same again; returns which it is.
  ///
  /// Call `lose` before it if the turn before is stale by now.
  mutating func hear(_ news: borrowing Turn, at now: Instant) -> Sighting {
    _ = advance(to: now)
    if !isFresh { speed.forget() }
    isFresh = true
    let distance = Int64(widening: news.distance)
    let sighting = recognize(news, distance, at: now)
    guard sighting != .doubtful else { return sighting }
    turn?.distance = distance
    speed.hear(distance, at: now)
    let isNew = sighting == .another
    rise(to: level(of: news.maneuver, distance, at: nil, isNew: isNew), within: distance, at: now)
    return sighting
  }

  /// The wheel has come within `distance` of the turn; `pace` is its speed in mm/s, if that counts.
  mutating func come(within distance: Int64, of maneuver: Maneuver, at pace: Int64?, now: Instant) {
    guard isFresh, turn != nil, !isGrowthDoubted else { return }
    rise(to: level(of: maneuver, distance, at: pace, isNew: false), within: distance, at: now)
  }

  /// Forgets all turns, as there is none any more.
  mutating func removeAll() {
    lose()
    let loss = announcement
    self = Alerts()
    announcement = loss
  }

  /// Advances to `now`; returns whether what is shown changed.
  mutating func advance(to now: Instant) -> Bool {
    guard let inversionEnd, now >= inversionEnd else { return false }
    self.inversionEnd = nil
    return true
  }

  /// Finds the turn that the news is about.
  private mutating func recognize(
    _ news: borrowing Turn, _ distance: Int64, at now: Instant
  ) -> Sighting {
    let mark = TurnMark(news)
    let wasDoubted = isGrowthDoubted
    isGrowthDoubted = false
    if let turn, turn.mark == mark {
      if distance - turn.distance <= Self.growth { return .same }
      isGrowthDoubted = !wasDoubted
      if isGrowthDoubted { return .doubtful }
    } else if let other, other.mark == mark,
      distance - other.distance <= Self.growth
    {
      (turn, self.other) = (other, turn)
      inversionEnd = nil
      speed.startOver(at: now)
      return .resumed
    } else {
      other = news.maneuver == .offRoute ? turn : nil
    }
    turn = KnownTurn(mark: mark, distance: distance)
    speed.startOver(at: now)
    return .another
  }

  private func level(
    of maneuver: Maneuver, _ distance: Int64, at pace: Int64?, isNew: Bool
  ) -> AlertLevel {
    if maneuver == .start { return .depart }
    if maneuver == .finish, distance <= Self.near { return .arrive }
    if distance < Self.near || isLess(distance, than: Self.highTime, at: pace) { return .high }
    return !isNew && isLess(distance, than: Self.mediumTime, at: pace) ? .medium : .low
  }

  /// Whether the rider is there in less than so many milliseconds, at a pace or the closing speed.
  private func isLess(_ distance: Int64, than milliseconds: Int64, at pace: Int64?) -> Bool {
    guard let pace else { return speed.isLess(distance, than: milliseconds) }
    return distance * 1_000_000 < milliseconds * pace
  }

  private mutating func rise(to level: AlertLevel, within distance: Int64, at now: Instant) {
    let wasMarked = isMarked
    rise(to: level, at: now)
    guard distance < Self.near, turn?.wasNear == false else { return }
    turn?.wasNear = true
    isCueDue = wasMarked
  }

  private mutating func rise(to level: AlertLevel, at now: Instant) {
    guard let had = turn?.level, level > had else { return }
    turn?.level = level
    announcement = level
    inversionEnd = isMarked ? now + Self.inversionTime : nil
  }

  /// The turn is stale.
  mutating func lose() {
    guard isFresh else { return }
    isFresh = false
    inversionEnd = nil
    guard turn?.isLossAnnounced == false else { return }
    turn?.isLossAnnounced = true
    announcement = AlertLevel.none
  }
}

import Bytes
import Turns

/// How much attention the next turn needs, by its readings over time.
///
/// The last two turns with their levels live here; `receive`, `come`, `lose`, `removeAll` and `advance` change
/// them. These are all the rules:
///
/// 1. A turn's level is `depart` at the start and `arrive` at a finish within 30 m. Else it is
///    `high` within 30 m or 15 s, `medium` within 70 s, and `low` before that. The limits themselves
///    are not within, except at the finish. Off the route and unknown maneuvers are turns like
///    others.
/// 2. The seconds come from the distance and the speed at which it falls: see `ClosingSpeed`.
///    Without such a speed, for example at a red light, only the metres count.
/// 3. A level is announced when the turn gets it for the first time. Levels only rise. A level that
///    was skipped, as the turn was too close, is never announced.
/// 4. The first reading of a turn gives no `medium`: it means that the turn before it is done.
/// 5. Another maneuver or street is another turn. So is the same one if the distance grew by more than
///    40 m in two readings in a row: the rider has passed one turn and sees the next, or the route
///    has changed. A single such reading is an error and does not count. A rider who slowly moves
///    away has the same turn ahead. If Gadgetbridge says either reading, another text makes no other turn,
///    unless the distance grew by more than a tenth and 30 m: see `TurnMark`.
/// 6. Off the route is an interruption: the same turn after it keeps the levels that it has had. So
///    does off the route if it comes again before the next turn.
/// 7. The level of a stale turn is `none`, announced once for each turn. A reading of the same turn
///    restores its level without an announcement.
/// 8. `high` is inverted for its first second, and its turn stays marked until it is done. A second
///    cue comes when it gets within 30 m, if it began farther away. Straight on is no turn: it has
///    its levels, but no mark and no cue.
/// 9. With a wheel, the distance between two readings falls by the way of the wheel, and an estimate
///    has the speed of the wheel. Neither gives a first level or another turn.
/// 10. If a distance of Gadgetbridge's differs by more than 20 m from the last one to the same turn, the speed
///    becomes unknown. The app counts in steps, such as a tenth of a mile, and nobody knows where in a step
///    the rider began. No bicycle rides that far in the second between two lines of OsmAnd.
///
/// Reads no clock: call `advance` no later than `deadline`.
struct Alerts: Sendable {
  /// Distances in metres, times in milliseconds.
  private static var near: Int64 { 30 }
  private static var highTime: Int64 { 15_000 }
  private static var mediumTime: Int64 { 70_000 }
  private static var inversionTime: Int64 { 1_000 }

  /// What is kept of a turn.
  private struct KnownTurn {
    var mark: TurnMark
    var source: TurnSource
    /// The last reading in metres.
    var distance: Int64
    /// The highest level it has had.
    var level = AlertLevel.none
    /// Whether it has been within 30 m.
    var wasNear = false
    /// Whether level `none` was announced.
    var isLossAnnounced = false

    /// Adopts another reading of the turn, which may have another text.
    mutating func adopt(_ mark: TurnMark, from source: TurnSource) {
      (self.mark, self.source) = (mark, source)
    }

    func likeness(of news: TurnMark, from source: TurnSource, _ distance: Int64) -> Likeness {
      let isByStreet = source == .komoot && self.source == .komoot
      return mark.likeness(of: news, distance, after: self.distance, isByStreet: isByStreet)
    }
  }

  private var turn: KnownTurn?
  /// The turn that was interrupted by off the route, or the interruption once it is over.
  private var other: KnownTurn?
  /// Whether the last reading may be an error.
  private(set) var isDoubtful = false
  private(set) var closingSpeed = ClosingSpeed()
  private var isFresh = false
  private var inversionEnd: Instant?
  private var isCueDue = false
  private var announcement: AlertLevel?

  /// Whether the picture of the turn must be inverted.
  var isInverted: Bool { inversionEnd != nil }

  var level: AlertLevel { isFresh ? turn?.level ?? .none : .none }

  /// Whether the turn is due and not done yet.
  var isMarked: Bool { isFresh && turn?.level == .high && turn?.mark.isTurning == true }

  /// The finish that the rider has reached, while it is the last turn.
  var reachedFinish: TurnMark? { turn?.level == .arrive ? turn?.mark : nil }

  /// When time alone changes something; `nil` for never.
  var deadline: Instant? { inversionEnd }

  /// The level that is new since the last call, if there is one.
  mutating func takeAnnouncement() -> AlertLevel? {
    defer { announcement = nil }
    return announcement
  }

  /// Whether the announced turn has come within 30 m; once for each turn.
  mutating func takeSecondCue() -> Bool {
    defer { isCueDue = false }
    return isCueDue
  }

  /// Receives each reading of a turn, even if it is the same again; returns which turn it is.
  ///
  /// Call `lose` first if the turn before is stale by now.
  mutating func receive(
    _ news: borrowing Turn, from source: TurnSource, at now: Instant
  ) -> Sighting {
    _ = advance(to: now)
    if !isFresh { closingSpeed.forget() }
    isFresh = true
    let distance = Int64(widening: news.distance)
    let last = turn?.distance ?? distance
    let sighting = recognize(news, from: source, distance, at: now)
    guard sighting != .doubtful else { return sighting }
    turn?.distance = distance
    let isStep = sighting == .same && abs(distance - last) > ClosingSpeed.noise
    if source == .gadgetbridge, isStep { closingSpeed.forget() }
    closingSpeed.receive(distance, at: now)
    let isNew = sighting == .another
    rise(to: level(of: news.maneuver, distance, at: nil, isNew: isNew), within: distance, at: now)
    return sighting
  }

  /// The wheel has come within `distance` of the turn; `pace` is its speed in mm/s, if that counts.
  mutating func come(within distance: Int64, of maneuver: Maneuver, at pace: Int64?, now: Instant) {
    guard isFresh, turn != nil, !isDoubtful else { return }
    rise(to: level(of: maneuver, distance, at: pace, isNew: false), within: distance, at: now)
  }

  mutating func removeAll() {
    lose()
    let loss = announcement
    self = Alerts()
    announcement = loss
  }

  /// Advances to `now`; returns whether the picture has changed.
  mutating func advance(to now: Instant) -> Bool {
    guard let inversionEnd, now >= inversionEnd else { return false }
    self.inversionEnd = nil
    return true
  }

  /// Finds out which turn the news is about.
  private mutating func recognize(
    _ news: borrowing Turn, from source: TurnSource, _ distance: Int64, at now: Instant
  ) -> Sighting {
    let mark = TurnMark(news)
    let wasDoubted = isDoubtful
    isDoubtful = false
    switch turn?.likeness(of: mark, from: source, distance) ?? .other {
    case .same:
      turn?.adopt(mark, from: source)
      return .same
    case .farther:
      isDoubtful = !wasDoubted
      if isDoubtful { return .doubtful }
    case .other:
      if other?.likeness(of: mark, from: source, distance) == .same {
        (turn, other) = (other, turn)
        turn?.adopt(mark, from: source)
        inversionEnd = nil
        closingSpeed.startOver(at: now)
        return .resumed
      }
      other = news.maneuver == .offRoute ? turn : nil
    }
    turn = KnownTurn(mark: mark, source: source, distance: distance)
    closingSpeed.startOver(at: now)
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

  /// Whether the rider needs less than this time for the distance, at a pace or the closing speed.
  private func isLess(_ distance: Int64, than milliseconds: Int64, at pace: Int64?) -> Bool {
    guard let pace else { return closingSpeed.isLess(distance, than: milliseconds) }
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

/// How much of the rider's attention the turn needs.
///
/// The levels of a turn come in this order; some may be skipped.
package enum AlertLevel: UInt8, Comparable, Sendable {
  /// Nothing fresh is known.
  case none
  /// The ride begins.
  case depart
  /// The next turn is far away.
  case low
  /// The next turn comes in about a minute.
  case medium
  /// The next turn is there.
  case high
  /// The ride ends here.
  case arrive

  package static func < (a: AlertLevel, b: AlertLevel) -> Bool { a.rawValue < b.rawValue }
}

public import Bytes
public import Turns

/// Turns over time: what the rider must know now.
///
/// Reads no clock. Call `hear` each time that a source of navigation says the next turn, and
/// `advance` no later than `deadline`; after both, and after `removeTurn`, there may be an alert
/// to announce. A lost link needs no call: the last turn stays and becomes stale, as nothing
/// fresh comes.
public struct Guidance: ~Copyable {
  /// How much a turn differs from the one that was said before.
  public enum Change: Equatable, Sendable {
    /// Not at all.
    case nothing
    /// In its distance only.
    case distance
    /// In maneuver or street; also the first turn, and the loss of it.
    case turn
  }

  /// After how many milliseconds without news a turn is stale.
  public static var freshness: Int64 { 8_000 }

  /// The turn that was said last; empty if there is none.
  public private(set) var turn = Turn()
  /// Another number whenever the street is another one: who shows it needs no copy to compare.
  public private(set) var streetNumber: UInt32 = 0
  /// How old the turn is, as shown; `nil` while it is fresh, or if there is none.
  public private(set) var age: Age?
  /// What was seen of the ride so far, or of the last one; nothing but `forgetTrip` takes it away.
  public private(set) var trip = Trip()
  private let units: Units
  private var lastNews: Instant?
  private var alerts = Alerts()

  /// Knows no turn; distances will be shown in `units`, and streets are counted from `first` on.
  public init(units: Units, countingFrom first: UInt32 = 0) {
    self.units = units
    streetNumber = first
  }

  /// Whether there is a turn to show.
  public var hasTurn: Bool { lastNews != nil }

  /// Whether the turn may no longer be true.
  public var isStale: Bool { age != nil }

  /// The distance to the turn, as shown.
  public var distance: RoundedDistance { RoundedDistance(metres: turn.distance, units: units) }

  /// Whether the turn is to be shown inverted, to draw attention.
  public var isInverted: Bool { alerts.isInverted }

  /// Whether the turn is to stay marked: it is due, and not done yet.
  public var isMarked: Bool { alerts.isMarked }

  /// Whether the next turn is one to draw attention to when it is due: straight on is not.
  public var isTurning: Bool { turn.maneuver != .straight }

  /// The metres to a fresh turn that is nearer than 100 m, in the steps in which they are shown.
  public var nearness: Int? {
    guard hasTurn, !isStale, turn.distance < 95 else { return nil }
    // Who starts is there already, and off the route nobody knows.
    guard turn.maneuver != .start, turn.maneuver != .offRoute else { return nil }
    return turn.distance < 6 ? 0 : Int((turn.distance + 5) / 10 * 10)
  }

  /// What there is to show of the ride.
  public var tripFigures: TripFigures {
    TripFigures(trip, isUnderWay: hasTurn && !trip.isOver, isFresh: !isStale, units: units)
  }

  /// When `advance` has something to do; `nil` for never.
  public var deadline: Instant? { earlier(alerts.deadline, ageDeadline) }

  private var ageDeadline: Instant? {
    guard let lastNews else { return nil }
    guard let age else { return lastNews + Self.freshness }
    guard let end = age.end else { return nil }
    return lastNews + end
  }

  /// Hears what a source says now; it is fresh even if it is the same again.
  ///
  /// An empty turn means that the source has none.
  public mutating func hear(_ news: consuming Turn, at now: Instant) -> Change {
    if news.isEmpty { return removeTurn() ? .turn : .nothing }
    let change = change(to: news)
    lastNews = now
    age = nil
    let sighting = alerts.hear(news, at: now)
    trip.hear(news, sighting, alerts.closingSpeed, reached: alerts.reachedFinish, at: now)
    replaceTurn(by: news)
    return change
  }

  /// The level that is new since the last call, if there is one.
  public mutating func takeAnnouncement() -> AlertLevel? { alerts.takeAnnouncement() }

  /// Whether the turn has come within 30 m since it was announced; once for each turn.
  public mutating func takeSecondCue() -> Bool { alerts.takeSecondCue() }

  /// Forgets the turn, as another phone is listened to now, or none.
  ///
  /// Returns whether there was one.
  @discardableResult
  public mutating func removeTurn() -> Bool {
    let hadTurn = hasTurn
    replaceTurn(by: Turn())
    lastNews = nil
    age = nil
    alerts.removeAll()
    return hadTurn
  }

  /// Forgets the ride, as it is nobody else's business.
  public mutating func forgetTrip() { trip = Trip() }

  /// Advances to `now`; returns whether what is shown changed.
  @discardableResult
  public mutating func advance(to now: Instant) -> Bool {
    let isAlertChanged = alerts.advance(to: now)
    guard let lastNews, now - lastNews >= Self.freshness else { return isAlertChanged }
    let shown = Age(milliseconds: now - lastNews)
    guard shown != age else { return isAlertChanged }
    age = shown
    return true
  }

  private func change(to news: borrowing Turn) -> Change {
    guard hasTurn, news.isSameTurn(as: turn) else { return .turn }
    return news.distance == turn.distance ? .nothing : .distance
  }

  private mutating func replaceTurn(by news: consuming Turn) {
    if !isEqual(news.street, turn.street) { streetNumber &+= 1 }
    turn = news
  }
}

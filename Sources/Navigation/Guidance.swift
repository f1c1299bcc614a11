package import Bytes
package import Turns

/// Turns over time: what the rider must know now.
///
/// Reads no clock. Call `hear` each time that a source of navigation says the next turn, `hearWheel`
/// each time that a wheel's sensor says something, and `advance` after either and no later than
/// `deadline`; after `hear`, `advance` and `removeTurn` there may be an alert to announce. A lost
/// phone needs no call: the last turn stays and becomes stale, as nothing fresh comes; a lost wheel
/// needs `wheelWasLost`. `Approach` has the rules of the distance.
package struct Guidance: ~Copyable {
  /// How much a turn differs from the one that was said before.
  package enum Change: Equatable, Sendable {
    /// Not at all.
    case nothing
    /// In its distance only.
    case distance
    /// In maneuver or street; also the first turn, and the loss of it.
    case turn
  }

  /// After how many milliseconds without news a turn is stale.
  package static var freshness: Int64 { 8_000 }

  /// The turn that was said last; empty if there is none.
  package private(set) var turn = Turn()
  /// Another number whenever the street is another one: who shows it needs no copy to compare.
  package private(set) var streetNumber: UInt32 = 0
  /// How old the turn is, as shown; `nil` while it is fresh, or if there is none.
  package private(set) var age: Age?
  /// What was seen of the ride so far, or of the last one; nothing but `forgetTrip` takes it away.
  package private(set) var trip = Trip()
  /// Whether the seconds to the turn are shown, so that another number of them is a change.
  package var areSecondsShown = false
  private let units: Units
  private var isKnown = false
  private var alerts = Alerts()
  private var approach = Approach()
  private var calibration: WheelCalibration?
  /// What was to be shown when that was last looked at.
  private var shown: Shown?

  /// All that is shown of a turn, and changes by time or by the wheel.
  private struct Shown: Equatable {
    var distance: RoundedDistance
    var nearness: Int?
    var seconds: Int64?
    var isEstimated: Bool
    var isMarked: Bool
    var age: Age?
  }

  /// Knows no turn; distances will be shown in `units`, and streets are counted from `first` on.
  package init(units: Units, countingFrom first: UInt32 = 0) {
    self.units = units
    streetNumber = first
  }

  /// Whether there is a turn to show.
  package var hasTurn: Bool { isKnown }

  /// Whether the turn may no longer be true.
  package var isStale: Bool { age != nil }

  /// The distance to the turn, as shown.
  package var distance: RoundedDistance { RoundedDistance(metres: metres, units: units) }

  /// Whether the panel may show something else for some seconds: there is no turn, or it is far off.
  package var isQuiet: Bool {
    guard hasTurn else { return true }
    guard turn.maneuver != .start, turn.maneuver != .offRoute else { return false }
    return !isStale && metres >= 500
  }

  /// Whether the distance is an estimate by the wheel, as the phone says nothing new.
  package var isEstimated: Bool { approach.freshness == .estimated }

  /// How far it is to a fresh turn; `nil` if there is none, at the start, and off the route.
  package var progress: Progress? { hasTurn ? approach.progress : nil }

  private var metres: UInt32 { UInt32(truncatingIfNeeded: min(approach.metres, 0xFFFF_FFFF)) }

  /// Whether the turn is to be shown inverted, to draw attention.
  package var isInverted: Bool { alerts.isInverted }

  /// Whether the turn is to stay marked: it is due, and not done yet.
  package var isMarked: Bool { alerts.isMarked }
  /// The level of the turn, as long as it is fresh.
  package var level: AlertLevel { alerts.level }

  /// Whether the next turn is one to draw attention to when it is due: straight on is not.
  package var isTurning: Bool { turn.maneuver != .straight }

  /// The metres to a fresh turn that is nearer than 100 m, in the steps in which they are shown.
  package var nearness: Int? { nearness(metres) }

  private func nearness(_ metres: UInt32) -> Int? {
    guard hasTurn, !isStale, metres < 95 else { return nil }
    // Who starts is there already, and off the route nobody knows.
    guard turn.maneuver != .start, turn.maneuver != .offRoute else { return nil }
    return metres < 6 ? 0 : Int((metres + 5) / 10 * 10)
  }

  /// What there is to show of the ride.
  package var tripFigures: TripFigures {
    TripFigures(
      trip, isUnderWay: (hasTurn || trip.isByWheel) && !trip.isOver,
      isFresh: !isStale || trip.isByWheel, units: units)
  }

  // MARK: - What is heard

  /// Hears what a source says now; it is fresh even if it is the same again.
  ///
  /// An empty turn means that the source has none.
  package mutating func hear(_ news: consuming Turn, at now: Instant) -> Change {
    if news.isEmpty { return removeTurn() ? .turn : .nothing }
    look(at: now)
    let change = change(to: news)
    if change == .nothing, approach.isDisproved, !alerts.isDoubtful { return change }
    let sighting = alerts.hear(news, at: now)
    if change == .nothing, sighting == .same {
      approach.hearAgain(at: now)
    } else {
      approach.hear(Int64(widening: news.distance), news.maneuver, sighting, at: now)
    }
    calibrate(news, sighting, at: now)
    let begins = trip.hear(
      news, sighting, alerts.closingSpeed, reached: alerts.reachedFinish, at: now)
    if begins { calibration?.beginRide() }
    replaceTurn(by: news)
    look(at: now)
    // What a repetition changes is for `advance` to say.
    if change != .nothing { shown = seen }
    return change
  }

  /// Hears how far a wheel has rolled in all, in millimetres, and its speed in mm/s where it is known.
  ///
  /// Returns whether it turns.
  @discardableResult
  package mutating func hearWheel(distance: Int64, speed: Int64?, at now: Instant) -> Bool {
    let way = approach.hearWheel(distance: distance, speed: speed, at: now)
    if trip.hearWheel(way, speed: speed, at: now) { calibration?.beginRide() }
    return way > 0
  }

  /// The wheel's sensor is away: the phone alone says where the turn is.
  package mutating func wheelWasLost(at now: Instant) {
    look(at: now)
    approach.wheelWasLost()
    trip.wheelWasLost()
  }

  /// The level that is new since the last call, if there is one.
  package mutating func takeAnnouncement() -> AlertLevel? { alerts.takeAnnouncement() }

  /// Whether the turn has come within 30 m since it was announced; once for each turn.
  package mutating func takeSecondCue() -> Bool { alerts.takeSecondCue() }

  /// Forgets the turn, as another phone is listened to now, or none.
  ///
  /// Returns whether there was one.
  @discardableResult
  package mutating func removeTurn() -> Bool {
    let hadTurn = hasTurn
    replaceTurn(by: Turn())
    (isKnown, age, shown) = (false, nil, nil)
    approach.removeTurn()
    alerts.removeAll()
    return hadTurn
  }

  /// Forgets the ride, as it is nobody else's business.
  package mutating func forgetTrip() { trip.forget() }

  // MARK: - Time

  /// When `advance` has something to do; `nil` for never.
  package var deadline: Instant? {
    guard let confirmation = approach.confirmation else { return alerts.deadline }
    let ageEnd = age.flatMap { $0.end }.map { confirmation + $0 }
    let freshnessEnd = earlier(ageEnd, approach.freshnessEnd)
    return earlier(alerts.deadline, earlier(freshnessEnd, distanceEnd))
  }

  /// Advances to `now`; returns whether what is shown changed.
  @discardableResult
  package mutating func advance(to now: Instant) -> Bool {
    let isAlertChanged = alerts.advance(to: now)
    look(at: now)
    let seen = seen
    defer { shown = seen }
    return isAlertChanged || seen != shown
  }

  /// Finds how far and how fresh the turn is now, and what follows from it.
  private mutating func look(at now: Instant) {
    guard let confirmation = approach.confirmation else { return }
    approach.advance(to: now, closing: alerts.closingSpeed.millimetresPerSecond)
    age = approach.freshness == .stale ? Age(milliseconds: now - confirmation) : nil
    if isStale {
      alerts.lose()
    } else if approach.isByWheel {
      let pace = isEstimated ? approach.speed : nil
      alerts.come(within: approach.metres, of: turn.maneuver, at: pace, now: now)
      trip.reach(alerts.reachedFinish)
    }
  }

  private var seen: Shown? { hasTurn ? seen(at: metres) : nil }

  private func seen(at metres: UInt32) -> Shown {
    Shown(
      distance: RoundedDistance(metres: metres, units: units), nearness: nearness(metres),
      seconds: areSecondsShown ? approach.seconds(Int64(widening: metres)) : nil,
      isEstimated: isEstimated, isMarked: isMarked, age: age)
  }

  /// When another distance or another number of seconds is shown though nothing is heard.
  private var distanceEnd: Instant? {
    let (metres, seen) = (metres, seen)
    // No bicycle comes farther before something is heard again.
    for closer in 1...50 as ClosedRange<UInt32> where closer <= metres {
      guard self.seen(at: metres - closer) != seen else { continue }
      return approach.time(
        of: Int64(widening: metres - closer), closing: alerts.closingSpeed.millimetresPerSecond)
    }
    return nil
  }

  // MARK: - The wheel's circumference

  /// What a wheel measures of which nothing is known, in millimetres.
  package static var usualCircumference: Int64 { WheelCalibration.usual }

  /// Finds the circumference of the wheel, which was so many millimetres the last time.
  ///
  /// A circumference that is none of a bicycle's does not count.
  package mutating func calibrateWheel(from circumference: Int64) {
    calibration = WheelCalibration(circumference: circumference)
  }

  /// By what circumference the wheel is to be heard from now on, in millimetres.
  ///
  /// It is `nil` if the wheel is not calibrated. `WheelCalibration` has the rules.
  package var circumference: Int64? { calibration?.circumference }

  /// The circumference that is to be kept over a restart, once a ride.
  package mutating func takeCircumferenceToSave() -> Int64? {
    calibration?.takeCircumferenceToSave()
  }

  private mutating func calibrate(
    _ news: borrowing Turn, _ sighting: Sighting, at now: Instant
  ) {
    guard calibration != nil else { return }
    let isHeading = news.maneuver != .start && news.maneuver != .offRoute
    let rolled = isHeading ? approach.rolled(at: now) : nil
    calibration?.hear(Int64(widening: news.distance), sighting, rolled: rolled, at: now)
  }

  private func change(to news: borrowing Turn) -> Change {
    guard hasTurn, news.isSameTurn(as: turn) else { return .turn }
    return news.distance == turn.distance ? .nothing : .distance
  }

  private mutating func replaceTurn(by news: consuming Turn) {
    if !isEqual(news.street, turn.street) { streetNumber &+= 1 }
    isKnown = true
    turn = news
  }
}

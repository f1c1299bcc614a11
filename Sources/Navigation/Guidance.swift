package import Bytes
package import Turns

/// Turns over time: what the rider must know now.
///
/// The turn, its age, its alerts, the ride so far and the wheel's circumference live here. Only its own calls
/// change them.
///
/// komoot has priority: while it sends a turn, the turns of Gadgetbridge are ignored.
///
/// Reads no clock. Call `receive` for each turn from a source of navigation, and `receiveWheel` for each value of a
/// wheel's sensor. Call `advance` after either and no later than `deadline`. After `receive`, `advance` and
/// `removeTurn` there may be an alert to announce. A lost phone needs `linkWasLost`, a lost wheel `wheelWasLost`; by
/// silence alone the turn becomes stale later. `Approach` has the rules of the distance.
package struct Guidance: ~Copyable {
  /// How a turn differs from the one before.
  package enum Outcome: Equatable, Sendable {
    /// Not at all.
    case nothing
    /// In its distance only.
    case distance
    /// In maneuver or street; also the first turn, and the loss of the turn.
    case turn
  }

  /// The last turn; empty if there is none.
  package private(set) var turn = Turn()
  /// The source of the turn; without a turn, the source of the last one.
  package private(set) var source = TurnSource.komoot
  /// When komoot last sent a turn; `nil` once it has none.
  private var komootTime: Instant?
  /// A number that changes with the street, so that the panel needs no copy to compare.
  ///
  /// It wraps round, so compare it for equality only.
  package private(set) var streetNumber: UInt32 = 0
  /// The age of a stale turn, in the steps of the panel; `nil` if the turn is fresh, or there is none.
  package private(set) var age: Age?
  /// The ride so far, or the last one; only `forgetTrip` and the next ride remove it.
  package private(set) var trip = Trip()
  /// Whether the panel shows the seconds to the turn, so that their change is a change of the picture.
  package var areSecondsShown = false
  private let units: Units
  /// Whether there is a turn to show.
  package private(set) var hasTurn = false
  private var alerts = Alerts()
  private var approach = Approach()
  private var calibration: WheelCalibration?
  /// What there was to show when the last change was reported.
  private var shown: Shown?

  /// The part of the picture of a turn that changes by time or by the wheel.
  private struct Shown: Equatable {
    var distance: RoundedDistance
    var nearness: Int?
    var seconds: Int64?
    var isEstimated: Bool
    var isMarked: Bool
    var age: Age?
  }

  /// Without a turn, for a panel that shows distances in `units`.
  package init(units: Units) { self.units = units }

  /// Whether the turn may no longer be true.
  package var isStale: Bool { age != nil }

  /// The distance to the turn, in the steps of the panel.
  package var distance: RoundedDistance { RoundedDistance(metres: metres, units: units) }

  /// Whether the panel may show something else for some seconds, as the turn is far or there is none.
  package var isQuiet: Bool {
    guard hasTurn else { return true }
    guard turn.maneuver.hasWay else { return false }
    return !isStale && metres >= 500
  }

  /// Whether the distance is an estimate by the wheel, without news from the phone.
  package var isEstimated: Bool { approach.freshness == .estimated }

  /// The progress to a fresh turn; `nil` if there is none, at the start, and off the route.
  package var progress: Progress? { hasTurn ? approach.progress : nil }

  private var metres: UInt32 { UInt32(truncatingIfNeeded: min(approach.metres, 0xFFFF_FFFF)) }

  /// Whether the app of the turn has ended the navigation, as the rider has arrived.
  package var isNavigationOver: Bool { approach.isNavigationOver }

  /// Whether the picture of the turn must be inverted, to draw attention.
  package var isInverted: Bool { alerts.isInverted }

  /// Whether the turn must be marked: it is due, and not done yet.
  package var isMarked: Bool { alerts.isMarked }
  /// The level of the turn, while it is fresh.
  package var level: AlertLevel { alerts.level }

  /// Whether the next turn deserves attention when it is due: straight on does not.
  package var isTurning: Bool { turn.maneuver != .straight }

  /// The metres to a fresh turn that is nearer than 100 m, in the steps of the panel.
  package var nearness: Int? { nearness(metres) }

  private func nearness(_ metres: UInt32) -> Int? {
    guard hasTurn, !isStale, metres < 95 else { return nil }
    guard turn.maneuver.hasWay else { return nil }
    return metres < 6 ? 0 : Int((metres + 5) / 10 * 10)
  }

  /// The figures of the ride for the panel.
  package var tripFigures: TripFigures {
    TripFigures(
      trip, isUnderWay: (hasTurn || trip.isByWheel) && !trip.hasArrived,
      isFresh: !isStale || trip.isByWheel, units: units)
  }

  // MARK: - In

  /// Receives the turn of a source, which makes it fresh even if it is the same again.
  ///
  /// An empty turn means that the source has none. A source without priority changes nothing: see `admit`.
  package mutating func receive(
    _ news: consuming Turn, from source: TurnSource = .komoot, at now: Instant
  ) -> Outcome {
    receive(news, from: source, isStreetOld: false, at: now)
  }

  /// Receives a turn of Gadgetbridge without a street: the last street stays until another turn comes.
  package mutating func receive(
    _ maneuver: Maneuver, distance: UInt32, at now: Instant
  ) -> Outcome {
    var news = Turn(maneuver, distance: distance, street: Span())
    if hasTurn, source == .gadgetbridge {
      news = Turn(maneuver, distance: distance, street: turn.street)
    }
    return receive(news, from: .gadgetbridge, isStreetOld: true, at: now)
  }

  private mutating func receive(
    _ news: consuming Turn, from source: TurnSource, isStreetOld: Bool, at now: Instant
  ) -> Outcome {
    guard admit(news, from: source, at: now) else { return .nothing }
    if news.isEmpty { return receiveEnd(from: source, at: now) }
    look(at: now)
    approach.restoreTurn()
    var outcome = outcome(of: news, from: source)
    let isRepeated = outcome != .turn && source == self.source && news.distance == turn.distance
    if isRepeated, approach.isDisproved, !alerts.isDoubtful {
      replaceTurn(by: news, from: source)
      return outcome
    }
    let sighting = alerts.receive(news, from: source, at: now)
    if isStreetOld, sighting == .another, news.maneuver != .offRoute {
      news = Turn(news.maneuver, distance: news.distance, street: Span())
      outcome = .turn
    }
    if isRepeated, sighting == .same {
      approach.receiveAgain(at: now)
    } else {
      let metres = Int64(widening: news.distance)
      approach.receive(metres, news.maneuver, sighting, from: source, at: now)
    }
    calibrate(news, sighting, from: source, at: now)
    let begins = trip.receive(
      news, sighting, alerts.closingSpeed, reached: alerts.reachedFinish, at: now)
    if begins { calibration?.beginRide() }
    replaceTurn(by: news, from: source)
    look(at: now)
    // `advance` reports what a repetition changes.
    if outcome != .nothing { shown = seen }
    return outcome
  }

  /// Completes a turn of komoot's whose street is cut: the same turn again gets the whole street.
  package func completed(_ news: consuming Turn) -> Turn {
    let isBeginning = isEqual(news.street, turn.street.extracting(first: news.street.count))
    guard source == .komoot, news.maneuver == turn.maneuver, isBeginning else { return news }
    return Turn(news.maneuver, distance: news.distance, street: turn.street)
  }

  /// Receives another text of Gadgetbridge's turn, without a distance: the last distance stays, and grows older.
  ///
  /// Another maneuver means another turn, whose distance is unknown: then nothing changes.
  package mutating func receive(text: Span<UInt8>, of maneuver: Maneuver) -> Outcome {
    guard receiveAgain(maneuver) else { return .nothing }
    let news = Turn(maneuver, distance: turn.distance, street: text)
    guard !news.isSameTurn(as: turn) else { return .nothing }
    replaceTurn(by: news, from: source)
    return .distance
  }

  /// Receives Gadgetbridge's turn once more, without a distance; returns whether it is the known turn.
  package mutating func receiveAgain(_ maneuver: Maneuver) -> Bool {
    guard hasTurn, source == .gadgetbridge, maneuver == turn.maneuver else { return false }
    approach.restoreTurn()
    return true
  }

  /// The source has no turn any more; apps behind Gadgetbridge may say so and yet go on.
  private mutating func receiveEnd(from source: TurnSource, at now: Instant) -> Outcome {
    guard source == .gadgetbridge, hasTurn else { return removeTurn() ? .turn : .nothing }
    approach.takeBackTurn(isAtFinish: alerts.reachedFinish != nil, at: now)
    return .nothing
  }

  /// komoot has notified on the link of this turn, and so would notify of news.
  package mutating func komootNotifies() { approach.komootNotifies() }

  /// The phone's link is gone.
  package mutating func linkWasLost() { approach.linkWasLost() }

  /// Notes when komoot sends a turn; returns whether what a source says counts now.
  ///
  /// A turn of komoot always counts, a turn of Gadgetbridge unless komoot sent one in the last 8 s. Only the
  /// source of a turn can end it.
  private mutating func admit(
    _ news: borrowing Turn, from source: TurnSource, at now: Instant
  ) -> Bool {
    if source == .komoot { komootTime = news.isEmpty ? nil : now }
    let isOther = hasTurn && source != self.source
    if news.isEmpty { return !isOther }
    guard source == .gadgetbridge, let komootTime else { return true }
    return now - komootTime >= TurnSource.komoot.freshness
  }

  /// Receives how far a wheel has rolled in all, in millimetres, and its speed in mm/s if known.
  ///
  /// Returns whether it turns.
  @discardableResult
  package mutating func receiveWheel(distance: Int64, speed: Int64?, at now: Instant) -> Bool {
    let way = approach.receiveWheel(distance: distance, speed: speed, at: now)
    if trip.receiveWheel(way, speed: speed, at: now) { calibration?.beginRide() }
    return way > 0
  }

  /// The wheel's sensor is gone: the distance is by the phone alone.
  package mutating func wheelWasLost(at now: Instant) {
    look(at: now)
    approach.wheelWasLost()
    trip.wheelWasLost()
  }

  /// The level that is new since the last call, if there is one.
  package mutating func takeAnnouncement() -> AlertLevel? { alerts.takeAnnouncement() }

  /// Whether the turn has come within 30 m since it was announced; once for each turn.
  package mutating func takeSecondCue() -> Bool { alerts.takeSecondCue() }

  /// Forgets the turn, because of another phone or none; returns whether there was one.
  @discardableResult
  package mutating func removeTurn() -> Bool {
    let hadTurn = hasTurn
    replaceTurn(by: Turn(), from: source)
    (hasTurn, age, shown, komootTime) = (false, nil, nil, nil)
    approach.removeTurn()
    alerts.removeAll()
    return hadTurn
  }

  /// Forgets the ride, which is private.
  package mutating func forgetTrip() { trip.forget() }

  // MARK: - Time

  /// When `advance` has something to do; `nil` for never.
  package var deadline: Instant? {
    let ownEnd = earlier(alerts.deadline, trip.deadline)
    guard let confirmation = approach.confirmation else { return ownEnd }
    let ageEnd = age.flatMap { $0.end }.map { confirmation + $0 }
    let freshnessEnd = earlier(earlier(ageEnd, approach.farewell), approach.freshnessEnd)
    return earlier(ownEnd, earlier(freshnessEnd, distanceEnd))
  }

  /// Advances to `now`; returns whether the picture has changed.
  @discardableResult
  package mutating func advance(to now: Instant) -> Bool {
    let isAlertChanged = alerts.advance(to: now)
    let doesPauseBegin = trip.advance(to: now)
    if let farewell = approach.farewell, now >= farewell { return removeTurn() }
    look(at: now)
    let seen = seen
    defer { shown = seen }
    return isAlertChanged || doesPauseBegin || seen != shown
  }

  /// Finds the distance and the age of the turn now, and the alerts that follow.
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

  /// When the distance or the seconds on the panel change by time alone.
  private var distanceEnd: Instant? {
    let (metres, seen) = (metres, seen)
    // No bicycle rides farther before the next news.
    for closer in 1...50 as ClosedRange<UInt32> where closer <= metres {
      guard self.seen(at: metres - closer) != seen else { continue }
      return approach.time(
        of: Int64(widening: metres - closer), closing: alerts.closingSpeed.millimetresPerSecond)
    }
    return nil
  }

  // MARK: - The wheel's circumference

  /// The circumference of an unknown wheel, in millimetres.
  package static var usualCircumference: Int64 { WheelCalibration.usual }

  /// Begins to learn the circumference of the wheel, from the last known one in millimetres.
  ///
  /// A circumference that no bicycle has does not count.
  package mutating func calibrateWheel(from circumference: Int64) {
    calibration = WheelCalibration(circumference: circumference)
  }

  /// The circumference for the wheel's sensor from now on, in millimetres; `nil` without calibration.
  ///
  /// `WheelCalibration` has the rules.
  package var circumference: Int64? { calibration?.circumference }

  /// The circumference to save for the next start, at most once a ride.
  package mutating func takeCircumferenceToSave() -> Int64? {
    calibration?.takeCircumferenceToSave()
  }

  /// Only komoot's distances are known to be exact.
  private mutating func calibrate(
    _ news: borrowing Turn, _ sighting: Sighting, from source: TurnSource, at now: Instant
  ) {
    guard calibration != nil else { return }
    let rolled = news.maneuver.hasWay && source == .komoot ? approach.rolled(at: now) : nil
    calibration?.receive(Int64(widening: news.distance), sighting, rolled: rolled, at: now)
  }

  private func outcome(of news: borrowing Turn, from source: TurnSource) -> Outcome {
    guard hasTurn else { return .turn }
    let isSame = news.isSameTurn(as: turn)
    if source == .komoot, self.source == .komoot {
      guard isSame else { return .turn }
    } else {
      let (metres, last) = (Int64(widening: news.distance), Int64(widening: turn.distance))
      let likeness = TurnMark(turn).likeness(
        of: TurnMark(news), metres, after: last, isByStreet: false)
      guard likeness != .other else { return .turn }
    }
    return isSame && news.distance == turn.distance ? .nothing : .distance
  }

  private mutating func replaceTurn(by news: consuming Turn, from source: TurnSource) {
    if !isEqual(news.street, turn.street) { streetNumber &+= 1 }
    hasTurn = true
    self.source = source
    turn = news
  }
}

extension TurnSource {
  /// After how many milliseconds without news a turn is stale.
  ///
  /// komoot repeats it every two seconds. Some apps behind Gadgetbridge send only changes, such as each hundred
  /// metres: nothing comes for a minute, or at a red light. On a lost link komoot's time counts for all.
  package var freshness: Int64 {
    switch self {
    case .komoot: 8_000
    case .gadgetbridge: 90_000
    }
  }

  /// The same on a link on which komoot has notified: on a real tour it was silent for 7 s at most.
  static var notifiedFreshness: Int64 { 20_000 }
}

package import BoardFile
package import Bytes
package import Navigation
package import PhoneServices
import Screens
package import Turns

/// The ride: the next turn, what was ridden, and whether the rider is at home.
///
/// It also holds the pattern of the alert line and when progress is reported. Only its functions change these
/// values.
package struct Ride: ~Copyable {
  package private(set) var guidance: Guidance
  package private(set) var alert: AlertPattern
  private var progressLog = ProgressLog()
  private var wayWatch = WayWatch()
  /// Whether the events say that the rider is at home.
  package private(set) var isAtHome = false

  /// No ride yet.
  package init(_ board: borrowing Board) {
    alert = AlertPattern(hasSides: board.hasAlertSides)
    guidance = Guidance(units: board.units)
    guidance.areSecondsShown = board.extra == .seconds
  }

  // MARK: - Turns

  /// Hears what the phone says; returns how much it differs from what it said before.
  package mutating func hear(
    _ turn: consuming Turn, from source: TurnSource, at now: Instant
  ) -> Guidance.Change {
    guidance.hear(turn, from: source, at: now)
  }

  /// Hears what Gadgetbridge says of the next turn.
  package mutating func hear(
    _ news: borrowing Gadgetbridge.NextTurn, at now: Instant
  ) -> Guidance.Change {
    guard let distance = news.distance else {
      return guidance.hear(text: news.text.bytes, of: news.maneuver)
    }
    return guidance.hear(news.turn(at: distance), from: .gadgetbridge, at: now)
  }

  /// Whether the rider is on the way, by the distance that the phone says now.
  package mutating func isOnTheWay() -> Bool {
    guidance.hasTurn && wayWatch.hear(guidance.turn.distance)
  }

  package mutating func removeTurn() { guidance.removeTurn() }

  /// The phone is forgotten, and the ride with it.
  package mutating func forget() {
    guidance.removeTurn()
    guidance.forgetTrip()
  }

  /// Lets time pass; returns whether what is shown changed.
  package mutating func advance(to now: Instant) -> Bool { guidance.advance(to: now) }

  /// How far the turn is, where that is to be told now.
  package mutating func takeProgress(at now: Instant) -> Progress? {
    guard let progress = guidance.progress, progressLog.takes(progress, at: now) else { return nil }
    return progress
  }

  // MARK: - Alerts

  /// Goes on with the alert line's pattern; returns the level that is new, if one is.
  package mutating func advanceAlert(to now: Instant) -> AlertLevel? {
    let level = guidance.takeAnnouncement()
    let side = guidance.turn.maneuver.side
    if let level, guidance.isTurning { alert.begin(level, toward: side, at: now) }
    if guidance.takeSecondCue() { alert.beginSecondCue(toward: side, at: now) }
    alert.advance(to: now)
    return level
  }

  /// A vehicle comes from behind.
  package mutating func vehicleComes(at now: Instant) { alert.beginVehicle(at: now) }

  /// Notes the level that the alert line has.
  package mutating func alertLineIs(high: Bool) { alert.lineIs(high: high) }

  /// The alert line is to be low.
  package mutating func endAlert() { alert.end() }

  // MARK: - The wheel

  /// Hears how far the wheel has rolled in all, in millimetres, and its speed in mm/s where it is known.
  ///
  /// Returns whether it turns.
  package mutating func hearWheel(distance: Int64, speed: Int64?, at now: Instant) -> Bool {
    guidance.hearWheel(distance: distance, speed: speed, at: now)
  }

  package mutating func wheelWasLost(at now: Instant) { guidance.wheelWasLost(at: now) }

  /// Learns the wheel's circumference, which was that many millimetres the last time.
  package mutating func calibrateWheel(from circumference: Int64) {
    guidance.calibrateWheel(from: circumference)
  }

  /// The circumference that is to be kept over a restart, once a ride.
  package mutating func takeCircumferenceToSave() -> Int64? { guidance.takeCircumferenceToSave() }

  // MARK: - Home

  /// Notes whether the rider is at home; returns whether that is news.
  package mutating func isNews(isAtHome: Bool) -> Bool {
    guard isAtHome != self.isAtHome else { return false }
    self.isAtHome = isAtHome
    return true
  }
}

/// When the progress to the turn is told.
struct ProgressLog {
  /// The shortest time between two, in milliseconds.
  private static var pause: Int64 { 1_000 }

  private var told: Progress?
  private var time: Instant?

  /// Whether this is to be told now.
  package mutating func takes(_ progress: Progress, at now: Instant) -> Bool {
    guard progress != told, time.map({ now - $0 >= Self.pause }) ?? true else { return false }
    (told, time) = (progress, now)
    return true
  }
}

/// Sees by the phone's distances whether the rider is on the way.
struct WayWatch {
  /// In metres: so much a phone that lies still may be wrong.
  private static var leastChange: UInt32 { 20 }

  private var metres: UInt32?

  /// Hears how far the turn is; returns whether that is another distance than before.
  package mutating func hear(_ metres: UInt32) -> Bool {
    guard let before = self.metres else {
      self.metres = metres
      return false
    }
    guard (metres > before ? metres - before : before - metres) >= Self.leastChange else {
      return false
    }
    self.metres = metres
    return true
  }
}

import Bytes

/// One button without its bounces.
///
/// A new level counts once the contact kept it for `settlingTime`, and then from the first edge of
/// its bounces on. What is shorter than that is a disturbance and never counts.
struct Contact {
  static var settlingTime: Int64 { 30 }
  static var stuckTime: Int64 { 30_000 }

  private(set) var isPressed = false
  /// From when on it counts.
  private(set) var since: Instant
  private var isReportedStuck = false

  /// The level of the newest edge.
  private var level = false
  private var firstBounce: Instant?
  private var lastBounce: Instant?

  /// A contact that had this level already when it was first looked at.
  init(isPressed: Bool, at now: Instant) {
    self.isPressed = isPressed
    level = isPressed
    since = now
  }

  /// When the bounces are over, if none comes until then.
  var settlingDeadline: Instant? { lastBounce.map { $0 + Self.settlingTime } }

  /// When the contact has been closed for too long.
  var stuckDeadline: Instant? {
    isPressed && !isReportedStuck && lastBounce == nil ? since + Self.stuckTime : nil
  }

  mutating func note(isPressed: Bool, at time: Instant) {
    level = isPressed
    firstBounce = firstBounce ?? time
    lastBounce = time
  }

  /// Ends the bounces if it is time to; returns whether another level counts now.
  mutating func settle(at now: Instant) -> Bool {
    guard let due = settlingDeadline, let first = firstBounce, now >= due else { return false }
    firstBounce = nil
    lastBounce = nil
    guard level != isPressed else { return false }
    isPressed = level
    since = first
    isReportedStuck = false
    return true
  }

  /// Whether it has been closed for too long, once for each time that it was closed.
  mutating func takeStuck(at now: Instant) -> Bool {
    guard let due = stuckDeadline, now >= due else { return false }
    isReportedStuck = true
    return true
  }
}

public import Bytes

/// When to read the characteristic.
///
/// At once when the link is ready and at each notification that is not whole
/// in itself; every 3 s otherwise, as the iPhone app advertises again after 5 s
/// without a read; every second where no notification comes at all, as some
/// Android phones notify only devices that they have registered.
public struct ReadingPlan: Sendable {
  /// Milliseconds between two reads of a phone that notifies.
  public static var notifiedInterval: Int64 { 3_000 }
  /// Milliseconds between two reads of a phone that does not.
  public static var silentInterval: Int64 { 1_000 }

  private var hasNotified = false

  /// When the next read is due; `nil` without a link.
  public private(set) var deadline: Instant?

  /// Nothing to read yet.
  public init() {}

  /// The link is ready: the first value is wanted at once.
  public mutating func begin(at now: Instant) {
    hasNotified = false
    deadline = now
  }

  /// The link is gone.
  public mutating func end() { deadline = nil }

  /// The phone notified.
  public mutating func take(_ notification: Notification, at now: Instant) {
    guard deadline != nil, notification != .ignore else { return }
    hasNotified = true
    if notification != .whole { deadline = now }
  }

  /// Whether to read now; if so, the next read is due an interval later.
  public mutating func takeDueRead(at now: Instant) -> Bool {
    guard let due = deadline, now >= due else { return false }
    deadline = now + (hasNotified ? Self.notifiedInterval : Self.silentInterval)
    return true
  }
}

package import Bytes

/// When the service manager must hear again that the loop is still running.
///
/// sd_watchdog_enabled(3).
package struct Watchdog: Equatable, Sendable {
  /// Milliseconds between two signs of life; `nil` if none are wanted.
  package let interval: Int64?

  package private(set) var deadline: Instant?

  package static var none: Watchdog { Watchdog(interval: nil) }

  private init(interval: Int64?) { self.interval = interval }

  /// Reads the values of WATCHDOG_USEC and WATCHDOG_PID; empty ones are not set.
  ///
  /// Signs of life are wanted if the first is a number of microseconds. The second must be this process or
  /// not set. Three signs fit in that time, so that one may be lost.
  package init(microseconds: Span<UInt8>, process: Span<UInt8>, ours: UInt64) {
    let isForUs = process.isEmpty || naturalNumber(process) == ours
    guard isForUs, let time = naturalNumber(microseconds), time > 0, time < .max else {
      self = .none
      return
    }
    interval = Int64(bitPattern: max(1, time / 3_000))
  }

  /// Whether a sign of life is due, the first at once; the next is due an interval from now.
  package mutating func takeDue(at now: Instant) -> Bool {
    guard let interval else { return false }
    if let deadline, now < deadline { return false }
    deadline = now + interval
    return true
  }
}

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
    let isForUs = process.isEmpty || number(process) == ours
    guard isForUs, let time = number(microseconds), time > 0, time < .max else {
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

/// A decimal number of digits alone.
func number(_ text: Span<UInt8>) -> UInt64? {
  var number: UInt64 = 0
  guard !text.isEmpty else { return nil }
  for index in text.indices {
    let digit = text[index] &- 0x30
    guard digit < 10 else { return nil }
    let (tens, isTooLarge) = number.multipliedReportingOverflow(by: 10)
    let (sum, isLarger) = tens.addingReportingOverflow(UInt64(widening: UInt32(digit)))
    if isTooLarge || isLarger { return nil }
    number = sum
  }
  return number
}

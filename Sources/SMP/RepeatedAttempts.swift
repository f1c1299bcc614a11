package import Bytes

/// How long to wait after a pairing that failed.
///
/// Core Specification, Vol 3, Part H, 2.3.6.
///
/// A stranger who may try for ever guesses in the end: each failure doubles the wait before the
/// next attempt, a success ends it, and each minute without a failure halves it. It outlives the link,
/// so its owner keeps it: `PairingAttempts` has one for each device.
package struct RepeatedAttempts: Equatable, Sendable {
  private static var firstWait: Int64 { 1_000 }
  private static var lastWait: Int64 { 64_000 }

  private var wait: Int64 = 0
  private var end: Instant?

  /// No attempt so far.
  package init() {}

  /// When a pairing may begin, by our wish or by the phone's; `nil` if it may now.
  package func nextAttempt(at now: Instant) -> Instant? {
    guard let end, now < end else { return nil }
    return end
  }

  /// A pairing failed, for whatever reason.
  package mutating func failed(at now: Instant) {
    forgive(at: now)
    wait = wait == 0 ? Self.firstWait : min(wait * 2, Self.lastWait)
    end = now + wait
  }

  /// Halves the wait for each time as long as the longest one that has passed since the last one was over.
  private mutating func forgive(at now: Instant) {
    while wait > 0, let last = end, now >= last + Self.lastWait {
      wait = wait > Self.firstWait ? wait / 2 : 0
      end = last + Self.lastWait
    }
  }

  /// A pairing succeeded.
  package mutating func succeeded() { self = Self() }
}

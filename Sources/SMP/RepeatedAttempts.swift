public import Bytes

/// How long to wait after a pairing that failed.
///
/// Core Specification, Vol 3, Part H, 2.3.6.
///
/// A stranger who may try for ever guesses in the end: each failure doubles the wait before the
/// next attempt, a success ends it. It outlives the link, so its owner keeps it.
public struct RepeatedAttempts: Equatable, Sendable {
  private static var firstWait: Int64 { 1_000 }
  private static var lastWait: Int64 { 64_000 }

  private var wait: Int64 = 0
  private var end: Instant?

  /// No attempt so far.
  public init() {}

  /// Whether a pairing may begin, by our wish or by the phone's.
  public func permit(at now: Instant) -> Bool {
    guard let end else { return true }
    return now >= end
  }

  /// A pairing failed, for whatever reason.
  public mutating func failed(at now: Instant) {
    wait = wait == 0 ? Self.firstWait : min(wait * 2, Self.lastWait)
    end = now + wait
  }

  /// A pairing succeeded.
  public mutating func succeeded() { self = Self() }
}

/// When to repeat a failed attempt, and which kinds of failure were reported.
///
/// One fault can show in several errors: a bus that is pulled out first refuses to write, then to
/// open. Each kind is reported once, even if it alternates with others, until an attempt succeeds.
/// Kinds are the caller's own numbers, such as those of errno(3).
public struct Retry: Sendable {
  /// When to make the next attempt; `nil` while none is due.
  public private(set) var deadline: Instant?

  private let pause: Int64
  /// The kinds that were reported since the last success; further ones are not.
  private var reported = FixedList<8, Int32>(filler: 0)

  /// Makes the first attempt at `first`, or none if it is `nil`, and each further one `pause`
  /// milliseconds after the last failed.
  public init(at first: Instant?, pause: Int64) {
    deadline = first
    self.pause = pause
  }

  /// Whether it is time for an attempt.
  public func isDue(at now: Instant) -> Bool { deadline.map { $0 <= now } ?? false }

  /// An attempt failed; returns whether this kind is new and must be reported.
  ///
  /// The next attempt is made after the usual pause, or after `otherPause` milliseconds.
  public mutating func failed(
    _ kind: Int32, at now: Instant, pause otherPause: Int64? = nil
  ) -> Bool {
    again(at: now + (otherPause ?? pause))
    for index in 0..<reported.count where reported[index] == kind { return false }
    guard !reported.isFull else { return false }
    reported.append(kind)
    return true
  }

  /// An attempt succeeded: no further one is due, and each failure is new again.
  public mutating func succeeded() {
    deadline = nil
    reported.removeAll()
  }

  /// Makes the next attempt at `instant`, though nothing new has failed.
  public mutating func again(at instant: Instant) { deadline = instant }

  /// Makes no attempt until `again` or a failure; what was reported stays reported.
  public mutating func stop() { deadline = nil }
}

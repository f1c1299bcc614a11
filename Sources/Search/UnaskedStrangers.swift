import Bytes

/// Unknown phones, while the rider may not be asked about them: together they get an attempt, less and less often.
///
/// One of them may be the phone of the last ride, with another address now, but none of them can be followed.
struct UnaskedStrangers {
  private static var firstRest: Int64 { 10_000 }
  private static var lastRest: Int64 { 60_000 }

  /// How many were connected to.
  private(set) var count = 0
  private var rest: Int64 = 0
  /// Until when none is connected to; `nil` during an attempt, and before the first.
  private var end: Instant?

  mutating func tried() {
    count += 1
    rest = rest == 0 ? Self.firstRest : min(rest * 2, Self.lastRest)
    end = nil
  }

  /// The last one has led to nothing: the rest begins.
  mutating func listeningBegan(at now: Instant) { if rest > 0, end == nil { end = now + rest } }

  func areResting(at now: Instant) -> Bool {
    guard let end else { return false }
    return now < end
  }
}

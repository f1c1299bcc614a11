import Bytes

/// Phones that nobody knows, while nobody may be asked about one: together they get one attempt, then less and less often.
///
/// The rider's may be among them that was followed for a ride, and has another address now: but none of them can be
/// followed.
struct UnaskedStrangers {
  private static var firstRest: Int64 { 10_000 }
  private static var lastRest: Int64 { 60_000 }

  /// How many were connected to.
  private(set) var count = 0
  private var rest: Int64 = 0
  /// Until when none is; `nil` while one is, or none was.
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

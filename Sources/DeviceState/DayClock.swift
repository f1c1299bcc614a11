package import Bytes

/// The time of day, which the phone sends now and then, as the board has no clock of its own.
package struct DayClock {
  private static var minute: Int64 { 60_000 }
  private static var hour: Int64 { 3_600_000 }
  private static var day: Int64 { 86_400_000 }
  /// How long after each full hour the phone is asked again, in milliseconds: summer time begins or ends then.
  private static var readingDelay: Int64 { 2_000 }
  /// How far apart two equal times may be, in milliseconds: a phone sends its time at any point of a second.
  private static var tolerance: Int64 { 2_000 }

  /// Midnight, or one some days ago.
  private var midnight: Instant?
  /// When the phone is to be asked again; `nil` before it has sent the time.
  package private(set) var nextReading: Instant?

  /// Sets the time of the day, in milliseconds since midnight, as the phone has it.
  package mutating func set(_ time: Int64, at now: Instant) {
    midnight = now + -time
    nextReading = now + (Self.hour - time % Self.hour + Self.readingDelay)
  }

  /// Whether the clock shows this time already.
  package func shows(_ time: Int64, at now: Instant) -> Bool {
    guard let midnight else { return false }
    let difference = (now - midnight - time) % Self.day
    return min(abs(difference), Self.day - abs(difference)) <= Self.tolerance
  }

  /// Minutes since midnight; `nil` before the phone has sent the time.
  package func minutes(at now: Instant) -> Int? {
    midnight.map { Int(truncatingIfNeeded: (now - $0) % Self.day / Self.minute) }
  }

  /// When the next minute begins.
  package func nextMinute(at now: Instant) -> Instant? {
    midnight.map { $0 + ((now - $0) / Self.minute + 1) * Self.minute }
  }

  /// Whether the phone is to be asked now; once.
  mutating func takeDueReading(at now: Instant) -> Bool {
    guard let due = nextReading, now >= due else { return false }
    nextReading = now + Self.hour
    return true
  }
}

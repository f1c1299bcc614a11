import Bytes

/// The time of the day, which the phone tells now and then, as the board has no clock of its own.
struct DayClock {
  private static var minute: Int64 { 60_000 }
  private static var day: Int64 { 86_400_000 }
  /// After so many milliseconds the phone is asked again.
  private static var readingPause: Int64 { 3_600_000 }

  /// Midnight, or one some days ago.
  private var midnight: Instant?
  /// When the phone is to be asked again; `nil` before it has told.
  private var nextReading: Instant?
  /// The minutes that were shown last.
  private var shown: Int?

  /// The phone says that it is so many seconds after midnight.
  mutating func set(_ second: Int, at now: Instant) {
    midnight = now + -Int64(widening: second) * 1_000
    nextReading = now + Self.readingPause
  }

  /// Minutes since midnight; `nil` while nobody has told.
  func minutes(at now: Instant) -> Int? {
    midnight.map { Int(truncatingIfNeeded: (now - $0) % Self.day / Self.minute) }
  }

  /// When the minutes change, or the phone is to be asked.
  func deadline(at now: Instant) -> Instant? {
    guard let midnight else { return nil }
    let next = midnight + ((now - midnight) / Self.minute + 1) * Self.minute
    return earlier(next, nextReading)
  }

  /// Lets the time pass; returns whether another minute has begun.
  mutating func advance(to now: Instant) -> Bool {
    let minutes = minutes(at: now)
    defer { shown = minutes }
    return minutes != shown
  }

  /// Whether the phone is to be asked now; once.
  mutating func takeDueReading(at now: Instant) -> Bool {
    guard let due = nextReading, now >= due else { return false }
    nextReading = now + Self.readingPause
    return true
  }
}

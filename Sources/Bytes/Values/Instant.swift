/// A point in time: milliseconds since an arbitrary start, never going back.
///
/// Durations are plain `Int64` milliseconds.
public struct Instant: Comparable, Sendable {
  /// Milliseconds since the start.
  public var milliseconds: Int64

  /// The instant this many milliseconds after the start.
  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// Whether `a` comes before `b`.
  public static func < (a: Instant, b: Instant) -> Bool { a.milliseconds < b.milliseconds }

  /// The instant `milliseconds` later.
  public static func + (a: Instant, milliseconds: Int64) -> Instant {
    Instant(milliseconds: a.milliseconds + milliseconds)
  }

  /// Milliseconds from `b` to `a`.
  public static func - (a: Instant, b: Instant) -> Int64 { a.milliseconds - b.milliseconds }
}

/// The earlier of two deadlines, where `nil` means never.
public func earlier(_ a: Instant?, _ b: Instant?) -> Instant? {
  guard let a else { return b }
  guard let b else { return a }
  return min(a, b)
}

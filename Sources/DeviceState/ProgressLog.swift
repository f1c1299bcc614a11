package import Bytes
package import Navigation

/// When the progress to the turn is told.
package struct ProgressLog {
  /// The shortest time between two, in milliseconds.
  private static var pause: Int64 { 1_000 }

  private var told: Progress?
  private var time: Instant?

  package init() {}

  /// Whether this is to be told now.
  package mutating func takes(_ progress: Progress, at now: Instant) -> Bool {
    guard progress != told, time.map({ now - $0 >= Self.pause }) ?? true else { return false }
    (told, time) = (progress, now)
    return true
  }
}

package import Bytes
package import Navigation

/// When the progress to the turn is reported.
package struct ProgressLog {
  /// The shortest time between two reports, in milliseconds.
  private static var pause: Int64 { 1_000 }

  private var told: Progress?
  private var time: Instant?

  package init() {}

  /// Whether this progress is to be reported now.
  package mutating func takes(_ progress: Progress, at now: Instant) -> Bool {
    guard progress != told, time.map({ now - $0 >= Self.pause }) ?? true else { return false }
    (told, time) = (progress, now)
    return true
  }
}

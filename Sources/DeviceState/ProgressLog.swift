package import Bytes
package import Navigation

/// When the progress to the turn is reported.
package struct ProgressLog {
  /// The shortest time between two reports, in milliseconds.
  private static var pause: Int64 { 1_000 }

  private var last: Progress?
  private var time: Instant?

  package init() {}

  /// Receives the progress; returns whether to report it now.
  package mutating func receive(_ progress: Progress, at now: Instant) -> Bool {
    guard progress != last, time.map({ now - $0 >= Self.pause }) ?? true else { return false }
    (last, time) = (progress, now)
    return true
  }
}

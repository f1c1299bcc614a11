import Turns

/// How far the next turn is now, and how much of the way to it is done.
package struct Progress: Equatable, Sendable {
  /// What the distance comes from.
  package enum Source: Equatable, Sendable {
    /// The reading of komoot itself.
    case komoot
    /// The reading that Gadgetbridge wrote itself.
    case gadgetbridge
    /// The reading, less the way of the wheel since then.
    case wheel
    /// The reading, less the way since then at the speed of the last readings.
    case speed

    init(_ source: TurnSource) {
      self =
        switch source {
        case .komoot: .komoot
        case .gadgetbridge: .gadgetbridge
        }
    }
  }

  /// Metres to the turn.
  package let distance: Int64
  /// The part of the greatest distance to this turn that is done, in thousandths.
  package let fraction: Int64
  /// Seconds to the turn, in the steps of the panel; `nil` without a speed.
  package let seconds: Int64?
  /// What the distance comes from.
  package let source: Source

  /// Walking, in mm/s: a slower rider counts as standing, and gets no seconds.
  private static var slowest: Int64 { 1_000 }
  /// Up to this many seconds the step is one, above that ten.
  private static var fine: Int64 { 90 }
  /// More seconds than these are not shown.
  private static var most: Int64 { 600 }

  /// The seconds for a number of metres at a speed in mm/s, in the steps of the panel.
  static func seconds(_ metres: Int64, at speed: Int64?) -> Int64? {
    guard let speed, speed >= slowest else { return nil }
    // A phone may send four million kilometres: 64 bits are enough for them.
    let seconds = (metres * 1_000 + speed / 2) / speed
    if seconds <= fine { return seconds }
    return seconds <= most ? (seconds + 5) / 10 * 10 : nil
  }
}

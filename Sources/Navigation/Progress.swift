/// How far it is to the next turn by now, and how much of the way to it is behind the rider.
package struct Progress: Equatable, Sendable {
  /// What the distance comes from.
  package enum Source: Equatable, Sendable {
    /// The phone's reading, as it was said.
    case komoot
    /// The reading, less what the wheel has rolled since.
    case wheel
    /// The reading, less what the speed of the last readings makes of the time since.
    case speed
  }

  /// Metres to the turn.
  package let distance: Int64
  /// How much of the greatest distance to this turn is done, in thousandths.
  package let fraction: Int64
  /// Seconds to the turn, in the steps in which they are shown; `nil` where no speed is known.
  package let seconds: Int64?
  /// What the distance comes from.
  package let source: Source

  /// Walking in mm/s: who is slower stands, and no seconds are known.
  private static var slowest: Int64 { 1_000 }
  /// So many seconds are shown one by one, and above it in tens.
  private static var fine: Int64 { 90 }
  /// Nobody counts more seconds than these.
  private static var most: Int64 { 600 }

  /// The seconds for so many metres at a speed in mm/s, as shown.
  static func seconds(_ metres: Int64, at speed: Int64?) -> Int64? {
    guard let speed, speed >= slowest else { return nil }
    // A phone may say four million kilometres: 64 bits are enough for them.
    let seconds = (metres * 1_000 + speed / 2) / speed
    if seconds <= fine { return seconds }
    return seconds <= most ? (seconds + 5) / 10 * 10 : nil
  }
}

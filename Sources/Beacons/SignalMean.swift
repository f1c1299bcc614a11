package import Bytes

/// The mean signal of one beacon over three seconds: the current one and the two before it.
package struct SignalMean: Sendable {
  private var sums = InlineArray<3, Int32>(repeating: 0)
  private var counts = InlineArray<3, Int32>(repeating: 0)
  /// The number of the current second, which has the last place.
  private var second: Int64 = .min

  package init() {}

  /// A power in dBm as a reading; `nil` if it is unknown, or -1 or more, which is an error.
  package static func reading(_ rssi: Int8?) -> Int8? {
    guard let rssi, rssi < -1 else { return nil }
    return rssi
  }

  /// Adds a power in dBm; returns whether it is a reading.
  @discardableResult
  package mutating func receive(_ rssi: Int8?, at now: Instant) -> Bool {
    guard let rssi = Self.reading(rssi) else { return false }
    advance(to: now)
    sums[2] &+= Int32(rssi)
    counts[2] &+= 1
    return true
  }

  /// The mean of the last 1, 2 or 3 seconds in sixteenths of a dBm, rounded; `nil` without a reading.
  package mutating func sixteenths(at now: Instant, overSeconds seconds: Int = 3) -> Int32? {
    advance(to: now)
    var (sum, count): (Int32, Int32) = (0, 0)
    for place in 3 - max(1, min(3, seconds))..<3 {
      sum &+= sums[place]
      count &+= counts[place]
    }
    guard count > 0 else { return nil }
    // The sum is negative, so this rounds to the nearest.
    return (16 &* sum &- count / 2) / count
  }

  /// Drops what is older than three seconds.
  private mutating func advance(to now: Instant) {
    let current = now.milliseconds / 1_000
    guard current > second else { return }
    let gone = second == .min ? 3 : min(3, current - second)
    for _ in 0..<gone {
      for place in 0..<2 { (sums[place], counts[place]) = (sums[place + 1], counts[place + 1]) }
      (sums[2], counts[2]) = (0, 0)
    }
    second = current
  }
}

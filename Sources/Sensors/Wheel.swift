package import Bytes

/// Speed and distance by the revolutions of a wheel.
package struct Wheel: Sendable {
  /// Without a revolution for so many milliseconds it stands.
  private static var longestRevolution: Int64 { 4_000 }
  /// A sensor that says nothing for so long has no revolution to tell; most tell once a second.
  private static var longestPause: Int64 { 2_000 }
  /// Millimetres a second that no bicycle rides.
  private static var impossible: Int64 { 30_000 }

  /// The way around the wheel in millimetres.
  package var circumference: Int64
  /// What it has rolled since it was first heard of, in millimetres.
  package private(set) var distance: Int64 = 0
  private let resolution: Int64
  private var counter: RevolutionCounter
  private var measured: Int64?
  /// When the last value with a revolution came, or the first one.
  private var lastRevolution: Instant?
  /// When the last value came, be it without a new revolution.
  private var lastValue: Instant?

  /// A wheel whose times count so many parts of a second.
  package init(circumference: Int64, timeResolution: Int64) {
    self.circumference = circumference
    resolution = timeResolution
    counter = RevolutionCounter(.wheel(resolution: timeResolution))
  }

  /// Hears what the sensor has counted.
  package mutating func hear(_ revolutions: Revolutions, at now: Instant) {
    guard let advance = counter.hear(revolutions, at: now) else {
      (lastRevolution, lastValue) = (lastRevolution ?? now, now)
      return
    }
    let way = advance.revolutions * circumference
    let speed = rounded(way * resolution, over: advance.ticks)
    guard speed <= Self.impossible else { return }
    lastValue = now
    distance += way
    if advance.isContinuous { measured = speed }
    lastRevolution = now
  }

  /// The link is lost: its speed is not known, and the distance goes on where it was.
  package mutating func linkWasLost() {
    counter.linkWasLost()
    (measured, lastRevolution, lastValue) = (nil, nil, nil)
  }

  /// Millimetres a second; `nil` where that is not known.
  ///
  /// Who had no revolution since the last one is slower than one in this time.
  package func speed(at now: Instant) -> Int64? {
    guard let lastRevolution, let lastValue else { return nil }
    if now - lastRevolution >= Self.longestRevolution { return 0 }
    guard let measured else { return nil }
    let isSilent = now - lastValue >= Self.longestPause
    let time = (isSilent ? now : lastValue) - lastRevolution
    return time > 0 ? min(measured, circumference * 1_000 / time) : measured
  }
}

/// The quotient of two numbers that are not negative, to the nearest integer.
func rounded(_ dividend: Int64, over divisor: Int64) -> Int64 {
  (dividend + divisor / 2) / divisor
}

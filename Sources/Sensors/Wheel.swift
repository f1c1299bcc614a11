package import Bytes

/// Speed and distance by the revolutions of a wheel.
///
/// It keeps the distance and the last speed, which only `hear` and `linkWasLost` change.
package struct Wheel: Sendable {
  /// Without a revolution for this many milliseconds it stands.
  private static var longestRevolution: Int64 { 4_000 }
  /// A sensor that is silent for 2 s has no revolution to report; most send a value each second.
  private static var longestPause: Int64 { 2_000 }
  /// More millimetres a second than these are an error.
  private static var impossible: Int64 { 30_000 }

  /// In millimetres.
  package var circumference: Int64
  /// How far it has rolled since the first value, in millimetres.
  package private(set) var distance: Int64 = 0
  private let resolution: Int64
  private var counter: RevolutionCounter
  private var measured: Int64?
  /// When the last value with a revolution came, or the first one.
  private var lastRevolution: Instant?
  /// When the last value came, with or without a new revolution.
  private var lastValue: Instant?

  /// A wheel whose times count `timeResolution` parts of a second.
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

  /// The link is lost: the speed is unknown, and the distance goes on from here.
  package mutating func linkWasLost() {
    counter.linkWasLost()
    (measured, lastRevolution, lastValue) = (nil, nil, nil)
  }

  /// Millimetres a second; `nil` if unknown.
  ///
  /// A wheel without a new revolution is slower than one revolution in the time since the last one.
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

package import Bytes

/// Speed and distance by the revolutions of a wheel.
///
/// It keeps the distance, which only `hear` changes.
package struct Wheel: Sendable {
  /// Without a revolution for this many milliseconds it stands.
  private static var longestRevolution: Int64 { 4_000 }
  /// A sensor that is silent for 2 s has no revolution to report; most send a value each second.
  private static var longestPause: Int64 { 2_000 }

  /// In millimetres.
  package var circumference: Int64
  /// How far it has rolled since the first value, in millimetres.
  package private(set) var distance: Int64 = 0
  /// In millimetres a second, of which more than 30,000 are an error.
  private var counter: RevolutionCounter
  /// When the last value came, with or without a new revolution.
  private var lastValue: Instant?

  /// A wheel whose times count `timeResolution` parts of a second.
  package init(circumference: Int64, timeResolution: Int64) {
    self.circumference = circumference
    counter = RevolutionCounter(.wheel(resolution: timeResolution), fastest: 30_000)
  }

  /// Hears what the sensor has counted.
  package mutating func hear(_ revolutions: Revolutions, at now: Instant) {
    guard let way = counter.hear(revolutions, unit: circumference, at: now) else { return }
    distance += way
    lastValue = now
  }

  /// The link is lost: the speed is unknown, and the distance goes on from here.
  package mutating func linkWasLost() {
    counter.linkWasLost()
    lastValue = nil
  }

  /// Millimetres a second; `nil` if unknown.
  ///
  /// A wheel without a new revolution is slower than one revolution in the time since the last one.
  package func speed(at now: Instant) -> Int64? {
    guard let lastRevolution = counter.lastRevolution, let lastValue else { return nil }
    if now - lastRevolution >= Self.longestRevolution { return 0 }
    guard let rate = counter.rate else { return nil }
    let isSilent = now - lastValue >= Self.longestPause
    let time = (isSilent ? now : lastValue) - lastRevolution
    return time > 0 ? min(rate, circumference * 1_000 / time) : rate
  }
}

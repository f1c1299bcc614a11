/// The values that sensors notify, written from the specifications of their services.
extension VirtualSensor {
  /// Heart Rate Measurement (HRS 1.0, 3.1), in beats a minute, of a strap that touches the skin.
  package static func pulse(_ beats: UInt8) -> [UInt8] { [0b110, beats] }

  /// CSC Measurement (CSCS 1.0, 3.1) of a wheel: how often it has turned, and when it did last, in 1/1024 s.
  package static func wheel(_ turns: VirtualRotor.Turns) -> [UInt8] {
    [0b01] + little(UInt16(truncatingIfNeeded: turns.count))
      + little(UInt16(truncatingIfNeeded: turns.count >> 16))
      + little(UInt16(truncatingIfNeeded: turns.time))
  }

  /// The same of a crank, whose count rolls over.
  package static func crank(_ turns: VirtualRotor.Turns) -> [UInt8] {
    [0b10] + little(UInt16(truncatingIfNeeded: turns.count))
      + little(UInt16(truncatingIfNeeded: turns.time))
  }

  /// A vehicle that a radar sees: its number, below 100, and how far behind the bicycle it is.
  package struct Vehicle: Equatable, Sendable {
    package let track, metres: UInt8

    package init(track: UInt8, metres: UInt8) { (self.track, self.metres) = (track, metres) }
  }

  /// What a Varia says of these vehicles; without any, that it works.
  ///
  /// By recordings that others have published. A value has six vehicles at most; `count` goes round.
  package static func radar(_ vehicles: [Vehicle], count: UInt8) -> [[UInt8]] {
    var values: [[UInt8]] = []
    var start = 0
    repeat {
      var value = [count << 4 | 0x02]
      for vehicle in vehicles[start..<min(start + 6, vehicles.count)] {
        value += [0x80 | vehicle.track, vehicle.metres, 0]
      }
      values.append(value)
      start += 6
    } while start < vehicles.count
    return values
  }
}

/// What turns, as fast as it is told to: a wheel or a crank.
package struct VirtualRotor: Sendable {
  /// How often it has turned, and when it did last, in 1/1024 s; neither has an end.
  package struct Turns: Equatable, Sendable {
    package let count, time: Int64

    package init(count: Int64, time: Int64) { (self.count, self.time) = (count, time) }
  }

  private static let whole: Int64 = 1_000_000

  /// In millionths of a turn a millisecond.
  private var rate: Int64 = 0
  /// In millionths of a turn, at `now`, in milliseconds.
  private var angle: Int64 = 0
  private var now: Int64
  private var lastTurn: Int64

  /// One that stands.
  package init(at now: Int64) { (self.now, lastTurn) = (now, now) }

  /// From now on it turns that fast, in thousandths of a turn a second.
  package mutating func turn(_ rate: Int64, at now: Int64) {
    advance(to: now)
    self.rate = max(0, rate)
  }

  package mutating func turns(at now: Int64) -> Turns {
    advance(to: now)
    return Turns(count: angle / Self.whole, time: lastTurn * 1_024 / 1_000)
  }

  private mutating func advance(to now: Int64) {
    let before = angle / Self.whole
    angle += rate * max(0, now - self.now)
    self.now = max(self.now, now)
    if angle / Self.whole > before { lastTurn = self.now - angle % Self.whole / rate }
  }
}

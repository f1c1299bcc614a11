import Bytes
import Navigation
import PhoneServices
import Sensors
import TestSupport
import Turns

/// Plays a ride with a wheel to the firmware's guidance, for tests that know the ride behind it.
///
/// Each line of the standard input is `say TIME DIRECTION METRES STREET`, `csc TIME VALUE`, `lost TIME` or
/// `ask TIME`; times in milliseconds, values in hexadecimal digits. Each `ask` is answered by
/// `METRES SHOWN FRESHNESS FRACTION SECONDS SOURCE`, `-` where one is not known; `FRESHNESS` is `fresh`,
/// `estimated` or `stale`. The last line of the output is how often time alone woke it up.
struct ProgressRide: ~Copyable {
  private var guidance = Guidance(units: .metric)
  private var wheel: Wheel
  private var wakeups = 0

  static func play(_ arguments: [String]) throws {
    let circumference = Int64(arguments[0]) ?? 2_105
    var ride = ProgressRide(
      wheel: Wheel(circumference: circumference, timeResolution: CSCMeasurement.timeResolution))
    while let line = readLine() {
      let words = line.split(separator: " ", maxSplits: 4).map(String.init)
      try ride.play(words, at: Instant(milliseconds: Int64(words[1]) ?? 0))
    }
    print(ride.wakeups)
  }

  private mutating func play(_ words: [String], at now: Instant) throws {
    while let deadline = guidance.deadline, deadline < now {
      guidance.advance(to: deadline)
      wakeups += 1
    }
    switch words[0] {
    case "say": say(words, at: now)
    case "csc": try receiveWheel(words[2], at: now)
    case "lost":
      wheel.linkWasLost()
      guidance.wheelWasLost(at: now)
    default: break
    }
    guidance.advance(to: now)
    if words[0] == "ask" { answer() }
  }

  private mutating func say(_ words: [String], at now: Instant) {
    let street = Array((words.count > 4 ? words[4] : "").utf8)
    let maneuver = Maneuver(direction: UInt8(words[2]) ?? 0)
    let turn = Turn(maneuver, distance: UInt32(words[3]) ?? 0, street: street.span)
    _ = guidance.receive(turn, at: now)
  }

  private mutating func receiveWheel(_ digits: String, at now: Instant) throws {
    let value = try CSCMeasurement(parsing: bytes(digits).span)
    if let news = value.wheel { wheel.receive(news, at: now) }
    guidance.receiveWheel(distance: wheel.distance, speed: wheel.speed(at: now), at: now)
  }

  private func answer() {
    let progress = guidance.progress
    let freshness = guidance.isStale ? "stale" : guidance.isEstimated ? "estimated" : "fresh"
    let numbers = [progress?.distance, progress?.fraction, progress?.seconds]
      .map { $0.map(String.init) ?? "-" }
    let source = progress.map { "\($0.source)" } ?? "-"
    let shown = string(guidance.distance.text().bytes).filter { $0 != " " }
    print(numbers[0], shown, freshness, numbers[1], numbers[2], source)
  }
}

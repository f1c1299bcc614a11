import Bytes
import Sensors
import TestSupport

/// Plays what a sensor sends to the firmware's arithmetic, for tests that know the ride behind it.
///
/// Each line of the standard input is `csc TIME VALUE`, `power TIME VALUE`, `lost TIME` or `ask TIME`;
/// times in milliseconds, values in hexadecimal digits. Each is answered by `SPEED DISTANCE CADENCE` in
/// mm/s, mm and revolutions a minute, `-` where one is not known.
@main struct SensorRide {
  private var wheel: Wheel
  private var crank = Crank()

  private init(circumference: Int64, timeResolution: Int64) {
    wheel = Wheel(circumference: circumference, timeResolution: timeResolution)
  }

  static func main() throws {
    let isPower = CommandLine.arguments.contains("power")
    var ride = SensorRide(
      circumference: Int64(CommandLine.arguments[1]) ?? 2_105,
      timeResolution: isPower
        ? CyclingPowerMeasurement.wheelTimeResolution : CSCMeasurement.timeResolution)
    while let line = readLine() {
      let words = line.split(separator: " ").map(String.init)
      let time = Int64(words[1]) ?? 0
      try ride.hear(words[0], at: Instant(milliseconds: time), words.count > 2 ? words[2] : "")
    }
  }

  private mutating func hear(_ what: String, at now: Instant, _ digits: String) throws {
    switch what {
    case "csc":
      let value = try CSCMeasurement(parsing: bytes(digits).span)
      if let news = value.wheel { wheel.hear(news, at: now) }
      if let news = value.crank { crank.hear(news, at: now) }
    case "power":
      let value = try CyclingPowerMeasurement(parsing: bytes(digits).span)
      if let news = value.wheel { wheel.hear(news, at: now) }
      if let news = value.crank { crank.hear(news, at: now) }
    case "lost":
      wheel.linkWasLost()
      crank.linkWasLost()
    default: break
    }
    let numbers = [wheel.speed(at: now), wheel.distance, crank.cadence(at: now)]
    print(numbers.map { $0.map(String.init) ?? "-" }.joined(separator: " "))
  }
}

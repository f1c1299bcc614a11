import Bytes
import Expecting
import Navigation
import TestSupport
import Turns

/// When a trip pauses: rule 7 of `Trip`.
struct PauseTests {
  /// Rides at 5 m/s for 20 s; then the phone repeats itself.
  @Test func itPausesWhereTheDistanceStandsForFiveSeconds() {
    var display = Display()
    display.ride(from: 1_000, speed: 5, at: 0, until: 20_000)
    var pauses: [Bool] = []
    for time in stride(from: Int64(21_000), through: 27_000, by: 1_000) {
      display.tell(900, at: time)
      pauses.append(display.guidance.trip.isPaused)
    }
    expect(pauses, [false, false, false, false, true, true, true])
    expect(display.guidance.trip.milliseconds, 20_000, "a pause does not count")
    display.tell(890, at: 60_000)
    let rides = !display.guidance.trip.isPaused
    expect(rides)
  }

  /// A walk of a metre a second, and positions that are wrong by two metres.
  @Test(arguments: [([-1, -1, -1, -1, -1, -1, -1], false), ([1, -2, 2, -1, 0, 1, -1], true)])
  func aWalkIsNoPauseAndNoiseIsNoWalk(_ steps: [Int], _ isPaused: Bool) {
    var display = Display()
    display.ride(from: 1_000, speed: 5, at: 0, until: 20_000)
    var distance = 900
    for (index, step) in steps.enumerated() {
      distance += step
      display.tell(UInt32(distance), at: 21_000 + Int64(index) * 1_000)
    }
    expect(display.guidance.trip.isPaused, isPaused)
  }

  /// At 5 m/s, and then 13 s at a light: the time of a pause does not count, however short it is.
  @Test func whatIsRiddenBehindAPauseCountsAlone() {
    var display = Display()
    display.ride(from: 1_000, speed: 5, at: 0, until: 20_000)
    for time in stride(from: Int64(21_000), through: 33_000, by: 1_000) {
      display.tell(900, at: time)
    }
    display.tell(895, at: 34_000)
    let (way, time) = (display.guidance.trip.millimetres, display.guidance.trip.milliseconds)
    expect(way == 105_000 && time == 25_000, "5 m at the pace of a walk")
  }

  /// The light is at the junction, and the next turn is told behind it.
  @Test func noWayIsRiddenInAPauseBetweenTwoTurns() {
    var display = Display()
    display.ride(from: 1_000, speed: 5, at: 0, until: 20_000)
    for time in stride(from: Int64(21_000), through: 32_000, by: 1_000) {
      display.tell(900, at: time)
    }
    display.turn(.left, "B")
    display.tell(400, at: 33_000)
    let (way, time) = (display.guidance.trip.millimetres, display.guidance.trip.milliseconds)
    expect(way == 100_000 && time == 20_000)
  }

  /// There the distance stands still while the rider rides.
  @Test(arguments: [Maneuver.offRoute, .start])
  func whereNoWayLeadsToATurnNothingPauses(_ maneuver: Maneuver) {
    var display = Display()
    display.ride(from: 1_000, speed: 5, at: 0, until: 20_000)
    display.turn(maneuver, "B")
    for time in stride(from: Int64(21_000), through: 40_000, by: 1_000) {
      display.tell(0, at: time)
      expect(!display.guidance.trip.isPaused, "\(time) ms")
    }
  }

  /// A sensor that sends nothing while the wheel stands.
  @Test func aSilentWheelPausesByTheTimeAlone() {
    var display = Display()
    display.roll(from: 0, speed: 5, at: 0, until: 10_000)
    display.wait(until: 14_999)
    let rides = !display.guidance.trip.isPaused
    expect(display.guidance.advance(to: start + 15_000), true, "the page of the ride is drawn")
    let (isPaused, speed) = (display.guidance.trip.isPaused, display.guidance.trip.speed)
    expect(rides && isPaused && speed == 0)
    expect(display.guidance.deadline, nil, "once")
    display.roll(51, speed: 1, at: 60_000)
    let goesOn = !display.guidance.trip.isPaused
    expect(goesOn)
  }

  @Test func withTheWheelItsPauseIsLost() {
    var display = Display()
    display.roll(from: 0, speed: 5, at: 0, until: 10_000)
    display.loseWheel(at: 30_000)
    let (isPaused, speed) = (display.guidance.trip.isPaused, display.guidance.trip.speed)
    expect(!isPaused && speed == nil)
  }

  /// A revolution each second, then none; what the turn says does not count.
  @Test func itPausesWhereTheWheelStandsForFiveSeconds() {
    var display = Display()
    let pauses = [(0, 0), (5_000, 1_000), (5_000, 5_999), (5_000, 6_000), (7_000, 60_000)].map {
      (distance: Int64, time: Int64) in
      _ = display.guidance.receiveWheel(
        distance: distance, speed: 0, at: Instant(milliseconds: 100_000 + time))
      return display.guidance.trip.isPaused
    }
    expect(pauses, [false, false, false, true, false])
    let time = display.guidance.trip.milliseconds
    expect(time, 3_000, "of the last minute what 2 m take at the pace of a walk")
  }
}

import Bytes
import Navigation
import TestSupport
import Testing
import Turns

/// When a trip pauses: rule 7 of `Trip`.
@Suite struct PauseTests {
  /// Rides at 5 m/s for 20 s; then the phone repeats itself.
  @Test func itPausesWhereTheDistanceStandsForFiveSeconds() {
    var display = Display()
    display.ride(from: 1_000, speed: 5, at: 0, until: 20_000)
    var pauses: [Bool] = []
    for time in stride(from: Int64(21_000), through: 27_000, by: 1_000) {
      display.tell(900, at: time)
      pauses.append(display.guidance.trip.isPaused)
    }
    #expect(pauses == [false, false, false, false, true, true, true])
    let time = display.guidance.trip.milliseconds
    display.tell(890, at: 60_000)
    let rides = !display.guidance.trip.isPaused
    #expect(rides)
    #expect(time == 20_000, "a pause does not count")
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
    let pauses = display.guidance.trip.isPaused
    #expect(pauses == isPaused)
  }

  /// A revolution each second, then none; what the turn says does not count.
  @Test func itPausesWhereTheWheelStandsForFiveSeconds() {
    var display = Display()
    let pauses = [(0, 0), (5_000, 1_000), (5_000, 5_999), (5_000, 6_000), (7_000, 60_000)].map {
      (distance: Int64, time: Int64) in
      _ = display.guidance.hearWheel(
        distance: distance, speed: 0, at: Instant(milliseconds: 100_000 + time))
      return display.guidance.trip.isPaused
    }
    #expect(pauses == [false, false, false, true, false])
    let time = display.guidance.trip.milliseconds
    #expect(time == 3_000, "of the last minute what 2 m take at the pace of a walk")
  }
}

import Bytes
import Expecting

@testable import Navigation

/// The seconds to the turn, by the speed of the wheel or of the readings.
@Suite struct SecondsTests {
  @Test(
    arguments: [
      (720, 8, 90), (724, 8, 90), (725, 8, 90), (760, 8, 100), (4_800, 8, 600), (4_810, 8, nil),
      (1, 8, 0), (100, 0.9, nil), (100, 1, 100),
    ] as [(UInt32, Double, Int64?)])
  func theSecondsAreShownInSteps(_ metres: UInt32, _ speed: Double, _ seconds: Int64?) {
    var display = Display()
    for second in 0..<10 as Range<Int64> {
      display.roll(Double(second) * speed, speed: speed, at: second * 1_000)
    }
    display.tell(metres, at: 9_000)
    expect(display.guidance.progress?.seconds, seconds)
  }

  @Test func theSpeedIsTheMeanOfFiveSeconds() {
    var display = Display()
    for (second, speed) in [20, 20, 4, 5, 6, 7, 8].enumerated() {
      display.roll(Double(second), speed: Double(speed), at: Int64(second) * 1_000)
    }
    display.tell(300, at: 6_000)
    expect(display.guidance.progress?.seconds, 50, "6 m/s")
  }

  @Test func theSpeedOfASensorThatTellsFourTimesASecondIsTheMeanOfFiveSeconds() {
    var display = Display()
    for quarter in 0..<20 as Range<Int64> {
      display.roll(Double(quarter), speed: quarter < 10 ? 4 : 8, at: quarter * 250)
    }
    display.tell(300, at: 4_750)
    expect(display.guidance.progress?.seconds, 50, "6 m/s")
  }

  @Test func aRideWithAWheelWakesTheDisplayOnlyForAnotherDistance() {
    var display = Display()
    for second in 0...120 as ClosedRange<Int64> {
      display.roll(Double(second) * 8, speed: 8, at: second * 1_000)
      if second % 7 == 0 { display.tell(1_000 - UInt32(second) * 8, at: second * 1_000) }
    }
    // 96 steps of 10 m, and the doubt in each of the 17 silences; a stale turn would be more.
    #expect(display.wakeups <= 96 + 17 + 3)
  }

  @Test func secondsThatAreShownWakeTheDisplay() {
    var display = Display()
    display.guidance.areSecondsShown = true
    display.ride(from: 500, speed: 8, at: 0, until: 20_000)
    // 340 m, 42.5 s: with 339 m 42 s, and so on until it is stale.
    var seconds: [Int64?] = []
    while let deadline = display.guidance.deadline, deadline < start + 28_000 {
      display.wait(until: deadline - start)
      seconds.append(display.guidance.progress?.seconds)
    }
    expect(Set(seconds), Set((35...42).map(Optional.init)))
  }
}

/// From which readings of the distance a speed is made.
@Suite struct ClosingSpeedTests {
  /// Whether a speed is known when the distance has fallen by `metres` in `milliseconds`.
  private func isKnown(_ metres: Int64, after milliseconds: Int64) -> Bool {
    var speed = ClosingSpeed()
    speed.hear(1_000, at: Instant(milliseconds: 0))
    speed.hear(1_000 - metres, at: Instant(milliseconds: milliseconds))
    return speed.isLess(1, than: .max / 1_000)
  }

  @Test func noBicycleRides25MetresASecondAnd30MoreAreTheReadings() {
    expect(isKnown(130, after: 4_000))
    expect(!isKnown(131, after: 4_000))
  }

  @Test func aSpeedTakesFourSeconds() {
    expect(isKnown(100, after: 4_000))
    expect(!isKnown(100, after: 3_999))
  }

  /// The later of two that are nearer to each other takes the earlier one's place.
  @Test func readingsHalfASecondApartAreNotOfOneMoment() {
    var speed = ClosingSpeed()
    speed.hear(1_000, at: Instant(milliseconds: 0))
    speed.hear(990, at: Instant(milliseconds: 500))
    speed.hear(900, at: Instant(milliseconds: 4_000))
    expect(speed.isLess(900, than: 38_000), "100 m in 4 s")
  }

  @Test func whoCameNoCloserThanTwoReadingsMayBeWrongHasNone() {
    expect(isKnown(21, after: 4_000))
    expect(!isKnown(20, after: 4_000))
  }

  @Test func whoIsSlowHasHalfAMinute() {
    expect(isKnown(21, after: 30_000))
    expect(!isKnown(21, after: 30_001))
  }
}

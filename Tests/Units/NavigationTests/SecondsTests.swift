import Bytes
import Expecting

@testable import Navigation

/// The seconds to the turn, by the speed of the wheel or of the readings.
struct SecondsTests {
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

  /// Told once a second, and four times.
  @Test(
    arguments: [
      (1_000, [20, 20, 4, 5, 6, 7, 8]), (250, (0..<20).map { $0 < 10 ? 4 : 8 }),
    ] as [(Int64, [Double])])
  func theSpeedIsTheMeanOfFiveSeconds(_ pause: Int64, _ speeds: [Double]) {
    var display = Display()
    for (index, speed) in speeds.enumerated() {
      display.roll(Double(index), speed: speed, at: Int64(index) * pause)
    }
    display.tell(300, at: Int64(speeds.count - 1) * pause)
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
struct ClosingSpeedTests {
  /// No bicycle rides 25 m a second, and 30 m more are the readings; who came no closer than two readings
  /// may be wrong has no speed; and who is slow has half a minute.
  @Test(
    arguments: [
      (130, 4_000, true), (131, 4_000, false), (100, 3_999, false), (21, 4_000, true),
      (20, 4_000, false), (21, 30_000, true), (21, 30_001, false),
    ] as [(Int64, Int64, Bool)])
  func aSpeedIsMadeOfReadingsThatCanBeRight(
    _ metres: Int64, _ milliseconds: Int64, _ isKnown: Bool
  ) {
    var speed = ClosingSpeed()
    speed.receive(1_000, at: Instant(milliseconds: 0))
    speed.receive(1_000 - metres, at: Instant(milliseconds: milliseconds))
    expect(speed.isLess(1, than: .max / 1_000), isKnown)
  }

  /// The later of two that are nearer to each other takes the earlier one's place.
  @Test func readingsHalfASecondApartAreNotOfOneMoment() {
    var speed = ClosingSpeed()
    speed.receive(1_000, at: Instant(milliseconds: 0))
    speed.receive(990, at: Instant(milliseconds: 500))
    speed.receive(900, at: Instant(milliseconds: 4_000))
    expect(speed.isLess(900, than: 38_000), "100 m in 4 s")
  }
}

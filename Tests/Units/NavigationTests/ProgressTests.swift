import Bytes
import Expecting
import Navigation
import TestSupport
import Turns

/// `Approach` and `Progress`, as a display has them: the rules are numbered there.
struct ProgressTests {
  /// What a rider sees of the distance.
  private func seen(_ display: borrowing Display) -> String {
    let text = display.guidance.distance.text()
    return (display.guidance.isEstimated ? "~" : "") + string(text.bytes)
      + (display.guidance.isStale ? " stale" : "")
  }

  /// Rides with a wheel at 8 m/s for 10 s, up to a reading of `metres`.
  private func riding(to metres: UInt32) -> Display {
    var display = Display()
    for second in 0...10 as ClosedRange<Int64> {
      display.roll(Double(second) * 8, speed: 8, at: second * 1_000)
      display.tell(metres + UInt32(10 - second) * 8, at: second * 1_000)
    }
    return display
  }

  // MARK: - Without a wheel

  @Test func withoutAWheelTheDistanceFallsAtTheClosingSpeedUntilItIsStale() {
    var display = Display()
    display.ride(from: 500, speed: 8, at: 0, until: 20_000)
    // 340 m, and 8 m/s.
    var metres: [Int64?] = []
    for time in [20_000, 20_500, 21_000, 22_000, 23_000, 27_999] as [Int64] {
      metres.append(display.progress(at: time)?.distance)
    }
    expect(display.guidance.progress?.source, .speed)
    display.wait(until: 28_000)
    expect(seen(display), "280 m stale")
    expect(metres, [340, 336, 332, 324, 316, 276])
  }

  @Test func whoseSpeedIsNotKnownIsWhereThePhoneSaid() {
    var display = Display()
    display.tell(340, at: 0)
    let progress = display.progress(at: 5_000)
    expect(progress?.distance, 340)
    expect(progress?.source, .komoot)
    expect(progress?.seconds, nil)
  }

  @Test func aReadingThatStillStandsAfterTwoSecondsSaysThatTheRiderDoes() {
    var display = Display()
    display.ride(from: 500, speed: 8, at: 0, until: 20_000)
    display.wait(until: 21_900)
    expect(display.progress(at: 21_900)?.distance, 325)
    display.tell(340, at: 22_000)
    let after = display.progress(at: 24_000)
    expect(after?.distance, 340)
    expect(after?.source, .komoot)
  }

  @Test func itWakesUpExactlyWhenAnotherDistanceIsShown() {
    var display = Display()
    display.ride(from: 500, speed: 8, at: 0, until: 20_000)
    var times: [Int64] = []
    while let deadline = display.guidance.deadline, deadline < start + 28_000 {
      display.wait(until: deadline - start)
      times.append(deadline - start)
    }
    // Below 334.5 m it is 330, after 688 ms, and then another one each 1,250 ms.
    expect(times, (0...5).map { 20_688 + 1_250 * $0 })
  }

  // MARK: - With a wheel

  @Test func withAWheelTheDistanceIsTheReadingLessWhatItRolled() {
    var display = riding(to: 340)
    display.roll(from: 88, speed: 8, at: 11_000, until: 12_000)
    let progress = display.progress(at: 12_000)
    expect(progress?.distance, 324)
    expect(progress?.source, .wheel)
    expect(progress?.seconds, 41, "40.5")
    expect(seen(display), "320 m")
  }

  @Test func betweenTwoOfItsValuesTheWheelRollsOnForASecondAndAHalf() {
    var display = riding(to: 340)
    let metres = [10_500, 11_500, 13_000].map { display.progress(at: $0)?.distance }
    expect(metres, [336, 328, 328])
  }

  /// A reading while the wheel is thought to be ahead of where its next value finds it.
  @Test func aWheelThatFallsBackMakesTheTurnNoFarther() {
    var display = riding(to: 340)
    display.tell(330, at: 10_900)
    display.roll(81, speed: 8, at: 11_000)
    expect(display.progress(at: 11_000)?.distance, 330)
  }

  @Test func aSilentPhoneMakesItAnEstimateAfterThreeSecondsAndTwentyMetres() {
    var display = riding(to: 340)
    display.roll(from: 88, speed: 8, at: 11_000, until: 12_900)
    display.wait(until: 12_999)
    expect(seen(display), "320 m")
    display.wait(until: 13_000)
    expect(seen(display), "~320 m")
  }

  /// Twenty metres are behind it by then, and nothing more is heard.
  @Test func aWheelThatHasStoppedMakesItAnEstimateAfterThreeSeconds() {
    var display = riding(to: 340)
    display.roll(110, speed: 0, at: 12_000)
    display.wait(until: 12_999)
    expect(seen(display), "310 m")
    display.wait(until: 13_000)
    expect(seen(display), "~310 m")
  }

  /// The speed has brought the rider closer by then.
  @Test func aWheelThatComesLaterGoesOnFromWhereTheRiderIs() {
    var display = Display()
    display.ride(from: 500, speed: 8, at: 0, until: 20_000)
    display.roll(0, speed: 8, at: 22_000)
    display.roll(8, speed: 8, at: 23_000)
    expect(display.progress(at: 23_000)?.distance, 316)
  }

  @Test func aWheelWhoseSpeedIsNotKnownRollsOnByItsValuesOnly() {
    var display = riding(to: 340)
    display.roll(80, speed: nil, at: 10_100)
    expect(display.progress(at: 11_100)?.distance, 340)
  }

  @Test func aSlowRiderHasNoEstimateBeforeTwentyMetres() {
    var display = Display()
    for second in 0...10 as ClosedRange<Int64> {
      display.roll(Double(second) * 3, speed: 3, at: second * 1_000)
    }
    display.tell(340, at: 10_000)
    display.roll(from: 33, speed: 3, at: 11_000, until: 16_000)
    expect(seen(display), "320 m")
    display.roll(from: 51, speed: 3, at: 17_000, until: 17_000)
    expect(seen(display), "~320 m")
  }

  @Test func aPhoneThatRepeatsTheSameReadingIsNoBetterThanASilentOne() {
    var display = riding(to: 340)
    for second in 11...18 as ClosedRange<Int64> {
      display.roll(Double(second) * 8, speed: 8, at: second * 1_000)
      display.tell(340, at: second * 1_000 + 1)
    }
    expect(seen(display), "~280 m")
  }

  @Test func theNextReadingEndsTheEstimate() {
    var display = riding(to: 340)
    display.roll(from: 88, speed: 8, at: 11_000, until: 20_000)
    expect(seen(display), "~260 m")
    display.tell(270, at: 20_500)
    expect(seen(display), "270 m")
  }

  @Test func anEstimateEndsAfterFiveHundredMetres() {
    var display = riding(to: 900)
    display.roll(from: 88, speed: 8, at: 11_000, until: 10_000 + 62_000)
    expect(seen(display), "~400 m", "496 m since")
    display.roll(584, speed: 8, at: 73_000)
    expect(seen(display), "400 m stale", "504 m since")
    expect(display.guidance.age?.seconds, 60, "of 63 s")
  }

  @Test func anEstimateEndsAfterTwoMinutes() {
    var display = riding(to: 340)
    display.roll(from: 82, speed: 2, at: 11_000, until: 129_000)
    display.wait(until: 129_999)
    expect(seen(display), "~100 m")
    display.wait(until: 130_000)
    expect(seen(display), "100 m stale")
  }

  @Test func aRepetitionMakesAnEstimateNoLonger() {
    var display = riding(to: 900)
    for second in 11...80 as ClosedRange<Int64> {
      display.roll(Double(second) * 8, speed: 8, at: second * 1_000)
      display.tell(900, at: second * 1_000 + 1)
    }
    expect(seen(display), "400 m stale")
  }

  @Test func whoStandsWithASilentPhoneHasAnEstimateInsteadOfAStaleTurn() {
    var display = riding(to: 340)
    for second in 11...17 as ClosedRange<Int64> { display.roll(80, speed: 0, at: second * 1_000) }
    expect(seen(display), "340 m")
    display.wait(until: 18_000)
    expect(seen(display), "~340 m")
    #expect(!display.levels.contains(.none))
  }

  @Test func aLostWheelLeavesTheDistanceAndTheTurnIsStaleAsWithoutOne() {
    var display = riding(to: 340)
    display.roll(from: 88, speed: 8, at: 11_000, until: 14_000)
    display.loseWheel(at: 14_500)
    expect(seen(display), "300 m")
    display.wait(until: 18_000)
    expect(seen(display), "280 m stale", "8 s at 8 m/s from 340 m")
  }

  @Test func aWheelThatIsBackTellsWhatItRolledMeanwhile() {
    var display = riding(to: 340)
    display.loseWheel(at: 10_500)
    display.roll(152, speed: 8, at: 19_000)
    expect(seen(display), "~270 m", "340 - 72")
  }

  @Test func anotherWheelWithAnotherTotalMovesNothing() {
    var display = riding(to: 340)
    for (total, time) in [(90_000, 11_000), (12, 12_000)] as [(Double, Int64)] {
      display.roll(total, speed: 0, at: time)
    }
    #expect((332...340).contains(display.progress(at: 12_000)?.distance ?? 0))
  }

  @Test(arguments: [.start, .offRoute] as [Maneuver])
  func withoutATurnAheadTheWheelChangesNothing(_ maneuver: Maneuver) {
    var display = Display()
    display.turn(maneuver, "A")
    display.roll(0, speed: 8, at: 0)
    display.tell(340, at: 0)
    display.roll(from: 8, speed: 8, at: 1_000, until: 7_000)
    let (text, progress) = (seen(display), display.guidance.progress)
    expect(text, "340 m")
    expect(progress, nil)
    display.roll(from: 64, speed: 8, at: 8_000, until: 8_000)
    expect(seen(display), "340 m stale")
  }

  @Test func onlyThePhoneChangesTheTurn() {
    var display = riding(to: 40)
    display.roll(from: 88, speed: 8, at: 11_000, until: 30_000)
    let (text, maneuver) = (seen(display), display.guidance.turn.maneuver)
    expect(text, "~Now")
    expect(maneuver, .right)
  }

  // MARK: - Alerts

  @Test func withAWheelTheAlertsComeInTheTunnelToo() {
    var display = riding(to: 340)
    display.roll(from: 88, speed: 8, at: 11_000, until: 50_000)
    // 15 s before the turn are 120 m: 220 m after the reading at 10 s, so 27.5 s later.
    let high = display.announced.first { $0.level == .high }
    expect(display.levels, [.low, .medium, .high])
    #expect((37_000...38_500).contains(high?.time ?? 0))
  }

  @Test func inATunnelTheSecondsAreThoseOfTheWheel() {
    var display = riding(to: 340)
    // Half as fast as before: 15 s are 60 m, 280 m after the reading.
    display.roll(from: 84, speed: 4, at: 11_000, until: 95_000)
    let high = display.announced.first { $0.level == .high }
    #expect((79_000...81_500).contains(high?.time ?? 0))
  }

  @Test func theFinishIsReachedByTheWheel() {
    var display = Display()
    display.turn(.finish, "")
    for second in 0...10 as ClosedRange<Int64> {
      display.roll(Double(second) * 8, speed: 8, at: second * 1_000)
      display.tell(180 - UInt32(second) * 8, at: second * 1_000)
    }
    display.roll(from: 88, speed: 8, at: 11_000, until: 20_000)
    expect(display.guidance.trip.hasArrived)
    expect(display.levels.last, .arrive)
  }

  // MARK: - Fraction

  @Test func theFractionIsThatOfTheGreatestDistance() {
    var display = Display()
    for (index, (metres, fraction)) in [(200, 0), (240, 0), (120, 500), (48, 800), (0, 1_000)]
      .enumerated()
    {
      display.tell(UInt32(metres), at: Int64(index) * 60_000)
      expect(display.guidance.progress?.fraction, Int64(fraction), "\(metres) m")
    }
  }

  @Test func itFallsOnlyForAReadingThatIsThirtyMetresLarger() {
    var display = Display()
    var fractions: [Int64?] = []
    for (index, metres) in [200, 100, 129, 130, 120].enumerated() {
      display.tell(UInt32(metres), at: Int64(index) * 40_000)
      fractions.append(display.guidance.progress?.fraction)
    }
    expect(fractions, [0, 500, 500, 350, 400])
  }

  /// By what the wheel has rolled since the last one: to 70.001 m, and to 70 m.
  @Test(arguments: [(28.999, 293), (29, 0)] as [(Double, Int64)])
  func aReadingIsComparedWithTheSmallestDistanceToTheMillimetre(
    _ rolled: Double, _ fraction: Int64
  ) {
    var display = Display()
    display.roll(0, speed: 5, at: 0)
    display.tell(99, at: 0)
    display.roll(rolled, speed: 0, at: 6_000)
    display.tell(100, at: 46_000)
    expect(display.guidance.progress?.fraction, fraction)
  }

  @Test func anotherTurnBeginsAnew() {
    var display = Display()
    display.tell(200, at: 0)
    display.tell(50, at: 7_000)
    display.turn(.left, "B")
    display.tell(120, at: 9_000)
    display.tell(60, at: 16_000)
    expect(display.guidance.progress?.fraction, 500)
  }

  @Test(arguments: [0, 700] as [UInt32]) func beingOffTheRouteInterruptsIt(_ metres: UInt32) {
    var display = Display()
    display.tell(200, at: 0)
    display.tell(100, at: 40_000)
    display.turn(.offRoute, "")
    display.tell(metres, at: 42_000)
    display.turn(.right, "A")
    display.tell(110, at: 45_000)
    expect(display.guidance.progress?.fraction, 500)
  }
}

import Bytes
import Expecting
import Navigation
import TestSupport
import Turns

/// `Trip`, as a display has it: the rules are numbered there.
struct TripTests {
  private func figures(_ display: borrowing Display) -> (metres: Int64, seconds: Int64) {
    let trip = display.guidance.trip
    return (trip.millimetres / 1_000, trip.milliseconds / 1_000)
  }

  // MARK: - The way

  @Test func theWayIsByHowMuchTheDistanceFell() {
    var display = Display()
    display.ride(from: 1_000, speed: 5, at: 0, until: 100_000)
    let (trip, average) = (figures(display), display.guidance.trip.average)
    let speed = display.guidance.trip.speed
    expect(trip == (500, 100))
    expect(average == 5_000 && speed == 5_000)
  }

  @Test func aFirstReadingAddsNothing() {
    var display = Display()
    display.tell(350, at: 0)
    display.turn(.left, "B")
    display.tell(80, at: 2_000)
    expect(figures(display) == (0, 0))
  }

  /// komoot says the next turn some seconds behind the one before it.
  @Test func betweenTwoTurnsTheWayGoesOnAsBefore() {
    var display = Display()
    display.ride(from: 100, speed: 5, at: 0, until: 20_000)
    display.turn(.left, "B")
    display.ride(from: 300, speed: 5, at: 26_000, until: 46_000)
    expect(figures(display) == (100 + 30 + 100, 46))
  }

  @Test func moreThanFifteenSecondsBetweenTwoTurnsAreNotKnown() {
    var display = Display()
    display.ride(from: 100, speed: 5, at: 0, until: 20_000)
    display.turn(.left, "B")
    display.tell(300, at: 35_001)
    expect(figures(display) == (100, 20))
  }

  @Test func aTurnThatIsSaidAnewAddsOneInterval() {
    var display = Display()
    display.ride(from: 100, speed: 5, at: 0, until: 20_000)
    for number in 1...20 as ClosedRange<Int64> {
      display.turn(.left, "\(number)")
      display.tell(50, at: 20_000 + number * 1_000)
    }
    expect(figures(display) == (105, 21), "flapping turns are no ride")
  }

  @Test func aJumpUpIsNoWayAndNeitherIsTheWayBackFromIt() {
    var display = Display()
    display.ride(from: 500, speed: 5, at: 0, until: 20_000)
    display.tell(900, at: 21_000)
    display.ride(from: 390, speed: 5, at: 22_000, until: 24_000)
    expect(figures(display).metres, 120)
  }

  /// Positions are wrong by some metres: a rider who stands rides nowhere.
  @Test func aDistanceThatTremblesAddsNothing() {
    var display = Display()
    display.ride(from: 500, speed: 5, at: 0, until: 20_000)
    for second in 0..<900 as Range<Int64> {
      display.tell(400 + UInt32(second * 7 % 15), at: 21_000 + second * 1_000)
    }
    let (trip, speed) = (figures(display), display.guidance.trip.speed)
    expect(trip == (100, 20))
    #expect(speed != 5_000)
  }

  @Test func whoTurnsRoundGetsCloserAgainByTheWayBack() {
    var display = Display()
    display.ride(from: 200, speed: 5, at: 0, until: 20_000)
    display.ride(from: 105, speed: -5, at: 21_000, until: 60_000)
    display.ride(from: 295, speed: 5, at: 61_000, until: 80_000)
    let trip = figures(display)
    // 100 m, and from 300 m down to 200 m, of which the first 20 may be an error.
    expect(trip.metres, 180)
  }

  @Test func offTheRouteNothingCounts() {
    var display = Display()
    display.ride(from: 500, speed: 5, at: 0, until: 20_000)
    display.turn(.offRoute, "")
    display.ride(from: 200, speed: 5, at: 21_000, until: 50_000)
    expect(display.guidance.trip.speed, nil)
    display.turn(.right, "A")
    display.ride(from: 390, speed: 5, at: 51_000, until: 61_000)
    expect(figures(display) == (150, 30))
  }

  // MARK: - A wheel

  @Test func withAWheelItTellsWayTimeAndSpeed() {
    var display = Display()
    for second in 0...100 as ClosedRange<Int64> {
      display.roll(Double(second) * 6, speed: 6, at: second * 1_000)
      display.tell(1_000 - UInt32(second) * 5, at: second * 1_000)
    }
    let (trip, average) = (figures(display), display.guidance.trip.average)
    let shown = display.guidance.tripFigures
    expect(trip == (600, 100), "not the 500 m by which the distance fell")
    expect(average, 6_000)
    expect(shown.speed == 22 && shown.tenths == 6)
  }

  @Test func whoseWheelStandsRidesNoTime() {
    var display = Display()
    display.roll(from: 0, speed: 5, at: 0, until: 20_000)
    for second in 21...900 as ClosedRange<Int64> { display.roll(100, speed: 0, at: second * 1_000) }
    display.roll(from: 105, speed: 5, at: 901_000, until: 920_000)
    // The 5 m across the stand count as five seconds.
    expect(figures(display) == (200, 20 + 5 + 19))
  }

  @Test func theSpeedIsShownWhileTheTurnIsFreshOrTheWheelTells() {
    var display = Display()
    display.ride(from: 1_000, speed: 5, at: 0, until: 20_000)
    let fresh = display.guidance.tripFigures.speed
    display.wait(until: 30_000)
    let stale = display.guidance.tripFigures.speed
    display.roll(from: 0, speed: 6, at: 31_000, until: 200_000)
    let rolling = display.guidance.tripFigures.speed
    let isStale = display.guidance.isStale
    expect(fresh == 18 && stale == nil)
    expect(isStale && rolling == 22)
  }

  @Test func withoutAPhoneTheWheelTellsTheRide() {
    var display = Display()
    display.roll(from: 0, speed: 5, at: 0, until: 100_000)
    let shown = display.guidance.tripFigures
    expect(shown.isUnderWay)
    expect(shown.speed == 18 && shown.tenths == 5 && shown.average == 18)
  }

  @Test func aTurnGoesOnWithTheRideThatTheWheelBeganAndAStartBeginsAnother() {
    var display = Display()
    display.roll(from: 0, speed: 5, at: 0, until: 100_000)
    display.tell(300, at: 100_000)
    expect(figures(display) == (500, 100))
    display.turn(.start, "A")
    display.tell(0, at: 101_000)
    expect(figures(display) == (0, 0))
  }

  @Test func whileTheWheelIsLostTheTurnsTellTheWayAndThenTheLargerOneCounts() {
    var display = Display()
    for second in 0...60 as ClosedRange<Int64> {
      let time = second * 1_000
      if second == 20 {
        display.loseWheel(at: time)
      } else if second < 20 || second > 40 {
        display.roll(Double(second) * 5, speed: 5, at: time)
      }
      display.tell(1_000 - UInt32(second) * 5, at: time)
    }
    expect(figures(display) == (300, 60))
  }

  @Test func offTheRouteTheWheelCounts() {
    var display = Display()
    display.turn(.offRoute, "")
    for second in 0...60 as ClosedRange<Int64> {
      display.roll(Double(second) * 5, speed: 5, at: second * 1_000)
      display.tell(100, at: second * 1_000)
    }
    let (trip, speed) = (figures(display), display.guidance.trip.speed)
    expect(trip == (300, 60))
    expect(speed, 5_000)
  }

  @Test func aRideThatIsOverIsNotMadeLongerByTheWheel() {
    var display = Display()
    display.turn(.finish, "")
    for second in 0...60 as ClosedRange<Int64> {
      display.roll(Double(second) * 5, speed: 5, at: second * 1_000)
      display.tell(UInt32(max(0, 100 - second * 5)), at: second * 1_000)
    }
    expect(figures(display) == (70, 14), "30 m before the finish it is reached")
  }

  // MARK: - The time

  @Test func standingDoesNotCount() {
    var display = Display()
    display.ride(from: 500, speed: 5, at: 0, until: 20_000)
    for time in stride(from: 22_000, through: 920_000, by: 2_000) {
      display.tell(400, at: Int64(time))
    }
    expect(display.guidance.trip.speed, 0)
    display.ride(from: 395, speed: 5, at: 921_000, until: 940_000)
    // The 5 m across the stand count as five seconds.
    expect(figures(display) == (200, 20 + 5 + 19))
  }

  /// The turn is not forgotten in a tunnel, and its distance says how far that was.
  @Test func silenceInWhichOneRidesCounts() {
    var display = Display()
    display.ride(from: 2_000, speed: 5, at: 0, until: 100_000)
    display.ride(from: 500, speed: 5, at: 300_000, until: 350_000)
    expect(figures(display) == (1_750, 350))
  }

  @Test func aDistanceInStepsOfTenMetresIsAsGoodAtAWalk() {
    var display = Display()
    for step in 0...30 as ClosedRange<Int64> {
      display.tell(UInt32(500 - 10 * step), at: step * 9_000)
    }
    expect(figures(display) == (300, 270))
  }

  @Test func theFirstMinuteHasNoAverage() {
    var display = Display()
    display.ride(from: 1_000, speed: 5, at: 0, until: 59_000)
    let early = display.guidance.trip.average
    display.ride(from: 700, speed: 5, at: 60_000, until: 61_000)
    expect(early == nil && display.guidance.trip.average == 5_000)
  }

  // MARK: - Where a ride begins and ends

  @Test func aStartInstructionBeginsARide() {
    var display = Display()
    display.ride(from: 1_000, speed: 5, at: 0, until: 100_000)
    display.turn(.start, "C")
    display.tell(0, at: 101_000)
    let begun = figures(display)
    display.turn(.right, "D")
    display.ride(from: 500, speed: 5, at: 102_000, until: 112_000)
    display.turn(.right, "D")
    expect(begun == (0, 0) && figures(display).metres == 50)
  }

  @Test func aStartThatIsRepeatedBeginsOne() {
    var display = Display()
    display.turn(.start, "C")
    display.ride(from: 100, speed: 5, at: 0, until: 10_000)
    expect(figures(display) == (50, 10))
  }

  @Test func theFinishEndsTheRideAndTheNextTurnBeginsOne() {
    var display = Display()
    display.ride(from: 200, speed: 5, at: 0, until: 40_000)
    display.turn(.finish, "Z")
    display.tell(31, at: 41_000)
    let before = display.guidance.trip.hasArrived
    display.tell(30, at: 42_000)
    let at = display.guidance.trip.hasArrived
    display.turn(.right, "B")
    display.tell(300, at: 60_000)
    let (behind, trip) = (display.guidance.trip.hasArrived, figures(display))
    expect(!before && at && !behind)
    expect(trip == (0, 0))
  }

  /// The rider goes on to the shed, and komoot says what it makes of that.
  @Test func whoRidesOnBehindTheFinishBeginsNoRide() {
    var display = Display()
    display.ride(from: 200, speed: 5, at: 0, until: 40_000)
    display.turn(.finish, "Z")
    display.ride(from: 20, speed: 5, at: 41_000, until: 45_000)
    display.ride(from: 5, speed: -5, at: 46_000, until: 80_000)
    display.turn(.offRoute, "")
    display.tell(0, at: 81_000)
    display.turn(.finish, "Z")
    display.tell(400, at: 82_000)
    let (isOver, trip) = (display.guidance.trip.hasArrived, figures(display))
    expect(isOver)
    #expect(trip.metres >= 220)
  }

  @Test(arguments: [(3 * 3_600_000 - 1, true), (3 * 3_600_000, false)] as [(Int64, Bool)])
  func threeHoursOfSilenceEndARide(_ silence: Int64, _ goesOn: Bool) {
    var display = Display()
    display.ride(from: 1_000, speed: 5, at: 0, until: 100_000)
    display.tell(490, at: 100_000 + silence)
    expect((figures(display).metres > 0), goesOn)
  }

  @Test func aSourceWithoutATurnEndsNoRide() {
    var display = Display()
    display.ride(from: 1_000, speed: 5, at: 0, until: 100_000)
    display.removeTurn()
    display.ride(from: 400, speed: 5, at: 1_000_000, until: 1_010_000)
    expect(figures(display) == (550, 110))
  }

  // MARK: - Hostile phones

  @Test func whatNoBicycleRidesIsNoWay() {
    var display = Display()
    for time in 0..<200 as Range<Int64> {
      display.tell(time % 3 == 0 ? .max : UInt32(time % 3) * 7, at: time * 1_000)
    }
    let (trip, speed) = (figures(display), display.guidance.trip.speed)
    #expect(trip.metres < 200)
    #expect((speed ?? 0) <= 25_000)
  }

  @Test func aDayAtTheLargestDistancesIsADayAndOfAHundredHoursTheLastMinuteIsNotShown() {
    var display = Display()
    for second in stride(from: 0, through: 360_000, by: 10) {
      display.tell(.max - UInt32(second * 5), at: Int64(second) * 1_000)
      guard second == 86_400 else { continue }
      let (trip, shown) = (figures(display), display.guidance.tripFigures)
      expect(trip == (432_000, 86_400))
      expect(shown.minutes == 1_440 && shown.tenths == 4_320 && shown.average == 18)
    }
    expect(display.guidance.tripFigures.minutes, 5_999)
  }

  @Test func thirtyMetresEachMillisecondStayWithinTheFigures() {
    var display = Display()
    for step in 0..<20_000 as Range<Int64> {
      display.tell(.max - UInt32(step) * 30, at: step)
    }
    let figures = display.guidance.tripFigures
    expect((figures.tenths ?? 0) <= 99_999 && figures.speed == nil)
  }

  @Test func timeThatGoesBackIsHarmless() {
    var guidance = Guidance(units: .metric)
    _ = guidance.receive(turn(.right, 1_000, "A"), at: start)
    _ = guidance.receive(turn(.right, 990, "A"), at: start + -60_000)
    _ = guidance.receive(turn(.left, 990, "B"), at: start + -120_000)
    let trip = guidance.trip
    expect(trip.millimetres == 10_000 && trip.milliseconds == 0)
  }

  // MARK: - Real rides

  /// The way by the log's own positions is 3,830 m: a twentieth may be missing.
  @Test(.enabled(if: RecordedRide.areThere, "the rides are not among the recordings"))
  func aRecordedRideIsAsLongAsItsPositionsSay() throws {
    var display = Display()
    for row in try RecordedRide("potsdam-long").rows {
      display.turn(row.direction == 2 ? .start : .unknown(row.direction), row.street)
      display.tell(row.distance, at: row.time)
    }
    let (trip, average) = (figures(display), display.guidance.tripFigures.average)
    #expect((3_600...3_900).contains(trip.metres))
    #expect((500...526).contains(trip.seconds))
    #expect((25...27).contains(average ?? 0))
  }
}

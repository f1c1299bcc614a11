import Bytes
import Expecting
import Navigation
import Turns

/// `Alerts`, as a display has them: the rules are numbered there.
struct AlertTests {
  // MARK: - The levels of one turn

  @Test func aTurnIsLowThenMediumWithin70SecondsThenHighWithin15() {
    var display = Display()
    display.ride(from: 1_000, speed: 8, at: 0, until: 125_000)
    // 8 m/s: 70 s are 560 m, reached after 55 s; 15 s are 120 m, reached after 110 s.
    expect(
      display.announced,
      [
        Announcement(time: 0, level: .low, distance: 1_000),
        Announcement(time: 56_000, level: .medium, distance: 552),
        Announcement(time: 111_000, level: .high, distance: 112),
      ])
  }

  /// A tired rider uphill, a rider, a fast one downhill.
  @Test(arguments: [1.2, 3, 7, 15] as [Double])
  func theSecondsCountWhateverTheSpeed(_ speed: Double) {
    var display = Display()
    let seconds = 100.0
    display.ride(from: speed * seconds, speed: speed, at: 0, until: 99_000)
    expect(display.levels, [.low, .medium, .high])
    let left = display.announced.map { seconds * 1_000 - Double($0.time) }
    // At a walking pace the metre to which distances are rounded is most of a second.
    #expect((67_000...71_000).contains(left[1]))
    // At a walking pace 30 m are more than 15 s.
    #expect((13_000...max(15_000, 30_000 / speed + 1)).contains(left[2]))
  }

  @Test(arguments: [(30, .low), (29, .high), (0, .high)] as [(UInt32, AlertLevel)])
  func whoStandsBeforeATurnIsToldOfItWithin30Metres(_ distance: UInt32, _ level: AlertLevel) {
    var display = Display()
    for time in stride(from: 0, through: 60_000, by: 2_000) {
      display.tell(distance, at: Int64(time))
    }
    expect(display.announced, [Announcement(time: 0, level: level, distance: distance)])
  }

  @Test(arguments: [0, 5, 500, 4_294_967_295] as [UInt32])
  func aStartInstructionIsADepartureHoweverFarItIs(_ distance: UInt32) {
    var display = Display()
    display.turn(.start, "A")
    for time in [0, 2_000, 4_000] as [Int64] { display.tell(distance, at: time) }
    expect(display.levels, [.depart])
    display.turn(.right, "A")
    display.tell(200, at: 5_000)
    expect(display.levels, [.depart, .low])
  }

  @Test func theFinishIsAnArrivalWithin30MetresAndATurnBefore() {
    var display = Display()
    display.turn(.finish, "")
    display.ride(from: 800, speed: 6, at: 0, until: 140_000)
    expect(display.levels, [.low, .medium, .high, .arrive])
    // 800 - 6 * 129 = 26; at 128 s it is 32.
    expect(display.announced[3], Announcement(time: 129_000, level: .arrive, distance: 26))
  }

  @Test(arguments: [(31, .low), (30, .arrive), (0, .arrive)] as [(UInt32, AlertLevel)])
  func thirtyMetresAreAnArrival(_ distance: UInt32, _ level: AlertLevel) {
    var display = Display()
    display.turn(.finish, "A")
    display.tell(distance, at: 0)
    expect(display.levels, [level])
  }

  /// None, roundabouts, off the route, and what no app sends yet.
  @Test(
    arguments: [
      .none, .straight, .uTurn, .pointOfInterest, .roundabout(.unsaid, nil),
      .roundabout(.right, .counterclockwise), .roundabout(.number(2, of: 3), .clockwise),
      .roundabout(.unknown, nil), .offRoute, .unknown(31), .unknown(255),
    ] as [Maneuver])
  func everyOtherManeuverIsATurn(_ maneuver: Maneuver) {
    var display = Display()
    display.turn(maneuver, "A")
    display.ride(from: 800, speed: 8, at: 0, until: 99_000)
    expect(display.levels, [.low, .medium, .high])
  }

  @Test func theLargestDistanceIsFar() {
    var display = Display()
    display.tell(.max, at: 0)
    for time in 1...20 as ClosedRange<Int64> {
      display.tell(.max - UInt32(time) * 20, at: time * 1_000)
    }
    expect(display.levels, [.low])
  }

  @Test func aPhoneThatLeapsFromTheLargestDistanceToNothingDoesNoHarm() {
    var display = Display()
    for time in 0..<40 as Range<Int64> {
      display.tell(time % 2 == 0 ? .max : 0, at: time * 500)
    }
    expect(display.levels.first, .low)
    #expect(display.levels.count < 4)
  }

  // MARK: - Which turn it is

  @Test(arguments: [(.right, "B"), (.left, "A"), (.left, "B")] as [(Maneuver, String)])
  func anotherManeuverOrStreetIsAnotherTurn(_ maneuver: Maneuver, _ street: String) {
    var display = Display()
    display.ride(from: 300, speed: 7, at: 0, until: 42_000)
    display.turn(maneuver, street)
    display.ride(from: 900, speed: 7, at: 45_000, until: 170_000)
    expect(display.levels, [.low, .medium, .high, .low, .medium, .high])
    // 70 s are 490 m, 58.6 s from 900 m on.
    #expect((103_000...106_000).contains(display.announced[4].time))
  }

  @Test func aDistanceThatLeapsUpIsTheNextTurnOfTheSameName() {
    var display = Display()
    display.ride(from: 300, speed: 7, at: 0, until: 42_000)
    display.ride(from: 500, speed: 7, at: 44_000, until: 114_000)
    expect(display.levels, [.low, .medium, .high, .low, .medium, .high])
    // The second reading says that the first was right.
    expect(display.announced[3].time, 45_000)
  }

  @Test func aRepetitionConfirmsTheLeapToo() {
    var display = Display()
    display.tell(0, at: 0)
    display.tell(300, at: 2_000)
    display.tell(300, at: 4_000)
    expect(display.levels, [.high, .low])
  }

  @Test func aSingleReadingThatIsFarOffChangesNothing() {
    var display = Display()
    display.ride(from: 400, speed: 7, at: 0, until: 50_000)
    let before = display.levels
    display.tell(900, at: 51_000)
    display.ride(from: 36, speed: 7, at: 52_000, until: 57_000)
    expect(before, [.low, .medium, .high])
    expect(display.levels, before)
  }

  @Test func whoTurnsRoundAndComesBackSeesTheSameTurn() {
    var display = Display()
    display.ride(from: 200, speed: 6, at: 0, until: 31_000)
    display.ride(from: 14, speed: -6, at: 32_000, until: 110_000)
    display.ride(from: 482, speed: 6, at: 111_000, until: 190_000)
    expect(display.levels, [.low, .medium, .high])
  }

  @Test func aTurnRightBehindAnotherIsHighAtOnce() {
    var display = Display()
    display.ride(from: 300, speed: 7, at: 0, until: 42_000)
    display.turn(.left, "B")
    display.tell(25, at: 43_000)
    expect(display.levels, [.low, .medium, .high, .high])
    expect(display.announced[3].time, 43_000)
  }

  @Test func theSpeedOutlastsTheTurnSoThatANearOneIsHighAtOnce() {
    var display = Display()
    display.ride(from: 300, speed: 7, at: 0, until: 42_000)
    display.turn(.left, "B")
    // 60 m are less than 9 s, if the rider rides on as before.
    display.tell(60, at: 43_000)
    expect(display.announced.last, Announcement(time: 43_000, level: .high, distance: 60))
  }

  @Test func aNewTurnIsNeverMediumAtOnce() {
    var display = Display()
    display.ride(from: 300, speed: 7, at: 0, until: 42_000)
    display.turn(.left, "B")
    display.ride(from: 400, speed: 7, at: 43_000, until: 45_000)
    expect(display.levels.suffix(2), [.low, .medium])
    expect(display.announced.suffix(2).map(\.time), [43_000, 44_000])
  }

  // MARK: - Off the route

  @Test func theSameTurnAfterAnExcursionIsNotAnnouncedAgain() {
    var display = Display()
    display.ride(from: 300, speed: 7, at: 0, until: 25_000)
    for time in stride(from: 26_000, to: 60_000, by: 4_000) as StrideTo<Int64> {
      display.turn(.offRoute, "")
      display.tell(0, at: time)
      display.turn(.right, "A")
      display.tell(120, at: time + 2_000)
    }
    display.ride(from: 120, speed: 7, at: 62_000, until: 78_000)
    // Off the route is told once however often the phone changes its mind.
    expect(display.levels, [.low, .medium, .high, .high])
    expect(display.announced[2].time, 26_000)
    #expect(display.announced[3].time > 62_000)
  }

  @Test func aLongWayBackToTheSameTurnIsNew() {
    var display = Display()
    display.tell(20, at: 0)
    display.turn(.offRoute, "")
    display.tell(200, at: 1_000)
    display.turn(.right, "A")
    display.tell(500, at: 2_000)
    expect(display.levels, [.high, .low, .low])
  }

  @Test func anotherTurnAfterAnExcursionIsNew() {
    var display = Display()
    display.tell(100, at: 0)
    display.turn(.offRoute, "")
    display.tell(10, at: 1_000)
    display.turn(.left, "B")
    display.tell(250, at: 2_000)
    display.turn(.offRoute, "")
    display.tell(10, at: 3_000)
    expect(display.levels, [.low, .high, .low, .high])
  }

  // MARK: - Without news

  @Test func withoutNewsForEightSecondsThereIsNoLevel() {
    var display = Display()
    display.tell(500, at: 0)
    display.wait(until: 1_000_000)
    expect(
      display.announced,
      [
        Announcement(time: 0, level: .low, distance: 500),
        Announcement(time: 8_000, level: .none, distance: 500),
      ])
  }

  @Test func aLinkThatIsLostAndComesBackAnnouncesNothingAgain() {
    var display = Display()
    display.ride(from: 400, speed: 7, at: 0, until: 45_000)
    for time in [60_000, 80_000, 100_000] as [Int64] { display.tell(80, at: time) }
    expect(display.levels, [.low, .medium, .high, .none])
  }

  @Test func theTurnGoesOnWhereItWasAfterALoss() {
    var display = Display()
    display.ride(from: 600, speed: 7, at: 0, until: 30_000)
    display.ride(from: 250, speed: 7, at: 50_000, until: 84_000)
    expect(display.levels, [.low, .medium, .none, .high])
    expect(display.announced[2].time, 38_000)
    // 15 s are 105 m, 20.7 s after the return.
    #expect((70_000...73_000).contains(display.announced[3].time))
  }

  @Test func theLossIsToldOnceForEachTurn() {
    var display = Display()
    for time in [0, 20_000, 40_000] as [Int64] { display.tell(500, at: time) }
    display.turn(.left, "B")
    display.tell(500, at: 60_000)
    display.wait(until: 80_000)
    expect(display.levels, [.low, .none, .low, .none])
  }

  @Test func theSpeedBeforeALossDoesNotCountAfterIt() {
    var display = Display()
    display.ride(from: 600, speed: 7, at: 0, until: 30_000)
    // Nobody knows whether the rider still rides.
    display.ride(from: 90, speed: 0, at: 50_000, until: 90_000)
    expect(display.levels, [.low, .medium, .none])
  }

  @Test func whatIsForgottenIsNotFresh() {
    var display = Display()
    display.tell(20, at: 0)
    display.removeTurn()
    display.removeTurn()
    expect((display.guidance.isInverted, display.guidance.deadline) == (false, nil))
    expect(display.levels, [.high, .none])
  }

  @Test func nothingIsToldBeforeTheFirstInstruction() {
    var display = Display()
    display.turn(.none, "")
    display.tell(0, at: 0)
    display.removeTurn()
    display.wait(until: 100_000)
    expect(display.levels, [])
  }

  // MARK: - Attention

  @Test func highIsInvertedForItsFirstSecond() {
    var display = Display()
    display.tell(29, at: 0)
    display.wait(until: 999)
    let early = display.guidance.isInverted
    display.tell(25, at: 999)
    display.wait(until: 1_000)
    let late = display.guidance.isInverted
    display.tell(20, at: 1_500)
    expect([early, late, display.guidance.isInverted], [true, false, false])
  }

  @Test func anotherTurnAndTheSameOneAfterAnExcursionEndTheInversion() {
    var display = Display()
    display.tell(300, at: 0)
    display.turn(.offRoute, "")
    display.tell(0, at: 1_000)
    let before = display.guidance.isInverted
    display.turn(.right, "A")
    display.tell(300, at: 1_500)
    expect([before, display.guidance.isInverted], [true, false])
    display.turn(.left, "B")
    display.tell(5, at: 2_000)
    let high = display.guidance.isInverted
    display.turn(.left, "C")
    display.tell(300, at: 2_500)
    expect([high, display.guidance.isInverted], [true, false])
  }

  @Test func theEndOfTheInversionChangesWhatIsShown() {
    var guidance = Guidance(units: .metric)
    _ = guidance.receive(turn(.right, 20, "A"), at: start)
    expect(guidance.deadline, start + 1_000)
    let changes = [guidance.advance(to: start + 1_000), guidance.advance(to: start + 1_001)]
    expect(changes, [true, false])
  }

  /// The loop hears what has come before it looks at the time.
  @Test func aReadingThatComesWithTheEndOfTheInversionEndsItToo() {
    var guidance = Guidance(units: .metric)
    var isInverted: [Bool] = []
    for (distance, time) in [(20, 0), (18, 999), (17, 1_000)] as [(UInt32, Int64)] {
      _ = guidance.receive(turn(.right, distance, "A"), at: start + time)
      isInverted.append(guidance.isInverted)
    }
    expect(isInverted, [true, true, false])
  }

  @Test func aRideWakesTheDisplayOnlyForAnotherDistanceAndTheEndOfAnInversion() {
    var display = Display()
    display.ride(from: 1_000, speed: 8, at: 0, until: 125_000)
    // Each shown distance at most once; most of them come between two readings.
    #expect((1...101).contains(display.wakeups))
  }

  @Test func whoseSpeedIsNotKnownWakesTheDisplayOnlyForTheEndOfTheInversion() {
    var display = Display()
    for second in 0..<100 as Range<Int64> { display.tell(29, at: second * 1_000) }
    expect(display.wakeups, 1)
  }
}

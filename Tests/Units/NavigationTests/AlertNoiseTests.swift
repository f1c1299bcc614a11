import Bytes
import Expecting
import Navigation
import PhoneServices
import Seeded
import TestSupport
import Turns

/// Alerts from distances that are wrong, late, coarse, or told too often, and of recorded rides.
struct AlertNoiseTests {
  private static let seeds = 1...20 as ClosedRange<UInt64>

  /// What a phone shows of a distance: ten metres off at most, and perhaps rounded as the logs are.
  private func noisy(
    _ distance: Double, roundedTo step: Double, _ random: inout SeededGenerator
  ) -> UInt32 {
    let wrong = max(0, distance + Double.random(in: -10...10, using: &random))
    return UInt32((wrong / step).rounded() * step)
  }

  @Test(arguments: seeds)
  func whoStandsAtATrafficLightHearsNothing(_ seed: UInt64) {
    var random = SeededGenerator(state: seed)
    for step in [1, 10] as [Double] {
      var display = Display()
      for time in 0..<300 as Range<Int64> {
        display.tell(noisy(55, roundedTo: step, &random), at: time * 1_000)
      }
      expect(display.levels, [.low], "seed \(seed), rounded to \(step) m")
    }
  }

  /// Two readings that are 30 m off make 8 m/s of 5 m/s in ten seconds: 70 s become 112 s at most.
  @Test(arguments: seeds)
  func noiseMovesTheLevelsByLittle(_ seed: UInt64) throws {
    var random = SeededGenerator(state: seed)
    for step in [1, 10] as [Double] {
      let speed = Double.random(in: 5...9, using: &random)
      var display = Display()
      for time in 0..<180 as Range<Int64> {
        let distance = speed * Double(180 - time)
        display.tell(noisy(distance, roundedTo: step, &random), at: time * 1_000)
      }
      let told = "seed \(seed), \(speed) m/s, rounded to \(step) m: \(display.announced)"
      try #require(display.levels == [.low, .medium, .high], "\(told)")
      let left = display.announced.map { 180 - $0.time / 1_000 }
      #expect((50...120).contains(left[1]), "\(told)")
      #expect((8...28).contains(left[2]), "\(told)")
    }
  }

  /// A slow rider uphill, 113 s before the turn, and a fast one downhill, 85 s before it.
  @Test(
    arguments: [(600, 3, 87, 19), (2_000, 16, 40, 25)] as [(Double, Double, Int64, Double)])
  func oneWrongReadingIsNoSpeed(
    _ distance: Double, _ speed: Double, _ time: Int64, _ error: Double
  ) {
    var display = Display()
    let here = distance - speed * Double(time)
    display.ride(from: distance, speed: speed, at: 0, until: (time - 1) * 1_000)
    display.tell(UInt32(here - error), at: time * 1_000)
    let next = (time + 1) * 1_000
    display.ride(from: here - speed, speed: speed, at: next, until: next + 9_000)
    expect(display.levels, [.low])
  }

  @Test(arguments: seeds)
  func aPauseInMidTurnRepeatsNothing(_ seed: UInt64) {
    var random = SeededGenerator(state: seed)
    var display = Display()
    var distance = 700.0
    for time in 0..<300 as Range<Int64> {
      // Red for two minutes, 90 m before the turn: 11 s, so high has been told by then.
      if distance > 90 || time > 200 { distance = max(0, distance - 8) }
      display.tell(noisy(distance, roundedTo: 1, &random), at: time * 1_000)
    }
    expect(display.levels, [.low, .medium, .high], "seed \(seed): \(display.announced)")
  }

  @Test func afterARedLightTheTurnIsHighBeforeItIsReached() {
    var display = Display()
    display.ride(from: 400, speed: 7, at: 0, until: 35_000)
    display.ride(from: 155, speed: 0, at: 36_000, until: 120_000)
    display.ride(from: 155, speed: 7, at: 121_000, until: 140_000)
    expect(display.levels, [.low, .medium, .high])
    // 155 m at 7 m/s are 22 s from 121 s on; the wait is not a part of the speed.
    #expect((128_000...130_000).contains(display.announced[2].time))
  }

  // MARK: - Leaps

  /// A shorter route, or a position that is found again: 500 m less at once.
  @Test func aLeapDownIsNoSpeed() {
    var display = Display()
    display.ride(from: 2_000, speed: 7, at: 0, until: 60_000)
    display.ride(from: 1_000, speed: 7, at: 61_000, until: 100_000)
    // 1000 m are 143 s.
    expect(display.levels, [.low])
    display.ride(from: 727, speed: 7, at: 100_000, until: 195_000)
    expect(display.levels, [.low, .medium, .high])
    #expect((130_000...136_000).contains(display.announced[1].time))
  }

  @Test func aLeapDownToTheTurnIsHigh() {
    var display = Display()
    display.ride(from: 2_000, speed: 7, at: 0, until: 10_000)
    display.tell(20, at: 11_000)
    expect(display.levels, [.low, .high])
  }

  @Test func aLongerRouteToTheSameTurnIsAnnouncedAsItComesNearer() {
    var display = Display()
    display.ride(from: 400, speed: 7, at: 0, until: 20_000)
    display.ride(from: 900, speed: 7, at: 21_000, until: 145_000)
    expect(display.levels, [.low, .medium, .low, .medium, .high])
    // 70 s are 490 m, 58.6 s from 900 m on; not by the 640 m that it grew.
    #expect((79_000...82_000).contains(display.announced[3].time))
  }

  // MARK: - How often it is told

  /// In steps of so many metres, repeated every 2 s.
  @Test(arguments: [20, 50, 100] as [Double])
  func coarseDistancesHaveASpeedToo(_ step: Double) {
    var display = Display()
    for time in stride(from: 0, to: 200_000, by: 2_000) as StrideTo<Int64> {
      let distance = 1_400 - 7 * Double(time) / 1_000
      display.tell(UInt32((distance / step).rounded(.up) * step), at: time)
    }
    display.tell(0, at: 200_000)
    expect(display.levels, [.low, .medium, .high])
    let left = display.announced.map { 200 - $0.time / 1_000 }
    // Two steps off at most.
    #expect(abs(Double(left[1]) - 70) <= 2 * step / 7 + 2)
  }

  /// Polled, notified and repeated: several readings of each distance, some at the very same time.
  @Test func repetitionsChangeNothing() {
    var once = Display()
    var often = Display()
    for time in 0..<120 as Range<Int64> {
      let distance = UInt32(max(0, 840 - 7 * time))
      once.tell(distance, at: time * 1_000)
      for delay in [0, 0, 1, 250, 500, 999] as [Int64] {
        often.tell(distance, at: time * 1_000 + delay)
      }
    }
    expect(once.levels, [.low, .medium, .high])
    expect(often.announced, once.announced)
  }

  /// A link that is held up brings at once what was said meanwhile.
  @Test(arguments: [5_000, 7_000] as [Int64])
  func readingsThatComeAtOnceAreNoSpeed(_ holdUp: Int64) {
    var display = Display()
    for time in stride(from: 0, to: 170_000, by: 1_000) as StrideTo<Int64> {
      let arrival = (time + holdUp - 1) / holdUp * holdUp
      display.tell(UInt32(1_200 - 7 * time / 1_000), at: arrival)
    }
    expect(display.levels, [.low, .medium, .high])
    let left = display.announced.map { 1_200.0 / 7 - Double($0.time) / 1_000 }
    // No sooner than is right, and later by the hold-up at most.
    #expect((70 - Double(holdUp) / 1_000...70).contains(left[1]))
    #expect((15 - Double(holdUp) / 1_000...15).contains(left[2]))
  }

  @Test func readingsFasterThanAnyPhoneSendsThemDoNoHarm() {
    var display = Display()
    for time in 0..<60_000 as Range<Int64> {
      display.tell(UInt32(max(0, 420 - 7 * time / 1_000)), at: time)
    }
    expect(display.levels, [.low, .medium, .high])
  }

  @Test func aPhoneThatTellsEverySevenSecondsIsFollowed() {
    var display = Display()
    display.ride(from: 1_400, speed: 7, at: 0, until: 200_000, every: 7_000)
    expect(display.levels, [.low, .medium, .high])
  }

  /// The machine slept, or its loop hung.
  @Test func aLeapOfTheClockIsALoss() {
    var display = Display()
    display.ride(from: 900, speed: 7, at: 0, until: 20_000)
    display.ride(from: 750, speed: 7, at: 86_400_000, until: 86_505_000)
    expect(display.levels, [.low, .none, .medium, .high])
    // 70 s are 490 m, 37.1 s after the return.
    #expect((37_000...41_000).contains(display.announced[2].time - 86_400_000))
  }

  @Test func aClockThatStandsStillOrGoesBackDoesNoHarm() {
    var guidance = Guidance(units: .metric)
    var levels: [AlertLevel] = []
    for (distance, time) in [(200, 0), (100, 0), (60, -5_000), (10, -5_000)] as [(UInt32, Int64)] {
      _ = guidance.receive(turn(.right, distance, "A"), at: start + time)
      if let level = guidance.takeAnnouncement() { levels.append(level) }
    }
    expect(levels, [.low, .high])
  }

  // MARK: - Recorded rides

  @Test(
    .enabled(if: RecordedRide.areThere, "the rides are not among the recordings"),
    arguments: ["potsdam-long", "potsdam-short"])
  func theAlertsAreThoseThatAPersonExpects(_ name: String) throws {
    let log = try RecordedRide(name)
    let expected = try RecordedRide.expectedAlerts(name).map {
      (line: $0.line, level: try #require(Self.levels[$0.level]))
    }
    let announced = alerts(of: log)
    for (alert, expectation) in zip(announced, expected) {
      let time = try #require(log.times[expectation.line])
      expect(
        alert.level == expectation.level && abs(alert.time - time) <= alert.level.tolerance,
        "expected \(expectation.level) at line \(expectation.line), not \(alert)")
    }
    expect(announced.map(\.level), expected.map(\.level))
  }

  private static let levels: [String: AlertLevel] = [
    "depart": .depart, "low": .low, "medium": .medium, "high": .high, "arrive": .arrive,
  ]

  /// What a display announces that hears the log as a phone tells it, the last instruction every 2 s.
  private func alerts(of log: RecordedRide) -> [Announcement] {
    var display = Display()
    var nextRepeat: Int64 = 2_000
    var last: RecordedRide.Row?
    for row in log.rows {
      while nextRepeat < row.time {
        if let last { display.tell(last.distance, at: nextRepeat) }
        nextRepeat += 2_000
      }
      display.turn(Maneuver(direction: row.direction), row.street)
      display.tell(row.distance, at: row.time)
      last = row
    }
    return display.announced
  }
}

extension AlertLevel {
  /// By how many milliseconds two persons who look at the same log may differ.
  fileprivate var tolerance: Int64 {
    switch self {
    case .none, .depart, .low, .arrive: 0
    case .medium: 4_000
    // A reading's second, and the time of the 10 m to which the logs round.
    case .high: 2_500
    }
  }
}

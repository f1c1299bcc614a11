import Bytes
import Expecting
import Navigation
import TestSupport
import Turns

/// Turns of Gadgetbridge, and of both sources: Boards/reference/turns.md.
struct TurnSourceTests {
  private func bridged(_ units: Units = .metric) -> Display {
    var display = Display()
    display.guidance = Guidance(units: units)
    display.source = .gadgetbridge
    return display
  }

  // MARK: - The same turn

  /// 30 m or a tenth, whichever is more, and the text does not count.
  @Test(
    arguments: [
      (100, 100, "A", .nothing), (100, 100, "B", .distance), (100, 99, "B", .distance),
      (100, 130, "B", .distance), (100, 131, "B", .turn), (1_000, 1_100, "B", .distance),
      (1_000, 1_101, "B", .turn),
    ] as [(UInt32, UInt32, String, Guidance.Outcome)])
  func theTextDoesNotMakeATurn(
    _ first: UInt32, _ metres: UInt32, _ text: String, _ change: Guidance.Outcome
  ) {
    var guidance = Guidance(units: .metric)
    _ = guidance.receive(turn(.left, first, "A"), from: .gadgetbridge, at: start)
    let number = guidance.streetNumber
    let now = start + 1_000
    expect(guidance.receive(turn(.left, metres, text), from: .gadgetbridge, at: now), change)
    expect(guidance.streetNumber != number, text == "B", "the panel has another text")
  }

  @Test func anotherManeuverMakesOne() {
    var guidance = Guidance(units: .metric)
    _ = guidance.receive(turn(.left, 100, "A"), from: .gadgetbridge, at: start)
    expect(guidance.receive(turn(.slightLeft, 100, "A"), from: .gadgetbridge, at: start), .turn)
  }

  /// Each sentence of OsmAnd that is spoken on the way to one turn.
  @Test func aTurnIsAnnouncedOnceWhateverItsText() {
    var display = bridged()
    for second in 0...99 {
      display.turn(.left, "\(second / 10)")
      display.tell(UInt32(1_000 - 10 * second), at: Int64(second) * 1_000)
    }
    expect(display.levels, [.low, .medium, .high])
    display.turn(.left, "next")
    display.tell(400, at: 100_000)
    expect(display.levels, [.low, .medium, .high, .low])
  }

  /// With the same text it may be an error, as with komoot.
  @Test func aDistanceThatGrewOnceIsNotBelieved() {
    var display = bridged()
    display.tell(200, at: 0)
    display.tell(20, at: 20_000)
    display.tell(600, at: 21_000)
    display.tell(15, at: 22_000)
    expect(display.levels, [.low, .high])
    display.tell(600, at: 23_000)
    display.tell(595, at: 24_000)
    expect(display.levels, [.low, .high, .low])
  }

  // MARK: - Age

  @Test func centralBehaviour114_itIsFreshFor90Seconds() {
    var display = bridged()
    display.tell(500, at: 0)
    display.wait(until: 89_999)
    expect(display.guidance.isStale, false)
    display.wait(until: 90_000)
    expect(display.guidance.age, Age(milliseconds: 90_000))
  }

  /// Each hundred metres at walking pace, and a link that is lost for a while.
  @Test func centralBehaviour114_aNewLineMakesItFreshForAsLongAgain() {
    var display = bridged()
    display.tell(500, at: 0)
    display.guidance.linkWasLost()
    display.wait(until: 7_999)
    expect(display.guidance.isStale, false)
    display.wait(until: 8_000)
    expect(display.guidance.isStale)
    display.tell(500, at: 64_000)
    display.wait(until: 153_999)
    expect(display.guidance.isStale, false)
    display.wait(until: 154_000)
    expect(display.guidance.isStale)
  }

  /// By the wheel it would be an estimate for two minutes.
  @Test func centralBehaviour113_whatIsTakenBackIsNoEstimate() {
    var display = bridged()
    display.tell(500, at: 0)
    display.roll(from: 0, speed: 5, at: 0, until: 2_000)
    _ = display.guidance.receive(Turn(), from: .gadgetbridge, at: start + 2_000)
    display.roll(from: 10, speed: 5, at: 2_000, until: 4_000)
    expect(!display.guidance.isStale)
    display.roll(from: 20, speed: 5, at: 4_000, until: 5_000)
    expect(display.guidance.isStale)
    display.tell(470, at: 6_000)
    display.wait(until: 18_000)
    expect(display.guidance.hasTurn)
  }

  // MARK: - The street

  @Test func centralBehaviour117_aStreetOfWhichNothingIsSaidStaysUntilTheTurnIsAnother() {
    var guidance = Guidance(units: .metric)
    _ = guidance.receive(turn(.left, 60, "A"), from: .gadgetbridge, at: start)
    var streets: [String] = []
    let readings: [(Maneuver, UInt32)] = [
      (.left, 30), (.offRoute, 0), (.left, 20), (.left, 400), (.left, 395), (.left, 20),
    ]
    for (index, (maneuver, metres)) in readings.enumerated() {
      _ = guidance.receive(maneuver, distance: metres, at: start + 1_000 * Int64(index + 1))
      streets.append(string(guidance.turn.street))
    }
    // A distance that grew once may be an error.
    expect(streets, ["A", "A", "A", "A", "", ""])
    _ = guidance.receive(turn(.left, 15, "B"), from: .gadgetbridge, at: start + 9_000)
    let change = guidance.receive(.right, distance: 15, at: start + 10_000)
    let street = string(guidance.turn.street)
    expect(change == .turn && street.isEmpty)
  }

  @Test func aTextWithoutADistanceKeepsItsAge() {
    var guidance = Guidance(units: .metric)
    _ = guidance.receive(turn(.left, 500, "A"), from: .gadgetbridge, at: start)
    _ = guidance.advance(to: start + 20_000)
    let text = Array("B".utf8)
    let change = guidance.receive(text: text.span, of: .left)
    let again = guidance.receive(text: text.span, of: .left)
    let other = guidance.receive(text: text.span, of: .right)
    let (street, metres, deadline) = (
      string(guidance.turn.street), guidance.turn.distance, guidance.deadline
    )
    expect([change, again, other], [.distance, .nothing, .nothing])
    expect(street == "B" && metres == 500 && deadline == start + 90_000)
  }

  // MARK: - Speed

  /// Two readings each second at 8 m/s teach it.
  @Test func fineDistancesTeachTheSpeed() {
    var display = bridged()
    display.ride(from: 1_000, speed: 8, at: 0, until: 20_000)
    expect(display.progress(at: 20_000)?.seconds.map { (100...110).contains($0) }, true)
  }

  /// Tenths of a mile at 8 m/s, as an app says them that tells changes only.
  @Test func coarseDistancesDoNot() {
    var display = bridged(.imperial)
    var seconds: [Int64?] = []
    for (index, metres) in [805, 644, 483, 322, 161].enumerated() {
      display.tell(UInt32(metres), at: Int64(index) * 20_125)
      seconds.append(display.progress(at: Int64(index) * 20_125)?.seconds)
    }
    expect(seconds, [nil, nil, nil, nil, nil])
    expect(display.levels, [.low], "nobody knows how soon")
  }

  @Test func aStepEndsWhatIsKnownOfTheSpeed() {
    var display = bridged()
    display.ride(from: 1_000, speed: 8, at: 0, until: 20_000)
    display.tell(700, at: 21_000)
    expect(display.progress(at: 21_000)?.seconds, nil)
    display.ride(from: 692, speed: 8, at: 22_000, until: 32_000)
    #expect(display.progress(at: 32_000)?.seconds != nil)
  }

  /// At a red light an app that tells changes only says nothing.
  @Test func theDistanceFallsBySpeedFor8SecondsOnly() {
    var display = bridged()
    display.ride(from: 1_000, speed: 8, at: 0, until: 20_000)
    let last = display.progress(at: 28_000)
    let later = display.progress(at: 29_900)
    expect(last?.distance == 776 && last?.source == .speed)
    expect(later?.distance, 776)
  }

  @Test func theWheelBridgesTheGaps() {
    var display = bridged()
    display.roll(0, speed: 5, at: 0)
    display.tell(500, at: 0)
    display.roll(from: 0, speed: 5, at: 0, until: 60_000)
    let progress = display.progress(at: 60_000)
    expect(progress?.distance == 200 && progress?.source == .wheel)
    expect(display.guidance.isEstimated, true)
  }

  // MARK: - Off the route

  @Test func offTheRouteLeadsNowhereAndTheTurnGoesOn() {
    var display = bridged()
    display.ride(from: 400, speed: 5, at: 0, until: 40_000)
    let levels = display.levels
    display.turn(.offRoute, "")
    display.tell(0, at: 41_000)
    let (off, way) = (display.progress(at: 41_000), display.guidance.trip.millimetres)
    display.tell(0, at: 46_000)
    expect(off == nil && display.guidance.trip.millimetres == way)
    display.turn(.right, "B")
    display.tell(195, at: 47_000)
    expect(display.levels, levels + [.high], "off the route itself, and nothing again")
  }

  // MARK: - Both

  @Test func komootHasTheRightOfWay() {
    var guidance = Guidance(units: .metric)
    _ = guidance.receive(turn(.right, 100, "A"), from: .komoot, at: start)
    let early = guidance.receive(turn(.left, 100, "B"), from: .gadgetbridge, at: start + 7_999)
    let late = guidance.receive(turn(.left, 100, "B"), from: .gadgetbridge, at: start + 8_000)
    let source = guidance.source
    let back = guidance.receive(turn(.right, 90, "A"), from: .komoot, at: start + 8_001)
    let last = guidance.source
    expect([early, late, back], [.nothing, .turn, .turn])
    expect(source == .gadgetbridge && last == .komoot)
  }

  @Test(
    arguments: [(.komoot, .gadgetbridge), (.gadgetbridge, .komoot)] as [(TurnSource, TurnSource)])
  func onlyTheSourceOfATurnEndsIt(_ source: TurnSource, _ other: TurnSource) {
    var guidance = Guidance(units: .metric)
    _ = guidance.receive(turn(.right, 100, "A"), from: source, at: start)
    let nothing = guidance.receive(Turn(), from: other, at: start + 20_000)
    let hadTurn = guidance.hasTurn
    _ = guidance.receive(Turn(), from: source, at: start + 21_000)
    guidance.advance(to: start + 36_000)
    expect(nothing == .nothing && hadTurn && !guidance.hasTurn)
  }

  @Test func onceKomootHasNoneTheOtherCounts() {
    var guidance = Guidance(units: .metric)
    _ = guidance.receive(turn(.right, 100, "A"), from: .komoot, at: start)
    _ = guidance.receive(Turn(), from: .komoot, at: start + 1_000)
    expect(guidance.receive(turn(.left, 100, "B"), from: .gadgetbridge, at: start + 1_100), .turn)
  }

  /// The same turn by both apps is told of once.
  @Test func aTurnThatChangesItsSourceIsNotAnnouncedAgain() {
    var display = Display()
    display.ride(from: 400, speed: 5, at: 0, until: 60_000)
    let levels = display.levels
    display.source = .gadgetbridge
    display.turn(.right, "In 100 m rechts")
    display.tell(60, at: 68_000)
    display.source = .komoot
    display.turn(.right, "A")
    display.tell(55, at: 69_000)
    expect(display.levels, levels + [.none], "komoot's was stale")
  }

  /// A wheel that says a tenth more than komoot, over ten turns of 900 m.
  @Test(arguments: [TurnSource.komoot, .gadgetbridge])
  func onlyKomootTeachesTheWheel(_ source: TurnSource) {
    var display = Display()
    display.source = source
    display.guidance.calibrateWheel(from: 2_100)
    for second in 0..<1_800 {
      let time = Int64(second) * 1_000
      display.roll(Double(second) * 5.5, speed: 5.5, at: time)
      display.turn(second / 180 % 2 == 0 ? .left : .right, "\(second / 180)")
      display.tell(UInt32(900 - 5 * (second % 180)), at: time)
    }
    let hasLearned = display.guidance.circumference != 2_100
    expect(hasLearned, (source == .komoot))
  }
}

import Bytes
import Expecting
import Navigation
import TestSupport
import Turns

/// Where a test's time starts; any other would do.
let start = Instant(milliseconds: 1_000_000)

func turn(_ maneuver: Maneuver, _ distance: UInt32, _ street: String) -> Turn {
  let bytes = Array(street.utf8)
  return Turn(maneuver, distance: distance, street: bytes.span)
}

struct GuidanceTests {
  @Test func nothingIsKnownAtFirst() {
    var guidance = Guidance(units: .metric)
    expect(guidance.advance(to: start + 1_000_000), false)
    expect((guidance.hasTurn, guidance.isStale, guidance.deadline) == (false, false, nil))
  }

  @Test func theFirstTurnIsAChange() {
    var guidance = Guidance(units: .imperial)
    expect(guidance.receive(turn(.right, 100, "Hauptstraße"), at: start), .turn)
    let text = guidance.distance.text()
    expect(string(guidance.turn.street), "Hauptstraße")
    expect(guidance.deadline, start + 8_000)
    expect(string(text.bytes), "350 ft")
  }

  @Test(
    arguments: [
      (.right, 100, "A", .nothing), (.right, 99, "A", .distance), (.left, 100, "A", .turn),
      (.right, 100, "B", .turn), (.left, 99, "B", .turn),
    ] as [(Maneuver, UInt32, String, Guidance.Outcome)])
  func aChangeIsNamed(
    _ maneuver: Maneuver, _ distance: UInt32, _ street: String, _ expected: Guidance.Outcome
  ) {
    var guidance = Guidance(units: .metric)
    _ = guidance.receive(turn(.right, 100, "A"), at: start)
    expect(guidance.receive(turn(maneuver, distance, street), at: start + 2_000), expected)
    expect(guidance.turn.isSameTurn(as: turn(maneuver, distance, street)), true)
    expect(guidance.turn.distance, distance)
  }

  /// Its distance grew so much that it was not believed at once.
  @Test func aTurnThatARepetitionSaysIsDoneIsDrawnWithoutItsMark() {
    var guidance = Guidance(units: .metric)
    _ = guidance.receive(turn(.right, 20, "A"), at: start)
    _ = guidance.advance(to: start)
    _ = guidance.receive(turn(.right, 3_000, "A"), at: start + 1_000)
    _ = guidance.advance(to: start + 1_000)
    let before = guidance.isMarked
    let change = guidance.receive(turn(.right, 3_000, "A"), at: start + 5_000)
    let isDrawn = guidance.advance(to: start + 5_000)
    let after = guidance.isMarked
    expect(before && change == .nothing)
    expect(isDrawn && !after)
  }

  @Test func aTurnIsStaleAfterEightSecondsWithoutNews() {
    var guidance = Guidance(units: .metric)
    _ = guidance.receive(turn(.right, 100, "A"), at: start)
    expect((guidance.advance(to: start + 7_999), guidance.isStale) == (false, false))
    expect((guidance.advance(to: start + 8_000), guidance.isStale) == (true, true))
    expect(guidance.age?.seconds, 8)
    expect(guidance.hasTurn, true)
  }

  @Test func aRepetitionKeepsItFresh() {
    var guidance = Guidance(units: .metric)
    for second in 0..<100 as Range<Int64> {
      let now = start + second * 2_000
      _ = guidance.advance(to: now)
      _ = guidance.receive(turn(.right, 100, "A"), at: now)
      expect(guidance.isStale, false)
    }
    expect(guidance.deadline, start + 99 * 2_000 + 8_000)
  }

  @Test func newsEndsStaleness() {
    var guidance = Guidance(units: .metric)
    _ = guidance.receive(turn(.right, 100, "A"), at: start)
    guidance.advance(to: start + 9_000)
    expect(guidance.receive(turn(.right, 100, "A"), at: start + 10_000), .nothing)
    expect((guidance.isStale, guidance.deadline) == (false, start + 18_000))
  }

  @Test func itWakesOnlyWhenTheShownAgeChanges() {
    var guidance = Guidance(units: .metric)
    _ = guidance.receive(turn(.right, 100, "A"), at: start)
    var shown: [String] = []
    while let deadline = guidance.deadline, shown.count < 10 {
      expect(guidance.advance(to: deadline + -1), false)
      expect(guidance.advance(to: deadline), true)
      guard let age = guidance.age else { break }
      shown.append(text(age))
    }
    expect(
      shown,
      [
        "8 s", "9 s", "10 s", "20 s", "30 s", "40 s", "50 s", "1 min", "2 min", "3 min",
      ])
  }

  @Test func aForgottenDeviceSleepsInTheEnd() {
    var guidance = Guidance(units: .metric)
    _ = guidance.receive(turn(.right, 100, "A"), at: start)
    guidance.advance(to: start + 400_000_000)
    expect(guidance.deadline, nil)
    expect(guidance.age?.seconds, 356_400)
  }

  @Test func aSourceWithoutATurnTakesItAway() {
    var guidance = Guidance(units: .metric)
    expect(guidance.receive(turn(.none, 0, ""), at: start), .nothing)
    _ = guidance.receive(turn(.right, 100, "A"), at: start)
    expect(guidance.receive(turn(.none, 0, ""), at: start + 1_000), .turn)
    expect((guidance.hasTurn, guidance.turn.isEmpty, guidance.deadline) == (false, true, nil))
  }

  @Test func aTurnCanBeForgotten() {
    var guidance = Guidance(units: .metric)
    _ = guidance.receive(turn(.right, 100, "A"), at: start)
    expect((guidance.removeTurn(), guidance.removeTurn()) == (true, false))
    expect(guidance.receive(turn(.right, 100, "A"), at: start + 1), .turn)
  }

  @Test(
    arguments: [
      (.right, "A", false), (.left, "A", false), (.right, "B", true), (.right, "", true),
      (.none, "", true),
    ] as [(Maneuver, String, Bool)])
  func aStreetKeepsItsNumberWhileItIsTheSame(
    _ maneuver: Maneuver, _ street: String, _ isAnother: Bool
  ) {
    var guidance = Guidance(units: .metric)
    _ = guidance.receive(turn(.right, 100, "A"), at: start)
    let before = guidance.streetNumber
    _ = guidance.receive(turn(maneuver, 0, street), at: start + 1)
    expect((guidance.streetNumber != before), isAnother)
  }

  @Test func timeThatStandsStillOrGoesBackIsHarmless() {
    var guidance = Guidance(units: .metric)
    _ = guidance.receive(turn(.right, 100, "A"), at: start)
    expect(guidance.advance(to: start + -5_000), false)
    expect(guidance.isStale, false)
  }
}

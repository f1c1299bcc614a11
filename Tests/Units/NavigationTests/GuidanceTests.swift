import Bytes
import Komoot
import Navigation
import TestSupport
import Testing

/// Where a test's time starts; any other would do.
let start = Instant(milliseconds: 1_000_000)

func instruction(
  _ identifier: UInt8, _ direction: UInt8, _ distance: UInt8, _ street: String
) throws -> Instruction {
  let head: [UInt8] = [identifier, 0, 0, 0, direction, distance, 0, 0, 0]
  let bytes = head + Array(street.utf8)
  return try Instruction(parsing: bytes.span)
}

@Suite struct GuidanceTests {
  @Test func nothingIsKnownAtFirst() {
    var guidance = Guidance(units: .metric)
    let changed = guidance.advance(to: start + 1_000_000)
    let seen = (guidance.hasInstruction, guidance.isStale, guidance.deadline)
    #expect(!changed)
    #expect(seen == (false, false, nil))
  }

  @Test func theFirstInstructionIsATurn() throws {
    var guidance = Guidance(units: .imperial)
    let change = guidance.take(try instruction(1, 8, 100, "Hauptstraße"), at: start)
    let text = guidance.distance.text
    let street = string(guidance.instruction.street)
    let deadline = guidance.deadline
    #expect(change == .turn)
    #expect(string(text.bytes) == "350 ft")
    #expect(street == "Hauptstraße")
    #expect(deadline == start + 8_000)
  }

  @Test(
    arguments: [
      (2, 8, 100, "A", .nothing), (1, 8, 99, "A", .distance), (1, 5, 100, "A", .turn),
      (1, 8, 100, "B", .turn), (1, 5, 99, "B", .turn),
    ] as [(UInt8, UInt8, UInt8, String, Guidance.Change)])
  func aChangeIsNamed(
    _ identifier: UInt8, _ direction: UInt8, _ distance: UInt8, _ street: String,
    _ expected: Guidance.Change
  ) throws {
    var guidance = Guidance(units: .metric)
    _ = guidance.take(try instruction(1, 8, 100, "A"), at: start)
    let news = try instruction(identifier, direction, distance, street)
    let change = guidance.take(news, at: start + 2_000)
    let isTaken = guidance.instruction.isSame(as: news)
    #expect(change == expected)
    #expect(isTaken)
  }

  @Test func anInstructionIsStaleAfterEightSecondsWithoutNews() throws {
    var guidance = Guidance(units: .metric)
    _ = guidance.take(try instruction(1, 8, 100, "A"), at: start)
    let early = (guidance.advance(to: start + 7_999), guidance.isStale)
    let late = (guidance.advance(to: start + 8_000), guidance.isStale)
    let seconds = guidance.age?.seconds
    let hasInstruction = guidance.hasInstruction
    #expect(early == (false, false))
    #expect(late == (true, true))
    #expect(seconds == 8)
    #expect(hasInstruction)
  }

  @Test func aRepetitionKeepsItFresh() throws {
    var guidance = Guidance(units: .metric)
    for second in 0..<100 as Range<Int64> {
      let now = start + second * 2_000
      _ = guidance.advance(to: now)
      _ = guidance.take(try instruction(UInt8(second), 8, 100, "A"), at: now)
      let isStale = guidance.isStale
      #expect(!isStale)
    }
    let deadline = guidance.deadline
    #expect(deadline == start + 99 * 2_000 + 8_000)
  }

  @Test func newsEndsStaleness() throws {
    var guidance = Guidance(units: .metric)
    _ = guidance.take(try instruction(1, 8, 100, "A"), at: start)
    guidance.advance(to: start + 9_000)
    let change = guidance.take(try instruction(2, 8, 100, "A"), at: start + 10_000)
    let seen = (guidance.isStale, guidance.deadline)
    #expect(change == .nothing)
    #expect(seen == (false, start + 18_000))
  }

  @Test func itWakesOnlyWhenTheShownAgeChanges() throws {
    var guidance = Guidance(units: .metric)
    _ = guidance.take(try instruction(1, 8, 100, "A"), at: start)
    var shown: [String] = []
    while let deadline = guidance.deadline, shown.count < 10 {
      let before = guidance.advance(to: deadline + -1)
      #expect(!before)
      let changed = guidance.advance(to: deadline)
      #expect(changed)
      let text = guidance.age?.text ?? FixedBuffer<8>()
      shown.append(string(text.bytes))
    }
    #expect(
      shown == [
        "8 s", "9 s", "10 s", "20 s", "30 s", "40 s", "50 s", "1 min", "2 min", "3 min",
      ])
  }

  @Test func aForgottenDeviceSleepsInTheEnd() throws {
    var guidance = Guidance(units: .metric)
    _ = guidance.take(try instruction(1, 8, 100, "A"), at: start)
    guidance.advance(to: start + 400_000_000)
    let deadline = guidance.deadline
    let seconds = guidance.age?.seconds
    #expect(deadline == nil)
    #expect(seconds == 356_400)
  }

  @Test func aPhoneWithoutAnInstructionTakesItAway() throws {
    var guidance = Guidance(units: .metric)
    let first = guidance.take(try instruction(1, 0, 0, ""), at: start)
    _ = guidance.take(try instruction(1, 8, 100, "A"), at: start)
    let second = guidance.take(try instruction(2, 0, 0, ""), at: start + 1_000)
    let seen = (guidance.hasInstruction, guidance.instruction.isEmpty, guidance.deadline)
    #expect(first == .nothing)
    #expect(second == .turn)
    #expect(seen == (false, true, nil))
  }

  @Test func anInstructionCanBeForgotten() throws {
    var guidance = Guidance(units: .metric)
    _ = guidance.take(try instruction(1, 8, 100, "A"), at: start)
    let had = (guidance.removeInstruction(), guidance.removeInstruction())
    let change = guidance.take(try instruction(1, 8, 100, "A"), at: start + 1)
    #expect(had == (true, false))
    #expect(change == .turn)
  }

  @Test func timeThatStandsStillOrGoesBackIsHarmless() throws {
    var guidance = Guidance(units: .metric)
    _ = guidance.take(try instruction(1, 8, 100, "A"), at: start)
    let changed = guidance.advance(to: start + -5_000)
    let isStale = guidance.isStale
    #expect(!changed)
    #expect(!isStale)
  }
}

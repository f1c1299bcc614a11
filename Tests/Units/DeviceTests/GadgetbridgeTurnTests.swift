import Seeded
import TestSupport
import Testing
import VirtualAir
import VirtualDevice

/// Turns that Gadgetbridge writes, beside those of komoot: Boards/reference/turns.md.
@Suite struct GadgetbridgeTurnTests {
  /// Vector V21: left, 950 m, "Hauptstraße".
  private static let left = [
    "10 47 42 28 7B 22 74 22 3A 22 6E 61 76 22 2C 22 69 6E 73 74",
    "72 22 3A 22 48 61 75 70 74 73 74 72 61 5C 78 64 66 65 22 2C",
    "22 64 69 73 74 61 6E 63 65 22 3A 22 39 35 30 6D 22 2C 22 61",
    "63 74 69 6F 6E 22 3A 22 6C 65 66 74 22 7D 29 0A",
  ]
  /// Vector V22: over.
  private static let over = bytes("10 47 42 28 7B 22 74 22 3A 22 6E 61 76 22 7D 29 0A")

  private func levels(_ world: World) -> [String?] { world.events("alert").map { $0["level"] } }

  private func turns(_ world: World) -> [[String?]] {
    world.events("instruction").map {
      [$0["action"], $0[number: "distance"].map { "\($0)" }, $0["street"], $0["source"]]
    }
  }

  // MARK: - One turn

  @Test func peripheralBehaviour36_fourWritesAreOneTurn() throws {
    let world = try World.bridged()
    for write in Self.left { world.notify(bytes("12 0c 00 " + write)) }
    #expect(turns(world) == [["left", "950", "Hauptstraße", "gadgetbridge"]])
    #expect(world.shows(.turn(.left, "950 m", "Hauptstraße")))
    #expect(levels(world) == ["low"])
    let progress = try #require(world.events("progress").last)
    #expect(progress["source"] == "gadgetbridge" && progress[number: "distance"] == 950)
    #expect(progress[number: "id"] == nil)
  }

  /// Ridden at 10 m/s, with a sentence that changes as OsmAnd's does.
  @Test func peripheralBehaviour36_anotherTextOfTheSameTurnAlertsNobodyAgain() throws {
    let world = try World.bridged()
    for second in 0..<90 {
      let metres = 900 - 10 * second
      world.bridge("left", "\(metres)m", metres > 300 ? "In 500 m links" : "Gleich links")
      world.pass(1_000)
    }
    #expect(levels(world) == ["low", "medium", "high"])
    #expect(turns(world).last == ["left", "10", "Gleich links", "gadgetbridge"])
    world.bridge("left", "800m", "In 500 m links")
    #expect(levels(world).last == "low", "the next turn to the left")
  }

  @Test func peripheralBehaviour36_aTurnLightsThePanel() throws {
    let world = try World.bridged()
    world.pass(70_000)
    #expect(world.light == .dim)
    world.bridge("left", "950m", "Hauptstraße")
    world.pass(1_000)
    #expect(world.light == .bright)
  }

  @Test func peripheralBehaviour41_anUnknownActionHasANeutralSignAndUnknownLinesNone() throws {
    let world = try World.bridged()
    world.bridge(#"{"t":"weather","temp":281}"#)
    world.bridge(#"{"t":"find","n":true}"#)
    world.write(line("E.showMessage('nav')"))
    #expect(turns(world).isEmpty && world.events("error").isEmpty)
    world.bridge(#"{"t":"nav","instr":"Fähre","distance":"300m","action":"ferry"}"#)
    #expect(turns(world) == [[nil, "300", "Fähre", "gadgetbridge"]])
    #expect(world.shows(.turn(.unknown(255), "300 m", "Fähre")))
  }

  // MARK: - No distance

  @Test func aLineWithoutADistanceReplacesTheTextAlone() throws {
    let world = try World.bridged()
    world.bridge("left", "950m", "Hauptstraße")
    world.pass(20_000)
    world.bridge(#"{"t":"nav","instr":"Kirchweg","action":"left"}"#)
    #expect(world.shows(.turn(.left, "950 m", "Kirchweg")))
    world.bridge(#"{"t":"nav","action":"right"}"#)
    world.bridge(#"{"t":"nav","instr":"Am Markt","action":"right"}"#)
    #expect(world.shows(.turn(.left, "950 m", "Kirchweg")), "nobody knows where the other one is")
    world.pass(9_900)
    #expect(world.events("stale").isEmpty)
    world.pass(200)
    #expect(world.events("stale").count == 1, "it is as old as its distance")
  }

  // MARK: - The end

  @Test func peripheralBehaviour37_theTurnGoesWithItsEnd() throws {
    let world = try World.bridged()
    world.bridge("left", "950m", "Hauptstraße")
    world.write(Self.over)
    #expect(!world.hasTurn && !world.shows(.turn(.left, "950 m", "Hauptstraße")))
    #expect(levels(world) == ["low", "none"])
  }

  /// Vector V31.
  @Test func peripheralBehaviour37_withoutARouteThereIsNone() throws {
    let world = try World.bridged()
    world.bridge(#"{"t":"nav","distance":"-1m"}"#)
    #expect(turns(world).isEmpty && !world.hasTurn)
  }

  @Test func peripheralBehaviour38_itIsOldAfterHalfAMinuteAndGoneAfterTen() throws {
    let world = try World.bridged()
    world.bridge("left", "950m", "Hauptstraße")
    world.pass(29_900)
    #expect(world.events("stale").isEmpty)
    world.pass(200)
    #expect(world.events("stale").first?[number: "age"] == 30)
    world.pass(569_800)
    #expect(world.hasTurn)
    world.pass(200)
    #expect(!world.hasTurn)
  }

  @Test func peripheralBehaviour38_aLineMakesItFreshAgain() throws {
    let world = try World.bridged()
    world.bridge("left", "950m", "Hauptstraße")
    world.pass(60_000)
    world.bridge("left", "950m", "Hauptstraße")
    #expect(world.shows(.turn(.left, "950 m", "Hauptstraße")))
    #expect(levels(world) == ["low", "none"])
  }

  // MARK: - Both sources

  @Test func peripheralBehaviour39_whileKomootSpeaksTheOtherWaits() throws {
    let world = try World.bridged(hearing: true)
    for _ in 0..<20 {
      world.tell(8, 350, "Hauptstraße")
      world.bridge("left", "950m", "Kirchweg")
      world.write(Self.over)
      world.pass(1_000)
    }
    #expect(turns(world).isEmpty && world.shows(.turn(.right, "350 m", "Hauptstraße")))
  }

  @Test func peripheralBehaviour39_komootHasNoTurnAndThenOne() throws {
    let world = try World.bridged(hearing: true)
    world.tell(0, 0, "")
    world.bridge("left", "950m", "Kirchweg")
    #expect(world.shows(.turn(.left, "950 m", "Kirchweg")))
    world.tell(0, 0, "")
    #expect(world.shows(.turn(.left, "950 m", "Kirchweg")), "it is the other's")
    world.tell(8, 350, "Hauptstraße")
    #expect(world.shows(.turn(.right, "350 m", "Hauptstraße")))
    #expect(world.events("instruction").last?["source"] == "komoot")
    world.bridge("left", "940m", "Kirchweg")
    world.write(Self.over)
    #expect(world.shows(.turn(.right, "350 m", "Hauptstraße")))
  }

  @Test func peripheralBehaviour39_komootFallsSilent() throws {
    let world = try World.bridged(hearing: true)
    world.tell(8, 350, "Hauptstraße")
    world.phone.withheld = [0x0A]
    world.pass(7_000)
    world.bridge("left", "950m", "Kirchweg")
    #expect(turns(world).isEmpty)
    world.pass(1_100)
    world.bridge("left", "940m", "Kirchweg")
    #expect(turns(world) == [["left", "940", "Kirchweg", "gadgetbridge"]])
  }

  // MARK: - Off the route

  @Test func peripheralBehaviour40_offTheRouteAndBack() throws {
    let world = try World.bridged()
    world.bridge("left", "200m", "Kirchweg")
    world.pass(1_000)
    // Vector V32.
    world.bridge(#"{"t":"nav","instr":"","distance":"35m","action":"offroute"}"#)
    #expect(turns(world).last == ["offroute", "0", "", "gadgetbridge"])
    world.pass(1_000)
    let (progress, way) = (
      world.events("progress").count, world.ridden
    )
    for metres in [60, 90, 40] {
      world.bridge(#"{"t":"nav","instr":"","distance":"\#(metres)m","action":"offroute"}"#)
      world.pass(1_000)
    }
    #expect(world.events("progress").count == progress, "no way leads to a turn")
    #expect(world.ridden == way)
    let alerts = levels(world)
    world.bridge("left", "210m", "Kirchweg")
    world.pass(1_000)
    #expect(world.shows(.turn(.left, "200 m", "Kirchweg")) || turns(world).last?[1] == "210")
    #expect(levels(world) == alerts, "it was told of before")
  }

  // MARK: - The link

  @Test func peripheralBehaviour35_halfALineEndsWithTheLink() throws {
    let world = try World.bridged()
    world.write(bytes(Self.left[0] + Self.left[1]))
    world.loseLink()
    world.advertise()
    world.pass(5_000)
    world.subscribe()
    world.write(bytes(Self.left[2] + Self.left[3]))
    #expect(turns(world).isEmpty)
    world.write(Self.left.flatMap { bytes($0) })
    #expect(turns(world).count == 1)
  }

  @Test func afterALossTheTurnAgesAndTheLinkIsShownAsLost() throws {
    let world = try World.bridged()
    world.bridge("left", "950m", "Hauptstraße")
    world.loseLink()
    world.pass(100)
    #expect(world.shows(.turn(.left, "950 m", "Hauptstraße", isLinkLost: true)))
    world.pass(30_000)
    #expect(world.events("stale").first?[number: "age"] == 30)
  }

  @Test func aPhoneThatIsForgottenHasNoTurn() throws {
    let world = try World.bridged()
    world.bridge("left", "950m", "Hauptstraße")
    world.press("B")
    world.pass(2_000)
    #expect(!world.hasTurn)
  }

  // MARK: - Garbage

  @Test func peripheralBehaviour43_aMegabyteOfGarbageChangesNothing() throws {
    let world = try World.bridged()
    var generator = SeededGenerator(state: 43)
    for _ in 0..<5_500 {
      let value = (0..<182).map { _ in UInt8.random(in: 0...255, using: &generator) }
      world.notify(bytes("12 0c 00") + value)
      world.forgetWhatCameOut()
    }
    #expect(turns(world).isEmpty && world.connection == .ready)
    world.pass(10_000)
    world.bridge("left", "950m", "Hauptstraße")
    #expect(turns(world).count == 1)
  }

  @Test func peripheralBehaviour43_moreThan200LinesInTenSecondsAreNotRead() throws {
    let world = try World.bridged()
    world.pass(20_000)
    for _ in 0..<220 { world.write(line("x"), pieces: 100) }
    world.bridge("left", "950m", "Hauptstraße")
    #expect(turns(world).isEmpty)
    world.pass(10_000)
    world.bridge("left", "950m", "Hauptstraße")
    #expect(turns(world).count == 1)
  }
}

import Expecting
import TestSupport
import VirtualDevice

@testable import Device

/// Turns that Gadgetbridge writes, with the habits of the apps they are of: Google Maps' notification, OsmAnd's voice.
struct GadgetbridgeTurnTests {
  /// Vector V22: over.
  private static let over = line(#"GB({"t":"nav"})"#)

  private func levels(_ world: World) -> [String?] { world.events("alert").map { $0["level"] } }

  // MARK: - The end

  /// Google Maps takes its notification away and posts it again.
  @Test func centralBehaviour113_anEndIsMarkedAfter3SecondsAndBelievedAfter15() throws {
    let world = try World.bridged()
    world.bridge("left", "950 m", "Hauptstraße")
    world.write(Self.over)
    world.pass(2_900)
    expect(world.shows(.turn(.left, "950 m", "Hauptstraße")))
    #expect(world.events("stale").isEmpty)
    world.write(Self.over)
    world.pass(200)
    expect(world.events("stale").first?[number: "age"], 3)
    world.pass(11_800)
    expect(world.hasTurn)
    world.pass(200)
    expect(!world.hasTurn)
    expect(levels(world), ["low", "none"])
  }

  @Test func centralBehaviour113_theSameTurnThatComesAgainIsTheSameAndAnotherIsAnother() throws {
    for (pause, action, distance, street, expected) in [
      (2_000, "left", "20 m", "Hauptstraße", ["high"]),
      (14_000, "left", "20 m", "Hauptstraße", ["high", "none"]),
      (2_000, "right", "400 m", "Kirchweg", ["high", "low"]),
    ] as [(Int64, String, String, String, [String?])] {
      let world = try World.bridged()
      world.bridge("left", "20 m", "Hauptstraße")
      world.write(Self.over)
      world.pass(pause)
      world.bridge(action, distance, street)
      world.pass(20_000)
      expect(world.hasTurn && !world.device.guidance.isStale)
      expect(levels(world), expected)
    }
  }

  /// As long as the arrival shows, the finish is kept for it, and behind that the end is the end; on the way there the
  /// notification may go.
  @Test func centralBehaviour113_aFinishGoesWithTheArrivalOrAsAnyTurn() throws {
    for (distance, end) in [("29 m", 20_000), ("400 m", 15_000)] as [(String, Int64)] {
      let world = try World.bridged()
      world.bridge("finish", distance, "Am Markt")
      world.write(Self.over)
      world.pass(end - 100)
      expect(world.hasTurn)
      world.pass(200)
      expect(!world.hasTurn)
    }
    let world = try World.bridged()
    for _ in 0..<22 {
      world.bridge("finish", "10 m", "Am Markt")
      world.pass(1_000)
    }
    world.bridge("finish", "10 m", "Am Markt")
    world.write(Self.over)
    expect(!world.hasTurn)
  }

  // MARK: - Age

  @Test func centralBehaviour114_itIsOldAfter8SecondsOnALostLink() throws {
    let world = try World.bridged()
    world.bridge("left", "950 m", "Hauptstraße")
    world.loseLink()
    world.pass(100)
    expect(world.shows(.turn(.left, "950 m", "Hauptstraße", isLinkLost: true)))
    world.pass(7_800)
    #expect(world.events("stale").isEmpty)
    world.pass(200)
    expect(world.events("stale").first?[number: "age"], 8)
    // A link alone is no news.
    world.advertise()
    world.pass(5_000)
    world.subscribe()
    expect(world.device.guidance.isStale)
    world.bridge("left", "950 m", "Hauptstraße")
    world.pass(89_900)
    expect(!world.device.guidance.isStale)
    world.pass(200)
    expect(world.device.guidance.isStale)
  }

  // MARK: - Distances

  /// Nor is a street what follows a distance.
  @Test func centralBehaviour115_whatIsNoDistanceLeavesTheTurnAsItWas() throws {
    let world = try World.bridged()
    world.bridge("left", "950 m", "Hauptstraße")
    for distance in ["Turn left", "Rerouting...", "Arriving", "-1m"] {
      world.bridge("left", distance, "Kirchweg")
      world.pass(100)
      expect(world.shows(.turn(.left, "950 m", "Hauptstraße")), "\(distance)")
    }
    expect(world.events("instruction").map { $0["street"] }, ["Hauptstraße"])
    world.bridge("right_slight", "700\u{A0}m · Slight right onto Example Rd", "Hauptstraße")
    world.pass(100)
    expect(world.shows(.turn(.slightRight, "700 m", "Hauptstraße")))
  }

  // MARK: - The street

  /// Gadgetbridge repeats what OsmAnd spoke last with each position, also when the turn is passed.
  @Test func centralBehaviour117_aRideOfOsmAndShowsStreetsAlone() throws {
    let world = try World.bridged()
    let ride = [
      ("left", 900, "Die berechnete Strecke ist 12 Kilometer lang, Zeit  45 Minuten. ", ""),
      ("left", 880, "Dem Strassenverlauf 900 Meter folgen bis zur  Große Präsidentenstraße", "G"),
      (
        "left", 310, "Demnächst  nach 300 Metern links abbiegen auf die  Große Präsidentenstraße",
        "G"
      ),
      ("left", 200, "Achtung, Bahnübergang", "G"),
      ("left", 60, "nach 60 Metern links abbiegen auf die  Große Präsidentenstraße", "G"),
      ("left", 10, "links abbiegen auf die  Große Präsidentenstraße", "G"),
      ("right", 290, "links abbiegen auf die  Große Präsidentenstraße", ""),
      (
        "right", 280, "Demnächst  nach 300 Metern rechts abbiegen auf   Auf der Höhe",
        "Auf der Höhe"
      ),
      ("right", 270, "GPS Signal verloren", "Auf der Höhe"),
      (
        "roundabout_right", 90,
        "nach 90 Metern in den Kreisverkehr einfahren, , dann nehmen Sie die dritte Ausfahrt ",
        "in den Kreisverkehr einfahren, , dann nehmen Sie die dritte Ausfahrt"
      ),
    ]
    for (action, metres, sentence, street) in ride {
      let shown = street == "G" ? "Große Präsidentenstraße" : street
      world.bridge(action, "\(metres)m", sentence)
      world.pass(1_000)
      let event = try #require(world.events("instruction").last)
      expect([event["street"], event["text"]], [shown, sentence])
    }
    // Of Google Maps it is said alone, and may be the same for two turns in a row.
    for (action, distance) in [("left", "20 m"), ("right", "400 m")] {
      world.bridge(action, distance, "Am Markt")
      let event = try #require(world.events("instruction").last)
      expect([event["street"], event["text"]], ["Am Markt", nil])
    }
  }

  /// A line without an action is OsmAnd's without a route.
  @Test(arguments: [
    "Sie weichen von der Route ab seit 80 Metern", "You have reached your destination ",
  ])
  func centralBehaviour117_whatIsSaidOfNoTurnMakesNone(_ sentence: String) throws {
    let world = try World.bridged()
    for distance in ["0m", "-1m", "400m"] {
      world.bridge(#"{"t":"nav","instr":"\#(sentence)","distance":"\#(distance)"}"#)
      expect(!world.hasTurn)
    }
    world.bridge("left", "400m", "Kirchweg")
    world.bridge(#"{"t":"nav","instr":"\#(sentence)","distance":"0m"}"#)
    world.bridge(#"{"t":"nav","instr":"\#(sentence)","action":"left"}"#)
    world.pass(100)
    expect(world.shows(.turn(.left, "400 m", "Kirchweg")))
  }

  // MARK: - Turns beside those of komoot: Boards/reference/turns.md

  /// Vector V21: left, 950 m, "Hauptstraße".
  private static let left = [
    "10 47 42 28 7B 22 74 22 3A 22 6E 61 76 22 2C 22 69 6E 73 74",
    "72 22 3A 22 48 61 75 70 74 73 74 72 61 5C 78 64 66 65 22 2C",
    "22 64 69 73 74 61 6E 63 65 22 3A 22 39 35 30 6D 22 2C 22 61",
    "63 74 69 6F 6E 22 3A 22 6C 65 66 74 22 7D 29 0A",
  ]
  private func turns(_ world: World) -> [[String?]] {
    world.events("instruction").map {
      [$0["action"], $0[number: "distance"].map { "\($0)" }, $0["street"], $0["source"]]
    }
  }

  @Test func peripheralBehaviour36_fourWritesAreOneTurnWhichLightsThePanel() throws {
    let world = try World.bridged()
    world.pass(70_000)
    expect(world.light, .dim)
    for write in Self.left { world.notify(bytes("12 0c 00 " + write)) }
    expect(turns(world), [["left", "950", "Hauptstraße", "gadgetbridge"]])
    expect(world.shows(.turn(.left, "950 m", "Hauptstraße")))
    expect(levels(world), ["low"])
    let progress = try #require(world.events("progress").last)
    expect(progress["source"] == "gadgetbridge" && progress[number: "distance"] == 950)
    expect(progress[number: "id"], nil)
    world.pass(1_000)
    expect(world.light, .bright)
  }

  @Test func peripheralBehaviour38_itIsOldAfter90SecondsAndGoneAfterTenMinutes() throws {
    let world = try World.bridged()
    world.bridge("left", "950m", "Hauptstraße")
    world.pass(89_900)
    #expect(world.events("stale").isEmpty)
    world.pass(200)
    expect(world.events("stale").first?[number: "age"], 60, "in its steps")
    world.pass(509_800)
    expect(world.hasTurn)
    world.pass(200)
    expect(!world.hasTurn)
  }

  @Test func peripheralBehaviour39_whileKomootSpeaksTheOtherWaits() throws {
    let world = try World.bridged(hearing: true)
    for _ in 0..<20 {
      world.tell(8, 350, "Hauptstraße")
      world.bridge("left", "950m", "Kirchweg")
      world.write(Self.over)
      world.pass(1_000)
    }
    expect(turns(world).isEmpty && world.shows(.turn(.right, "350 m", "Hauptstraße")))
  }

  /// It needs nothing of komoot's, and goes with the phone that is forgotten.
  @Test func aTurnOutlastsTheServiceOfKomootAndNotThePhone() throws {
    let world = try World.bridged()
    world.bridge("left", "950m", "Hauptstraße")
    world.phone.hasService = false
    world.pass(30_000)
    expect(world.hasTurn && world.events("stale").isEmpty)
    world.press("B")
    world.pass(2_000)
    expect(!world.hasTurn)
  }

  @Test func peripheralBehaviour35_halfALineEndsWithTheLink() throws {
    let world = try World.bridged()
    world.write(bytes(Self.left[0] + Self.left[1]))
    world.bridgeAgain()
    world.write(bytes(Self.left[2] + Self.left[3]))
    #expect(turns(world).isEmpty)
    world.write(Self.left.flatMap { bytes($0) })
    expect(turns(world).count, 1)
  }
}

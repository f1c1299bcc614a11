import Expecting
import TestSupport
import VirtualDevice

@testable import Device

/// The habits of navigation apps whose turns Gadgetbridge writes: Google Maps' notification, and OsmAnd's voice.
@Suite struct NavigationAppTests {
  /// Vector V22: over.
  private static let over = line(#"GB({"t":"nav"})"#)

  private func levels(_ world: World) -> [String?] { world.events("alert").map { $0["level"] } }

  private func streets(_ world: World) -> [String?] {
    world.events("instruction").map { $0["street"] }
  }

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

  @Test(arguments: [(2_000, []), (14_000, ["none"])] as [(Int64, [String?])])
  func centralBehaviour113_theSameTurnThatComesAgainIsTheSame(
    _ pause: Int64, _ loss: [String?]
  ) throws {
    let world = try World.bridged()
    world.bridge("left", "20 m", "Hauptstraße")
    world.write(Self.over)
    world.pass(pause)
    world.bridge("left", "20 m", "Hauptstraße")
    world.pass(20_000)
    expect(world.hasTurn && !world.device.guidance.isStale)
    expect(levels(world), ["high"] + loss)
  }

  @Test func centralBehaviour113_anotherTurnIsAnother() throws {
    let world = try World.bridged()
    world.bridge("left", "20 m", "Hauptstraße")
    world.write(Self.over)
    world.pass(2_000)
    world.bridge("right", "400 m", "Kirchweg")
    world.pass(20_000)
    expect(world.hasTurn)
    expect(levels(world), ["high", "low"])
  }

  @Test func centralBehaviour113_behindAFinishTheEndIsTheEnd() throws {
    let world = try World.bridged()
    world.bridge("finish", "29 m", "Am Markt")
    for _ in 0..<21 {
      world.pass(1_000)
      world.bridge("finish", "10 m", "Am Markt")
    }
    world.write(Self.over)
    expect(!world.hasTurn)
  }

  /// As long as the arrival shows, the finish is kept for it; and on the way there the notification may go.
  @Test(arguments: [("29 m", 20_000), ("400 m", 15_000)] as [(String, Int64)])
  func centralBehaviour113_aFinishGoesWithTheArrivalOrAsAnyTurn(
    _ distance: String, _ end: Int64
  ) throws {
    let world = try World.bridged()
    world.bridge("finish", distance, "Am Markt")
    world.write(Self.over)
    world.pass(end - 100)
    expect(world.hasTurn)
    world.pass(200)
    expect(!world.hasTurn)
  }

  // MARK: - Age

  @Test func centralBehaviour114_itIsOldAfter8SecondsOnALostLink() throws {
    let world = try World.bridged()
    world.bridge("left", "950 m", "Hauptstraße")
    world.loseLink()
    world.pass(7_900)
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

  @Test(arguments: ["Turn left", "Rerouting...", "Arriving", "-1m"])
  func centralBehaviour115_whatIsNoDistanceLeavesTheTurnAsItWas(_ distance: String) throws {
    let world = try World.bridged()
    world.bridge("left", "950 m", "Hauptstraße")
    world.pass(100)
    world.bridge("left", distance, "Kirchweg")
    world.pass(100)
    expect(world.shows(.turn(.left, "950 m", "Hauptstraße")))
    expect(streets(world), ["Hauptstraße"])
  }

  @Test func centralBehaviour115_whatFollowsADistanceIsNoStreet() throws {
    let world = try World.bridged()
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

  /// Google Maps' streets may be the same for two turns in a row.
  @Test func centralBehaviour117_aStreetThatIsSaidAloneIsThatOfTheNextTurnToo() throws {
    let world = try World.bridged()
    world.bridge("left", "20 m", "Am Markt")
    world.bridge("right", "400 m", "Am Markt")
    world.pass(100)
    expect(world.shows(.turn(.right, "400 m", "Am Markt")))
    expect(world.events("instruction").last?["text"], nil)
  }
}

import Expecting
import TestSupport
import VirtualDevice

@testable import Device

/// The habits of navigation apps whose turns Gadgetbridge writes: Google Maps' notification, and OsmAnd's voice.
@Suite struct NavigationAppTests {
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

  /// As long as the arrival shows, the finish is kept for it, and no longer.
  @Test func centralBehaviour113_theFinishGoesWithTheArrival() throws {
    let world = try World.bridged()
    world.bridge("finish", "29 m", "Am Markt")
    world.write(Self.over)
    world.pass(19_900)
    expect(world.hasTurn)
    world.pass(200)
    expect(!world.hasTurn)
  }

  @Test func centralBehaviour113_theNotificationMayGoOnTheWayToAFinish() throws {
    let world = try World.bridged()
    world.bridge("finish", "400 m", "Am Markt")
    world.write(Self.over)
    world.pass(14_900)
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
}

import Bytes
import Expecting
import Graphics
import Screens
import TestSupport
import VirtualAir
import VirtualDevice

@testable import Device

/// A street that is too long for the panel runs through the picture, and costs little on the bus.
struct LongStreetTests {
  private static let street = "Radweg an der Bundesstraße 273 nach Marquardt"
  /// Rows of the street: the last two pages.
  private static let band = 16
  private static let columns = 2

  private func riding() throws -> World {
    let world = try World()
    world.phone.value = instruction(8, 990, Array(Self.street.utf8))
    world.advertise()
    world.pass(180)
    return world
  }

  private func rows(_ glass: String) -> [Substring] { glass.split(separator: "\n") }
  private func band(_ glass: String) -> [Substring] { Array(rows(glass).suffix(Self.band)) }
  private func rest(_ glass: String) -> [Substring] { Array(rows(glass).dropLast(Self.band)) }

  /// Whether the street went to the left by a step.
  private func isMoved(_ before: String, _ after: String) -> Bool {
    zip(band(before), band(after)).allSatisfy {
      $0.dropFirst(Self.columns) == $1.dropLast(Self.columns)
    }
      && band(before) != band(after)
  }

  @Test func itStandsForOneAndAHalfSecondsAndRunsInStepsOfTwoColumns() throws {
    let world = try riding()
    let standing = world.glass
    expect(world.shows(.turn(.right, "990 m", Self.street)))
    world.pass(1_499)
    expect(world.glass, standing)
    world.pass(1)
    #expect(world.glass != standing)
    for _ in 0..<30 {
      let before = world.glass
      world.pass(49)
      expect(world.glass, before)
      world.pass(1)
      expect(isMoved(before, world.glass) && rest(before) == rest(world.glass))
    }
    // A step takes 7 ms on a bus of 400 kHz.
    #expect(world.events("frame").suffix(30).allSatisfy { $0[number: "bytes"] ?? 999 < 320 })
  }

  @Test func withoutNewsItStandsAndWithThemItRunsAgain() throws {
    let world = try riding()
    let standing = world.glass
    world.controller.connects = false
    world.loseLink()
    world.pass(8_000)
    let stale = world.glass
    expect(band(stale) == band(standing) && rest(stale) != rest(standing))
    world.pass(1_000)
    expect(band(world.glass) == band(standing) && rest(world.glass) != rest(stale))
    world.pass(60_000)
    expect(band(world.glass), band(standing))
    world.controller.connects = true
    world.advertise()
    world.pass(200)
    expect(world.glass, standing)
    world.pass(1_500)
    let running = world.glass
    world.pass(50)
    expect(isMoved(running, world.glass))
  }
}

/// What the strip of the radar takes away from other pages.
struct RadarLayoutTests {
  private let radar = VirtualSensor(.radar, number: 4)

  private func remember(_ world: World) throws {
    try world.remember(radar, as: .radar)
    world.pass(3_000)  // for which the panel says so
    world.controller.sensors = [radar]
  }

  private func watch(_ world: World) {
    world.pass(1_000)
    world.notify(bytes("82"), from: radar)
  }

  /// How many columns of a street do not fit.
  private func overflow(_ street: String, _ radar: ShownRadar?) -> Int {
    let (distance, name) = (Array("350 m".utf8), Array(street.utf8))
    var turn = ShownTurn(TurnFigures(.right), distance: distance.span, street: name.span)
    turn.figures.radar = radar
    return Bitmap(Size(128, 64)).streetOverflow(of: turn)
  }

  /// A street that stands still on the whole panel and has to run beside a strip.
  private func street() throws -> String {
    let names = (4..<20).flatMap { count in
      (0..<8).map { String(repeating: "N", count: count) + String(repeating: "l", count: $0) }
    }
    let strip = ShownRadar(isSilent: false)
    return try #require(names.first { overflow($0, nil) == 0 && overflow($0, strip) > 0 })
  }

  /// Whether the street runs, while nothing else changes.
  private func doesStreetRun(_ world: World) -> Bool {
    let before = world.glass
    world.pass(2_000)
    return world.glass != before
  }

  private func say(_ street: String, _ world: World) {
    world.tell(8, 350, street)
    world.advertise()
    world.pass(200)
  }

  /// Which is there before, or comes later.
  @Test(arguments: [false, true])
  func centralBehaviour82_aStreetIsMeasuredWithTheStripOfTheRadarInPlace(_ comes: Bool) throws {
    let world = try World()
    if !comes { try remember(world) }
    let street = try street()
    say(street, world)
    if comes {
      expect(!doesStreetRun(world))
      try remember(world)
      world.tell(8, 350, street)
    }
    watch(world)
    expect(doesStreetRun(world))
  }

  @Test func centralBehaviour82_thePageOfTheRideHasTheStripOfALinkedRadar() throws {
    let world = try World()
    try remember(world)
    say("Hauptstraße", world)
    watch(world)
    world.press("a")
    world.pass(0)
    let isOnRide = world.device.scene.page == .ride
    expect(isOnRide)
    world.notify(bytes("82"), from: radar)
    let clear = world.glass
    #expect(strip(clear).allSatisfy { $0 == "#............" }, "the road, and nobody on it")
    world.notify(bytes("82AE2B44"), from: radar)
    world.pass(0)
    #expect(strip(world.glass).contains("#############"), "a vehicle")
  }

  /// The right edge, but for the rows that a shifted picture leaves dark.
  private func strip(_ glass: String) -> [Substring] {
    glass.split(separator: "\n").dropFirst().dropLast().map { $0.suffix(13) }
  }
}

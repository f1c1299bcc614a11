import Bond
import Graphics
import Screens
import Sensors
import TestSupport
import Testing
import VirtualAir
import VirtualDevice

@testable import Device

/// What the strip of the radar takes away from other pages.
@Suite struct RadarLayoutTests {
  private let radar = VirtualSensor(.radar, number: 4)

  private func remember(_ world: World) throws {
    let found = RememberedSensor(
      .radar, address: radar.deviceAddress, name: Array(radar.name.utf8).span)
    world.remember(try #require(found))
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
    var turn = ShownTurn(.right, distance: distance.span, street: name.span)
    turn.radar = radar
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

  @Test func centralBehaviour82_aStreetIsMeasuredWithTheStripOfTheRadarInPlace() throws {
    let world = try World()
    try remember(world)
    say(try street(), world)
    watch(world)
    #expect(doesStreetRun(world))
  }

  @Test func centralBehaviour82_aStreetIsMeasuredAgainWhenTheStripComes() throws {
    let world = try World()
    let street = try street()
    say(street, world)
    #expect(!doesStreetRun(world))
    try remember(world)
    world.tell(8, 350, street)
    watch(world)
    #expect(doesStreetRun(world))
  }

  @Test func centralBehaviour82_thePageOfTheRideHasTheStripOfALinkedRadar() throws {
    let world = try World()
    try remember(world)
    say("Hauptstraße", world)
    watch(world)
    world.press("a")
    world.pass(0)
    let isOnRide = world.device.scene.page == .ride
    #expect(isOnRide)
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

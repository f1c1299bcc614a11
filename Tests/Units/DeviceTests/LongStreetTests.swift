import Bytes
import Screens
import TestSupport
import Testing
import VirtualAir
import VirtualDevice

/// A street that is too long for the panel runs through the picture, and costs little on the bus.
@Suite struct LongStreetTests {
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
    #expect(world.shows(.turn(.right, "990 m", Self.street)))
    world.pass(1_499)
    #expect(world.glass == standing)
    world.pass(1)
    #expect(world.glass != standing)
    for _ in 0..<30 {
      let before = world.glass
      world.pass(49)
      #expect(world.glass == before)
      world.pass(1)
      #expect(isMoved(before, world.glass) && rest(before) == rest(world.glass))
    }
    // A step takes 7 ms on a bus of 400 kHz.
    #expect(world.events("frame").suffix(30).allSatisfy { $0[number: "bytes"] ?? 999 < 320 })
  }

  @Test func anotherDistanceDoesNotStartItAnew() throws {
    let world = try riding()
    world.pass(1_525)
    let before = world.glass
    world.tell(8, 930, Self.street, id: 2)
    #expect(band(before) == band(world.glass) && rest(before) != rest(world.glass))
    world.pass(25)
    #expect(isMoved(before, world.glass))
  }

  @Test func afterTwoTimesItRests() throws {
    let world = try riding()
    let standing = world.glass
    for _ in 0..<60 {
      world.pass(1_000)
      world.tell(8, 990, Self.street)
    }
    #expect(world.glass == standing)
    let frames = world.events("frame").count
    // The panel's configuration is sent again a minute after the last step.
    for _ in 0..<5 {
      world.pass(2_000)
      world.tell(8, 990, Self.street)
    }
    #expect(world.events("frame").count == frames)
  }

  @Test func withoutNewsItStandsAndWithThemItRunsAgain() throws {
    let world = try riding()
    let standing = world.glass
    world.controller.connects = false
    world.loseLink()
    world.pass(8_000)
    let stale = world.glass
    #expect(band(stale) == band(standing) && rest(stale) != rest(standing))
    world.pass(1_000)
    #expect(band(world.glass) == band(standing) && rest(world.glass) != rest(stale))
    world.pass(60_000)
    #expect(band(world.glass) == band(standing))
    world.controller.connects = true
    world.advertise()
    world.pass(200)
    #expect(world.glass == standing)
    world.pass(1_500)
    let running = world.glass
    world.pass(50)
    #expect(isMoved(running, world.glass))
  }
}

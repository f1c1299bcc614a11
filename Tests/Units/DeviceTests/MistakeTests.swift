import Screens
import TestSupport
import Testing
import VirtualAir
import VirtualDevice

/// A mistake in the board file, told by who starts us with other settings.
@Suite struct MistakeTests {
  private let mistake = "board.conf:12: unknown key"

  private func shows(_ world: World) -> Bool {
    world.shows(.wrongSettings(mistake))
  }

  @Test func itIsShownUntilAPhoneIsThere() throws {
    let world = try World(mistake: mistake)
    #expect(shows(world))
    world.advertise()
    world.pass(1_000)
    #expect(!shows(world))
    world.controller.connects = false
    world.loseLink()
    world.pass(1_000)
    #expect(shows(world), "the phone left")
  }

  @Test func aPressPutsItAway() throws {
    let world = try World(mistake: mistake)
    world.press("b")
    world.pass(4_000)
    #expect(!shows(world))
  }

  @Test func withoutOneNothingIsShown() throws {
    let world = try World()
    #expect(!shows(world))
  }
}

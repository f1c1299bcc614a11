import Bytes
import TestSupport
import Testing
import VirtualAir
import VirtualDevice

/// A remembered phone that stays linked without komoot, and is let go.
@Suite struct LetGoTests {
  private func loseNavigation(_ world: World) {
    world.phone.hasService = false
    world.notify(VirtualPhone.serviceChanged)
    world.pass(0)
  }

  private func links(_ world: World) -> [String] {
    world.events("link").compactMap { $0["state"] }.filter { $0 != "encrypted" && $0 != "ready" }
  }

  @Test func centralBehaviour95_aRideOfTheNextDayBeginsWithKomootsAdvertisement() throws {
    let world = try World.notifying(["notifications=off"])
    let komoots = world.phone.advertisement
    loseNavigation(world)
    world.phone.advertisement = bytes("02 01 06")
    for _ in 0..<2_000 {
      world.pass(15_000)
      world.advertise()
    }
    #expect(links(world) == ["connecting", "connected", "disconnected"])
    (world.phone.advertisement, world.phone.hasService) = (komoots, true)
    world.advertise()
    world.tell(4, 900, "Kirchweg")
    world.pass(1_000)
    #expect(world.told.last == Told(4, 900, "Kirchweg"))
  }

  /// At once, while the panel is lit, or hours later, when the press lights it.
  @Test(arguments: [601_000, 7_200_000] as [Int64], ["a", "b"])
  func centralBehaviour95_aPressConnectsToAPhoneThatWasLetGo(
    _ time: Int64, _ press: String
  ) throws {
    let world = try World.notifying(["notifications=off"])
    loseNavigation(world)
    world.phone.advertisement = bytes("02 01 06")
    world.pass(time)
    world.advertise()
    #expect(!world.controller.isConnected)
    world.press(press)
    world.advertise()
    world.pass(100)
    #expect(world.controller.isConnected)
  }
}

import Bytes
import Screens
import TestSupport
import Testing
import VirtualAir
import VirtualDevice

/// Services that move and vanish in mid-ride: they are found again on the same link.
@Suite struct ServiceMoveTests {
  private func riding(_ kind: PhoneKind) throws -> World {
    let world = try World.meeting(kind)
    world.tell(8, 350, "Hauptstraße")
    world.pass(3_000)
    return world
  }

  /// The phone's services changed, and it says so if it ever does.
  private func change(_ kind: PhoneKind, _ world: World, _ change: (VirtualPhone) -> Void) {
    change(world.phone)
    if kind != .android2019 { world.notify(VirtualPhone.serviceChanged) }
    world.pass(0)
  }

  private func expectOneLink(_ world: World) {
    #expect(world.events("link").count { $0["state"] == "connected" } == 1)
    #expect(world.events("error").isEmpty)
    #expect(!world.events("link").contains { $0["state"] == "disconnected" })
  }

  @Test(arguments: PhoneKind.allCases)
  func centralBehaviour28_aServiceThatMovesInMidRideIsFoundAgain(_ kind: PhoneKind) throws {
    let world = try riding(kind)
    var shown = Shot.turn(.right, "350 m", "Hauptstraße")
    // To and fro: who comes closer would see that go on between two readings.
    for (number, metres) in [(2, 340), (3, 350), (4, 340)] as [(UInt32, UInt32)] {
      change(kind, world) { $0.move() }
      // One that moves in silence is noticed by a read, and looked for 2 s later.
      if kind == .android2019 { world.pass(3_000) }
      #expect(world.showsMoved(shown))
      world.tell(8, metres, "Hauptstraße", id: number)
      world.pass(1_000)
      shown = .turn(.right, "\(metres) m", "Hauptstraße")
      #expect(world.showsMoved(shown))
    }
    #expect(world.phone.isSubscribed == (kind != .android2019))
    expectOneLink(world)
  }

  @Test(arguments: PhoneKind.allCases)
  func centralBehaviour28_aServiceThatVanishesAfterTheRideIsWaitedFor(_ kind: PhoneKind) throws {
    let world = try riding(kind)
    world.tell(3, 0, "", id: 2)
    world.pass(2_000)
    let finish = world.glass
    #expect(world.told.last == Told(3, 0, ""))
    change(kind, world) { $0.hasService = false }
    world.pass(5_000)
    #expect(world.glass == finish, "the picture of the finish stays")
    let before = world.phone.requests.count
    world.pass(60_000)
    #expect(world.phone.requests.count - before <= 6, "it does not spin")
    change(kind, world) {
      $0.hasService = true
      $0.move()
    }
    world.pass(30_000)
    world.tell(2, 0, "Lennéstraße", id: 3)
    world.pass(1_000)
    #expect(world.told.suffix(2) == [Told(3, 0, ""), Told(2, 0, "Lennéstraße")])
    expectOneLink(world)
  }
}

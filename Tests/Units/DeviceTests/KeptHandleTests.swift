import Bytes
import Screens
import TestSupport
import Testing
import VirtualAir
import VirtualDevice

/// Handles that the store has of the phone, after an update of its app has moved them.
@Suite struct KeptHandleTests {
  private func paired() throws -> World {
    let world = try World(["pairing=preferred"], pairs: true)
    world.phone.hasServiceChanged = true
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    world.pass(1_500)
    world.press("a")
    world.pass(4_000)
    return world
  }

  /// The device was switched off meanwhile.
  private func restarted(_ first: World) throws -> World {
    let world = try World(["pairing=preferred"], boots: false)
    world.disk = first.disk
    world.meet(first)
    world.phone.value = instruction(5, 110, Array("Voßstraße".utf8), id: 9)
    world.pass(0)
    return world
  }

  /// It says something else, or does not let itself be read.
  @Test(
    arguments: [
      .value([1, 2, 3]), .error(0x02), .error(0x80),
    ] as [VirtualPhone.Successor])
  func centralBehaviour72_theTurnIsShownThoughAnotherAppHasTheKeptHandles(
    _ successor: VirtualPhone.Successor
  ) throws {
    let world = try restarted(paired())
    world.phone.move()
    world.phone.successor = successor
    world.advertise()
    world.pass(2_000)
    #expect(world.shows(.turn(.left, "110 m", "Voßstraße")))
    #expect(world.phone.isSubscribed && world.events("error").isEmpty)
    #expect(world.events("bond").map { $0["state"] } == ["loaded", "saved"])
    let next = try restarted(world)
    let before = next.phone.requests.count
    next.advertise()
    next.pass(2_000)
    let asked = next.phone.requests[before...]
    #expect(!asked.prefix { $0 != 0x0A }.contains(0x06), "the new handles are on the disk")
    #expect(next.phone.isSubscribed)
    #expect(next.shows(.turn(.left, "110 m", "Voßstraße")))
  }

  /// Nothing is said of the way: the phone is asked as before, and not searched again at each of its zeros.
  @Test func centralBehaviour72_aPhoneWithoutATourIsNotSearchedAgainAndAgain() throws {
    let world = try restarted(paired())
    world.phone.value = bytes("09 00 00 00 00 00 00 00 00")
    world.advertise()
    world.pass(2_000)
    let before = world.phone.requests.count
    world.pass(20_000)
    let asked = world.phone.requests[before...]
    #expect(!asked.contains(0x06) && asked.contains(0x0A))
  }
}

import Bytes
import Expecting
import Screens
import TestSupport
import VirtualAir
import VirtualDevice

@testable import Device

/// Handles that the store has of the phone, after an update of its app has moved them.
@Suite struct KeptHandleTests {
  /// It says something else, or does not let itself be read.
  @Test(
    arguments: [
      .value([1, 2, 3]), .error(0x02), .error(0x80),
    ] as [VirtualPhone.Successor])
  func centralBehaviour72_theTurnIsShownThoughAnotherAppHasTheKeptHandles(
    _ successor: VirtualPhone.Successor
  ) throws {
    let world = try World.paired { $0.phone.hasServiceChanged = true }.restarted()
    world.phone.move()
    world.phone.successor = successor
    world.advertise()
    world.pass(2_000)
    expect(world.shows(.turn(.left, "110 m", "Voßstraße")))
    expect(world.phone.isSubscribed && world.events("error").isEmpty)
    world.loseLink()
    expect(world.events("bond").map { $0["state"] }, ["loaded", "saved"])
    let next = try world.restarted()
    let before = next.phone.requests.count
    next.advertise()
    next.pass(2_000)
    let asked = next.phone.requests[before...]
    #expect(!asked.prefix { $0 != 0x0A }.contains(0x06), "the new handles are on the disk")
    expect(next.phone.isSubscribed)
    expect(next.shows(.turn(.left, "110 m", "Voßstraße")))
  }

  /// Nothing is said of the way: the phone is asked as before, and not searched again at each of its zeros.
  @Test func centralBehaviour72_aPhoneWithoutATourIsNotSearchedAgainAndAgain() throws {
    let world = try World.paired { $0.phone.hasServiceChanged = true }.restarted()
    world.phone.value = bytes("09 00 00 00 00 00 00 00 00")
    world.advertise()
    world.pass(2_000)
    let before = world.phone.requests.count
    world.pass(20_000)
    let asked = world.phone.requests[before...]
    expect(!asked.contains(0x06) && asked.contains(0x0A))
  }
}

/// A remembered phone that got another name since.
@Suite struct RenamedPhoneTests {
  private func paired() throws -> World {
    let world = try World.paired()
    world.loseLink()
    world.phone.name = "Witch"
    return world
  }

  @Test func itsNewNameIsSaved() throws {
    let world = try paired()
    world.advertise()
    world.pass(1_000)
    world.loseLink()
    world.pass(10_000)
    expect(world.events("bond").compactMap { $0["name"] }, ["Fairy", "Witch"])
  }

  @Test(arguments: [Errno.noSpace, .inputOutput])
  func onADiskThatFailsItStaysPairedAndNothingHidesTheTurn(_ fault: Errno) throws {
    let world = try paired()
    world.faults[.store] = fault
    world.advertise()
    world.pass(1_000)
    world.loseLink()
    world.pass(10_000)
    world.advertise()
    world.pass(1_000)
    expect(world.events("error").compactMap { $0["source"] }, ["store"])
    expect(world.events("pairing").compactMap { $0["state"] }, ["confirm", "done"])
    expect(world.shows(.turn(.right, "350 m", "Hauptstraße")))
    world.loseLink()
    world.advertise()
    world.pass(1_000)
    expect(world.events("phone").last.map { $0["match"] }, "bond")
  }
}

/// What a phone has set on our server, from the link to the disk and back.
@Suite struct ServedPhoneTests {
  private func answers(_ world: World, _ request: String) -> [String] {
    let count = world.phone.answers.count
    world.controller.send(channel: 0x04, bytes(request), world)
    world.pass(0)
    return world.phone.answers.dropFirst(count).map { hex(Array($0.dropFirst())) }
  }

  private func restarted(_ first: World) throws -> World {
    let world = try first.restarted()
    world.advertise()
    world.pass(2_000)
    return world
  }

  @Test func peripheralBehaviour32_aConfigurationOutlivesARestart() throws {
    let world = try World.paired()
    var writes = 0
    world.onStore = { _, _ in writes += 1 }
    for request in ["12 09 00 02 00", "12 0f 00 01 00", "12 0f 00 01 00"] {
      expect(answers(world, request), ["13"])
    }
    expect(writes, 0, "not yet")
    world.loseLink()
    world.pass(10_000)
    expect(writes, 1)
    let next = try restarted(world)
    next.onStore = { _, _ in writes += 1 }
    expect(answers(next, "0a 09 00") == ["0b 02 00"] && answers(next, "0a 0f 00") == ["0b 01 00"])
    expect(answers(next, "12 0f 00 01 00") == ["13"] && writes == 1)
    expect(!next.phone.answers.contains { $0.prefix(2) == [0x04, 0x1D] }, "it knows the table")
  }
}

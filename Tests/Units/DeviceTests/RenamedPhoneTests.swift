import Bytes
import Screens
import TestSupport
import Testing
import VirtualAir
import VirtualDevice

@testable import Device

/// A remembered phone that got another name since.
@Suite struct RenamedPhoneTests {
  private func paired() throws -> World {
    let world = try World(["pairing=preferred"], pairs: true)
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    world.pass(1_000)
    world.press("a")
    world.pass(5_000)
    world.loseLink()
    world.phone.name = "Witch"
    return world
  }

  @Test func itsNewNameIsSaved() throws {
    let world = try paired()
    world.advertise()
    world.pass(1_000)
    #expect(world.events("bond").compactMap { $0["name"] } == ["Fairy", "Witch"])
  }

  @Test(arguments: [Errno.noSpace, .inputOutput])
  func onADiskThatFailsItStaysPairedAndNothingHidesTheTurn(_ fault: Errno) throws {
    let world = try paired()
    world.faults[.store] = fault
    world.advertise()
    world.pass(1_000)
    #expect(world.events("error").compactMap { $0["source"] } == ["store"])
    #expect(world.events("pairing").compactMap { $0["state"] } == ["confirm", "done"])
    #expect(world.shows(.turn(.right, "350 m", "Hauptstraße")))
    world.loseLink()
    world.advertise()
    world.pass(1_000)
    #expect(world.events("phone").last.map { $0["match"] } == "bond")
  }
}

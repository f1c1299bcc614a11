import Bond
import Sensors
import TestSupport
import Testing
import VirtualAir
import VirtualDevice

@testable import Device

/// Events come in the order of what happened, and a page without content gives way.
@Suite struct EventOrderTests {
  private func names(_ world: World, _ wanted: [String]) -> [String] {
    world.events.filter { wanted.contains($0.name) }.map {
      $0.name + " " + ($0["state"] ?? $0["step"] ?? $0["source"] ?? "")
    }
  }

  @Test func centralBehaviour87_theEndOfALinkIsToldBeforeThePairingThatItEnds() throws {
    let world = try World(["pairing=preferred"], pairs: true)
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    world.pass(1_500)
    #expect(world.events("pairing").map { $0["state"] } == ["confirm"])
    world.loseLink()
    #expect(
      names(world, ["link", "pairing"]).suffix(3) == [
        "pairing confirm", "link disconnected", "pairing failed",
      ])
  }

  @Test func centralBehaviour87_theFailureOfTheRadioIsToldBeforeTheEndOfTheLink() throws {
    let world = try World()
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    world.pass(1_500)
    world.fail(.hci, .noSuchDevice)
    #expect(
      names(world, ["link", "error", "recovery"]).suffix(3) == [
        "error hci", "recovery reopen", "link disconnected",
      ])
  }

  /// The page of the data, when nothing is left that measures.
  @Test func centralBehaviour87_aPageThatHasLostItsContentGivesWay() throws {
    let world = try World()
    let strap = RememberedSensor(
      .heart, address: VirtualSensor(.heart).deviceAddress, name: Array("Strap".utf8).span)
    world.remember(try #require(strap))
    world.pass(4_000)
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    world.pass(1_500)
    world.press("aa")
    world.pass(0)
    #expect(!world.shows(.turn(.right, "350 m", "Hauptstraße")))
    world.forgetSensors()
    world.pass(4_000)
    #expect(world.shows(.turn(.right, "350 m", "Hauptstraße")))
  }

  @Test func centralBehaviour87_thePageOfTheMusicGivesWayWhenThePhoneIsGone() throws {
    let world = try World(["pairing=preferred", "music=on"], pairs: true)
    world.phone.hasServiceChanged = true
    world.phone.music.isThere = true
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    world.pass(1_500)
    world.press("a")
    world.pass(4_000)
    world.press("aa")
    world.pass(0)
    let isOnMusic = world.device.scene.page == .music
    #expect(isOnMusic)
    world.loseLink()
    let isOnTurn = world.device.scene.page == .turn
    #expect(isOnTurn)
  }
}

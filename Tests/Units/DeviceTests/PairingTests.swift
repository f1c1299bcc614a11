import Bytes
import Screens
import TestSupport
import Testing
import VirtualAir

@testable import Device

/// Pairing, being remembered and being forgotten, as the rider sees it.
@Suite struct PairingTests {
  private func meeting(_ settings: [String] = ["pairing=preferred"]) throws -> World {
    let world = try World(settings, pairs: true)
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    world.pass(1_000)
    return world
  }

  @Test func theNumberIsShownAndPageIsYes() throws {
    let world = try meeting()
    let number = world.security.digits
    #expect(world.shows(.comparison(number, phone: "Fairy")))
    world.press("p")
    world.pass(500)
    let states = world.events("pairing").compactMap { $0["state"] }
    #expect(states == ["confirm", "done"])
    #expect(world.events("bond").compactMap { $0["state"] } == ["saved"])
    #expect(world.events("link").compactMap { $0["state"] }.last == "encrypted")
  }

  @Test func theBondIsOnTheDiskBeforeItCounts() throws {
    let world = try meeting()
    _ = world.takeOrder()
    world.press("p")
    world.pass(500)
    #expect(world.takeOrder().contains("store"))
    #expect(world.disk.contains { $0 != 0 })
    let again = try World(["pairing=preferred"], pairs: true, boots: false)
    again.disk = world.disk
    again.pass(0)
    #expect(again.events("bond").compactMap { $0["state"] } == ["loaded"])
  }

  @Test func unpairIsNo() throws {
    let world = try meeting()
    world.press("u")
    world.pass(1_000)
    #expect(world.events("pairing").last.map { $0["reason"] } == "refused here")
    #expect(world.disk.allSatisfy { $0 == 0 })
    #expect(world.shows(.failed(.refusedHere)))
  }

  @Test func aPhoneIsForgottenOnTheDiskFirst() throws {
    let world = try meeting()
    world.press("p")
    world.pass(5_000)
    _ = world.takeOrder()
    world.press("U")
    world.pass(0)
    let order = world.takeOrder()
    let store = try #require(order.firstIndex(of: "store"))
    let packet = try #require(order.firstIndex(of: "packet"))
    #expect(store < packet, "the link ends after that")
    #expect(world.events("bond").compactMap { $0["state"] } == ["saved", "erased"])
    #expect(world.shows(.freed))
    let key = try #require(world.security.longTermKey)
    #expect(!contains(world.disk, array(key.bytes)), "no old key stays")
  }

  @Test func aDiskThatFailsKeepsThePhoneAndSaysSo() throws {
    let world = try meeting()
    world.press("p")
    world.pass(5_000)
    world.faults[.store] = .inputOutput
    world.press("U")
    world.pass(0)
    #expect(world.shows(.notFreed))
    #expect(world.events("error").compactMap { $0["source"] } == ["store"])
    #expect(world.events("link").last.map { $0["state"] } == "encrypted", "the link stays")
  }

  @Test func aBondThatCannotBeSavedIsNoBond() throws {
    let world = try meeting()
    world.faults[.store] = .noSpace
    world.press("p")
    world.pass(500)
    #expect(world.events("pairing").last.map { $0["reason"] } == "not saved")
    #expect(world.events("bond").isEmpty)
  }

  @Test func theBondSurvivesALossAndThePhoneIsKnownByItsNewAddress() throws {
    let world = try meeting()
    world.press("p")
    world.pass(5_000)
    world.loseLink()
    world.phone.address = world.security.privateAddress(2)
    world.advertise()
    world.pass(1_000)
    #expect(world.events("phone").last.map { $0["match"] } == "bond")
    #expect(world.events("link").compactMap { $0["state"] }.suffix(2) == ["encrypted", "ready"])
  }
}

private func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
  (0...bytes.count - part.count).contains { Array(bytes[$0..<$0 + part.count]) == part }
}

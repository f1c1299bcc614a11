import Bytes
import Device
import Navigation
import TestSupport
import Testing
import VirtualAir
import VirtualDevice

/// What the rider sees of phones that are not, or may not be, the own one.
@Suite struct TrustTests {
  private func riding() throws -> World {
    let world = try World(["pairing=preferred"], pairs: true)
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    world.pass(2_000)
    world.press("a")
    world.pass(4_000)
    #expect(world.shows(.turn(.right, "350 m", "Hauptstraße")))
    return world
  }

  /// The picture moves by a row every few minutes.
  private func shows(_ world: World, _ shot: Shot) -> Bool {
    world.shows(shot) || world.showsMoved(shot)
  }

  /// The turn is there, as old as the events say and with the mark.
  private func expectMarkedTurn(_ world: World) {
    let seconds = world.events("stale").last?[number: "age"] ?? 0
    let shot = Shot.turn(
      .right, "350 m", "Hauptstraße", age: Age(milliseconds: Int64(seconds) * 1_000),
      isLinkLost: true, isPhoneInDoubt: true)
    #expect(shows(world, shot))
  }

  /// Somebody sends the phone's address, and has no key.
  private func deny(_ world: World) {
    let key = world.security.longTermKey
    world.security.longTermKey = nil
    world.advertise()
    world.pass(500)
    world.security.longTermKey = key
  }

  private func loseAndDeny(_ world: World, times: Int) {
    world.loseLink()
    for _ in 0..<times {
      deny(world)
      world.pass(61_000)
    }
  }

  /// Why a phone that was paired with is nobody's after the ride.
  enum Hindrance: CaseIterable { case diskIsFull, phoneKeepsNoKey }

  /// Without a press it could not be followed: the mark says that there is something to do.
  @Test(arguments: Hindrance.allCases)
  func whereAKeyIsRequiredAPhoneThatWasNotKeptIsSearchedForAfterAPress(
    _ hindrance: Hindrance
  ) throws {
    let world = try World(["pairing=required"], pairs: true)
    if hindrance == .diskIsFull { world.faults[.store] = .noSpace }
    world.security.isBonding = hindrance != .phoneKeepsNoKey
    world.advertise()
    world.pass(2_000)
    world.press("a")
    world.pass(10_000)
    world.tell(8, 350, "Hauptstraße")
    world.pass(1_000)
    #expect(world.shows(.turn(.right, "350 m", "Hauptstraße")))
    world.loseLink()
    world.pass(60_000)
    expectMarkedTurn(world)
    #expect(world.events("scan").last.map { $0["mode"] } == "off")
    world.press("a")
    world.advertise()
    world.pass(1_000)
    #expect(world.shows(.comparison(world.security.digits, phone: "")))
  }

  @Test func centralBehaviour45_aTurnStaysWithAMarkThoughThePhoneSeemsToHaveForgottenUs() throws {
    let world = try riding()
    loseAndDeny(world, times: 5)
    expectMarkedTurn(world)
    #expect(world.events("bond").count { $0["state"] == "rejected" } >= 3)
    world.pass(600_000)
    world.press("a")
    #expect(shows(world, .forgotten("Fairy")), "once the panel is lit")
  }

  @Test func centralBehaviour45_noWordOfAPairingHidesATurn() throws {
    let world = try riding()
    loseAndDeny(world, times: 3)
    world.press("a")
    deny(world)
    world.press("b")
    world.pass(1_000)
    #expect(world.events("pairing").last.map { $0["state"] } == "failed")
    expectMarkedTurn(world)
  }

  /// Its age counts from when the phone last said it.
  @Test func centralBehaviour45_aTurnKeepsThePanelUntilItIsStaleForTenMinutes() throws {
    let world = try riding()
    world.tell(8, 340, "Hauptstraße")
    let end = world.now + 600_000
    loseAndDeny(world, times: 3)
    world.pass(end - world.now - 1)
    let turn = Shot.turn(
      .right, "340 m", "Hauptstraße", age: Age(milliseconds: 599_999), isLinkLost: true,
      isPhoneInDoubt: true)
    #expect(shows(world, turn))
    world.pass(1)
    #expect(shows(world, .forgotten("Fairy")))
  }

  @Test func centralBehaviour44_threeFailuresAreToldToTheRiderAndEachToTheLog() throws {
    let world = try World(["pairing=preferred"], pairs: true)
    world.advertise()
    world.pass(2_000)
    world.press("a")
    world.pass(2_000)
    world.loseLink()
    for count in 1...4 {
      deny(world)
      #expect(world.events("bond").count { $0["state"] == "rejected" } == count)
      #expect(shows(world, .forgotten("Fairy")) == (count > 2))
      world.pass(61_000)
    }
  }

  @Test(arguments: [Errno.inputOutput, .accessDenied, .noSuchFile])
  func centralBehaviour46_untilTheStoreWasReadNobodyIsSearchedFor(_ reason: Errno) throws {
    let world = try World(["pairing=preferred"], pairs: true, boots: false)
    world.faults[.store] = reason
    world.tell(8, 350, "Hauptstraße")
    for _ in 0..<30 {
      world.advertise()
      world.pass(1_000)
    }
    #expect(world.events("scan").isEmpty && world.events("link").isEmpty)
    let message = world.events("error").last?["message"] ?? ""
    #expect(message.hasPrefix("/var/lib/lenker/bond: "))
    #expect(world.shows(.noStore(message)))
    world.faults[.store] = nil
    world.pass(2_000)
    world.advertise()
    world.pass(2_000)
    #expect(world.shows(.comparison(world.security.digits, phone: "Fairy")))
  }

  @Test func centralBehaviour46_aControllerThatFailsBeginsNoSearchWhileTheStoreIsUnread() throws {
    let world = try World(["pairing=preferred"], pairs: true, boots: false)
    world.faults[.store] = .inputOutput
    world.pass(1_000)
    world.hears(bytes("04 10 01 42"))
    world.pass(10_000)
    #expect(world.events("scan").isEmpty && world.controller.commands.isEmpty)
  }

  @Test func centralBehaviour46_aStoreThatFailsLaterStopsNoRide() throws {
    let world = try riding()
    world.faults[.store] = .inputOutput
    world.loseLink()
    world.advertise()
    world.pass(2_000)
    #expect(world.shows(.turn(.right, "350 m", "Hauptstraße")))
  }

  @Test func centralBehaviour46_noRadioIsNotLaidToAStoreThatFailedLater() throws {
    let world = try World(["pairing=preferred"], pairs: true)
    world.faults[.store] = .noSpace
    world.fail(.store, .noSpace)
    world.loseRadio()
    #expect(world.connection == .noRadio)
  }

  @Test func whatALaterVersionWroteIsLeftAloneAndToldOf() throws {
    let world = try World(["pairing=preferred"], pairs: true, boots: false)
    var record = bytes("89 4c 4b 42 4f 4e 44 0a 03 01 51 00 01 00 00 00")
    record += [UInt8](repeating: 7, count: 508 - record.count)
    let checksum = crc32(record.span)
    record += (0..<4).map { UInt8(truncatingIfNeeded: checksum >> (8 * $0)) }
    world.disk = record + [UInt8](repeating: 0, count: 512)
    let before = world.disk
    world.pass(10_000)
    #expect(world.disk == before && world.asides == 0)
    #expect(world.events("error").compactMap { $0["source"] } == ["store"], "once")
    #expect(world.events("scan").isEmpty)
  }

  private func click(_ world: World) {
    world.touch(.a, isPressed: true)
    world.pass(100)
    world.touch(.a, isPressed: false)
    world.pass(100)
  }

  @Test func centralBehaviour41_theQuestionOfAPhoneWithoutACodeNeedsASecondToBeRead() throws {
    let settings = ["pairing=preferred", "buttons=gpio:/dev/gpiochip0", "button-a=17"]
    let world = try World(settings, pairs: true)
    world.security.manner = .refusal(0x05)
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    world.pass(300)
    #expect(world.shows(.noCode("Fairy")))
    click(world)
    #expect(world.shows(.noCode("Fairy")))
    world.pass(1_000)
    click(world)
    world.pass(1_000)
    #expect(world.shows(.turn(.right, "350 m", "Hauptstraße")))
  }
}

import Bytes
import Screens
import TestSupport
import Testing
import VirtualAir
import VirtualDevice

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
    world.press("a")
    world.pass(500)
    let states = world.events("pairing").compactMap { $0["state"] }
    #expect(states == ["confirm", "done"])
    #expect(world.events("bond").compactMap { $0["state"] } == ["saved"])
    #expect(world.events("link").compactMap { $0["state"] }.last == "encrypted")
  }

  @Test func theBondIsOnTheDiskBeforeItCounts() throws {
    let world = try meeting()
    _ = world.takeOrder()
    world.press("a")
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
    world.press("b")
    world.pass(1_000)
    #expect(world.events("pairing").last.map { $0["reason"] } == "refused here")
    #expect(world.disk.allSatisfy { $0 == 0 })
    #expect(world.shows(.failed(.refusedHere)))
  }

  /// Whoever it was that did not answer.
  @Test(arguments: ["", "a"])
  func centralBehaviour32_after30SecondsWithoutAnAnswerItIsOver(_ ours: String) throws {
    let world = try meeting()
    let asked = world.now
    world.security.manner = .silence
    world.press(ours)
    // From our last command; a thumb's press is one.
    world.pass(28_000)
    #expect(world.events("pairing").compactMap { $0["state"] } == ["confirm"])
    let question = Shot.comparison(world.security.digits, phone: "Fairy")
    #expect(world.shows(ours.isEmpty ? question : .phoneAsked("Fairy", secondsLeft: 2)))
    world.pass(2_000)
    #expect(world.now - asked == 30_000)
    #expect(world.events("pairing").last.map { $0["reason"] } == "timeout")
    #expect(world.shows(.failed(.timeout)))
    #expect(world.events("link").last.map { $0["state"] } == "disconnected")
    #expect(world.disk.allSatisfy { $0 == 0 })
  }

  @Test func centralBehaviour32_anEarlyNoOfThePhoneEndsTheQuestion() throws {
    let world = try meeting()
    world.controller.send(channel: 0x06, [0x05, 0x0C], world)
    world.pass(0)
    #expect(world.events("pairing").last.map { $0["reason"] } == "refused by phone")
    #expect(world.shows(.failed(.refusedByPhone)))
    world.press("ab")
    #expect(world.events("pairing").count == 2, "there is nothing to answer any more")
  }

  @Test func centralBehaviour32_aPhoneThatCannotShowANumberJustWorks() throws {
    let world = try World(["pairing=preferred"], pairs: true)
    world.security.manner = .justWorks
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    world.pass(1_000)
    #expect(world.shows(.noCode("Fairy")))
    #expect(world.events("instruction").isEmpty)
    world.press("a")
    world.pass(1_000)
    #expect(world.events("pairing").compactMap { $0["state"] } == ["ask", "done"])
    #expect(world.events("bond").compactMap { $0["state"] } == ["saved"])
    #expect(world.shows(.paired("Fairy")))
    world.pass(3_000)
    #expect(world.shows(.turn(.right, "350 m", "Hauptstraße")))
  }

  @Test func afterTheYesItIsThePhonesTurnAndThenThePanelSaysWhoIsPaired() throws {
    let world = try meeting()
    world.security.manner = .silence
    world.press("a")
    #expect(world.shows(.phoneAsked("Fairy", secondsLeft: 30)))
    world.pass(8_000)
    #expect(world.shows(.phoneAsked("Fairy", secondsLeft: 22)))
    let quick = try meeting()
    quick.tell(8, 350, "Hauptstraße")
    quick.press("a")
    quick.pass(1_000)
    #expect(quick.shows(.paired("Fairy")))
    quick.pass(3_000)
    #expect(quick.shows(.turn(.right, "350 m", "Hauptstraße")), "three seconds, whatever comes")
  }

  @Test func whoPairsBesideARideIsTold() throws {
    let world = try meeting()
    world.press("a")
    world.pass(1_000)
    #expect(world.shows(.paired("Fairy")))
    world.press("bb")
    #expect(world.shows(.phone("Fairy", .paired)), "the first press takes the word away")
  }

  @Test(arguments: ["preferred", "required"])
  func aPhoneThatRefusesIsRiddenWithWhereThatIsAllowed(_ pairing: String) throws {
    let world = try World(["pairing=\(pairing)"], pairs: true)
    world.security.manner = .refusal(0x05)
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    world.pass(10_000)
    let isRidden = pairing == "preferred"
    #expect(
      world.events("pairing").compactMap { $0["state"] }
        == (isRidden ? ["failed", "ask"] : ["failed"]))
    #expect(world.events("instruction").isEmpty)
    world.press("a")
    world.pass(1_000)
    #expect(world.disk.allSatisfy { $0 == 0 } && world.events("bond").isEmpty)
    #expect(world.events("instruction").isEmpty != isRidden)
    #expect(world.shows(.turn(.right, "350 m", "Hauptstraße")) == isRidden)
    #expect(world.events("link").last.map { $0["state"] } == (isRidden ? "ready" : "disconnected"))
  }

  @Test func aPhoneIsForgottenOnTheDiskFirst() throws {
    let world = try meeting()
    world.press("a")
    world.pass(5_000)
    _ = world.takeOrder()
    world.press("B")
    world.pass(0)
    let order = world.takeOrder()
    let store = try #require(order.firstIndex(of: "store"))
    let packet = try #require(order.firstIndex(of: "packet"))
    #expect(store < packet, "the link ends after that")
    #expect(world.events("bond").compactMap { $0["state"] } == ["saved", "erased"])
    #expect(world.shows(.unpaired))
    let key = try #require(world.security.longTermKey)
    #expect(!contains(world.disk, array(key.bytes)), "no old key stays")
  }

  /// The panel says that A searches: it does at once, and not only once that has gone.
  @Test func rightAfterThePhoneIsForgottenASearches() throws {
    let world = try meeting()
    world.press("a")
    world.pass(5_000)
    world.press("B")
    world.pass(100)
    #expect(world.shows(.unpaired))
    world.controller.phone = nil
    world.press("a")
    world.pass(0)
    #expect(world.shows(.searching(secondsLeft: 30)))
  }

  /// Now, or before the rider wants that.
  @Test(arguments: [false, true])
  func aDiskThatFailsKeepsThePhoneAndSaysSo(_ isClosed: Bool) throws {
    let world = try meeting()
    world.press("a")
    world.pass(5_000)
    world.faults[.store] = .inputOutput
    if isClosed { world.fail(.store, .inputOutput) }
    world.press("B")
    world.pass(0)
    #expect(world.shows(.unpairFailed))
    world.tell(5, 90, "Am Markt", id: 2)
    #expect(world.shows(.unpairFailed), "no turn takes the answer's place")
    #expect(Set(world.events("error").map { $0["source"] }) == ["store"])
    #expect(world.events("link").last.map { $0["state"] } == "encrypted", "the link stays")
  }

  @Test func aBondThatCannotBeSavedIsNoBond() throws {
    let world = try meeting()
    world.faults[.store] = .noSpace
    world.press("a")
    world.pass(500)
    #expect(world.events("pairing").last.map { $0["reason"] } == "not saved")
    #expect(world.events("bond").isEmpty)
  }

  @Test func theBondSurvivesALossAndThePhoneIsKnownByItsNewAddress() throws {
    let world = try meeting()
    world.press("a")
    world.pass(5_000)
    world.loseLink()
    world.phone.address = world.security.privateAddress(2)
    world.advertise()
    world.pass(1_000)
    #expect(world.events("phone").last.map { $0["match"] } == "bond")
    #expect(world.events("link").compactMap { $0["state"] }.suffix(2) == ["encrypted", "ready"])
  }

  // MARK: - After a restart

  /// The device starts again with what is on the disk, near the same phone.
  private func restarted(_ world: World) throws -> World {
    let again = try World(["pairing=preferred"], pairs: false, boots: false)
    again.disk = world.disk
    again.meet(world)
    again.tell(5, 110, "Voßstraße", id: 9)
    again.pass(0)
    return again
  }

  private func paired() throws -> World {
    let world = try meeting()
    world.press("a")
    world.pass(5_000)
    return world
  }

  @Test func centralBehaviour32_aDeviceThatStartsAgainEncryptsWithItsBond() throws {
    let world = try restarted(paired())
    world.advertise()
    world.pass(1_000)
    #expect(world.events("bond").map { $0["name"] } == ["Fairy"])
    #expect(
      world.events("link").compactMap { $0["state"] }
        == ["connecting", "connected", "encrypted", "ready"])
    #expect(world.events("pairing").isEmpty)
    #expect(world.shows(.turn(.left, "110 m", "Voßstraße")))
  }

  @Test func centralBehaviour57_theHandlesOfTheRecordAreUsedAfterARestart() throws {
    let first = try World(["pairing=preferred"], pairs: true)
    first.phone.hasServiceChanged = true
    first.advertise()
    first.pass(1_000)
    first.press("a")
    first.pass(5_000)
    let world = try restarted(first)
    let before = world.phone.requests
    world.advertise()
    world.pass(1_000)
    let isSearch = { $0 == 0x06 } as (UInt8) -> Bool  // Find By Type Value Request
    #expect(before.contains(where: isSearch))
    let asked = world.phone.requests[before.count...]
    #expect(!asked.prefix { $0 != 0x0A }.contains(where: isSearch), "until it is read")
    #expect(world.phone.isSubscribed)
    #expect(world.shows(.turn(.left, "110 m", "Voßstraße")))
  }

  @Test func centralBehaviour35_aPhoneThatForgotUsIsToldOfAndKeptUntilThePressOfAButton() throws {
    let world = try restarted(paired())
    world.security.longTermKey = nil
    for _ in 0..<60 {
      world.advertise()
      world.pass(1_000)
    }
    #expect(world.shows(.forgotten("Fairy")))
    #expect(Set(world.events("bond").compactMap { $0["state"] }) == ["loaded", "rejected"])
    #expect(world.events("pairing").isEmpty && world.events("instruction").isEmpty)
    let before = world.disk
    world.press("a")
    world.advertise()
    world.pass(1_000)
    #expect(world.shows(.comparison(world.security.digits, phone: "Fairy")))
    #expect(world.disk == before)
    world.press("a")
    world.pass(2_000)
    #expect(world.disk != before)
    #expect(world.shows(.paired("Fairy")))
    world.pass(3_000)
    #expect(world.shows(.turn(.left, "110 m", "Voßstraße")))
  }

  /// The phone finds its old key again, say from its backup.
  @Test func centralBehaviour33_aNewPairingThatIsRefusedLeavesTheOldBondOnTheDisk() throws {
    let world = try restarted(paired())
    let key = world.security.longTermKey
    world.security.longTermKey = nil
    for _ in 0..<3 {
      world.advertise()
      world.pass(61_000)
    }
    world.press("a")
    world.advertise()
    world.pass(1_000)
    let before = world.disk
    world.press("b")
    world.pass(1_000)
    #expect(world.events("pairing").compactMap { $0["state"] } == ["confirm", "failed"])
    #expect(world.disk == before)
    world.security.longTermKey = key
    let again = try restarted(world)
    again.advertise()
    again.pass(1_000)
    #expect(again.events("link").last.map { $0["state"] } == "ready")
    #expect(again.events("pairing").isEmpty)
  }

  @Test func aPhoneThatIsForgottenWhileItIsAwayIsAStrangerAfterARestart() throws {
    let world = try restarted(paired())
    world.pass(3_000)
    world.press("B")
    world.pass(5_000)
    #expect(world.events("bond").compactMap { $0["state"] } == ["loaded", "erased"])
    #expect(world.events("scan").last.map { $0["mode"] } == "off")
    #expect(world.shows(.noPhone))
    let again = try restarted(world)
    again.advertise()
    again.pass(1_000)
    #expect(again.events("phone").map { $0["match"] } == ["service"])
    #expect(again.events("bond").isEmpty)
  }

  /// The panel says so: page is not for the next page then.
  @Test func whoHasUnpairedSearchesByPageWhateverPageThereWas() throws {
    let world = try paired()
    world.press("a")
    world.press("B")
    world.pass(5_000)
    #expect(world.connection == .noPhone && world.shows(.noPhone))
    world.press("a")
    #expect(world.connection == .searching)
  }

  @Test func centralBehaviour15_aPressWhileThePhoneIsAwayConnectsToNoStranger() throws {
    let world = try restarted(paired())
    for second in 0..<60 {
      if second % 20 == 5 { world.press("aaa") }  // through all pages
      world.report("01 09 09 09 09 09 c9", world.phone.advertisement, rssi: -30)
      world.pass(1_000)
    }
    #expect(world.events("link").isEmpty)
    world.advertise()
    world.pass(1_000)
    #expect(world.shows(.turn(.left, "110 m", "Voßstraße")))
  }

  @Test func aPhoneThatCannotPairIsRememberedByAnAddressThatIsFixed() throws {
    let world = try World(["pairing=preferred"], pairs: true)
    world.phone.address = bytes("01 55 44 33 22 11 c1")
    world.security.manner = .refusal(0x05)
    world.advertise()
    world.pass(1_000)
    world.press("a")
    world.pass(1_000)
    #expect(world.events("bond").last.map { $0["state"] } == "saved")
    let again = try restarted(world)
    again.advertise()
    again.pass(1_000)
    #expect(again.events("phone").map { $0["match"] } == ["bond"])
    #expect(again.shows(.turn(.left, "110 m", "Voßstraße")))
  }

  @Test func centralBehaviour53_noKeyInADamagedStoreOutlivesForgetting() throws {
    let world = try paired()
    let key = try #require(world.security.longTermKey)
    world.disk[400] ^= 0x10
    world.disk[912] ^= 0x10
    let again = try restarted(world)
    #expect(again.events("error").compactMap { $0["source"] } == ["store"])
    #expect(again.asides == 0 && contains(again.disk, array(key.bytes)))
    again.press("B")
    again.pass(200)
    #expect(!contains(again.disk, array(key.bytes)))
    #expect(again.shows(.unpaired))
  }
}

private func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
  (0...bytes.count - part.count).contains { Array(bytes[$0..<$0 + part.count]) == part }
}

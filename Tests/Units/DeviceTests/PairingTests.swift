import Bytes
import Expecting
import TestSupport
import VirtualAir
import VirtualDevice

@testable import Device

/// Pairing, being remembered and being forgotten, as the rider sees it.
struct PairingTests {
  private func meeting() throws -> World {
    try World.following(["pairing=preferred"], pairs: true)
  }

  @Test func theNumberIsShownAndAIsYes() throws {
    let world = try meeting()
    let number = world.security.digits
    expect(world.shows(.comparison(number, phone: "Fairy")))
    _ = world.takeOrder()
    world.press("a")
    world.pass(500)
    expect(world.pairings, ["confirm", "done"])
    expect(world.states("bond"), ["saved"])
    expect(world.states("link").last, "encrypted")
    expect(world.takeOrder().contains("store") && World.bond(on: world.disk) != nil)
  }

  @Test func unpairIsNo() throws {
    let world = try meeting()
    world.press("b")
    world.pass(1_000)
    expect(world.events("pairing").last.map { $0["reason"] }, "refused here")
    #expect(world.disk.allSatisfy { $0 == 0 })
    expect(world.shows(.failed(.refusedHere)))
  }

  /// The rider, or the phone, did not answer.
  @Test(arguments: ["", "a"])
  func centralBehaviour32_after30SecondsWithoutAnAnswerItIsOver(_ ours: String) throws {
    let world = try meeting()
    let asked = world.now
    world.security.manner = .silence
    world.press(ours)
    // From our last command; a thumb's press is one.
    world.pass(28_000)
    expect(world.states("pairing"), ["confirm"])
    let question = Shot.comparison(world.security.digits, phone: "Fairy")
    expect(world.shows(ours.isEmpty ? question : .phoneAsked("Fairy", secondsLeft: 2)))
    world.pass(2_000)
    expect(world.now - asked, 30_000)
    expect(world.events("pairing").last.map { $0["reason"] }, "timeout")
    expect(world.shows(.failed(.timeout)))
    expect(world.states("link").last, "disconnected")
    #expect(world.disk.allSatisfy { $0 == 0 })
  }

  @Test func centralBehaviour32_anEarlyNoOfThePhoneEndsTheQuestion() throws {
    let world = try meeting()
    world.controller.send(channel: 0x06, [0x05, 0x0C], world)
    world.pass(0)
    expect(world.events("pairing").last.map { $0["reason"] }, "refused by phone")
    expect(world.shows(.failed(.refusedByPhone)))
    world.press("ab")
    expect(world.events("pairing").count, 2, "there is nothing to answer any more")
  }

  @Test func centralBehaviour32_aPhoneThatCannotShowANumberJustWorks() throws {
    let world = try World(["pairing=preferred"], pairs: true)
    world.security.manner = .justWorks
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    world.pass(1_000)
    expect(world.shows(.noCode("Fairy")))
    #expect(world.events("instruction").isEmpty)
    world.press("a")
    world.pass(1_000)
    expect(world.states("pairing"), ["ask", "done"])
    expect(world.states("bond"), ["saved"])
    expect(world.shows(.paired("Fairy")))
    world.pass(3_000)
    expect(world.shows(.turn(.right, "350 m", "Hauptstraße")))
  }

  @Test func afterTheYesItIsThePhonesTurnAndThenThePanelSaysWhoIsPaired() throws {
    let world = try meeting()
    world.security.manner = .silence
    world.press("a")
    expect(world.shows(.phoneAsked("Fairy", secondsLeft: 30)))
    world.pass(8_000)
    expect(world.shows(.phoneAsked("Fairy", secondsLeft: 22)))
    let quick = try meeting()
    quick.tell(8, 350, "Hauptstraße")
    quick.press("a")
    quick.pass(1_000)
    expect(quick.shows(.paired("Fairy")))
    quick.pass(3_000)
    expect(quick.shows(.turn(.right, "350 m", "Hauptstraße")), "three seconds, whatever comes")
  }

  @Test func aPhoneIsForgottenOnTheDiskFirst() throws {
    let world = try paired()
    _ = world.takeOrder()
    world.press("B")
    world.pass(0)
    let order = world.takeOrder()
    let store = try #require(order.firstIndex(of: "store"))
    let packet = try #require(order.firstIndex(of: "packet"))
    #expect(store < packet, "the link ends after that")
    expect(world.states("bond"), ["saved", "erased"])
    expect(world.shows(.unpaired))
    let key = try #require(world.security.longTermKey)
    expect(world.disk.ranges(of: array(key.bytes)).isEmpty, "no old key stays")
  }

  /// Now, or before the rider wants that.
  @Test(arguments: [false, true])
  func aDiskThatFailsKeepsThePhoneAndSaysSo(_ isClosed: Bool) throws {
    let world = try paired()
    world.faults[.store] = .inputOutput
    if isClosed { world.fail(.store, .inputOutput) }
    world.press("B")
    world.pass(0)
    expect(world.shows(.unpairFailed))
    world.tell(5, 90, "Am Markt", id: 2)
    expect(world.shows(.unpairFailed), "no turn takes the answer's place")
    expect(Set(world.events("error").map { $0["source"] }), ["store"])
    expect(world.states("link").last, "encrypted", "the link stays")
  }

  // MARK: - After a restart

  private func paired() throws -> World {
    let world = try meeting()
    world.press("a")
    world.pass(5_000)
    return world
  }

  @Test func centralBehaviour32_aDeviceThatStartsAgainEncryptsWithItsBond() throws {
    let world = try paired().restarted()
    world.advertise()
    world.pass(1_000)
    expect(world.events("bond").map { $0["name"] }, ["Fairy"])
    expect(world.states("link"), ["connecting", "connected", "encrypted", "ready"])
    #expect(world.events("pairing").isEmpty)
    expect(world.shows(.turn(.left, "110 m", "Voßstraße")))
  }

  @Test func centralBehaviour35_aPhoneThatForgotUsIsToldOfAndKeptUntilThePressOfAButton() throws {
    let world = try paired().restarted()
    world.security.longTermKey = nil
    for _ in 0..<60 {
      world.advertise()
      world.pass(1_000)
    }
    expect(world.shows(.forgotten("Fairy")))
    expect(Set(world.states("bond")), ["loaded", "rejected"])
    expect(world.events("pairing").isEmpty && world.events("instruction").isEmpty)
    let before = world.disk
    world.press("a")
    world.advertise()
    world.pass(1_000)
    expect(world.shows(.comparison(world.security.digits, phone: "Fairy")))
    expect(world.disk, before)
    world.press("a")
    world.pass(2_000)
    #expect(world.disk != before)
    expect(world.shows(.paired("Fairy")))
    world.pass(3_000)
    expect(world.shows(.turn(.left, "110 m", "Voßstraße")))
  }

  @Test func aPhoneThatIsForgottenWhileItIsAwayIsAStrangerAfterARestart() throws {
    let world = try paired().restarted()
    world.pass(3_000)
    world.press("B")
    world.pass(5_000)
    expect(world.states("bond"), ["loaded", "erased"])
    expect(world.events("scan").last.map { $0["mode"] }, "off")
    expect(world.shows(.noPhone))
    let again = try world.restarted()
    again.advertise()
    again.pass(1_000)
    expect(again.events("phone").map { $0["match"] }, ["service"])
    #expect(again.events("bond").isEmpty)
  }

  /// The panel says so: A is not for the next page then; at once, and not only once the phone has gone.
  @Test func whoHasUnpairedSearchesByAWhateverPageThereWas() throws {
    for time: Int64 in [100, 5_000] {
      let world = try paired()
      world.press("a")
      world.press("B")
      world.pass(time)
      expect(world.shows(time == 100 ? .unpaired : .noPhone))
      world.controller.phone = nil
      world.press("a")
      world.pass(0)
      expect(world.connection == .searching && world.shows(.searching(secondsLeft: 30)))
    }
  }

  @Test func centralBehaviour53_noKeyInADamagedStoreOutlivesForgetting() throws {
    let world = try paired()
    let key = try #require(world.security.longTermKey)
    world.disk[400] ^= 0x10
    world.disk[912] ^= 0x10
    let again = try world.restarted()
    expect(again.events("error").compactMap { $0["source"] }, ["store"])
    expect(again.asides == 0 && !again.disk.ranges(of: array(key.bytes)).isEmpty)
    again.press("B")
    again.pass(200)
    expect(again.disk.ranges(of: array(key.bytes)).isEmpty)
    expect(again.shows(.unpaired))
  }
}

/// Phones that are paired with and forgotten in turn, without a restart.
struct RepeatedPairingTests {
  private let turn = Shot.turn(.right, "350 m", "Hauptstraße")

  /// The rider forgets the phone, and pairs with this one, or with the first one again.
  private func pairAgain(_ world: World, with other: VirtualPhone? = nil) {
    world.press("B")
    world.pass(4_000)
    expect(world.shows(.noPhone))
    world.press("a")
    world.advertise(other)
    world.pass(1_500)
    world.press("a")
    world.pass(4_000)
  }

  /// The phone forgets us as well, or keeps the key that nobody here has any more.
  @Test(arguments: [false, true])
  func centralBehaviour122_aPhoneIsForgottenAndPairedWithTwiceInARow(_ keepsKey: Bool) throws {
    let world = try World.paired()
    for number in 2...3 as ClosedRange<UInt8> {
      expect(world.shows(turn))
      if !keepsKey { world.security.longTermKey = nil }
      world.phone.address = world.security.privateAddress(number)
      pairAgain(world)
    }
    expect(world.shows(turn))
    expect(world.states("bond"), ["saved", "erased", "saved", "erased", "saved"])
    world.loseLink()
    world.pass(1_000)
    world.advertise()
    world.pass(1_000)
    expect(world.states("link").last, "ready")
    expect(world.pairings, ["confirm", "done", "confirm", "done", "confirm", "done"])
  }

  @Test func centralBehaviour122_twoPhonesArePairedWithInTurn() throws {
    let world = try World.paired()
    let (other, security) = (VirtualPhone(), VirtualSecurity(number: 9))
    (other.security, other.address) = (security, security.privateAddress(1))
    world.controller.others = [other]
    world.tell(5, 110, "Voßstraße", by: other)
    for phone in [other, nil, other] as [VirtualPhone?] {
      pairAgain(world, with: phone)
      expect(world.shows(phone == nil ? turn : .turn(.left, "110 m", "Voßstraße")))
      // The one that is not remembered any more is not connected to.
      world.loseLink()
      world.advertise(phone == nil ? other : nil)
      world.pass(1_000)
      expect(!world.controller.isConnected)
      world.advertise(phone)
      world.pass(1_000)
      expect(world.controller.isConnected)
    }
  }

  /// It has another address, and komoot's service is gone until its app is opened again.
  @Test func centralBehaviour122_aPhoneWhoseBluetoothWasOffIsWaitedForUntilItsAppIsOpened() throws {
    let world = try World.paired()
    world.loseLink(reason: 0x13)
    world.phone.hasService = false
    world.phone.address = world.security.privateAddress(7)
    world.pass(5_000)
    world.advertise()
    world.pass(20_000)
    expect(world.states("link").last, "encrypted")
    world.phone.hasService = true
    world.tell(5, 110, "Voßstraße", id: 2)
    world.pass(30_000)
    expect(world.shows(.turn(.left, "110 m", "Voßstraße")))
    expect(world.events("error").isEmpty)
  }
}

import TestSupport
import Testing
import VirtualAir
import VirtualDevice

/// The whole device, and phones that come by themselves.
@Suite struct ComingPhoneRideTests {
  /// A device that has lost its phone, and says that it is there.
  private func lost(_ settings: [String] = [], prepare: (World) -> Void = { _ in }) throws -> World
  {
    let world = try World(["pairing=preferred", "advertise=on"] + settings, pairs: true)
    prepare(world)
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    world.pass(1_500)
    world.press("a")
    world.pass(4_000)
    world.loseLink()
    world.pass(200)
    world.phone.forgetRequests()
    _ = world.takeEventsSoFar()
    return world
  }

  private func stranger(_ number: UInt8) -> VirtualCentral {
    let phone = VirtualCentral.stranger(VirtualPhone())
    phone.ownAddress = [0x01, number, 0x09, 0x80, 0xE6, 0x42, 0x60]
    return phone
  }

  @Test func peripheralBehaviour2_aLostPhoneMayComeAtOnce() throws {
    let world = try lost()
    let spells = world.controller.advertisingSpells
    let spell = try #require(spells.last)
    #expect(spell.interval == 0x20 && spell.end == nil)
    #expect(world.now.milliseconds - spell.start >= 100, "within 100 ms of the loss")
    #expect(hex(spell.data.prefix(3).map { $0 }) == "02 01 04")
    world.pass(30_500)
    #expect(world.controller.advertisingSpells.last?.interval == 0x664)
  }

  @Test func peripheralBehaviour14_itIsAskedNothingBeforeItHasEncrypted() throws {
    let world = try lost()
    let phone = VirtualCentral.iPhone(world.phone, encryptsAfter: 1_000)
    #expect(world.comes(phone))
    world.pass(900)
    #expect(world.phone.requests == [] && !phone.isEncrypted)
    world.pass(1_100)
    #expect(phone.isEncrypted && !world.phone.requests.isEmpty)
    #expect(phone.exchanges.first?.answer.first == 0x03, "its own request was answered")
    world.tell(8, 200, "Nebenstraße", id: 2)
    #expect(world.events("instruction").last?["street"] == "Nebenstraße")
    #expect(!world.controller.advertising.isOn)
  }

  @Test func peripheralBehaviour12_aStrangerHearsNothing() throws {
    let world = try lost()
    let phone = stranger(1)
    #expect(world.comes(phone))
    world.pass(1_000)
    #expect(phone.exchanges.isEmpty && world.controller.link(phone) == nil)
    #expect(world.events("link").isEmpty)
    #expect(world.comes(.iPhone(world.phone)), "it says again that it is there")
  }

  /// The phone tries ten times a second.
  @Test func peripheralBehaviour13_strangersDoNotKeepThePhoneOut() throws {
    let world = try lost()
    let phone = VirtualCentral.iPhone(world.phone)
    var tries = 0
    for number in 0..<10 as Range<UInt8> where world.controller.link(phone) == nil {
      world.comes(stranger(number))
      for _ in 0..<10 where world.controller.link(phone) == nil {
        world.pass(100)
        if !world.comes(phone) { tries += 1 }
      }
    }
    #expect(phone.isEncrypted && tries <= 20)
  }

  /// Music, the clock and notifications, of an iPhone without komoot.
  @Test func peripheralBehaviour25_withoutKomootTheRestIsThere() throws {
    let world = try lost(["music=on", "extra=clock", "notifications=all"]) {
      ($0.phone.music.isThere, $0.phone.notifications.isThere) = (true, true)
      $0.phone.clock.time = bytes("EA 07 09 11 0E 1E 00 04 00 00")
    }
    world.phone.hasService = false
    let phone = VirtualCentral.iPhone(world.phone)
    world.comes(phone)
    world.pass(20_000)
    #expect(world.phone.clock.news != nil)
    #expect(world.phone.music.news(2, bytes("41")) != nil)
    #expect(world.phone.notifications.news(0, flags: 0, category: 1, 1) != nil)
    world.pass(600_000)
    #expect(world.controller.link(phone) != nil, "the link stays")
  }

  @Test func peripheralBehaviour26_komootThatAppearsOnThatLinkIsRidden() throws {
    let world = try lost { $0.phone.hasServiceChanged = true }
    world.phone.hasService = false
    let phone = VirtualCentral.iPhone(world.phone)
    world.comes(phone)
    world.pass(60_000)
    #expect(world.events("instruction").isEmpty)
    world.phone.hasService = true
    world.notify(VirtualPhone.serviceChanged)
    world.pass(1_000)
    world.tell(8, 200, "Nebenstraße", id: 2)
    world.pass(1_000)
    #expect(world.events("instruction").last?["street"] == "Nebenstraße")
    // Its watchdog wants a read all 5 s.
    world.phone.forgetRequests()
    world.pass(12_000)
    #expect(world.phone.requests.count { $0 == 0x0A } >= 3)
  }

  @Test func peripheralBehaviour27_komootThatVanishesEndsTheRideAndNotTheLink() throws {
    let world = try lost {
      $0.phone.hasServiceChanged = true
      $0.phone.notifications.isThere = true
    }
    let phone = VirtualCentral.iPhone(world.phone)
    world.comes(phone)
    world.pass(2_000)
    world.tell(8, 200, "Nebenstraße", id: 2)
    world.phone.hasService = false
    world.notify(VirtualPhone.serviceChanged)
    world.pass(120_000)
    #expect(world.controller.link(phone) != nil && phone.isEncrypted)
    world.phone.hasService = true
    world.notify(VirtualPhone.serviceChanged)
    world.pass(1_000)
    world.tell(8, 100, "Gasse", id: 3)
    #expect(world.events("instruction").last?["street"] == "Gasse")
  }

  /// Its link stands, and it connects once more by another address.
  @Test func peripheralBehaviour19_theOlderOfTwoLinksStays() throws {
    let world = try lost()
    world.advertise()
    world.pass(2_000)
    #expect(world.phone.isEncrypted)
    let phone = VirtualCentral.iPhone(world.phone)
    phone.ownAddress = world.security.privateAddress(9)
    world.comes(phone, thoughSilent: true)
    world.pass(1_000)
    #expect(world.controller.link(phone) == nil && world.phone.isEncrypted)
    #expect(world.controller.framesOnSecondLinks == 0)
    world.tell(8, 200, "Nebenstraße", id: 2)
    #expect(world.events("instruction").last?["street"] == "Nebenstraße")
  }

  /// The attempt to the phone is under way when it comes by itself, or when it is called back.
  @Test(arguments: [false, true])
  func peripheralBehaviour18_aPhoneThatComesDuringAnAttemptIsLetIn(_ isAtCancel: Bool) throws {
    let world = try lost()
    let phone = VirtualCentral.iPhone(world.phone)
    phone.ownAddress = world.security.privateAddress(9)
    world.controller.connects = false
    world.advertise()
    world.pass(200)
    #expect(world.controller.initiating != nil)
    if isAtCancel {
      world.controller.cancelRace = .comes(phone)
    } else {
      world.comes(phone, thoughSilent: true)
    }
    world.pass(isAtCancel ? 40_000 : 2_000)
    #expect(phone.isEncrypted)
    #expect(world.controller.initiating == nil && world.controller.links.count == 1)
  }

  @Test func peripheralBehaviour23_aWrongKeyCostsNoBond() throws {
    let world = try lost()
    let phone = VirtualCentral.iPhone(world.phone)
    phone.wrongKey = [UInt8](repeating: 9, count: 16)
    #expect(world.comes(phone))
    world.pass(500)
    #expect(world.controller.link(phone) == nil)
    phone.wrongKey = nil
    var isLetIn = false
    for _ in 0..<100 where !isLetIn {
      world.pass(100)
      isLetIn = world.comes(phone)
    }
    #expect(phone.isEncrypted)
  }

  /// In the order of its support of Bangle.js, then a turn in pieces of each size.
  @Test(arguments: [1, 7, 20, 100])
  func peripheralBehaviour34_gadgetbridgeComesAndGuides(_ piece: Int) throws {
    let world = try lost()
    world.phone.hasService = false
    let phone = VirtualCentral.gadgetbridge(world.phone)
    phone.piece = piece
    #expect(world.comes(phone))
    // Komoot's last turn has its right of way until then.
    world.pass(15_000)
    #expect(phone.exchanges.suffix(3).allSatisfy { $0.answer == [0x13] })
    let json = #"GB({"t":"nav","instr":"Nebenstr.","distance":"950m","action":"left"})"#
    world.goOn(phone, with: [VirtualCentral.line(json)])
    world.pass(100)
    #expect(world.events("instruction").last?["street"] == "Nebenstr.")
    #expect(phone.notifications.allSatisfy { $0.count <= 23 })
  }

  // MARK: - Pairing

  @Test func peripheralBehaviour45_aPhoneThatBeginsThePairingIsRemembered() throws {
    let world = try World(["pairing=preferred", "advertise=on"], pairs: true)
    world.press("a")
    world.pass(200)
    let phone = VirtualCentral.pairing(world.phone)
    #expect(world.comes(phone))
    world.pass(500)
    world.press("a")
    world.pass(1_000)
    #expect(phone.pairingCount == 1 && phone.isEncrypted)
    #expect(phone.securityCommands.map { $0[0] } == [0x02, 0x0C, 0x03, 0x04, 0x0D, 0x08, 0x09])
    let table = phone.table.services.map(\.end)
    #expect(table == [5, 9, 15])
    world.loseLink()
    world.pass(300)
    let iPhone = VirtualCentral.iPhone(world.phone)
    iPhone.ownAddress = world.security.privateAddress(5)
    #expect(world.comes(iPhone))
    world.pass(500)
    #expect(iPhone.isEncrypted)
  }

  @Test func peripheralBehaviour46_outsideTheHalfMinuteNobodyPairs() throws {
    let world = try lost()
    let phone = VirtualCentral.pairing(world.phone)
    world.security.longTermKey = nil
    phone.whenPairingFails = [.wait(10_000)]
    world.comes(phone)
    world.pass(500)
    #expect(phone.securityCommands == [[0x05, 0x05]])
    #expect(phone.pairingCount == 0)
  }

  /// Found by the fuzzer: without its parameters, or its data, advertising was switched on all the same.
  @Test(arguments: [0x2006, 0x2008, 0x2009, 0x200A] as [UInt16])
  func peripheralBehaviour7_aControllerThatDoesNotAnswerToAllOfItIsLeftInPeace(_ opcode: UInt16)
    throws
  {
    let world = try World(["pairing=preferred", "advertise=on"], pairs: true)
    world.controller.withheld = [opcode]
    world.loseRadio()
    world.pass(20_000)
    #expect(!world.controller.advertising.isOn)
    let messages = world.events("error").compactMap { $0["message"] }
    #expect(messages.count { $0.contains("does not answer command") } == 2)
    #expect(messages.last?.contains("refuses to advertise") == true)
    world.tell(8, 200, "Nebenstraße")
    world.advertise()
    world.pass(1_500)
    world.press("a")
    world.pass(4_000)
    #expect(world.events("instruction").last?["street"] == "Nebenstraße")
  }
}

import Expecting
import TestSupport
import VirtualAir
import VirtualDevice

/// The whole device, and phones that come by themselves.
@Suite struct ComingPhoneRideTests {
  /// A device that has lost its phone, and says that it is there.
  private func lost(_ settings: [String] = [], prepare: (World) -> Void = { _ in }) throws -> World
  {
    let world = try World.paired(["advertise=on"] + settings, prepare: prepare)
    world.loseLink()
    world.pass(200)
    world.phone.forgetRequests()
    _ = world.takeEventsSoFar()
    return world
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
    expect(world.events("instruction").last?["street"], "Nebenstraße")
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
    expect(world.controller.link(phone) != nil && phone.isEncrypted)
    world.phone.hasService = true
    world.notify(VirtualPhone.serviceChanged)
    world.pass(1_000)
    world.tell(8, 100, "Gasse", id: 3)
    expect(world.events("instruction").last?["street"], "Gasse")
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
    expect(phone.isEncrypted)
    expect(world.controller.initiating == nil && world.controller.links.count == 1)
  }

  /// In the order of its support of Bangle.js, then a turn in pieces of each size.
  @Test(arguments: [1, 7, 20, 100])
  func peripheralBehaviour34_gadgetbridgeComesAndGuides(_ piece: Int) throws {
    let world = try lost()
    world.phone.hasService = false
    let phone = VirtualCentral.gadgetbridge(world.phone)
    phone.piece = piece
    expect(world.comes(phone))
    // Komoot's last turn has its right of way until then.
    world.pass(15_000)
    #expect(phone.exchanges.suffix(3).allSatisfy { $0.answer == [0x13] })
    let json = #"GB({"t":"nav","instr":"Nebenstr.","distance":"950m","action":"left"})"#
    world.goOn(phone, with: [VirtualCentral.line(json)])
    world.pass(100)
    expect(world.events("instruction").last?["street"], "Nebenstr.")
    #expect(phone.notifications.allSatisfy { $0.count <= 23 })
  }

  // MARK: - Pairing

  @Test func peripheralBehaviour45_aPhoneThatBeginsThePairingIsRemembered() throws {
    let world = try World(["pairing=preferred", "advertise=on"], pairs: true)
    world.press("a")
    world.pass(200)
    let phone = VirtualCentral.pairing(world.phone)
    expect(world.comes(phone))
    world.pass(500)
    world.press("a")
    world.pass(1_000)
    expect(phone.pairingCount == 1 && phone.isEncrypted)
    expect(phone.securityCommands.map { $0[0] }, [0x02, 0x0C, 0x03, 0x04, 0x0D, 0x08, 0x09])
    let table = phone.table.services.map(\.end)
    expect(table, [5, 9, 15])
    world.loseLink()
    world.pass(300)
    let iPhone = VirtualCentral.iPhone(world.phone)
    iPhone.ownAddress = world.security.privateAddress(5)
    expect(world.comes(iPhone))
    world.pass(500)
    expect(iPhone.isEncrypted)
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
    expect(!world.controller.advertising.isOn)
    let messages = world.events("error").compactMap { $0["message"] }
    expect(messages.count { $0.contains("does not answer command") }, 2)
    expect(messages.last?.contains("refuses to advertise"), true)
    world.tell(8, 200, "Nebenstraße")
    world.advertise()
    world.pass(1_500)
    world.press("a")
    world.pass(4_000)
    expect(world.events("instruction").last?["street"], "Nebenstraße")
  }
}

import Expecting
import TestSupport
import VirtualAir
import VirtualDevice

@testable import Replaying

/// The whole device, and phones that come by themselves.
struct ComingPhoneTests {
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

  @Test func peripheralBehaviour5_aPhoneWhoseLinkAResetEndsMayComeAgainAfterTenQuietMinutes() throws
  {
    let world = try lost()
    world.phone.hasService = false
    let phone = VirtualCentral.iPhone(world.phone)
    world.comes(phone)
    world.pass(700_000)
    expect(phone.isEncrypted)
    world.loseRadio()
    world.pass(5_000)
    expect(world.comes(phone) && phone.isEncrypted)
  }

  /// The attempt to the phone has lasted too long and is being called back.
  @Test func peripheralBehaviour18_aPhoneThatComesAsAnAttemptIsCalledBackIsLetIn() throws {
    let world = try lost()
    let phone = VirtualCentral.iPhone(world.phone)
    phone.ownAddress = world.security.privateAddress(9)
    world.controller.connects = false
    world.advertise()
    world.pass(200)
    #expect(world.controller.initiating != nil)
    world.controller.cancelRace = .comes(phone)
    world.pass(40_000)
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

  // MARK: - Reports of it

  /// A phone that was paired with and lost, and has komoot no more.
  private func gone() throws -> World {
    let world = try lost(["report=file:/tmp/report"])
    world.phone.hasService = false
    world.pass(15_000)
    return world
  }

  /// The phone comes by itself under a private address of this number.
  @discardableResult
  private func come(_ phone: VirtualCentral, _ number: UInt8, _ world: World) -> VirtualCentral {
    phone.ownAddress = world.security.privateAddress(number)
    expect(world.comes(phone))
    return phone
  }

  /// OsmAnd says so many lines by Gadgetbridge.
  private func guide(_ lines: Int, every milliseconds: Int64, _ world: World) {
    let phone = come(.gadgetbridge(world.phone), 7, world)
    world.pass(6_000)
    for index in 0..<lines {
      let distance = 3_000 - 20 * (index % 150)
      let text = "after 200 meters turn left onto  Nebenweg \(index / 150)"
      let line = #"GB({"t":"nav","instr":"\#(text)","distance":"\#(distance)m","action":"left"})"#
      world.goOn(phone, with: [VirtualCentral.line(line)])
      world.pass(milliseconds)
    }
    expect(phone.isEncrypted && phone.linkCount == 1)
  }

  @Test func centralBehaviour123_aRideOnALinkThatThePhoneMadeReplaysMessageForMessage() throws {
    let world = try gone()
    guide(5, every: 2_000, world)
    try world.replaysTheSame()
  }

  /// Of an hour the report has the last minutes, and how the link was made.
  @Test func centralBehaviour123_aRideOfAnHourOnALinkThatThePhoneMadeReplays() throws {
    let world = try gone()
    guide(360, every: 10_000, world)
    let player = try world.replay()
    expect(player.comparison.divergences, [])
    #expect(player.comparison.matches > 200)
    #expect(player.comparison.starts.count > 1)
    let events = String(decoding: player.events, as: UTF8.self)
    #expect(events.contains("Nebenweg 2"), "the lines at its end were heard")
  }

  /// Strangers come before the phone does, and the phone without its key.
  @Test func centralBehaviour123_whoIsLetInAndWhoIsNotReplays() throws {
    let world = try gone()
    for number in 1...3 as ClosedRange<UInt8> {
      let stranger = VirtualCentral.stranger(VirtualPhone())
      stranger.ownAddress = VirtualSecurity(number: 7).privateAddress(number)
      world.comes(stranger)
      world.pass(1_200)
    }
    let silent = come(VirtualCentral(world.phone), 3, world)
    world.pass(500)
    world.loseLink(of: silent)
    world.pass(1_100)  // the search listens first
    let wrong = VirtualCentral.iPhone(world.phone)
    wrong.wrongKey = [UInt8](repeating: 7, count: 16)
    come(wrong, 4, world)
    world.pass(2_000)
    guide(3, every: 2_000, world)
    try world.replaysTheSame()
  }

  /// Whose owners say yes or no, or one of which goes away in its middle.
  @Test(arguments: [VirtualCentral.Owner.agrees, .declines, .waits])
  func centralBehaviour123_aPairingThatThePhoneBeganReplays(_ owner: VirtualCentral.Owner) throws {
    let world = try World(
      ["report=file:/tmp/report", "advertise=on", "pairing=required"], pairs: true)
    for step in [[], [.ask([0x02, 0x05, 0x02]), .pair], nil] as [[VirtualCentral.Step]?] {
      world.press("a")
      world.pass(1_500)
      let phone = VirtualCentral.pairing(world.phone)
      phone.owner = step == nil ? .agrees : owner
      if let step { phone.steps = step + [.wait(100)] }
      come(phone, 5, world)
      world.pass(1_500)
      if step == nil { world.press("a") }
      world.pass(1_000)
      if step != nil { world.loseLink(of: phone) }
      world.pass(61_000)
    }
    try world.replaysTheSame()
  }
}

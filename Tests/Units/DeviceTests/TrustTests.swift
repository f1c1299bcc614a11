import Bytes
import Expecting
import Navigation
import TestSupport
import VirtualAir
import VirtualDevice

/// What the rider sees of phones that are not, or may not be, the own one.
struct TrustTests {
  private func riding() throws -> World {
    let world = try World.paired()
    expect(world.shows(.turn(.right, "350 m", "Hauptstraße")))
    return world
  }

  /// The turn is there, as old as the events say and with the mark.
  private func expectMarkedTurn(_ world: World) {
    let seconds = world.events("stale").last?[number: "age"] ?? 0
    let shot = Shot.turn(
      .right, "350 m", "Hauptstraße", age: Age(milliseconds: Int64(seconds) * 1_000),
      isLinkLost: true, isPhoneInDoubt: true)
    expect(world.showsAnywhere(shot))
  }

  private func loseAndDeny(_ world: World, times: Int) {
    world.loseLink()
    for _ in 0..<times {
      world.deny()
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
    expect(world.shows(.turn(.right, "350 m", "Hauptstraße")))
    world.loseLink()
    world.pass(60_000)
    expectMarkedTurn(world)
    expect(world.events("scan").last.map { $0["mode"] }, "off")
    world.press("a")
    expect(world.showsAnywhere(.noPhone), "behind the turn")
    world.press("a")
    world.advertise()
    world.pass(1_000)
    expect(world.shows(.comparison(world.security.digits, phone: "")))
  }

  @Test func centralBehaviour45_aTurnStaysWithAMarkThoughThePhoneSeemsToHaveForgottenUs() throws {
    let world = try riding()
    loseAndDeny(world, times: 5)
    expectMarkedTurn(world)
    #expect(world.events("bond").count { $0["state"] == "rejected" } >= 3)
    world.pass(600_000)
    world.press("a")
    expect(world.showsAnywhere(.forgotten("Fairy")), "once the panel is lit")
  }

  @Test func centralBehaviour45_noWordOfAPairingHidesATurn() throws {
    let world = try riding()
    loseAndDeny(world, times: 3)
    world.press("aa")
    world.deny()
    world.press("b")
    world.pass(1_000)
    expect(world.states("pairing").last, "failed")
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
    expect(world.showsAnywhere(turn))
    world.pass(1)
    expect(world.showsAnywhere(.forgotten("Fairy")))
  }

  /// Nor does a controller that fails begin a search, and no radio is not laid to a store that fails later.
  @Test func centralBehaviour46_untilTheStoreWasReadNobodyIsSearchedFor() throws {
    let world = try World(["pairing=preferred"], pairs: true, boots: false)
    world.faults[.store] = .inputOutput
    world.tell(8, 350, "Hauptstraße")
    for second in 0..<30 {
      if second == 5 { world.receive(bytes("04 10 01 42")) }
      world.advertise()
      world.pass(1_000)
    }
    expect(world.events("scan").isEmpty && world.controller.commands.isEmpty)
    let message = world.events("error").last { $0["source"] == "store" }?["message"] ?? ""
    #expect(message.hasPrefix("/var/lib/lenker/bond: "))
    expect(world.shows(.noStore(message)))
    world.faults[.store] = nil
    world.pass(2_000)
    world.advertise()
    world.pass(2_000)
    expect(world.shows(.comparison(world.security.digits, phone: "Fairy")))
    world.faults[.store] = .noSpace
    world.fail(.store, .noSpace)
    world.loseRadio()
    expect(world.connection, .noRadio)
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
    expect(world.disk == before && world.asides == 0)
    expect(world.events("error").compactMap { $0["source"] }, ["store"], "once")
    #expect(world.events("scan").isEmpty)
  }
}

/// What the rider sees of phones that are followed for one ride, and of strangers beside it.
struct GuestRideTests {
  /// A phone that pairs in this manner was agreed to, and rides.
  private func riding(
    _ manner: VirtualSecurity.Manner = .refusal(0x05)
  ) throws -> World {
    let world = try World.paired { $0.security.manner = manner }
    expect(world.shows(Shot.turn(.right, "350 m", "Hauptstraße")))
    return world
  }

  // MARK: - A link that is not the ride's

  @Test(arguments: [false, true])
  func centralBehaviour69_aStrangersLinkDoesNotTakeTheMarkOfALostLinkAway(
    _ isStrangerThere: Bool
  ) throws {
    let world = try riding()
    world.loseLink()
    world.pass(15_000)
    let security = VirtualSecurity(number: 9)
    security.manner = .silence
    world.press("aaa")  // through all pages, back to the turn
    if isStrangerThere {
      world.controller.phone = VirtualPhone()
      world.controller.phone?.security = security
      world.controller.phone?.address = security.privateAddress(1)
      for _ in 0..<10 {
        world.controller.advertise(world)
        world.pass(100)
      }
    } else {
      world.pass(1_000)
    }
    func shows(isLinkLost: Bool) -> Bool {
      (10...24).contains {
        let shot = Shot.turn(
          .right, "350 m", "Hauptstraße", age: Age(milliseconds: Int64($0) * 1_000),
          isLinkLost: isLinkLost)
        return world.showsAnywhere(shot)
      }
    }
    expect(shows(isLinkLost: true) && !shows(isLinkLost: false))
  }

  /// A remembered phone is away, and somebody sends its address each minute.
  @Test(arguments: [false, true])
  func centralBehaviour69_whoHasNoKeyDoesNotKeepThePanelLit(_ isSomebodyThere: Bool) throws {
    let world = try riding(.comparison)
    world.loseLink()
    world.security.longTermKey = nil
    for _ in 0..<30 {
      if isSomebodyThere { world.advertise() }
      world.pass(61_000)
    }
    expect(!world.isLit, "half an hour after the phone has gone")
  }

  /// A phone is waited for, and the panel is dim.
  @Test(arguments: [false, true])
  func centralBehaviour69_onlyALinkThatIsTrustedMakesADimPanelBright(_ hasKey: Bool) throws {
    let first = try riding(.comparison)
    let world = try first.restarted()
    world.pass(90_000)
    let dim = world.panel.contrast
    expect(world.showsAnywhere(.waiting("Fairy")))
    if !hasKey { world.security.longTermKey = nil }
    world.controller.encrypts = false
    world.advertise()
    expect(world.showsAnywhere(.connecting("Fairy")) && world.panel.contrast == dim)
    world.controller.encrypts = true
    world.controller.encryptionEnds(world)
    world.pass(100)
    expect((world.panel.contrast > dim), hasKey)
  }

  /// As long as a trusted link is there it stays lit, and ten minutes longer.
  @Test func centralBehaviour69_aLinkThatIsTheRidesKeepsThePanelLit() throws {
    let world = try riding()
    world.pass(3_600_000)
    expect(world.isLit)
    world.loseLink()
    world.pass(599_999)
    expect(world.isLit)
    world.pass(1)
    expect(!world.isLit)
  }
}

/// How long others keep the rider's phone out: measured in twenty phases of its advertising to theirs.
///
/// `Tests/fair-turns` prints the figures.
struct FairTurnTests {
  private static let phases = 20

  /// In a ride, and after it.
  @Test(arguments: [(1, 2_000), (8, 5_000), (16, 10_000)], Replay.Manner.allCases)
  func centralBehaviour70_recordedAddressesKeepThePhoneOutForSecondsAtMost(
    _ number: (addresses: Int, limit: Int64), _ manner: Replay.Manner
  ) throws {
    for isInRide in [true, false] {
      let replay = Replay(addresses: number.addresses, manner: manner, isInRide: isInRide)
      let times = try replay.measure(phases: Self.phases).times
      #expect(times.allSatisfy { $0 <= number.limit }, "\(isInRide): \(times)")
    }
  }

  @Test func centralBehaviour70_fourSensorsOutOfReachCostAnIPhoneInTheBackgroundThreeSecondsAtMost()
    throws
  {
    let without = try OutOfReach(sensors: 0).measure(phases: Self.phases)
    for sensors in 1...4 {
      let with = try OutOfReach(sensors: sensors).measure(phases: Self.phases)
      #expect(with.longest <= without.longest + 3_000, "\(sensors): \(with.times)")
      #expect(with.median <= without.median + 3_000, "\(sensors): \(with.times)")
    }
  }
}

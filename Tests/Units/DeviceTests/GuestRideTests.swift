import Bytes
import Device
import Navigation
import Screens
import TestSupport
import Testing
import VirtualAir
import VirtualDevice

/// What the rider sees of phones that are followed for one ride, and of strangers beside it.
@Suite struct GuestRideTests {
  private static let turn = Shot.turn(.right, "350 m", "Hauptstraße")
  private static let wrongTurn = Told(5, 20, "Wrong way")

  /// A phone that pairs in this manner was agreed to, and rides.
  private func riding(
    _ manner: VirtualSecurity.Manner = .refusal(0x05), _ settings: [String] = ["pairing=preferred"],
    change: (World) -> Void = { _ in }
  ) throws -> World {
    let world = try World(settings, pairs: true)
    world.security.manner = manner
    change(world)
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    world.pass(1_200)
    world.press("a")
    world.pass(5_000)
    #expect(world.shows(Self.turn))
    return world
  }

  /// Somebody near by with this address, whose value is a wrong turn.
  private func stranger(_ address: [UInt8], _ manner: VirtualSecurity.Manner) -> VirtualPhone {
    let stranger = VirtualPhone()
    stranger.address = address
    let security = VirtualSecurity(number: 9)
    security.manner = manner
    stranger.security = security
    stranger.battery = [7]
    stranger.value = instruction(5, 20, Array("Wrong way".utf8), id: 9)
    return stranger
  }

  private func come(_ stranger: VirtualPhone, _ world: World) {
    world.controller.phone = stranger
    for _ in 0..<10 {
      world.controller.advertise(world)
      world.pass(100)
    }
  }

  private func shows(_ world: World, _ shot: Shot) -> Bool {
    world.shows(shot) || world.showsMoved(shot)
  }

  private func states(_ world: World) -> [String] {
    world.events("pairing").compactMap { $0["state"] }
  }

  // MARK: - For this ride

  /// With the address of yesterday, or another one.
  @Test(arguments: [0, 1] as [UInt8])
  func centralBehaviour68_whoWasFollowedForOneRideIsAskedAboutInTheNext(_ other: UInt8) throws {
    let world = try riding()
    world.loseLink()
    world.pass(24 * 3_600_000)
    #expect(world.events("scan").last.map { $0["mode"] } == "off")
    world.press("a")  // lights the panel
    world.press("a")
    come(stranger(world.security.privateAddress(1 + other), .refusal(0x05)), world)
    #expect(shows(world, .noCode("Fairy")))
    #expect(!world.told.contains(Self.wrongTurn))
    #expect(states(world).last == "ask")
  }

  @Test func centralBehaviour68_theAddressOfWhoWasComparedShowsNobodyElsesTurn() throws {
    let world = try riding(.comparison) { $0.security.isBonding = false }
    #expect(states(world) == ["confirm", "done"])
    world.loseLink()
    come(stranger(world.security.privateAddress(1), .refusal(0x05)), world)
    #expect(!world.told.contains(Self.wrongTurn))
    #expect(states(world) == ["confirm", "done"], "nobody is asked about unasked")
    #expect(world.events("bond").compactMap { $0["state"] } == ["rejected"])
  }

  @Test func centralBehaviour68_whoWasComparedAndKeepsNoKeyIsComparedAgainAfterAPress() throws {
    let world = try riding(.comparison) { $0.security.isBonding = false }
    world.loseLink()
    world.security.longTermKey = nil
    for _ in 0..<3 {
      world.advertise()
      world.pass(61_000)
    }
    let age = Age(milliseconds: Int64(world.events("stale").last?[number: "age"] ?? 0) * 1_000)
    let marked = Shot.turn(
      .right, "350 m", "Hauptstraße", age: age, isLinkLost: true, isPhoneInDoubt: true)
    #expect(shows(world, marked), "the mark says that there is something to do")
    world.press("a")
    world.tell(5, 120, "Am Markt", id: 2)
    world.advertise()
    world.pass(1_000)
    world.press("a")
    world.pass(3_000)
    #expect(states(world).suffix(2) == ["confirm", "done"])
    #expect(world.told.last == Told(5, 120, "Am Markt"))
  }

  /// It hands out no identity, and says that it keeps the key, or that it does not.
  @Test(arguments: [false, true], ["preferred", "required"])
  func centralBehaviour75_whoIsNotRememberedIsFollowedForTheRide(
    _ keepsKey: Bool, _ pairing: String
  ) throws {
    let world = try riding(.comparison, ["pairing=\(pairing)"]) {
      $0.security.isBonding = keepsKey
      $0.security.handsOutIdentity = false
    }
    #expect(states(world) == ["confirm", "done"])
    #expect(world.disk.allSatisfy { $0 == 0 })
    world.press("b")
    #expect(world.shows(.phone("Fairy", .ride)))
    world.loseLink()
    world.pass(500)
    world.tell(5, 120, "Am Markt", id: 2)
    world.advertise()
    world.pass(1_000)
    // Where a code is a must, nobody is searched for that says that it will not have the key.
    let isFollowed = keepsKey || pairing == "preferred"
    #expect((world.told.last == Told(5, 120, "Am Markt")) == isFollowed)
    #expect(states(world) == ["confirm", "done"])
  }

  // MARK: - A link that is not the ride's

  /// Through the pages to that of the ride: of what a stranger says only its name may be shown.
  @Test func centralBehaviour69_theBatteryOfAPhoneNobodyAgreedToIsNotShown() throws {
    func glass(_ battery: UInt8) throws -> String {
      let world = try World(["pairing=preferred"], pairs: true)
      world.security.manner = .silence
      world.phone.battery = [battery]
      world.tell(8, 350, "Hauptstraße")
      world.advertise()
      world.pass(1_000)
      world.press("a")
      world.pass(1_000)
      #expect(states(world).isEmpty, "there was no question to agree to")
      #expect(world.connection == .connecting)
      return world.glass
    }
    let (low, high) = (try glass(7), try glass(93))
    #expect(low == high)
  }

  @Test(arguments: [false, true])
  func centralBehaviour69_aStrangersLinkDoesNotTakeTheMarkOfALostLinkAway(
    _ isStrangerThere: Bool
  ) throws {
    let world = try riding()
    world.loseLink()
    world.pass(15_000)
    let other = stranger(VirtualSecurity(number: 9).privateAddress(1), .silence)
    world.press("aaa")  // through all pages, back to the turn
    if isStrangerThere { come(other, world) } else { world.pass(1_000) }
    func shows(isLinkLost: Bool) -> Bool {
      (10...24).contains {
        let shot = Shot.turn(
          .right, "350 m", "Hauptstraße", age: Age(milliseconds: Int64($0) * 1_000),
          isLinkLost: isLinkLost)
        return self.shows(world, shot)
      }
    }
    #expect(shows(isLinkLost: true) && !shows(isLinkLost: false))
  }

  @Test(arguments: [false, true])
  func centralBehaviour69_anotherRiderWhoPassesDoesNotEndTheSearchForTheLostPhone(
    _ doesPass: Bool
  ) throws {
    let world = try riding()
    let own = world.phone
    world.loseLink()
    world.pass(3_000)
    if doesPass {
      come(stranger(VirtualSecurity(number: 9).privateAddress(1), .comparison), world)
      #expect(world.events("link").last.map { $0["state"] } == "disconnected")
    }
    world.controller.phone = own
    world.pass(60_000)
    own.value = instruction(5, 120, Array("Am Markt".utf8), id: 3)
    for _ in 0..<30 {
      world.advertise()
      world.pass(1_000)
    }
    #expect(world.told.last == Told(5, 120, "Am Markt"))
    #expect(!world.told.contains(Self.wrongTurn))
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
    let isLit = world.device.isPanelOn
    #expect(!isLit, "half an hour after the phone has gone")
  }

  /// A phone is waited for, and the panel is dim.
  @Test(arguments: [false, true])
  func centralBehaviour69_onlyALinkThatIsTrustedMakesADimPanelBright(_ hasKey: Bool) throws {
    let first = try riding(.comparison)
    let world = try World(["pairing=preferred"], boots: false)
    world.disk = first.disk
    world.meet(first)
    world.pass(90_000)
    let dim = world.panel.contrast
    #expect(shows(world, .waiting("Fairy")))
    if !hasKey { world.security.longTermKey = nil }
    world.controller.encrypts = false
    world.advertise()
    #expect(shows(world, .connecting("Fairy")) && world.panel.contrast == dim)
    world.controller.encrypts = true
    world.controller.encryptionEnds(world)
    world.pass(100)
    #expect((world.panel.contrast > dim) == hasKey)
  }

  /// As long as a trusted link is there it stays lit, and ten minutes longer.
  @Test func centralBehaviour69_aLinkThatIsTheRidesKeepsThePanelLit() throws {
    let world = try riding()
    func isLit() -> Bool { world.device.isPanelOn }
    world.pass(3_600_000)
    #expect(isLit())
    world.loseLink()
    world.pass(599_999)
    #expect(isLit())
    world.pass(1)
    #expect(!isLit())
  }
}

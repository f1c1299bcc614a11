import Bond
import Central
import Expecting
import PlainBonds
import TestSupport
import VirtualAir

/// What a phone has set on our server: it goes with the bond, and only with that.
struct ServedBondTests {
  private static let subscribe = ["12 09 00 02 00", "12 0f 00 01 00"]
  private static let indication = "1d 08 00 01 00 ff ff"

  /// What the phone reads of both configurations.
  private func configurations(_ scene: Encounter) -> [String] {
    ["0a 09 00", "0a 0f 00"].flatMap { scene.answers(to: $0) }
  }

  private func subscribeAndKeep(_ scene: Encounter) {
    for request in Self.subscribe { expect(scene.answers(to: request), ["13"]) }
    scene.central.adoptBond()
    _ = scene.central.takeEvents()
  }

  /// The phone's pairing with us as a store would have it: it knows this table, and subscribes to this.
  private func start(
    table: UInt8, _ subscriptions: [Bond.Served.Subscription] = [.serviceChanged]
  ) throws -> Encounter {
    let scene = Encounter.pairedAndLost()
    var bond = scene.bond
    bond.ltk = scene.security.longTermKey.map { array($0.bytes) }
    bond.served = Bond.Served(table: table)
    for subscription in subscriptions { bond.served[subscription] = true }
    scene.central.rememberNobody()
    try scene.central.remember(bond)
    _ = scene.central.takeEvents()
    return scene
  }

  // MARK: - P32

  @Test func peripheralBehaviour32_aConfigurationOutlivesTheLink() {
    let scene = Encounter.paired()
    expect(configurations(scene), ["0b 00 00", "0b 00 00"])
    subscribeAndKeep(scene)
    expect(configurations(scene), ["0b 02 00", "0b 01 00"])
    for _ in 0..<2 {
      scene.lose()
      #expect(scene.meet().contains(.encrypted))
      expect(configurations(scene), ["0b 02 00", "0b 01 00"])
    }
    expect(scene.answers(to: "12 0f 00 00 00"), ["13"])
    scene.central.adoptBond()
    scene.lose()
    _ = scene.meet()
    expect(configurations(scene), ["0b 02 00", "0b 00 00"])
  }

  /// Also before it is on the disk: of the remembered phone, and of one that was paired with just now.
  @Test(arguments: [false, true])
  func peripheralBehaviour32_whatWaitsForTheDiskIsNotLost(_ isNew: Bool) {
    let scene = Encounter()
    scene.agree()
    if !isNew { scene.central.adoptBond() }
    for request in Self.subscribe { expect(scene.answers(to: request), ["13"]) }
    scene.lose()
    if isNew { scene.central.adoptBond() }
    scene.central.pass(1_000)
    _ = scene.meet()
    expect(configurations(scene), ["0b 02 00", "0b 01 00"])
  }

  @Test func peripheralBehaviour32_nobodyElseHasAConfiguration() {
    let scene = Encounter.met()
    for request in Self.subscribe {
      expect(scene.answers(to: request), ["01 " + request.prefix(8) + " 05"])
    }
    scene.central.confirm(true)
    scene.central.adoptBond()
    expect(configurations(scene), ["0b 00 00", "0b 00 00"], "it set nothing as a stranger")
  }

  /// It has lost its key, or the rider forgot it.
  @Test(arguments: [false, true])
  func peripheralBehaviour32_aPhoneThatIsPairedAnewHasSetNothing(_ isForgotten: Bool) {
    let scene = Encounter.paired()
    subscribeAndKeep(scene)
    if isForgotten {
      scene.central.forget()
      scene.central.pass(61_000)
    } else {
      scene.lose()
      scene.security.longTermKey = nil
      scene.meetAgain(3)
    }
    scene.central.searchFast()
    scene.agree()
    expect(configurations(scene), ["0b 00 00", "0b 00 00"])
    scene.central.adoptBond()
    scene.lose()
    _ = scene.meet()
    expect(configurations(scene), ["0b 00 00", "0b 00 00"])
  }

  /// A write to the disk for each change, and for nothing else.
  @Test func peripheralBehaviour32_onlyAChangeIsWritten() {
    let scene = Encounter.paired()
    func changes(_ request: String) -> Int {
      _ = scene.answers(to: request)
      return scene.central.takeEvents().count { $0 == .bondChanged }
    }
    expect(["12 0f 00 01 00", "12 0f 00 01 00", "12 0f 00 00 00"].map(changes), [1, 0, 1])
    expect(
      ["12 0f 00 00 00", "12 0f 00 02 00", "12 0f 00", "0a 0f 00"].map(changes), [0, 0, 0, 0])
    expect(["12 0c 00 41", "1e", "12 09 00 00 00"].map(changes), [0, 0, 0])
    subscribeAndKeep(scene)
    scene.lose()
    #expect(!scene.meet().contains(.bondChanged))
    expect(Self.subscribe.map(changes), [0, 0])
  }

  // MARK: - P33

  /// V20.
  @Test(arguments: [0, 2, 0xFF] as [UInt8])
  func peripheralBehaviour33_aPhoneThatKnowsAnotherTableIsToldOnce(_ table: UInt8) throws {
    let scene = try start(table: table)
    expect(scene.said { _ = scene.meet() }, [Self.indication])
    scene.central.adoptBond()  // the phone's name was new
    _ = scene.central.takeEvents()
    expect(scene.said { scene.central.pass(5_000) }, [])
    expect(scene.answers(to: "0a 09 00"), ["0b 02 00"], "it is answered meanwhile")
    expect(scene.answers(to: "1e"), [])
    #expect(scene.central.takeEvents().contains(.bondChanged))
    scene.central.adoptBond()
    expect(scene.answers(to: "1e"), [])
    scene.central.pass(40_000)
    expect(scene.controller.isConnected && !scene.central.takeEvents().contains(.bondChanged))
    scene.lose()
    expect(scene.said { _ = scene.meet() }, [])
    expect(configurations(scene), ["0b 02 00", "0b 00 00"])
  }

  /// It knows the table, does not subscribe to that, or does so only now.
  @Test func peripheralBehaviour33_nobodyElseIsTold() throws {
    for scene in [try start(table: 1), try start(table: 0, []), try start(table: 0, [.uart])] {
      expect(scene.said { _ = scene.meet() }, [])
      expect(scene.said { scene.central.pass(5_000) }, [])
    }
    let scene = Encounter.paired()
    subscribeAndKeep(scene)
    scene.lose()
    expect(scene.said { _ = scene.meet() }, [], "it was paired with this table")
    let keyless = try start(table: 0)
    keyless.security.longTermKey = nil
    expect(keyless.said { _ = keyless.meet() }, [], "nor before the encryption")
  }

  /// Half a confirmation is none, and neither is one before the indication.
  @Test func peripheralBehaviour33_whatIsNotConfirmedIsToldOnTheNextLinkAgain() throws {
    let scene = try start(table: 0)
    scene.controller.encrypts = false
    _ = scene.meet()
    expect(scene.answers(to: "1e"), [])
    expect(scene.said { scene.controller.encryptionEnds(scene.central) }, [Self.indication])
    expect(scene.answers(to: "1e 00"), [])
    scene.lose()
    scene.controller.encrypts = true
    expect(scene.said { _ = scene.meet() }, [Self.indication])
  }

  /// After 30 s the bearer has ended.
  ///
  /// Vol 3, Part F, 3.3.3. It is not told again at each link, which would end each.
  @Test func peripheralBehaviour33_aPhoneThatNeverConfirmsLosesOneLink() throws {
    let scene = try start(table: 0)
    _ = scene.meet()
    scene.central.pass(29_700)
    expect(scene.controller.isConnected)
    scene.central.pass(300)
    expect(!scene.controller.isConnected)
    let events = scene.central.takeEvents()
    expect(events.contains(.unanswered) && events.contains(.bondChanged))
    scene.central.adoptBond()
    expect(scene.said { _ = scene.meet() }, [])
    scene.central.pass(60_000)
    expect(scene.controller.isConnected)
  }

  /// Answers have left no room for it when the link is encrypted.
  @Test(arguments: [false, true])
  func peripheralBehaviour33_whatWaitsForRoomIsToldToWhoStillSubscribes(_ isLeft: Bool) throws {
    let scene = try start(table: 0)
    scene.controller.encrypts = false
    _ = scene.meet()
    scene.central.isTransportFull = true
    let dropped = scene.central.droppedCount
    let said = scene.said {
      for _ in 0..<200 where scene.central.droppedCount == dropped {
        scene.controller.send(channel: 0x04, bytes("0a 03 00"), scene.central)
      }
      expect(scene.central.droppedCount, dropped + 1)
      scene.controller.encryptionEnds(scene.central)
      if isLeft { scene.controller.send(channel: 0x04, bytes("12 09 00 00 00"), scene.central) }
      scene.central.isTransportFull = false
      scene.central.pass(100)
    }
    expect(said.contains(Self.indication) != isLeft && said.contains("13") == isLeft)
  }
}

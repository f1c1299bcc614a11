import Bytes
import Expecting
import TestSupport
import VirtualDevice

/// Each pairing that anybody is told of ends, and is told to be done or to have failed.
struct PairingOutcomeTests {
  /// What does not come any more: a command of the phone, by its code, the end of the encryption, or the
  /// rider's answer.
  enum Gap: UInt8, CaseIterable {
    case response = 0x02
    case publicKey = 0x0C
    case confirm = 0x03
    case random = 0x04
    case answer = 0x00
    case check = 0x0D
    case encryption = 0xFF
    case identity = 0x08
    case identityAddress = 0x09

    func swallows(_ packet: [UInt8]) -> Bool {
      switch self {
      case .answer: false
      case .encryption: packet.starts(with: [0x04, 0x08])
      default:
        packet.count > 9 && packet[0] == 0x02 && packet[7] == 0x06 && packet[9] == rawValue
      }
    }
  }

  /// How it ends then.
  enum End: CaseIterable {
    case silence, lossOfTheLink, goodbye, lossOfTheRadio, resetOfTheChip, forgetting, failure
    case inability

    func happen(in world: World) {
      switch self {
      case .silence: world.pass(30_000)
      case .lossOfTheLink: world.loseLink()
      case .goodbye: world.loseLink(reason: 0x13)
      case .lossOfTheRadio: world.loseRadio()
      case .resetOfTheChip: world.receive(bytes("04 10 01 42"))
      case .forgetting: world.press("B")
      case .failure: world.controller.send(channel: 0x06, [0x05, 0x08], world)
      case .inability: world.controller.send(channel: 0x06, [0x05, 0x05], world)
      }
    }
  }

  private func isEnd(_ state: String) -> Bool { state == "done" || state == "failed" }

  /// The rider says yes as soon as there is a question, unless nobody answers.
  private func meeting(_ policy: String, _ change: (World) -> Void) throws -> World {
    let world = try World(["pairing=\(policy)"], pairs: true)
    change(world)
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    world.pass(1_500)
    return world
  }

  @Test(arguments: Gap.allCases, End.allCases)
  func centralBehaviour75_whereverAPairingEndsItIsToldToHaveFailed(
    _ gap: Gap, _ end: End
  ) throws {
    for policy in ["preferred", "required"] {
      let world = try meeting(policy) { $0.onHear = { gap.swallows($0) ? [] : [$0] } }
      if gap != .answer, world.pairings.last == "confirm" { world.press("a") }
      world.pass(100)
      expect(world.security.codes.first, 0x01, "it was asked to pair")
      end.happen(in: world)
      world.pass(70_000)
      let told = world.pairings
      expect(told.last == "failed" && !told.contains("done"), "\(policy): \(told)")
      // A question has an end of its own.
      #expect(told.count { isEnd($0) } >= told.count { !isEnd($0) }, "\(policy): \(told)")
      #expect(world.told.isEmpty, "\(policy): a turn without a pairing")
    }
  }

  /// How a phone is agreed to, and what is remembered of it.
  enum Agreement: CaseIterable { case byKey, withoutKey, withoutIdentity, byAddress, forThisRide }

  @Test(arguments: Agreement.allCases)
  func centralBehaviour75_whateverIsRememberedOfItAPairingIsToldToBeDone(
    _ agreement: Agreement
  ) throws {
    let world = try meeting("preferred") {
      $0.security.isBonding = agreement != .withoutKey
      $0.security.handsOutIdentity = agreement != .withoutIdentity
      if agreement == .byAddress { $0.phone.address = bytes("01 55 44 33 22 11 c1") }
      if agreement == .byAddress || agreement == .forThisRide {
        $0.security.manner = .refusal(0x05)
      }
    }
    world.press("a")
    world.pass(5_000)
    let isAsked = agreement == .byAddress || agreement == .forThisRide
    expect(world.pairings, isAsked ? ["failed", "ask", "done"] : ["confirm", "done"])
    expect(world.told, [Told(8, 350, "Hauptstraße")])
    let other = try meeting("preferred") { _ in }
    other.faults[.store] = .noSpace
    other.press("a")
    other.pass(5_000)
    expect(other.pairings, ["confirm", "failed"])
    expect(other.events("pairing").last?["reason"], "not saved")
  }
}

/// A phone that was paired without a code where one is required, and one that has to wait for its pairing.
struct MissingCodeRideTests {
  /// It was paired without a code; what is on the disk then.
  private func paired() throws -> World {
    let world = try World.paired { $0.security.manner = .justWorks }
    expect(world.states("bond"), ["saved"])
    return world
  }

  @Test func centralBehaviour71_aPhoneWithoutACodeIsNotFollowedAndThePanelSaysWhy() throws {
    let world = try paired().restarted(["pairing=required"])
    let before = world.disk
    for _ in 0..<30 {
      world.advertise()
      world.pass(1_000)
    }
    expect(world.shows(.codeMissing))
    expect(world.told.isEmpty && world.events("link").isEmpty)
    expect(world.events("bond").isEmpty && world.disk == before)
    let errors = world.events("error")
    expect(errors.compactMap { $0["source"] }, ["phone"])
    expect(
      errors.last?["message"],
      "the phone was paired without a code, which pairing = required does not take: press A to pair it again"
    )
    world.press("b")
    expect(world.shows(.codeMissing), "which phone it is")
  }

  /// What is kept beside it is written with it.
  @Test func centralBehaviour71_itStaysOnTheDiskWhenTheBrightnessIsWritten() throws {
    let world = try paired().restarted(["pairing=required"])
    let before = world.disk
    world.pass(1_000)
    world.press("A")
    world.pass(60_000)
    #expect(world.disk != before)
    let again = try world.restarted()
    expect(again.states("bond"), ["loaded"])
  }

  // MARK: - A phone that has to wait

  /// It went while the number showed, and is back; returns until when it has to wait.
  private func delayed(after pause: Int64 = 5_000) throws -> (World, Instant) {
    let world = try World(["pairing=required"], pairs: true)
    world.advertise()
    world.pass(1_500)
    expect(world.pairings, ["confirm"])
    for _ in 0..<3 {
      world.loseLink()
      world.pass(6_000)
      world.advertise()
      world.pass(1_500)
    }
    world.loseLink()
    let end = world.now + 8_000
    world.pass(pause)
    world.advertise()
    while world.pairings.last != "delayed", world.now < end { world.pass(1) }
    return (world, end)
  }

  @Test func centralBehaviour73_theWaitIsToldInSecondsThatAreBegun() throws {
    let (first, end) = try delayed()
    let part = (end - first.now) % 1_000
    for (pause, seconds) in [(part - 1, 3), (part, 2), (part + 1, 2)] as [(Int64, Int)] {
      let (world, _) = try delayed(after: 5_000 + pause)
      expect(world.events("pairing").last?[number: "seconds"], seconds)
    }
  }

  @Test func centralBehaviour73_aPhoneThatHasToWaitIsToldOfAndAskedWhenTheWaitIsOver() throws {
    let (world, end) = try delayed()
    expect(world.pairings.last, "delayed")
    expect(world.events("pairing").last?[number: "seconds"], 3)
    expect(world.shows(.pairingDelayed(secondsLeft: 3)))
    world.pass(end - world.now - 1_000)
    expect(world.shows(.pairingDelayed(secondsLeft: 1)))
    world.pass(1_000)
    expect(world.shows(.comparison(world.security.digits, phone: "")))
    world.pass(1_000)
    world.press("a")
    world.pass(1_000)
    expect(world.pairings.suffix(3), ["delayed", "confirm", "done"])
  }
}

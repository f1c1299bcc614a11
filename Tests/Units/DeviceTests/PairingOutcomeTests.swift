import Bytes
import Expecting
import TestSupport
import VirtualDevice

/// Each pairing that anybody is told of ends, and is told to be done or to have failed.
struct PairingOutcomeTests {
  /// What does not come any more: a command of the phone, by its code, the rider's answer, or the end of the
  /// encryption.
  private static let gaps: [UInt8] = [
    0x02, 0x0C, 0x03, 0x04, answer, 0x0D, encryption, 0x08, 0x09,
  ]
  private static let (answer, encryption): (UInt8, UInt8) = (0x00, 0xFF)

  private func gap(with packet: [UInt8]) -> UInt8? {
    if packet.starts(with: [0x04, 0x08]) { return Self.encryption }
    return packet.count > 9 && packet[0] == 0x02 && packet[7] == 0x06 ? packet[9] : nil
  }

  /// The rider says yes as soon as there is a question, unless nobody answers.
  private func meeting(_ policy: String, _ change: (World) -> Void) throws -> World {
    let world = try World(["pairing=\(policy)"], pairs: true)
    change(world)
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    world.pass(1_500)
    return world
  }

  @Test(arguments: gaps, ["preferred", "required"])
  func centralBehaviour75_whereverAPairingEndsItIsToldToHaveFailed(
    _ gap: UInt8, _ policy: String
  ) throws {
    let ends: [(name: String, happen: (World) -> Void)] = [
      ("silence", { $0.pass(30_000) }),
      ("the loss of the link", { $0.loseLink() }),
      ("a goodbye", { $0.loseLink(reason: 0x13) }),
      ("the loss of the radio", { $0.loseRadio() }),
      ("a reset of the chip", { $0.receive(bytes("04 10 01 42")) }),
      ("forgetting", { $0.press("B") }),
      ("a failure", { $0.controller.send(channel: 0x06, [0x05, 0x08], $0) }),
      ("inability", { $0.controller.send(channel: 0x06, [0x05, 0x05], $0) }),
    ]
    for end in ends {
      let world = try meeting(policy) {
        $0.onHear = { self.gap(with: $0) == gap ? [] : [$0] }
      }
      if gap != Self.answer, world.pairings.last == "confirm" { world.press("a") }
      world.pass(100)
      expect(world.security.codes.first, 0x01, "it was asked to pair")
      end.happen(world)
      world.pass(70_000)
      let told = world.pairings
      expect(told.last == "failed" && !told.contains("done"), "\(end.name): \(told)")
      // A question has an end of its own.
      let failures = told.count { $0 == "failed" }
      #expect(2 * failures >= told.count, "\(end.name): \(told)")
      #expect(world.told.isEmpty, "\(end.name): a turn without a pairing")
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

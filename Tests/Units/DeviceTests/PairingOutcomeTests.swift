import Bytes
import Device
import TestSupport
import Testing
import VirtualAir
import VirtualDevice

/// Each pairing that anybody is told of ends, and is told to be done or to have failed.
@Suite struct PairingOutcomeTests {
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
      case .resetOfTheChip: world.hears(bytes("04 10 01 42"))
      case .forgetting: world.press("B")
      case .failure: world.controller.send(channel: 0x06, [0x05, 0x08], world)
      case .inability: world.controller.send(channel: 0x06, [0x05, 0x05], world)
      }
    }
  }

  private func states(_ world: World) -> [String] {
    world.events("pairing").compactMap { $0["state"] }
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
      if gap != .answer, states(world).last == "confirm" { world.press("a") }
      world.pass(100)
      #expect(world.security.codes.first == 0x01, "it was asked to pair")
      end.happen(in: world)
      world.pass(70_000)
      let told = states(world)
      #expect(told.last == "failed" && !told.contains("done"), "\(policy): \(told)")
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
    #expect(states(world) == (isAsked ? ["failed", "ask", "done"] : ["confirm", "done"]))
    #expect(world.told == [Told(8, 350, "Hauptstraße")])
  }

  @Test func centralBehaviour75_aPairingThatCannotBeSavedHasFailedAndIsNotDone() throws {
    let world = try meeting("preferred") { _ in }
    world.faults[.store] = .noSpace
    world.press("a")
    world.pass(5_000)
    #expect(states(world) == ["confirm", "failed"])
    #expect(world.events("pairing").last?["reason"] == "not saved")
  }

  /// It is followed for the ride all the same.
  @Test func centralBehaviour75_aPhoneThatCouldNotBeSavedIsFollowedForTheRide() throws {
    let world = try meeting("preferred") { _ in }
    world.faults[.store] = .noSpace
    world.press("a")
    world.pass(5_000)
    world.loseLink()
    world.pass(500)
    world.tell(5, 120, "Am Markt", id: 2)
    world.advertise()
    world.pass(1_000)
    #expect(world.told.last == Told(5, 120, "Am Markt"))
    #expect(states(world) == ["confirm", "failed"])
  }
}

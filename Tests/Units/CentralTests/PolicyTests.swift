import ATT
import Bytes
import Central
import Expecting
import HCI
import Link
import SMP
import TestSupport
import VirtualAir

/// Who may be paired with, how long is searched, and how a phone is forgotten.
struct PolicyTests {
  // MARK: - The three policies

  /// Nor by an encryption that nobody asked for, as of an earlier link with the same handle: Core Specification, Vol 4,
  /// Part E, 7.7.8 and 7.7.39.
  @Test(arguments: [nil, "04 08 04 00 40 00 01", "04 30 03 00 40 00"])
  func wherePairingIsRequiredNothingIsHeardOverAnOpenLink(_ event: String?) {
    let scene = Encounter(.required)
    expect(scene.meet().last, .compare(number: scene.security.digits))
    expect(!scene.phone.isSubscribed)
    if let event { scene.central.receive(event) }
    scene.controller.send(channel: 0x04, VirtualPhone.notification([1, 2, 3, 4]), scene.central)
    scene.central.read()
    expect(scene.central.values == [] && scene.central.takeEvents() == [])
    scene.central.confirm(true)
    expect(
      scene.central.takeEvents().prefix(3),
      [.encrypted, .remember(.keys), .ready(isSubscribed: true)])
  }

  /// For reasons that are no want of a code; where pairing is required it is not subscribed to before.
  @Test(arguments: [PairingPolicy.required, .preferred], [UInt8(0x08), 0x0C])
  func aPhoneThatRefusesToPairNowIsLeft(_ policy: PairingPolicy, _ reason: UInt8) {
    let scene = Encounter(policy, manner: .refusal(reason))
    let events = scene.meet()
    #expect(events.contains(.pairingFailed(.peer(PairingFailedReason(rawValue: reason)))))
    expect(!scene.controller.isConnected)
    expect(!scene.phone.isSubscribed || policy == .preferred)
  }

  /// It could not be followed when it comes back: only a press leads to a pairing.
  @Test func wherePairingIsRequiredAPhoneThatWasNotKeptIsNotSearchedForInVain() {
    let scene = Encounter(.required)
    scene.security.isBonding = false
    scene.agree()
    scene.lose()
    expect(scene.central.stage, .idle)
    expect(!scene.controller.isScanning)
    scene.central.searchFast()
    #expect(scene.meet().contains(.compare(number: scene.security.digits)))
  }

  @Test func aPhoneThatCannotPairIsRememberedByAnAddressThatIsFixed() {
    let scene = Encounter(.preferred, manner: .refusal(0x05))
    scene.phone.address = bytes("01 01 02 03 04 05 c6")
    #expect(scene.meet().contains(.ask))
    scene.central.confirm(true)
    #expect(scene.central.takeEvents().contains(.remember(.address)))
    scene.central.adoptBond()
    expect(scene.central.memory, .address)
    scene.lose()
    scene.controller.report(
      bytes("01 77 02 03 04 05 c6"), VirtualPhone.listing, rssi: -20, scene.central)
    scene.central.pass(300)
    expect(!scene.controller.isConnected)
    #expect(scene.meet().contains(.ready(isSubscribed: true)))
  }

  /// It may have a key of ours, and wait for that.
  @Test func centralBehaviour145_aPhoneThatLeavesTheRequestUnansweredHasRefusedNoCode() {
    let scene = Encounter(.preferred, manner: .silence)
    _ = scene.meet()
    scene.central.pass(30_000)
    let events = scene.central.takeEvents()
    expect(events.contains(.pairingFailed(.unanswered)) && !events.contains(.ask))
    scene.central.confirm(true)
    expect(scene.central.values == [] && !scene.controller.isConnected)
  }

  /// What a phone that demands a key says of itself, so that it can have none with us.
  @Test(
    arguments: [
      .legacy, .refusal(0x05), .refusal(0x03), .weak(.displayOnly), .weak(.keyboardOnly), .shortKey,
    ] as [VirtualSecurity.Manner], [0x05, 0x0F, 0x0C] as [UInt8])
  func centralBehaviour145_whoDemandsAKeyAndCanHaveNoneIsToldSoOnceAndLeft(
    _ manner: VirtualSecurity.Manner, _ error: UInt8
  ) {
    let scene = Encounter(.preferred, manner: manner)
    scene.phone.openLinkError = error
    let events = scene.meet()
    expect(events.pairingFailures, 1)
    #expect(!events.contains(.ask))
    let count = scene.phone.requests.count
    for _ in 0..<20 {
      expect(scene.meet().pairingFailures, 0)
      scene.central.pass(1_000)
    }
    expect(!scene.controller.isConnected && !scene.central.hasNewBond)
    expect(scene.phone.requests.count == count && scene.central.values == [])
  }

  // MARK: - The search

  @Test func anUnpairedDeviceSearchesFor30SecondsAndThenWhenItIsAsked() {
    let scene = Encounter()
    expect(scene.central.searchEnd, scene.central.now + 30_000)
    scene.central.pass(30_000)
    expect(scene.central.takeEvents(), [.scan(.off)])
    expect(scene.central.stage, .idle)
    expect(!scene.controller.isScanning)
    expect(scene.central.deadline, nil)
    expect(scene.meet(), [], "it hears nobody")
    scene.central.searchFast()
    expect(scene.central.takeEvents(), [.scan(.fast)])
    #expect(scene.meet().contains(.ready(isSubscribed: true)))
    expect(scene.requests, 1)
  }

  @Test func aPhoneThatIsOnDiskOnlyAfterTheSearchEndedIsSearchedForAfterAll() {
    let scene = Encounter()
    scene.agree()
    scene.lose()
    scene.central.pass(600_000)
    expect(!scene.controller.isScanning)
    scene.central.adoptBond()
    scene.central.pass(0)
    expect(scene.controller.isScanning)
    #expect(scene.meet().contains(.encrypted))
  }

  // MARK: - Forgetting

  /// In the ride, in the search, in the middle of a pairing, and before it is on the disk.
  @Test(arguments: 0...3) func aPhoneThatIsForgottenIsLeftAndNobodySearchedFor(_ moment: Int) {
    let scene =
      switch moment {
      case 0: Encounter.paired()
      case 1: Encounter.pairedAndLost()
      case 2: Encounter.met()
      default: Encounter()
      }
    if moment == 3 { scene.agree() }
    scene.central.forget()
    expect(!scene.controller.isConnected)
    expect(scene.central.memory == .nothing && !scene.central.hasNewBond, "its keys are wiped")
    expect(scene.central.takeEvents().last, .scan(.off))
    expect(scene.central.stage == .idle && !scene.controller.isScanning)
    if moment == 2 { expect(scene.security.codes.last, 0x05) }
    scene.central.searchFast()
    expect(moment == 2 || scene.meet().contains(.compare(number: scene.security.digits)))
  }

  /// Its link ends late, as that of a phone which is out of reach; it was paired with, or was just about to be.
  @Test(arguments: [PairingPolicy.preferred, .required], [true, false])
  func whoIsAskedForWhileTheForgottenPhoneLeavesIsPairedWith(
    _ policy: PairingPolicy, _ wasPaired: Bool
  ) {
    let scene = Encounter.met(policy)
    if wasPaired {
      scene.central.confirm(true)
      scene.central.adoptBond()
    }
    scene.central.pass(1_000)
    scene.controller.withheld = [0x0406]
    scene.central.forget()
    scene.central.receive(bytes("04 0f 04 00 01 06 04"))
    scene.central.pass(2_000)
    scene.central.searchFast()
    scene.controller.withheld = []
    scene.lose()
    #expect(scene.meet().contains(.compare(number: scene.security.digits)))
  }

  /// However long the rider has looked at the digits.
  @Test(arguments: [1_000, 9_900, 19_900] as [Int64]) func whoHasPairedHasTheWholeTimeToBeReady(
    _ time: Int64
  ) {
    let scene = Encounter.met(.required)
    scene.central.pass(time)
    scene.phone.withheld = [0x06]
    scene.central.confirm(true)
    scene.central.adoptBond()
    scene.central.pass(19_999)
    expect(scene.controller.isConnected)
    _ = scene.central.takeEvents()
    scene.central.pass(1)
    expect(scene.central.takeEvents().first, .unfinished)
  }

  /// Pairing Failed is still on its way, and nothing begins a ride meanwhile.
  @Test func whoIsBeingLeftHasNothingToSayAnyMore() {
    let controller = VirtualController()
    controller.leBuffers = (27, 30)
    let scene = Encounter(on: controller)
    scene.phone.hasServiceChanged = true
    _ = scene.meet()
    controller.completesPackets = false
    scene.central.confirm(false)
    expect(controller.isConnected)
    _ = scene.central.takeEvents()
    controller.send(channel: 0x04, VirtualPhone.notification([1, 2, 3, 4]), scene.central)
    scene.phone.linkWasLost()  // forgets the subscriptions, the link stays
    controller.send(channel: 0x04, VirtualPhone.serviceChanged, scene.central)
    expect(scene.phone.isSubscribed, "it is asked as before")
    expect(scene.central.values == [] && scene.central.takeEvents() == [])
    scene.central.pass(500)
    expect(!controller.isConnected, "nobody waits for ever")
    #expect(!scene.central.takeEvents().contains(.unfinished))
  }

  /// If the rider has asked for a phone since, the phone is met again at once.
  @Test(arguments: [true, false])
  func aLinkThatComesUpAfterAllIsEndedIfThePhoneWasForgottenMeanwhile(_ isPressed: Bool) {
    let scene = Encounter.followed()
    scene.lose()
    scene.controller.connects = false
    scene.controller.advertise(scene.central)
    scene.controller.withheld = [0x200E]
    scene.central.forget()
    if isPressed { scene.central.searchFast() }
    scene.controller.connect(scene.central)
    scene.controller.commandComplete(0x200E, [0x0C], scene.central)
    scene.central.pass(1_000)
    expect(!scene.controller.isConnected)
    expect(scene.controller.isScanning, isPressed)
    scene.controller.connects = true
    expect(scene.meet().contains(.ask), isPressed)
  }
}

/// Core Specification, Vol 3, Part H, 2.3.6: a phone that failed to pair has to wait, and no other one.
struct PairingDelayTests {
  private func delay(_ events: [HostEvent]) -> Instant? {
    for case .pairingDelayed(let end) in events { return end }
    return nil
  }

  /// It goes while the number shows, so often in a row; returns when it went last.
  private func fail(_ scene: Encounter, times: Int = 1) -> Instant {
    for count in 1...times {
      if count > 1 {
        scene.central.pass(64_000)
        scene.central.searchFast()
      }
      expect(scene.meet().asksToCompare)
      scene.lose()
    }
    // The press lets it in at once.
    scene.central.searchFast()
    _ = scene.central.takeEvents()
    return scene.central.now
  }

  /// The rider may say no meanwhile, and the phone send a Security Request, which is not declined.
  @Test func centralBehaviour73_aPhoneThatHasToWaitIsToldOfKeptAndAskedWhenTheWaitIsOver() {
    let scene = Encounter()
    let end = fail(scene) + 1_000
    let events = scene.meet()
    expect(delay(events) == end && !events.asksToCompare)
    expect(scene.controller.isConnected && scene.central.stage == .connecting)
    expect(scene.central.ask { $0.pairingDelayEnd }, end)
    let count = scene.security.codes.count
    scene.central.confirm(false)
    scene.central.confirm(true)
    scene.controller.send(channel: 0x06, bytes("0b 0d"), scene.central)
    scene.central.pass(end - scene.central.now - 1)
    expect(scene.central.takeEvents() == [] && scene.controller.isConnected)
    expect(scene.security.codes.count, count)
    scene.central.pass(1)
    expect(scene.central.takeEvents(), [.compare(number: scene.security.digits)])
    expect(scene.central.ask { $0.pairingDelayEnd }, nil)
    scene.central.confirm(true)
    #expect(scene.central.takeEvents().contains(.remember(.keys)))
  }

  /// Longer than a stranger has for its discovery.
  @Test func centralBehaviour73_aPhoneIsKeptHoweverLongItHasToWait() {
    let scene = Encounter()
    for _ in 0..<7 {
      scene.central.searchFast()
      let events = scene.meet()
      if let end = delay(events) {
        scene.central.pass(end - scene.central.now)
        expect(scene.central.takeEvents().asksToCompare)
      }
      scene.lose()
    }
    let end = scene.central.now + 64_000
    scene.central.searchFast()
    expect(delay(scene.meet()), end)
    scene.central.read()
    scene.central.pass(end - scene.central.now - 1)
    expect(scene.controller.isConnected && scene.central.values == [])
    expect(scene.central.takeEvents(), [])
    scene.central.pass(1)
    expect(scene.central.takeEvents().asksToCompare)
  }

  @Test(arguments: [PairingPolicy.preferred, .required])
  func centralBehaviour73_aStrangersFailuresNeverDelayTheRidersPhone(_ policy: PairingPolicy) {
    let scene = Encounter(policy)
    _ = fail(scene, times: 7)
    scene.phone.address = scene.security.privateAddress(2)
    let events = scene.meet()
    expect(events.asksToCompare && delay(events) == nil)
  }

  /// By how it fails: a stranger needs nobody's answer for that.
  @Test(arguments: [0x04, 0x08, 0x0B] as [UInt8])
  func centralBehaviour73_failuresBeforeAnyQuestionDoNotDelayTheRidersPhone(_ reason: UInt8) {
    let scene = Encounter(manner: .refusal(reason))
    for number in UInt8(2)...9 {
      scene.phone.address = scene.security.privateAddress(number)
      expect(scene.meet().pairingFailures, 1)
      scene.central.pass(500)
    }
    scene.security.manner = .comparison
    scene.phone.address = scene.security.privateAddress(1)
    expect(scene.meet().asksToCompare)
  }

  @Test func centralBehaviour73_whoIsLostWhileItWaitsHasNotFailedOnceMore() {
    let scene = Encounter()
    let end = fail(scene) + 1_000
    _ = scene.meet()
    scene.controller.disconnect(reason: 0x08, scene.central)
    expect(
      scene.central.takeEvents().prefix(2),
      [.disconnected(.connectionTimeout), .pairingFailed(.interrupted)], "each has an end")
    scene.central.pass(end - scene.central.now)
    scene.central.searchFast()
    expect(scene.meet().asksToCompare)
  }

  /// Whose key was refused, and that fails to pair again.
  @Test func centralBehaviour73_aRememberedPhoneWaitsLikewise() {
    let scene = Encounter()
    scene.becomeRejected()
    scene.central.searchFast()
    expect(scene.meet().asksToCompare)
    scene.lose()
    let end = scene.central.now + 1_000
    scene.central.searchFast()
    expect(delay(scene.meet()) == end && scene.controller.isConnected)
    scene.central.pass(end - scene.central.now)
    expect(scene.central.takeEvents().asksToCompare)
  }
}

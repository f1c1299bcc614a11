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
@Suite struct PolicyTests {
  // MARK: - The three policies

  @Test func wherePairingIsRequiredNothingIsHeardOverAnOpenLink() {
    let scene = Encounter(.required)
    let events = scene.meet()
    expect(events.last, .compare(number: scene.security.digits))
    expect(!scene.phone.isSubscribed)
    scene.controller.send(channel: 0x04, VirtualPhone.notification([1, 2, 3, 4]), scene.central)
    scene.central.read()
    expect(scene.central.values, [])
    scene.central.confirm(true)
    expect(
      scene.central.takeEvents().prefix(3),
      [.encrypted, .remember(.keys), .ready(isSubscribed: true)])
  }

  @Test(arguments: [UInt8(0x05), 0x03, 0x08, 0x0C])
  func wherePairingIsRequiredAPhoneThatRefusesIsLeft(_ reason: UInt8) {
    let scene = Encounter(.required, manner: .refusal(reason))
    let events = scene.meet()
    #expect(events.contains(.pairingFailed(.peer(PairingFailedReason(rawValue: reason)))))
    expect(!scene.controller.isConnected)
    expect(!scene.phone.isSubscribed)
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
      bytes("01 77 02 03 04 05 c6"), bytes("11 07") + VirtualPhone.service, rssi: -20, scene.central
    )
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
    func failures(_ events: [HostEvent]) -> Int {
      events.count { if case .pairingFailed = $0 { true } else { false } }
    }
    expect(failures(events), 1)
    #expect(!events.contains(.ask))
    let count = scene.phone.requests.count
    for _ in 0..<20 {
      expect(failures(scene.meet()), 0)
      scene.central.pass(1_000)
    }
    expect(!scene.controller.isConnected && !scene.central.hasNewBond)
    expect(scene.phone.requests.count == count && scene.central.values == [])
  }

  @Test func aPhoneOnWhichSomebodySaidNoIsLeft() {
    let scene = Encounter(.preferred, manner: .refusal(0x0C))
    _ = scene.meet()
    expect(!scene.controller.isConnected)
  }

  @Test func withoutPairingNobodyIsAskedOrRemembered() {
    let scene = Encounter(.off)
    #expect(scene.meet().contains(.ready(isSubscribed: true)))
    expect(scene.security.codes, [])
    expect(scene.central.memory, .nothing)
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

  @Test func aPhoneThatIsForgottenIsLeftAndNobodySearchedFor() {
    let scene = Encounter.paired()
    scene.central.forget()
    expect(!scene.controller.isConnected)
    expect(scene.central.memory, .nothing)
    expect(scene.central.takeEvents().last, .scan(.off))
    expect(scene.central.stage, .idle)
    expect(!scene.controller.isScanning)
    scene.central.searchFast()
    #expect(scene.meet().contains(.compare(number: scene.security.digits)), "a stranger again")
  }

  @Test func forgettingWorksInTheSearchAndInTheMiddleOfAPairingAndBeforeItIsOnDisk() {
    let searching = Encounter.pairedAndLost()
    searching.central.forget()
    expect(!searching.controller.isScanning)
    let pairing = Encounter()
    _ = pairing.meet()
    pairing.central.forget()
    expect(pairing.security.codes.last, 0x05)
    expect(!pairing.controller.isConnected)
    expect(!pairing.controller.isScanning)
    let agreed = Encounter()
    agreed.agree()
    expect(agreed.central.hasNewBond)
    agreed.central.forget()
    expect(!agreed.central.hasNewBond, "its keys are wiped")
  }

  /// Its link ends late, as that of a phone which is out of reach.
  @Test(arguments: [PairingPolicy.preferred, .required])
  func whoIsAskedForWhileTheForgottenPhoneLeavesIsPairedWith(_ policy: PairingPolicy) {
    let scene = Encounter(policy)
    scene.pair()
    scene.central.pass(1_000)
    scene.controller.withheld = [0x0406]
    scene.central.forget()
    scene.central.hears(bytes("04 0f 04 00 01 06 04"))
    scene.central.pass(2_000)
    scene.central.searchFast()
    scene.controller.withheld = []
    scene.lose()
    #expect(scene.meet().contains(.compare(number: scene.security.digits)))
  }

  @Test func whereNobodyIsRememberedAnotherPhoneIsSearchedForAtOnce() {
    let scene = Encounter(.off)
    _ = scene.meet()
    scene.central.forget()
    expect(!scene.controller.isConnected)
    expect(scene.central.takeEvents().last, .scan(.fast))
    scene.central.pass(30_000)
    expect(scene.central.takeEvents(), [.scan(.slow)])
    scene.central.forget()
    expect(scene.central.takeEvents(), [.scan(.fast)])
  }

  /// However long the rider has looked at the digits.
  @Test(arguments: [1_000, 9_900, 19_900] as [Int64]) func whoHasPairedHasTheWholeTimeToBeReady(
    _ time: Int64
  ) {
    let scene = Encounter(.required)
    _ = scene.meet()
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

  @Test func whoIsBeingLeftHasNothingToSayAnyMore() {
    let scene = Encounter()
    _ = scene.meet()
    scene.controller.completesPackets = false
    scene.central.confirm(false)
    expect(scene.controller.isConnected, "Pairing Failed is still on its way")
    _ = scene.central.takeEvents()
    scene.controller.send(channel: 0x04, VirtualPhone.notification([1, 2, 3, 4]), scene.central)
    expect(scene.central.values, [])
    scene.central.pass(500)
    expect(!scene.controller.isConnected, "nobody waits for ever")
    #expect(!scene.central.takeEvents().contains(.unfinished))
  }

  @Test func whoIsBeingLeftBeginsNoRideByAServiceThatChanges() {
    let controller = VirtualController()
    controller.leBuffers = (27, 30)
    let scene = Encounter(on: controller)
    scene.phone.hasServiceChanged = true
    _ = scene.meet()
    controller.completesPackets = false
    scene.central.confirm(false)
    _ = scene.central.takeEvents()
    scene.phone.linkWasLost()  // forgets the subscriptions, the link stays
    controller.send(channel: 0x04, VirtualPhone.serviceChanged, scene.central)
    expect(scene.phone.isSubscribed, "it is asked as before")
    expect(scene.central.takeEvents(), [])
    scene.central.pass(500)
    expect(!controller.isConnected)
  }

  @Test func aLinkThatComesUpAfterAllIsEndedIfThePhoneWasForgottenMeanwhile() {
    let scene = Encounter(.preferred, manner: .refusal(0x05))
    scene.agree()
    scene.lose()
    scene.controller.connects = false
    scene.controller.advertise(scene.central)
    scene.controller.withheld = [0x200E]
    scene.central.forget()
    scene.controller.connect(scene.central)
    scene.controller.commandComplete(0x200E, [0x0C], scene.central)
    scene.central.pass(1_000)
    expect(!scene.controller.isConnected)
    expect(!scene.controller.isScanning)
  }

  @Test func aPhoneThatCannotBeConnectedToDoesNotProlongTheSearchForEver() {
    let scene = Encounter()
    scene.controller.connects = false
    for _ in 0..<120 {
      scene.controller.advertise(scene.central)
      scene.central.pass(1_000)
    }
    expect(!scene.controller.isScanning)
    expect(scene.central.stage, .idle)
  }
}

import Bytes
import Central
import TestSupport
import Testing
import VirtualAir

/// Who is followed without a code, and who is not.
@Suite struct ConsentTests {
  /// A phone that cannot compare, or that refuses to pair.
  static let codeless: [VirtualSecurity.Manner] = [.justWorks, .refusal(0x05), .refusal(0x03)]

  @Test(arguments: codeless)
  func centralBehaviour41_whereItIsRequiredAPhoneWithoutACodeIsRefusedAndRestsForAMinute(
    _ manner: VirtualSecurity.Manner
  ) {
    let scene = Encounter(.required, manner: manner)
    scene.phone.onRequest = { #expect($0 != 0x0A && $0 != 0x12, "nothing is read") }
    let events = scene.meet()
    #expect(events.contains { if case .pairingFailed = $0 { true } else { false } })
    #expect(!events.contains(.ask))
    #expect(!scene.controller.isConnected)
    if case .justWorks = manner { #expect(scene.security.codes.last == 0x05) }
    scene.central.searchFast()
    let met = scene.meet()
    #expect(!met.isEmpty, "but a press is a press")
    scene.central.pass(20_000)
    #expect(scene.meet() == [])
    #expect(scene.central.memory == .nothing)
  }

  @Test(arguments: codeless)
  func centralBehaviour41_nothingIsStoredOrSaidBeforeTheRiderAgrees(
    _ manner: VirtualSecurity.Manner
  ) {
    let scene = Encounter(manner: manner)
    scene.phone.address = bytes("01 01 02 03 04 05 c6")
    #expect(scene.meet().contains(.ask))
    scene.central.read()
    scene.controller.send(
      channel: 0x04, VirtualPhone.notification(bytes("01 00 00 00 01 05 00 00 00")), scene.central)
    scene.central.pass(20_000)
    #expect(scene.central.takeEvents() == [])
    #expect(!scene.central.hasNewBond)
    scene.central.confirm(true)
    #expect(scene.central.hasNewBond)
    #expect(scene.central.values.last == scene.phone.value)
  }

  @Test(arguments: codeless)
  func centralBehaviour41_aNoEndsTheLinkAndTheSearch(_ manner: VirtualSecurity.Manner) {
    let scene = Encounter(manner: manner)
    _ = scene.meet()
    scene.central.confirm(false)
    #expect(!scene.controller.isConnected)
    #expect(scene.central.stage == .idle)
    #expect(!scene.central.hasNewBond)
    #expect(scene.central.values == [])
  }

  @Test(arguments: codeless)
  func centralBehaviour41_aQuestionWithoutAnAnswerEndsAfter30Seconds(
    _ manner: VirtualSecurity.Manner
  ) {
    let scene = Encounter(manner: manner)
    _ = scene.meet()
    scene.central.pass(29_000)
    #expect(scene.controller.isConnected)
    scene.central.pass(1_000)
    #expect(scene.central.takeEvents().contains(.pairingFailed(.timedOut)))
    #expect(!scene.controller.isConnected)
    #expect(!scene.central.hasNewBond)
  }

  @Test func centralBehaviour41_aPhoneThatWasFollowedIsFollowedAgainAndNobodyElse() {
    let scene = Encounter(manner: .refusal(0x05))
    _ = scene.meet()
    scene.central.confirm(true)
    scene.lose()
    #expect(scene.meet().contains(.ready(isSubscribed: true)))
    scene.lose()
    scene.phone.address = scene.security.privateAddress(2)
    scene.phone.onRequest = { #expect($0 != 0x0A) }
    let events = scene.meet()
    #expect(!events.contains(.ask), "nobody has pressed a button")
    #expect(!scene.controller.isConnected)
    #expect(scene.central.values.count == 2, "one of each ride")
  }

  @Test func centralBehaviour41_aStrangerThatEndsTheLinkBeforeTheAnswerIsNoFriendTheNextTime() {
    let scene = Encounter(manner: .refusal(0x05))
    #expect(scene.meet().contains(.ask))
    scene.controller.disconnect(reason: 0x13, scene.central)
    #expect(scene.central.takeEvents().contains(.pairingFailed(.interrupted)))
    scene.central.pass(5_000)
    #expect(scene.meet().contains(.ask))
    #expect(scene.central.values == [])
  }

  /// A disk that was lost in the middle of the ride is read anew, and nobody is found there.
  @Test func centralBehaviour41_whatTheRiderDecidedHoldsAsLongAsTheLink() {
    let scene = Encounter(manner: .refusal(0x05))
    scene.phone.hasServiceChanged = true
    _ = scene.meet()
    scene.central.confirm(true)
    scene.central.rememberNobody()
    _ = scene.central.takeEvents()
    scene.controller.send(channel: 0x04, VirtualPhone.serviceChanged, scene.central)
    #expect(scene.central.takeEvents() == [.ready(isSubscribed: true), .value])
  }
}

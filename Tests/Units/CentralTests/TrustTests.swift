import Bytes
import Central
import Expecting
import SMP
import TestSupport
import VirtualAir

/// Whom the host believes, and for how long it does not: behaviours from 47 on.
@Suite struct TrustTests {
  private func asksAgain(_ scene: Encounter) -> Bool {
    scene.meet().contains { if case .compare = $0 { true } else { false } }
  }

  /// Whoever says no: the rider on the device, or on the phone.
  @Test(arguments: [false, true])
  func centralBehaviour47_aNoEndsTheSearchUntilPageIsPressedWhateverAddressesCome(
    _ isPhones: Bool
  ) {
    let scene = Encounter()
    expect(asksAgain(scene))
    if isPhones {
      scene.controller.send(channel: 0x06, bytes("05 0c"), scene.central)
    } else {
      scene.central.confirm(false)
    }
    expect(scene.central.takeEvents().last, .scan(.off))
    expect(scene.central.stage, .idle)
    for number in UInt8(2)...60 {
      scene.phone.address = scene.security.privateAddress(number)
      expect(scene.meet(), [])
      scene.central.pass(2_000)
    }
    scene.central.searchFast()
    expect(asksAgain(scene))
  }

  @Test func centralBehaviour47_aStrangersNoBeforeAnyQuestionEndsNoSearch() {
    let scene = Encounter()
    scene.security.manner = .refusal(0x0C)
    expect(!asksAgain(scene))
    scene.security.manner = .comparison
    scene.phone.address = scene.security.privateAddress(2)
    scene.central.pass(2_000)
    expect(asksAgain(scene))
  }

  @Test func centralBehaviour47_anotherPairingOfARememberedPhoneEndsLikewise() {
    let scene = Encounter.rejectedAndPressed()
    expect(asksAgain(scene))
    scene.central.confirm(false)
    _ = scene.central.takeEvents()
    for number in UInt8(2)...60 {
      scene.phone.address = scene.security.privateAddress(number)
      expect(!asksAgain(scene))
      scene.central.pass(2_000)
    }
  }

  @Test func centralBehaviour52_anInterruptedPairingCountsAsAnAttempt() {
    let scene = Encounter()
    expect(asksAgain(scene))
    scene.lose()
    // The press lets it in at once, so that nothing but the attempt before is in the way.
    scene.central.searchFast()
    expect(!asksAgain(scene), "a second has to pass")
    scene.lose()
    scene.central.pass(1_000)
    scene.central.searchFast()
    expect(asksAgain(scene))
    scene.lose()
    scene.central.pass(1_000)
    scene.central.searchFast()
    expect(!asksAgain(scene), "now it is two")
  }

  @Test func centralBehaviour52_aLinkToSomebodyElseThanWasAskedForIsEnded() {
    let (central, controller) = ScanTests.connecting()
    _ = central.takeEvents()
    _ = central.takeSaid()
    controller.connect(central, to: bytes("01 09 09 09 09 09 49"))
    #expect(central.takeSaid().contains("01 06 04 03 40 00 13"))
    let events = central.takeEvents()
    expect(!events.contains { if case .connected = $0 { true } else { false } })
    expect(events.last, .scan(.fast))
  }

  /// A remembered phone with another address than the last time.
  @Test func centralBehaviour54_anAttemptThatFailedCostsTheRememberedPhoneHalfASecond() {
    let scene = Encounter.pairedAndLost()
    scene.phone.address = scene.security.privateAddress(2)
    scene.controller.connects = false
    scene.controller.advertise(scene.central)
    scene.controller.connect(scene.central, status: 0x3E)
    scene.controller.connects = true
    scene.central.pass(499)
    scene.controller.advertise(scene.central)
    expect(!scene.controller.isConnected)
    scene.central.pass(1)
    scene.controller.advertise(scene.central)
    expect(scene.controller.isConnected)
  }

  /// What told of it was damaged on the wire, and its handle with it.
  @Test func aLinkThatOnlyTheControllerKnowsOfEndsWithReset() {
    let scene = Encounter()
    scene.controller.connects = false
    scene.controller.advertise(scene.central)
    scene.central.pass(200)
    _ = scene.central.takeEvents()
    scene.controller.connect(scene.central, status: 0x0B)
    #expect(scene.central.takeEvents().contains(.failed(.linkUnknown)))
    _ = scene.central.takeSaid()
    scene.central.pass(1_000)
    #expect(scene.central.takeSaid().contains("01 03 0c 00"))
    scene.controller.connects = true
    scene.central.pass(5_000)
    #expect(scene.meet().contains(.ready(isSubscribed: true)))
  }
}

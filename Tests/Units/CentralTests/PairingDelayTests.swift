import Bytes
import Central
import Expecting
import Link
import SMP
import TestSupport
import VirtualAir

/// Core Specification, Vol 3, Part H, 2.3.6: a phone that failed to pair has to wait, and no other one.
@Suite struct PairingDelayTests {
  private func isAsked(_ events: [HostEvent]) -> Bool {
    events.contains { if case .compare = $0 { true } else { false } }
  }

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
      expect(isAsked(scene.meet()))
      scene.lose()
    }
    // The press lets it in at once.
    scene.central.searchFast()
    _ = scene.central.takeEvents()
    return scene.central.now
  }

  @Test func centralBehaviour73_aPhoneThatHasToWaitIsToldOfKeptAndAskedWhenTheWaitIsOver() {
    let scene = Encounter()
    let end = fail(scene) + 1_000
    let events = scene.meet()
    expect(delay(events) == end && !isAsked(events))
    expect(scene.controller.isConnected && scene.central.stage == .connecting)
    expect(scene.central.ask { $0.pairingDelayEnd }, end)
    scene.central.pass(end - scene.central.now - 1)
    expect(scene.central.takeEvents(), [])
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
        expect(isAsked(scene.central.takeEvents()))
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
    expect(isAsked(scene.central.takeEvents()))
  }

  @Test(arguments: [PairingPolicy.preferred, .required])
  func centralBehaviour73_aStrangersFailuresNeverDelayTheRidersPhone(_ policy: PairingPolicy) {
    let scene = Encounter(policy)
    _ = fail(scene, times: 7)
    scene.phone.address = scene.security.privateAddress(2)
    let events = scene.meet()
    expect(isAsked(events) && delay(events) == nil)
  }

  /// By how it fails: a stranger needs nobody's answer for that.
  @Test(arguments: [0x04, 0x08, 0x0B] as [UInt8])
  func centralBehaviour73_failuresBeforeAnyQuestionDoNotDelayTheRidersPhone(_ reason: UInt8) {
    let scene = Encounter(manner: .refusal(reason))
    for number in UInt8(2)...9 {
      scene.phone.address = scene.security.privateAddress(number)
      let events = scene.meet()
      expect(events.contains { if case .pairingFailed = $0 { true } else { false } })
      scene.central.pass(500)
    }
    scene.security.manner = .comparison
    scene.phone.address = scene.security.privateAddress(1)
    expect(isAsked(scene.meet()))
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
    expect(isAsked(scene.meet()))
  }

  @Test func centralBehaviour73_aNoOfTheRiderWhileNobodyIsAskedChangesNothing() {
    let scene = Encounter()
    let end = fail(scene) + 1_000
    _ = scene.meet()
    scene.central.confirm(false)
    scene.central.confirm(true)
    expect(scene.central.takeEvents() == [] && scene.controller.isConnected)
    scene.central.pass(end - scene.central.now)
    expect(isAsked(scene.central.takeEvents()))
  }

  /// What it wishes itself is not answered by a no: it is paired with soon.
  @Test func centralBehaviour73_aSecurityRequestOfWhoWaitsIsNotDeclined() {
    let scene = Encounter()
    let end = fail(scene) + 1_000
    _ = scene.meet()
    let count = scene.security.codes.count
    scene.controller.send(channel: 0x06, bytes("0b 0d"), scene.central)
    expect(scene.security.codes.count, count)
    scene.central.pass(end - scene.central.now)
    #expect(scene.security.codes.count > count)
  }

  /// Whose key was refused, and that fails to pair again.
  @Test func centralBehaviour73_aRememberedPhoneWaitsLikewise() {
    let scene = Encounter()
    scene.becomeForgotten()
    for _ in 0..<2 {
      scene.central.pass(61_000)
      _ = scene.meet()
    }
    scene.central.searchFast()
    expect(isAsked(scene.meet()))
    scene.lose()
    let end = scene.central.now + 1_000
    scene.central.searchFast()
    expect(delay(scene.meet()) == end && scene.controller.isConnected)
    scene.central.pass(end - scene.central.now)
    expect(isAsked(scene.central.takeEvents()))
  }
}

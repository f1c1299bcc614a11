import Bytes
import Central
import Expecting
import TestSupport
import VirtualAir

/// How the host listens for the phone at rest, and when it says that it listens.
struct RestTests {
  /// 64 ms of each 640 ms, for a phone that is remembered.
  private static let slowScan = "01 0b 20 07 00 00 04 66 00 00 00"
  /// 60 ms of each 60 ms.
  private static let fastScan = "01 0b 20 07 00 60 00 60 00 00 00"

  /// A remembered phone that was lost in a ride: it is searched for without pause for ten minutes.
  private func lost() -> Encounter {
    let scene = Encounter()
    scene.pair()
    _ = scene.meet()
    _ = scene.central.takeSaid()
    scene.lose()
    #expect(scene.central.takeSaid().contains(Self.fastScan))
    _ = scene.central.takeEvents()
    return scene
  }

  private func rest(_ scene: Encounter, _ isAtRest: Bool) {
    scene.central.change { $0.step(.rest(isAtRest: isAtRest), at: $1) }
  }

  @Test func whoIsAtRestListensATenthOfTheTimeAndWhoIsNotAsBefore() {
    let scene = lost()
    rest(scene, true)
    expect(scene.central.takeEvents(), [.scan(.slow)], "at once")
    scene.central.pass(1)
    expect(scene.central.takeSaid(), ["01 0c 20 02 00 00", Self.slowScan, "01 0c 20 02 01 00"])
    rest(scene, false)
    expect(scene.central.takeEvents(), [.scan(.fast)], "at once")
    scene.central.pass(1)
    #expect(scene.central.takeSaid().contains(Self.fastScan))
    rest(scene, true)
    #expect(scene.meet().contains(.ready(isSubscribed: true)), "the slow scan finds the phone")
    expect(scene.central.ask { $0.listening }, .off)
  }

  // MARK: - When it listens

  @Test func whereNobodyIsSearchedForNobodyListens() {
    let (central, _) = BringUpTests.started(pairing: .preferred)
    expect(central.ask { $0.listening }, .on)
    central.pass(60_000)
    expect(central.ask { $0.listening }, .off)
  }

  /// An attempt is called back after five seconds, one at a sensor after one.
  @Test func aRadioThatHasAnAttemptOrIsBroughtUpDoesNotListen() {
    let scene = lost()
    func listening() -> PhoneListening { scene.central.ask { $0.listening } }
    expect(listening(), .on)
    scene.controller.connects = false
    scene.controller.advertise(scene.central)
    expect(scene.central.stage, .connecting)
    expect(listening(), .paused)
    scene.central.pass(5_100)
    expect(listening(), .on)
    let strap = VirtualSensor(.heart)
    scene.controller.sensors = [strap]
    scene.central.follow(strap)
    scene.controller.advertise(scene.central, strap)
    expect(scene.controller.initiating?.peer, strap.address)
    expect(listening(), .paused)
    scene.central.pass(1_100)
    expect(listening(), .on)
    scene.central.stop()
    expect(listening(), .paused)
    scene.central.start()
    expect(listening(), .on)
  }
}

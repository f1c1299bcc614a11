import Bytes
import Central
import Expecting
import TestSupport
import VirtualAir

/// How soon a phone that is remembered shows its turn, and how long it is waited for.
struct RememberedPhoneTests {
  /// A phone that was paired with and lost.
  private func lost() -> Encounter { .pairedAndLost { $0.hasServiceChanged = true } }

  /// Exchange MTU while the link is encrypted: what goes to the controller behind LE Enable Encryption is not sent
  /// before that is over.
  ///
  /// Then, at once, Write Request of Service Changed, the proof, Write Request, Read Request, and what is read by its
  /// type or is not needed.
  @Test func centralBehaviour57_theHandlesOfARememberedPhoneAreUsedAgain() throws {
    let scene = lost()
    _ = scene.central.takeSaid()
    let asked = scene.asked { scene.controller.advertise(scene.central) }
    expect(asked.prefix(5), [0x02, 0x12, 0x08, 0x12, 0x0A], "nothing else is in the turn's way")
    let said = scene.central.takeSaid()
    let encryption = try #require(said.firstIndex { $0.hasPrefix("01 19 20") })
    expect(said[encryption - 1], "02 40 00 07 00 03 00 04 00 02 05 02")
    expect(scene.phone.isSubscribed && scene.phone.isServiceChangedSubscribed)
    expect(scene.central.values.last, scene.phone.value)
  }

  /// It comes before the answer to the first request of the link.
  @Test func centralBehaviour57_theMTUCountsThoughTheServicesChangeMeanwhile() {
    let scene = lost()
    scene.phone.withheld = [0x02]
    _ = scene.meet()
    scene.controller.send(channel: 0x04, VirtualPhone.serviceChanged, scene.central)
    scene.controller.send(channel: 0x04, bytes("03 b9 00"), scene.central)
    expect(scene.central.mtu, 185)
    expect(scene.central.values.last, scene.phone.value)
  }

  @Test func centralBehaviour57_theFirstIntervalIs15MillisecondsAndARideIsRelaxed() {
    let scene = Encounter.paired()
    expect(scene.controller.interval, 12)
    let attempt = scene.central.takeSaid().first { $0.hasPrefix("01 0d 20") }
    expect(attempt?.contains(" 0c 00 0c 00 00 00 90 01 "), true, "lost after 4 s of silence")
    #expect(!scene.controller.commands.contains(0x2013))
    scene.central.pass(20_000)
    #expect(scene.controller.commands.contains(0x2013))
  }

  /// The service is gone: that is what it has to tell of.
  ///
  /// Whatever range it names, or none.
  @Test(
    arguments: [
      "1d 12 00 01 00 ff ff", "1d 12 00 40 00 41 00", "1d 12 00 ff ff 01 00", "1d 12 00",
    ])
  func centralBehaviour55_serviceChangedIsSubscribedToBeforeAnythingIsWaitedFor(_ told: String) {
    let scene = lost()
    scene.phone.hasService = false
    #expect(scene.meet().contains(.waiting))
    expect(scene.phone.isServiceChangedSubscribed)
    scene.phone.hasService = true
    let asked = scene.asked {
      scene.controller.send(channel: 0x04, bytes(told), scene.central)
    }
    expect(asked.first, 0x06, "at once")
    expect(scene.phone.isSubscribed)
  }

  @Test func centralBehaviour58_afterFiveMinutesAPhoneInTheBackgroundIsFoundAtOnce() {
    let scene = lost()
    scene.central.pass(300_000)
    #expect(!scene.central.takeEvents().contains(.scan(.slow)))
    // Apple's overflow area; no service is listed.
    scene.phone.advertisement = bytes(
      "02 01 1a 14 ff 4c 00 01 00 00 00 00 00 08 00 00 00 00 00 00 00 00 00 00")
    scene.controller.advertise(scene.central)
    expect(scene.controller.isConnected)
    expect(scene.central.values.last, scene.phone.value)
  }

  /// In the middle of the ride, and while the phone is searched for.
  @Test(arguments: [false, true])
  func centralBehaviour58_aFailureOfTheControllerLeavesTheTenMinutes(_ isLost: Bool) {
    let scene = Encounter.paired()
    if isLost { scene.lose() }
    scene.central.pass(5_000)
    scene.central.receive("04 10 01 42")
    _ = scene.central.takeEvents()
    scene.central.pass(590_000)
    expect(!scene.central.takeEvents().contains(.scan(.slow)) && scene.controller.isScanning)
    scene.central.pass(12_000)
    expect(scene.central.takeEvents().last, .scan(.slow))
  }
}

/// A remembered phone that is linked and has nothing to tell.
struct IdlePhoneTests {
  /// What a phone sends all day, whatever runs on it.
  private static let usual = bytes("02 01 06")
  /// Apple's overflow area, with the bit of komoot's service.
  private static let overflow = bytes(
    "02 01 1a 14 ff 4c 00 01 00 00 00 00 00 08 00 00 00 00 00 00 00 00 00 00")

  /// A phone that was linked without komoot for ten minutes.
  private func letGo() -> Encounter {
    let scene = Encounter()
    scene.phone.hasServiceChanged = true
    scene.pair()
    scene.phone.hasService = false
    scene.controller.send(channel: 0x04, VirtualPhone.serviceChanged, scene.central)
    scene.central.pass(599_000)
    expect(scene.controller.isConnected)
    _ = scene.central.takeEvents()
    scene.central.pass(1_500)
    return scene
  }

  private func advertise(_ data: [UInt8], _ scene: Encounter) {
    scene.phone.advertisement = data
    for _ in 0..<20 {
      scene.controller.advertise(scene.central)
      scene.central.pass(150)
    }
  }

  @Test func centralBehaviour95_aPhoneThatTellsNothingForTenMinutesIsLetGoUntilItShowsKomoot() {
    let scene = letGo()
    expect(!scene.controller.isConnected)
    let events = scene.central.takeEvents()
    expect(events.count { if case .disconnected = $0 { true } else { false } }, 1)
    expect(events.last, .scan(.slow), "nobody is in a hurry")
    advertise(Self.usual, scene)
    expect(!scene.controller.isConnected)
    scene.central.pass(3_600_000)
    advertise(Self.usual, scene)
    expect(!scene.controller.isConnected)
  }

  /// And a ride that is lost then is searched for by its phone alone.
  @Test(arguments: [true, false])
  func centralBehaviour95_komootsUUIDOrTheOverflowBitConnectAgain(_ isForeground: Bool) {
    let scene = letGo()
    let komoots = scene.phone.advertisement
    advertise(Self.usual, scene)
    scene.phone.hasService = true
    advertise(isForeground ? komoots : Self.overflow, scene)
    #expect(scene.central.takeEvents().contains(.ready(isSubscribed: true)))
    scene.lose()
    advertise(Self.usual, scene)
    expect(scene.controller.isConnected)
  }

  @Test(arguments: [false, true]) func centralBehaviour95_aPressConnectsAgain(_ isForSearch: Bool) {
    let scene = letGo()
    if isForSearch {
      scene.central.searchFast()
    } else {
      scene.central.change { host, _ in host.riderIsThere() }
    }
    advertise(Self.usual, scene)
    expect(scene.controller.isConnected)
  }

  @Test func centralBehaviour95_anotherPhoneThatIsPairedLaterNeedsNoKomootToBeKnown() {
    let scene = letGo()
    scene.central.forget()
    scene.central.searchFast()
    scene.phone.hasService = true
    scene.pair()
    scene.lose()
    advertise(Self.usual, scene)
    expect(scene.controller.isConnected)
  }
}

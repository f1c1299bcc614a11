import Bytes
import Central
import Expecting
import TestSupport
import VirtualAir

/// A link is the ride's once its phone is trusted: until then it changes nothing.
@Suite struct RideLinkTests {
  /// A ride with a phone that cannot pair is lost.
  private func lost() -> Encounter {
    let scene = Encounter(manner: .refusal(0x05))
    scene.agree()
    scene.lose()
    return scene
  }

  /// What somebody else's phone does on the link that it gets.
  enum Stranger: CaseIterable { case refusesToPair, compares, saysNothing, isLost }

  private func pass(_ stranger: Stranger, _ scene: Encounter) {
    scene.phone.address = scene.security.privateAddress(2)
    scene.security.manner =
      switch stranger {
      case .refusesToPair: .refusal(0x05)
      case .compares, .isLost: .comparison
      case .saysNothing: .silence
      }
    if stranger == .isLost { scene.phone.withheld = [0x02] }
    let events = scene.meet()
    expect(events.contains { if case .connected = $0 { true } else { false } })
    if stranger == .isLost { scene.controller.disconnect(reason: 0x08, scene.central) }
    scene.phone.withheld = []
    scene.central.pass(1_000)
    expect(!scene.controller.isConnected)
  }

  @Test(arguments: Stranger.allCases)
  func centralBehaviour69_aStrangersLinkLeavesTheSearchForTheLostRideItsTenMinutes(
    _ stranger: Stranger
  ) {
    let scene = lost()
    let start = scene.central.now
    scene.central.pass(3_000)
    pass(stranger, scene)
    scene.central.pass(start + 599_999 - scene.central.now)
    expect(scene.controller.isScanning)
    scene.central.pass(1)
    expect(!scene.controller.isScanning && scene.central.stage == .idle)
  }

  @Test(arguments: Stranger.allCases)
  func centralBehaviour69_thePhoneOfTheRideIsFollowedAfterAStrangersLink(_ stranger: Stranger) {
    let scene = lost()
    scene.central.pass(3_000)
    pass(stranger, scene)
    scene.phone.address = scene.security.privateAddress(1)
    scene.central.pass(60_000)
    #expect(scene.meet().contains(.ready(isSubscribed: true)))
    expect(scene.central.values.count, 2)
  }

  /// The other one has nothing that this one was preferred for.
  @Test func centralBehaviour69_aStrangerThatOffersNavigationIsNotPreferredTheNextTime() {
    let scene = lost()
    scene.central.pass(3_000)
    pass(.refusesToPair, scene)
    scene.central.pass(60_000)
    let own = scene.security.privateAddress(1)
    for (address, rssi) in [(scene.phone.address, -40), (own, -80)] as [([UInt8], Int8)] {
      scene.controller.report(address, scene.phone.advertisement, rssi: rssi, scene.central)
    }
    expect(scene.controller.peer, own)
  }

  @Test func centralBehaviour69_aPhoneIsReadyAndItsBatteryKnownOnceTheRiderAgreed() {
    let scene = Encounter(manner: .refusal(0x05))
    scene.phone.battery = [93]
    #expect(scene.meet().contains(.ask))
    expect(scene.phone.isSubscribed && scene.central.stage == .connecting)
    scene.central.readBattery()
    expect(scene.central.battery, nil)
    expect(scene.central.stage == .connecting && scene.central.battery == nil)
    scene.central.confirm(true)
    expect(scene.central.stage == .ready && scene.central.battery == 93)
  }

  /// Encrypted, it is not known yet by what it will be known again.
  @Test func centralBehaviour69_aPairingThatIsNotThroughMakesNoRide() {
    let scene = Encounter()
    // Identity Address Information does not come.
    scene.central.onPacket = { $0[0] == 2 && $0.count > 9 && $0[7] == 6 && $0[9] == 9 ? [] : [$0] }
    scene.agree()
    expect(scene.phone.isEncrypted && scene.central.stage == .connecting)
    scene.controller.send(channel: 0x04, VirtualPhone.notification([1, 2, 3, 4]), scene.central)
    expect(scene.central.values, [])
    scene.central.pass(30_000)
    #expect(scene.central.takeEvents().contains(.pairingFailed(.timedOut)))
    expect(scene.central.values == [] && !scene.controller.isConnected)
  }

  private func isSlow(_ scene: Encounter) -> Bool {
    scene.controller.isScanning
      && scene.controller.scanTiming.window < scene.controller.scanTiming.interval
  }

  // MARK: - Who sends the address of the remembered phone

  /// How a link ends on which the phone has not shown its key.
  enum End: CaseIterable { case refusesTheKey, isSilent, leaves, isLost }

  private func fail(_ end: End, _ scene: Encounter) {
    scene.controller.encrypts = end == .refusesTheKey
    scene.security.longTermKey = nil
    scene.phone.address = scene.security.privateAddress(2)
    _ = scene.meet()
    switch end {
    case .refusesTheKey: break
    case .isSilent: scene.central.pass(3_000)
    case .leaves: scene.controller.disconnect(reason: 0x13, scene.central)
    case .isLost: scene.controller.disconnect(reason: 0x08, scene.central)
    }
    expect(!scene.controller.isConnected)
  }

  /// It would listen without pause for half a minute each time, and the battery be empty.
  ///
  /// It does so for a moment, as the phone may be near.
  @Test(arguments: End.allCases)
  func centralBehaviour69_whoHasNoKeyMakesNoSlowSearchFast(_ end: End) {
    let scene = Encounter.pairedAndLost()
    scene.central.pass(600_000)
    expect(isSlow(scene))
    fail(end, scene)
    scene.central.pass(1_300)
    expect(isSlow(scene))
    #expect(!scene.central.takeEvents().contains(.scan(.fast)))
  }

  /// One that was trusted is searched for, though there was no turn yet.
  @Test func centralBehaviour69_aPhoneThatShowedItsKeyMakesTheSearchFastWhenItIsLost() {
    let scene = Encounter.pairedAndLost()
    scene.central.pass(600_000)
    scene.phone.withheld = [0x06, 0x0A, 0x12]
    #expect(scene.meet().contains(.encrypted))
    scene.lose()
    scene.central.pass(10)
    expect(scene.controller.isScanning && !isSlow(scene))
  }

  /// Else the beacon at home would not count any more, and the search be fast once more.
  @Test(arguments: End.allCases)
  func centralBehaviour69_whoHasNoKeyIsNoRideForTheBeaconAtHome(_ end: End) {
    let scene = Encounter.pairedAndLost()
    scene.central.onHearing = { [unowned central = scene.central] _ in
      expect(central.ask { $0.listening } != nil)
    }
    fail(end, scene)
    scene.central.pass(1_000)
    expect(scene.central.ask { $0.listening }, true)
  }
}

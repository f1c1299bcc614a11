import Bytes
import Central
import Expecting
import TestSupport
import VirtualAir

/// A link is the ride's once its phone is trusted: until then it changes nothing.
struct RideLinkTests {
  /// A ride with a phone that cannot pair is lost.
  private func lost() -> Encounter {
    let scene = Encounter.followed()
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
    expect(scene.meet().isConnected)
    if stranger == .isLost { scene.controller.disconnect(reason: 0x08, scene.central) }
    scene.phone.withheld = []
    scene.central.pass(1_000)
    expect(!scene.controller.isConnected)
  }

  /// For ten minutes in all, in which its phone is followed.
  @Test(arguments: Stranger.allCases, [true, false])
  func centralBehaviour69_aStrangersLinkLeavesTheSearchAsItIs(stranger: Stranger, isInTime: Bool) {
    let scene = lost()
    let end = scene.central.now + 600_000
    scene.central.pass(3_000)
    pass(stranger, scene)
    scene.phone.address = scene.security.privateAddress(1)
    scene.central.pass(end - scene.central.now - 1)
    expect(scene.controller.isScanning)
    if isInTime {
      #expect(scene.meet().contains(.ready(isSubscribed: true)))
      expect(scene.central.values.count, 2)
    } else {
      scene.central.pass(1)
      expect(!scene.controller.isScanning && scene.central.stage == .idle)
    }
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

  /// It would listen without pause for half a minute each time, and the battery be empty; it does so for a moment, as
  /// the phone may be near.
  ///
  /// Nor is it a ride for the beacon at home, which would not count any more.
  @Test(arguments: End.allCases)
  func centralBehaviour69_whoHasNoKeyMakesNoSlowSearchFastAndIsNoRide(_ end: End) {
    let scene = Encounter.pairedAndLost()
    scene.central.pass(600_000)
    expect(isSlow(scene))
    scene.central.onHearing = { [unowned central = scene.central] _ in
      expect(central.ask { $0.listening } != .off)
    }
    fail(end, scene)
    scene.central.pass(1_300)
    expect(isSlow(scene) && scene.central.ask { $0.listening } == .on)
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
}

/// How far the link of a ride is relaxed.
struct PaceTests {
  private static let relaxed = "50 00 64 00"  // 100 to 125 ms
  private static let close = "18 00 28 00"  // 30 to 50 ms

  /// Rides for twenty seconds; the intervals that were asked for meanwhile.
  private func ride(_ scene: Encounter) -> [String] {
    _ = scene.central.takeSaid()
    scene.central.pass(20_000)
    return scene.central.takeSaid().filter { $0.hasPrefix("01 13 20") }
      .map { $0.split(separator: " ")[6..<10].joined(separator: " ") }
  }

  private func lose(_ scene: Encounter, reason: UInt8) {
    scene.controller.disconnect(reason: reason, scene.central)
    _ = scene.meet()
  }

  @Test func centralBehaviour94_aRelaxedLinkThatWasLostIsNotRelaxedThatFarAgain() {
    let scene = Encounter.paired()
    expect(ride(scene), [Self.relaxed])
    for _ in 0..<3 {
      lose(scene, reason: 0x08)
      expect(ride(scene), [Self.close])
    }
  }

  /// A turn that the phone writes to us as well keeps only a link alive that waits for komoot.
  @Test func centralBehaviour94_aTurnByOurServerPutsItOffForNothing() {
    let scene = Encounter.paired()
    scene.central.pass(9_000)
    scene.central.change { host, now in host.step(.turnWasWritten, at: now) }
    expect(ride(scene), [Self.relaxed])
  }

  /// The phone's owner ended it, or it was never relaxed, or another ride has begun.
  @Test func centralBehaviour94_anotherEndOrAnotherRideIsNoReasonToStayClose() {
    let scene = Encounter.paired()
    expect(ride(scene), [Self.relaxed])
    lose(scene, reason: 0x13)
    scene.central.pass(2_000)
    lose(scene, reason: 0x08)
    expect(ride(scene), [Self.relaxed])
    scene.lose()
    scene.central.pass(601_000)
    _ = scene.meet()
    expect(ride(scene), [Self.relaxed])
  }

  /// A Connection Parameter Update Request by L2CAP: 100 to 125 ms, latency 2, 5 s.
  private static let wish = bytes("12 07 08 00 50 00 64 00 02 00 f4 01")

  private func wish(_ scene: Encounter) -> Bool {
    scene.phone.forgetRequests()
    _ = scene.central.takeSaid()
    scene.controller.send(channel: 0x05, Self.wish, scene.central)
    // Command 13, the same identifier, 2 octets: 0 for accepted.
    return scene.phone.answers.contains([0x05] + bytes("13 07 02 00 00 00"))
  }

  @Test func centralBehaviour94_whatThePhoneRelaxesIsNotRelaxedThatFarAgainEither() {
    let scene = Encounter.paired()
    expect(wish(scene))
    scene.central.pass(20_000)
    lose(scene, reason: 0x08)
    expect(!wish(scene))
    expect(ride(scene), [Self.close])
  }
}

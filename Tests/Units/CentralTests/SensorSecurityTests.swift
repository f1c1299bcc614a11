import Bond
import Bytes
import Central
import Expecting
import SensorLinks
import Sensors
import TestSupport
import VirtualAir

/// Sensors that ask for an encrypted link, and what becomes of the key.
struct SensorSecurityTests: RidingSuite {
  let ride = FollowedRide()
  private let strap = VirtualSensor(.heart, number: 1)
  private let wheel = VirtualSensor(.speed, number: 2)

  /// It sends a Security Request on each link, and goes if that is declined.
  private func asks(_ sensor: VirtualSensor, _ manner: VirtualSecurity.Manner) {
    (sensor.requestsSecurity, sensor.leavesWhenDeclined) = (true, true)
    sensor.security = VirtualSecurity(number: UInt32(sensor.address[1]))
    sensor.security?.manner = manner
  }

  private func link(_ sensor: VirtualSensor, key: Bond.Key?) throws {
    controller.sensors.append(sensor)
    central.follow(try remembered([sensor.kind.known: sensor], key: key))
  }

  private func pairings(_ sensor: VirtualSensor) -> Int {
    sensor.security?.codes.count { $0 == 0x01 } ?? 0
  }

  @Test func centralBehaviour100_whoAsksForSecurityGetsJustWorksAndStays() {
    asks(strap, .justWorks)
    link(strap)
    wheel.security = VirtualSecurity()
    link(wheel)
    central.pass(60_000)
    expect(isReady(.heart) && strap.isEncrypted && pairings(strap) == 1)
    expect(isReady(.speed) && !wheel.isEncrypted && wheel.security?.codes == [], "it never asks")
    #expect(central.takeSensorEvents().contains(.sensor(.heart, .secured)))
    expect(central.ask { $0.sensors.newKey(of: strap.deviceAddress) }, strap.security?.longTermKey)
    expect(central.memory == .nothing && central.stage == .ready, "the phone's are others")
  }

  /// It asks once more, and refuses a request although the link is encrypted; a key that it says it forgets is not kept.
  @Test func centralBehaviour100_itIsPairedWithOnceALink() {
    asks(strap, .justWorks)
    strap.security?.isBonding = false
    link(strap)
    controller.send(channel: 0x06, bytes("0b 01"), from: strap, central)
    central.pass(1_000)
    expect(isReady(.heart) && strap.isEncrypted && pairings(strap) == 1)
    expect(central.ask { $0.sensors.newKey(of: strap.deviceAddress) }, nil)
    strap.errors[0x12] = 0x05
    controller.disconnect(strap, reason: 0x08, central)
    central.pass(500)
    expect(pairings(strap) == 2 && !isReady(.heart))
    central.pass(4_500)
    expect(takeRefusals(), [.service])
  }

  @Test func centralBehaviour100_theKeyThatIsKeptEncryptsTheNextLink() throws {
    asks(strap, .justWorks)
    link(strap)
    let key = try #require(central.ask { $0.sensors.newKey(of: strap.deviceAddress) })
    controller.disconnect(strap, reason: 0x08, central)
    central.pass(2_000)
    expect(isReady(.heart) && strap.isEncrypted && pairings(strap) == 1)
    // After a start it comes from the store.
    central.unfollow(.heart)
    controller.sensors.removeAll()
    try link(strap, key: key)
    expect(isReady(.heart) && strap.isEncrypted && pairings(strap) == 1)
    expect(central.ask { $0.sensors.newKey(of: strap.deviceAddress) }, nil, "there is no new one")
  }

  /// Another strap is offered beside it, and asks for security.
  @Test func centralBehaviour131_theKeyOfAStrapThatIsOfferedIsNotThatOfTheRememberedOne() {
    link(strap)
    let other = VirtualSensor(.heart, number: 3)
    asks(other, .justWorks)
    central.searchSensors()
    put(other)
    central.pass(1_500)
    expect(offered == other.deviceAddress && other.isEncrypted)
    central.endSensorSearch()
    controller.disconnect(strap, reason: 0x08, central)
    _ = central.takeSaid()
    central.pass(2_000)
    expect(isReady(.heart) && controller.link(strap) != nil)
    expect(!central.takeSaid().contains { $0.hasPrefix("01 19 20") })
  }

  // MARK: - A key that fails

  private static let old = Bond.Key(words: [1, 2, 3, 4])

  private var wish: SensorKind? { central.ask { $0.sensors.pairingWish } }

  private func answer(_ isYes: Bool) {
    central.change { $0.step(.answerSensor(.heart, isYes: isYes), at: $1) }
  }

  /// How often the old key was tried since it was asked.
  private func triesOfOldKey() -> Int {
    let key = hex(array(Self.old.bytes))
    return central.takeSaid().count { $0.hasPrefix("01 19 20") && $0.hasSuffix(key) }
  }

  private func linkWithOldKey() throws {
    asks(strap, .justWorks)
    try link(strap, key: Self.old)
  }

  /// It pairs, and is followed again with the key that it has.
  private func linkWithKey() throws {
    asks(strap, .justWorks)
    link(strap)
    let key = try #require(strap.security?.longTermKey)
    central.unfollow(.heart)
    controller.sensors.removeAll()
    controller.encrypts = false
    try link(strap, key: key)
  }

  /// It is switched off in the wrong moment, or says nothing; five seconds lie between two tries.
  @Test(arguments: [0x05, 0x06, 0x13, 0x1A, 0x3D, nil] as [UInt8?])
  func centralBehaviour108_aKeyIsThereStillAfterTwoFailures(_ reason: UInt8?) throws {
    try linkWithKey()
    for _ in 0..<2 {
      if let reason {
        controller.disconnect(strap, reason: reason, central)
        central.pass(4_999)
        expect(controller.link(strap) == nil)
        central.pass(1)
      } else {
        central.pass(14_000)
      }
      expect(controller.link(strap) != nil && wish == nil)
    }
    controller.encrypts = true
    controller.disconnect(strap, reason: 0x08, central)
    central.pass(20_000)
    expect(isReady(.heart) && strap.isEncrypted && pairings(strap) == 1)
  }

  @Test func centralBehaviour108_aLossRightAfterATryWaitsForTheRestOfFiveSeconds() throws {
    try linkWithKey()
    controller.encrypts = true
    controller.disconnect(strap, reason: 0x08, central)
    central.pass(5_000)
    expect(isReady(.heart) && strap.isEncrypted)
    central.pass(3_000)
    controller.disconnect(strap, reason: 0x08, central)
    central.pass(1_999)
    expect(controller.link(strap) == nil)
    central.pass(1)
    expect(isReady(.heart))
    central.pass(60_000)
    controller.disconnect(strap, reason: 0x08, central)
    central.pass(1_000)
    expect(isReady(.heart), "its last try is long ago")
  }

  @Test func centralBehaviour108_afterThreeFailuresInARowTheRiderIsAsked() throws {
    try linkWithKey()
    for failure in 1...3 {
      expect(wish, nil)
      controller.disconnect(strap, reason: 0x13, central)
      expect((wish == .heart) == (failure == 3))
      central.pass(6_000)
    }
    // It is there after all.
    controller.encrypts = true
    controller.disconnect(strap, reason: 0x08, central)
    central.pass(60_000)
    expect(isReady(.heart) && wish == nil && pairings(strap) == 1)
  }

  /// Its battery was changed, or it is somebody else with its address.
  @Test func centralBehaviour131_whoDeniesTheKeyGetsAnotherOneOnlyIfTheRiderAgrees() throws {
    try linkWithOldKey()
    for _ in 0..<20 {
      controller.notify(bytes("00 48"), from: strap, central)
      central.pass(5_000)
    }
    expect(central.sensorBytes == [] && wish == .heart && pairings(strap) == 0)
    #expect(central.takeSensorEvents().contains(.sensor(.heart, .refused(.key))))
    #expect((3...20).contains(triesOfOldKey()), "it is tried first on each link")
    answer(true)
    expect(wish, nil)
    central.pass(60_000)
    expect(isReady(.heart) && strap.isEncrypted && pairings(strap) == 1)
    #expect(triesOfOldKey() == 1)
  }

  /// The link with the new one is lost before it has brought anything.
  @Test(arguments: [false, true])
  func centralBehaviour131_theNewKeyCountsOnceItHasBroughtAValue(_ hasValue: Bool) throws {
    try linkWithOldKey()
    answer(true)
    central.pass(5_000)
    expect(isReady(.heart) && pairings(strap) == 1)
    if hasValue {
      controller.notify(bytes("00 48"), from: strap, central)
      central.change { $0.step(.sensorValueMadeSense, at: $1) }
    }
    _ = central.takeSaid()
    controller.disconnect(strap, reason: 0x08, central)
    central.pass(10_000)
    expect(isReady(.heart) && triesOfOldKey() == (hasValue ? 0 : 1))
    expect(pairings(strap), hasValue ? 1 : 2)
  }

  @Test func centralBehaviour131_aNoIsNotAskedAgain() throws {
    try linkWithOldKey()
    answer(false)
    central.pass(300_000)
    expect(wish == nil && pairings(strap) == 0 && !isReady(.heart))
    answer(true)
    central.pass(120_000)
    expect(pairings(strap), 0, "nobody has asked")
  }

  /// It ends each link on which the old key is tried: the next one begins without it.
  @Test func centralBehaviour131_whoEndsTheLinkForAKeyIsPairedWithOnTheNext() throws {
    asks(strap, .justWorks)
    controller.encrypts = false
    try link(strap, key: Self.old)
    for _ in 0..<3 {
      controller.disconnect(strap, reason: 0x06, central)
      central.pass(8_000)
    }
    answer(true)
    controller.disconnect(strap, reason: 0x06, central)
    _ = central.takeSaid()
    controller.encrypts = true
    central.pass(20_000)
    expect(isReady(.heart) && strap.isEncrypted && pairings(strap) == 1 && triesOfOldKey() == 0)
  }

  /// Both want it as soon as they are linked: by a Security Request, or as they refuse what is asked openly.
  @Test(arguments: [false, true])
  func centralBehaviour100_twoThatAskAtOnceGetItBoth(_ refuse: Bool) {
    for sensor in [strap, wheel] {
      asks(sensor, .justWorks)
      if refuse { (sensor.requestsSecurity, sensor.openLinkError) = (false, 0x05) }
      link(sensor)
    }
    central.pass(1_000)
    expect(isReady(.heart) && strap.isEncrypted && isReady(.speed) && wheel.isEncrypted)
  }

  /// Each of these has ten seconds, also the one that the rider is asked about.
  @Test func centralBehaviour100_aFourthIsNotHeldUpByThreeThatAreSilent() {
    let radar = VirtualSensor(.radar, number: 4)
    let sought = find(.power, number: 3)
    sought.security = VirtualSecurity(number: 3)
    for sensor in [strap, wheel] { asks(sensor, .silence) }
    asks(radar, .justWorks)
    sought.security?.manner = .silence
    controller.send(channel: 0x06, bytes("0b 01"), from: sought, central)
    central.pass(1_000)
    for sensor in [strap, wheel, radar] { link(sensor) }
    _ = central.takeEvents()
    for _ in 0..<310 { central.pass(100) }  // as the packets of a ride wake the loop
    let wasLost = central.takeSensorEvents().contains {
      if case .sensor(.radar, .disconnected) = $0 { true } else { false }
    }
    expect(isReady(.radar) && radar.isEncrypted && !wasLost)
  }

  /// What it wishes we cannot give, and its values come over an open link, too.
  @Test(arguments: [.legacy, .comparison, .refusal(0x05), .silence] as [VirtualSecurity.Manner])
  func centralBehaviour100_whoOnlyWishesForSecurityIsHeard(manner: VirtualSecurity.Manner) {
    asks(strap, manner)
    strap.leavesWhenDeclined = false
    link(strap)
    central.pass(30_000)
    expect(isReady(.heart) && !strap.isEncrypted && controller.link(strap) != nil)
    controller.notify(bytes("00 48"), from: strap, central)
    expect(central.sensorBytes.last, bytes("00 48"))
    // Nor does its pairing hold up others.
    asks(wheel, .justWorks)
    link(wheel)
    central.pass(1_000)
    expect(isReady(.speed) && wheel.isEncrypted)
  }
}

import Bond
import Bytes
import Central
import Expecting
import Sensors
import TestSupport
import VirtualAir

/// Sensors that ask for an encrypted link, and what becomes of the key.
@Suite struct SensorSecurityTests: RidingSuite {
  let ride = FollowedRide()
  private let strap = VirtualSensor(.heart, number: 1)
  private let wheel = VirtualSensor(.speed, number: 2)

  /// It sends a Security Request on each link, and goes if that is declined.
  private func asks(_ sensor: VirtualSensor, _ manner: VirtualSecurity.Manner) {
    (sensor.requestsSecurity, sensor.leavesWhenDeclined) = (true, true)
    sensor.security = VirtualSecurity(number: UInt32(sensor.address[1]))
    sensor.security?.manner = manner
  }

  private func link(_ sensor: VirtualSensor, key: Bond.Key? = nil) throws {
    controller.sensors.append(sensor)
    var remembered = RememberedSensors()
    let name = Array(sensor.name.utf8)
    let known = RememberedSensor(
      sensor.kind.known, address: sensor.deviceAddress, key: key, name: name.span)
    remembered.set(try #require(known))
    central.follow(remembered)
  }

  private func pairings(_ sensor: VirtualSensor) -> Int {
    sensor.security?.codes.count { $0 == 0x01 } ?? 0
  }

  @Test func centralBehaviour100_whoAsksForSecurityGetsJustWorksAndStays() throws {
    asks(strap, .justWorks)
    try link(strap)
    central.pass(60_000)
    expect(isReady(.heart) && strap.isEncrypted && pairings(strap) == 1)
    #expect(central.takeSensorEvents().contains(.sensor(.heart, .secured)))
    expect(central.ask { $0.sensorKey(of: strap.deviceAddress) }, strap.security?.longTermKey)
    expect(central.memory == .nothing && central.stage == .ready, "the phone's are others")
  }

  /// It asks once more, and refuses a request although the link is encrypted.
  @Test func centralBehaviour100_itIsPairedWithOnceALink() throws {
    asks(strap, .justWorks)
    try link(strap)
    controller.send(channel: 0x06, bytes("0b 01"), from: strap, central)
    central.pass(1_000)
    expect(isReady(.heart) && pairings(strap) == 1)
    strap.errors[0x12] = 0x05
    strap.security?.longTermKey = nil
    controller.disconnect(strap, reason: 0x08, central)
    central.pass(500)
    expect(pairings(strap) == 2 && !isReady(.heart))
  }

  @Test func centralBehaviour100_theKeyThatIsKeptEncryptsTheNextLink() throws {
    asks(strap, .justWorks)
    try link(strap)
    let key = try #require(central.ask { $0.sensorKey(of: strap.deviceAddress) })
    controller.disconnect(strap, reason: 0x08, central)
    central.pass(2_000)
    expect(isReady(.heart) && strap.isEncrypted && pairings(strap) == 1)
    // After a start it comes from the store.
    central.unfollow(.heart)
    controller.sensors.removeAll()
    try link(strap, key: key)
    expect(isReady(.heart) && strap.isEncrypted && pairings(strap) == 1)
    expect(central.ask { $0.sensorKey(of: strap.deviceAddress) }, nil, "there is no new one")
  }

  /// Its battery was changed.
  @Test func centralBehaviour100_whoHasForgottenTheKeyIsPairedWithOnTheSameLink() throws {
    asks(strap, .justWorks)
    let old = Bond.Key(words: [1, 2, 3, 4])
    try link(strap, key: old)
    expect(isReady(.heart) && strap.isEncrypted && pairings(strap) == 1)
    let new = central.ask { $0.sensorKey(of: strap.deviceAddress) }
    expect(new != nil && new != old && controller.links.count == 2)
  }

  /// Else each link would end so.
  @Test func centralBehaviour100_aKeyThatEndsTheLinkIsNotTriedAgain() throws {
    asks(strap, .justWorks)
    controller.encrypts = false
    try link(strap, key: Bond.Key(words: [1, 2, 3, 4]))
    controller.encrypts = true
    controller.disconnect(strap, reason: 0x05, central)
    expect(pairings(strap), 0)
    central.pass(1_000)
    expect(isReady(.heart) && strap.isEncrypted && pairings(strap) == 1)
  }

  /// It says that it forgets the key.
  @Test func centralBehaviour100_aKeyThatTheSensorDoesNotKeepIsNotKept() throws {
    asks(strap, .justWorks)
    strap.security?.isBonding = false
    try link(strap)
    expect(isReady(.heart) && strap.isEncrypted)
    expect(central.ask { $0.sensorKey(of: strap.deviceAddress) }, nil)
  }

  /// Both want it as soon as they are linked.
  @Test func centralBehaviour100_twoThatAskAtOnceGetItOneAfterTheOther() {
    asks(strap, .justWorks)
    asks(wheel, .justWorks)
    for sensor in [strap, wheel] {
      controller.sensors.append(sensor)
      central.follow(sensor)
    }
    central.pass(1_000)
    expect(isReady(.heart) && strap.isEncrypted && isReady(.speed) && wheel.isEncrypted)
  }

  /// What it wishes we cannot give, and its values come over an open link, too.
  @Test(arguments: [.legacy, .comparison, .refusal(0x05), .silence] as [VirtualSecurity.Manner])
  func centralBehaviour100_whoOnlyWishesForSecurityIsHeardWithoutIt(
    _ manner: VirtualSecurity.Manner
  ) throws {
    asks(strap, manner)
    strap.leavesWhenDeclined = false
    try link(strap)
    central.pass(30_000)
    expect(isReady(.heart) && !strap.isEncrypted && controller.link(strap) != nil)
    controller.notify(bytes("00 48"), from: strap, central)
    expect(central.sensorBytes.last, bytes("00 48"))
    // Its pairing is over for others.
    asks(wheel, .justWorks)
    controller.sensors.append(wheel)
    central.follow(wheel)
    central.pass(1_000)
    expect(isReady(.speed) && wheel.isEncrypted)
  }

  @Test func centralBehaviour100_aSensorThatNeverAsksIsNotPairedWith() throws {
    strap.security = VirtualSecurity()
    try link(strap)
    central.pass(10_000)
    expect(isReady(.heart) && strap.security?.codes == [] && !strap.isEncrypted)
  }
}

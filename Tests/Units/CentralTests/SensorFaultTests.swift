import Bytes
import Central
import Expecting
import HCI
import SensorLinks
import Sensors
import TestSupport
import VirtualAir

/// What goes wrong on the links of sensors, and stays with the one that it happens to.
struct SensorFaultTests: RidingSuite {
  let ride = FollowedRide()
  private let strap = VirtualSensor(.heart, number: 1)
  private let wheel = VirtualSensor(.speed, number: 2)

  private func wantSecurity(_ sensor: VirtualSensor, _ manner: VirtualSecurity.Manner) {
    sensor.openLinkError = 0x05
    sensor.security = VirtualSecurity(number: UInt32(sensor.address[1]))
    sensor.security?.manner = manner
  }

  /// LE Connection Complete of a link to this address.
  private func hearLink(_ handle: UInt16, to sensor: VirtualSensor, role: UInt8 = 0) {
    central.receive(
      [0x04, 0x3E, 0x13, 0x01, 0x00] + little(handle) + [role] + sensor.address
        + bytes("64 00 00 00 90 01 00"))
  }

  // MARK: - Links

  /// Else the key of the other one, which has brought no value, would be kept for one that has.
  @Test func centralBehaviour131_aValueIsOfItsSensorThoughAnotherIsGivenUpInTheSameMoment() throws {
    link(strap)
    wheel.withheld = [0x06]
    link(wheel)
    _ = central.takeSensorEvents()
    let handle = try #require(controller.link(strap)).handle
    let packet = [0x02] + little(handle | 0x2000) + bytes("09 00 05 00 04 00 1b 22 00 00 48")
    var said: [(HostEvent, DeviceAddress)] = []
    central.change { host, now in
      host.step(.packet(packet.span), at: now + 15_000)
      while let event = host.takeEvent() { said.append((event, host.sensorAddress)) }
    }
    expect(said.map(\.0), [.sensor(.heart, .value), .sensor(.speed, .refused(.silence))])
    expect(said.map(\.1), [strap.deviceAddress, wheel.deviceAddress])
  }

  /// As is one in which we are the peripheral: the word of it was damaged, nobody would serve the link, and a sensor
  /// that has one advertises no more.
  @Test(arguments: [false, true]) func aSecondLinkToASensorIsEnded(_ isPeripheral: Bool) {
    link(strap)
    wheel.isNear = false
    link(wheel)
    _ = central.takeSaid()
    hearLink(0x0099, to: isPeripheral ? wheel : strap, role: isPeripheral ? 1 : 0)
    #expect(central.takeSaid().contains("01 06 04 03 99 00 13"))
    expect(isReady(.heart) && central.stage == .ready)
  }

  /// It is not waited for again at once: a controller that ends each wait would never rest.
  @Test func aWaitThatEndsInVainIsFollowedByARest() {
    strap.isNear = false
    link(strap)
    controller.connect(central, to: strap.address, status: 0x3E)
    central.pass(999)
    expect(controller.initiating == nil)
    central.pass(1)
    expect(controller.initiating?.usesAcceptList, true)
  }

  /// Its signal is too weak for more than the link.
  @Test func whoIsLostBeforeItsValuesComeRests() {
    strap.withheld = [0x06]
    link(strap)
    controller.disconnect(strap, reason: 0x08, central)
    central.pass(999)
    expect(controller.links.count == 1 && controller.initiating == nil)
    central.pass(1)
    expect(controller.links.count, 2)
  }

  /// Nor is a notification of something else a value, as of its battery, to which its former owner was subscribed.
  @Test func anAttributePDUOfNoBytesIsDroppedAndTheLinkGoesOn() {
    link(strap)
    _ = central.takeEvents()
    let dropped = central.droppedCount
    controller.send(channel: 0x04, [], from: strap, central)
    expect(central.droppedCount, dropped + 1)
    controller.send(channel: 0x04, bytes("1b 42 00 57"), from: strap, central)
    expect(central.takeSensorEvents(), [])
    controller.notify(bytes("00 48"), from: strap, central)
    expect(isReady(.heart) && central.sensorBytes.last == bytes("00 48"))
  }

  /// And a link that does not end is a failure of the controller.
  @Test func whoIsLeftSaysNothingMore() {
    link(strap)
    _ = central.takeEvents()
    controller.withheld = [0x0406]
    central.unfollow(.heart)
    controller.notify(bytes("00 48"), from: strap, central)
    expect(central.takeSensorEvents(), [])
    central.receive("04 0f 04 00 01 06 04")
    _ = central.takeEvents()
    central.pass(6_999)
    expect(central.takeEvents(), [])
    central.pass(1)
    #expect(central.takeEvents().contains(.failed(.linkStuck)))
  }

  /// One that gives no buffer back has lost the link, or the sensor is gone.
  @Test func whoTakesNothingForTenSecondsIsLeft() {
    link(strap)
    central.pass(1_000)  // so that nothing of the phone's is due with it
    controller.completesPackets = false
    controller.send(channel: 0x04, bytes("0a 03 00"), from: strap, central)
    central.pass(9_999)
    #expect(controller.link(strap) != nil)
    _ = central.takeEvents()
    central.pass(1)
    expect(takeRefusals(), [.silence])
    expect(central.ask { $0.sensors.linkedAddress(.heart) } == nil && central.stage == .ready)
  }

  /// Both sensors came while the phone was away, on a controller of two links.
  @Test(arguments: [LimitRefusal.commandStatus, .connectionComplete])
  func thePhoneGetsTheLinkOfTheSensorThatIsWorthTheLeast(_ refusal: LimitRefusal) {
    (controller.linkLimit, controller.limitRefusal) = (2, refusal)
    link(strap)
    controller.disconnect(reason: 0x08, central)
    link(wheel)
    controller.advertise(central, wheel)
    central.pass(100)
    expect(controller.links.count == 2 && central.stage != .ready)
    _ = central.takeEvents()
    for _ in 0..<50 {
      controller.advertise(central)
      central.pass(100)
    }
    expect(central.stage == .ready && isReady(.speed) && !isReady(.heart))
    expect(takeLimits().count, 1)
  }

  // MARK: - Security

  @Test func whoEndsTheEncryptionIsLeft() throws {
    wantSecurity(strap, .justWorks)
    link(strap)
    let handle = try #require(controller.link(strap)?.handle)
    central.receive([0x04, 0x08, 4, 0x00] + little(handle) + [0x00])
    expect(controller.link(strap) == nil && central.stage == .ready)
  }

  /// The sensor is gone in the same moment: what is refused then is not the phone's encryption.
  @Test func anEncryptionThatIsRefusedCostsThePhoneNothing() {
    controller.refused[0x2019] = 0x02
    wantSecurity(strap, .justWorks)
    link(strap)
    expect(takeRefusals(), [.pairing])
    expect(controller.link(strap) == nil)
    expect(central.stage == .ready && controller.isConnected)
  }

  // MARK: - Buffers

  /// All have more to send than the one buffer takes.
  @Test func linksTakeTurnsWithTheBuffers() {
    controller.leBuffers.count = 1
    bringUpAnew()
    let power = VirtualSensor(.power, number: 3)
    let all = [strap, wheel, power]
    for sensor in all { link(sensor) }
    controller.completesPackets = false
    for sensor in all {
      for _ in 0..<3 { controller.send(channel: 0x04, bytes("0a 03 00"), from: sensor, central) }
    }
    for sensor in all { sensor.forgetRequests() }
    var turns: [UInt8] = []
    for _ in 0..<6 {
      controller.completeAll(central)
      turns += controller.links.filter { $0.inFlight > 0 }.map { $0.address[1] }
    }
    expect(turns, [2, 3, 1, 2, 3, 1])
    expect(controller.overruns, 0)
  }

  /// The wheel was the last one, and holds none; the strap holds one of two.
  @Test func whoHoldsFewerBuffersComesFirst() throws {
    controller.leBuffers.count = 2
    bringUpAnew()
    link(strap)
    link(wheel)
    controller.completesPackets = false
    for sensor in [strap, wheel] {
      controller.send(channel: 0x04, bytes("0a 03 00"), from: sensor, central)
    }
    let handle = try #require(controller.link(wheel)?.handle)
    central.receive([0x04, 0x13, 5, 1] + little(handle) + [1, 0])
    central.isTransportFull = true
    central.searchSensors()
    for sensor in [strap, wheel] {
      controller.send(channel: 0x04, bytes("0a 03 00"), from: sensor, central)
    }
    central.isTransportFull = false
    central.pass(0)
    expect(controller.link(strap)?.inFlight, 1)
  }

  /// It was subscribed to openly, fell silent, and wants security when it is subscribed to again.
  @Test func aPairingAfterASilenceHasAnEnd() {
    link(strap)
    wantSecurity(strap, .silence)
    central.pass(70_000)
    expect(takeRefusals(), [.silence])
    wantSecurity(wheel, .justWorks)
    link(wheel)
    central.pass(1_000)
    expect(isReady(.speed))
  }
}

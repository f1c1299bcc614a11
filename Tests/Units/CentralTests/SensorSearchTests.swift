import Bytes
import Central
import Expecting
import HCI
import Sensors
import TestSupport
import VirtualAir

/// The search for a sensor that the rider wants to have, beside the ride and without one.
@Suite struct SensorSearchTests: RidingSuite {
  let ride = FollowedRide()

  @Test func besideTheRideItListensHalfOfTheTime() {
    central.searchSensors()
    // Active, 60 ms, 30 ms, our public address, everybody.
    expect(central.takeSaid(), ["01 0b 20 07 01 60 00 30 00 00 00", "01 0c 20 02 01 00"])
    central.pass(29_999)
    expect(stage != .off && controller.isScanning)
    central.pass(1)
    expect(stage == .off && !controller.isScanning)
    expect(central.stage, .ready)
  }

  /// A place without a candidate has that address, too.
  @Test func whoseAddressIsAllZerosIsOfferedAsWell() {
    central.searchSensors()
    let sensor = VirtualSensor(.heart, number: 1)
    sensor.address = Array(repeating: 0, count: 7)
    controller.sensors.append(sensor)
    controller.advertise(central, sensor)
    central.pass(1_500)
    expect(offered, sensor.deviceAddress)
  }

  /// Bit 24 of LE Supported States is clear: it does not scan as the central of a link.
  @Test func aControllerThatCannotListenBesideALinkIsNotToldTo() {
    controller.supportedStates &= ~(1 << 24)
    bringUpAnew()
    _ = central.takeSaid()
    central.searchSensors()
    central.pass(1_000)
    expect(central.takeSaid() == [] && central.stage == .ready)
  }

  /// The rider asked while the controller was away, and it has one link.
  @Test func aSearchEndsOnceTheControllerSaysThatItHasNoLinkForASensor() {
    central.stop()
    central.searchSensors()
    #expect(stage != .off)
    controller.supportedStates &= ~(1 << 28)
    central.start()
    central.pass(0)
    expect(stage, .off)
  }

  @Test func theStrongestIsOfferedOnceItsValuesCome() {
    central.searchSensors()
    let far = put(.heart, number: 1, rssi: -65)
    let near = put(.heart, number: 2, rssi: -50)
    expect(
      central.takeSensorEvents().prefix(2),
      [
        .sensorFound(.heart, far.deviceAddress), .sensorFound(.heart, near.deviceAddress),
      ])
    central.pass(1_499)
    expect(controller.initiating == nil && offered == nil)
    central.pass(1)
    expect(offered, near.deviceAddress)
    expect(!controller.isScanning, "who is asked about keeps the search waiting")
    controller.notify(bytes("00 48"), from: near, central)
    expect(central.sensorBytes.last, bytes("00 48"))
  }

  @Test func theNextOneIsTheNextStrongestAndNobodyIsOfferedTwice() {
    central.searchSensors()
    let all = [-50, -60, -70].enumerated().map {
      put(.heart, number: UInt8($0.offset + 1), rssi: Int8($0.element))
    }
    for sensor in all {
      for other in all { controller.advertise(central, other, rssi: rssi(of: other)) }
      central.pass(1_500)
      expect(offered, sensor.deviceAddress)
      central.searchNextSensor()
      expect(controller.link(sensor) == nil)
    }
    for other in all { controller.advertise(central, other, rssi: rssi(of: other)) }
    central.pass(1_500)
    expect(offered, nil)
  }

  private func rssi(of sensor: VirtualSensor) -> Int8 { -40 - Int8(sensor.address[1]) * 10 }

  @Test func whoIsFarIsNobodysWhoSearches() {
    central.searchSensors()
    put(.heart, number: 1, rssi: -71)
    central.pass(2_000)
    expect(offered == nil && central.takeSensorEvents() == [])
  }

  @Test func whoIsKeptIsFollowedFromThenOn() {
    let strap = find()
    central.follow(strap, handles: central.ask { $0.sensors.handles(.heart) })
    expect(stage, .off)
    central.pass(120_000)
    #expect(controller.link(strap) != nil)
    strap.isNear = false
    controller.disconnect(strap, reason: 0x08, central)
    central.pass(0)
    expect(controller.initiating?.usesAcceptList, true)
  }

  @Test(arguments: [true, false])
  func whoIsNotKeptIsLeftAtTheEndOfTheSearchOrAfterAMinute(_ endsByItself: Bool) {
    let strap = find()
    if endsByItself {
      central.pass(59_999)
      #expect(controller.link(strap) != nil)
      central.pass(1)
    } else {
      central.endSensorSearch()
    }
    expect(controller.link(strap) == nil && stage == .off && central.stage == .ready)
  }

  /// While another one is offered, the old one goes on; it is left when the rider has said yes to the other.
  @Test func centralBehaviour81_anotherOneOfAKindTakesThePlaceOfTheOldOneOnlyIfItIsKept() {
    let old = VirtualSensor(.heart, number: 1)
    controller.sensors = [old]
    central.follow(old)
    #expect(controller.link(old) != nil)
    central.searchSensors()
    let new = VirtualSensor(.heart, number: 2)
    new.shift = 0x10
    controller.sensors.append(new)
    controller.advertise(central, new)
    central.pass(1_500)
    expect(offered == new.deviceAddress && controller.link(old) != nil)
    expect(new.requests.first, 0x06, "not by the handles of the old one")
    for (sensor, value) in [(old, "00 48"), (new, "00 58"), (old, "00 49")] {
      controller.notify(bytes(value), from: sensor, central)
      expect(central.sensorBytes.last, bytes(value))
      expect(central.ask { $0.sensors.told }, sensor.deviceAddress)
    }
    old.forgetRequests()
    central.endSensorSearch()
    central.pass(1_000)
    expect(controller.link(old) != nil && controller.link(new) == nil)
    expect(old.requests, [], "it was there all the time")
    central.searchSensors()
    controller.advertise(central, new)
    central.pass(1_500)
    new.forgetRequests()
    central.follow(new)
    central.pass(59_000)
    expect(controller.link(new) != nil && controller.link(old) == nil)
    expect(new.requests, [], "on the same link")
    new.isNear = false
    controller.disconnect(new, reason: 0x08, central)
    central.pass(0)
    expect(controller.acceptList, [new.address], "the old one is waited for no more")
  }

  @Test func whoIsRememberedIsNoCandidate() {
    let old = VirtualSensor(.heart, number: 1)
    old.isNear = false
    controller.sensors = [old]
    central.follow(old)
    central.searchSensors()
    old.isNear = true
    controller.advertise(central, old)
    central.pass(1_500)
    expect(offered, nil)
  }

  /// It sleeps, and waiting for it would keep the radio from listening.
  @Test func whileSomebodyIsSearchedForNobodyIsWaitedFor() {
    let old = VirtualSensor(.speed, number: 1)
    old.isNear = false
    controller.sensors = [old]
    central.follow(old)
    central.searchSensors()
    expect(controller.initiating == nil && controller.isScanning)
    let strap = put(.heart, number: 2)
    central.pass(1_500)
    expect(offered, strap.deviceAddress)
  }

  /// What is saved of others does not end it.
  @Test func whoIsOfferedIsOfferedStillWhenOthersAreFollowed() {
    let (wheel, other) = (VirtualSensor(.speed, number: 2), VirtualSensor(.heart, number: 3))
    (wheel.isNear, other.isNear) = (true, false)
    controller.sensors = [wheel, other]
    central.follow(wheel)
    let strap = find()
    central.follow(wheel)
    central.follow(other)
    expect(offered, strap.deviceAddress)
  }

  @Test func whoIsLostWhileItIsOfferedIsOfferedNoMore() {
    let strap = find()
    _ = central.takeEvents()
    strap.isNear = false
    controller.disconnect(strap, reason: 0x08, central)
    expect(central.takeSensorEvents().last, .sensorSearch)
    expect(offered == nil && stage != .off && controller.isScanning)
  }

  @Test func withoutASearchThereIsNoNextOne() {
    central.searchNextSensor()
    expect(stage, .off)
  }

  @Test func ofSeveralServicesTheOneThatIsWorthMostCounts() {
    central.searchSensors()
    let trainer = VirtualSensor(.power, number: 1)
    trainer.advertisement = bytes("02 01 06 07 03 0d 18 16 18 18 18")
    controller.sensors.append(trainer)
    controller.advertise(central, trainer)
    central.pass(1_500)
    expect(stage, .offering(.power))
  }

  @Test func whoCannotBeConnectedToIsGivenUpAfterFiveSeconds() {
    central.searchSensors()
    controller.connects = false
    put(.heart, number: 1)
    central.pass(1_500)
    central.pass(4_999)
    #expect(controller.initiating != nil)
    central.pass(1)
    expect(controller.initiating == nil && controller.isScanning)
    expect(central.stage, .ready)
  }

  /// However late one is tried, the next one has its ten seconds.
  @Test func afterOneThatCannotBeConnectedToTheSearchGoesOnForTenSeconds() {
    central.searchSensors()
    controller.connects = false
    central.pass(28_000)
    put(.heart, number: 1)
    central.pass(1_500)
    central.pass(5_000 + 9_999)
    #expect(stage != .off)
    central.pass(1)
    expect(stage, .off)
  }

  /// Twenty thousand addresses, all of them strong, of one kind: the other kinds keep their places.
  @Test func aFloodOfOneKindPushesNoOtherOut() {
    central.searchSensors()
    let radar = put(.radar, number: 1, rssi: -39)
    for number in 0..<20_000 {
      var address = bytes("01 00 00 00 00 00 c1")
      for index in 0..<4 { address[1 + index] = UInt8(number >> (8 * index) & 0xFF) }
      controller.report(address, bytes("02 01 06 03 03 0d 18"), rssi: -40, central)
    }
    central.pass(1_500)
    expect(offered, radar.deviceAddress)
    #expect(central.takeSensorEvents().count < 20)
  }

  /// It is one of the rider's own, and says that it measures the pulse.
  @Test func thePhoneIsNoSensor() {
    central.searchSensors()
    controller.report(phone.address, bytes("02 01 06 03 03 0d 18"), rssi: -40, central)
    central.pass(1_500)
    expect(stage == .listening(until: stageEnd) && central.takeSensorEvents() == [])
  }

  private var stageEnd: Instant? {
    guard case .listening(let until) = stage else { return nil }
    return until
  }

  /// A remembered strap that offers navigation is not the phone.
  @Test func aRememberedSensorIsNoPhone() {
    let strap = VirtualSensor(.heart, number: 1)
    strap.isNear = false
    controller.sensors = [strap]
    central.follow(strap)
    controller.disconnect(reason: 0x08, central)
    _ = central.takeEvents()
    controller.report(strap.address, phone.advertisement, rssi: -30, central)
    let told = central.takeEvents()
    expect(!told.contains { if case .phone = $0 { true } else { false } })
  }

  @Test func withoutAPhoneTheScanForItIsTheSensorsToo() {
    controller.disconnect(reason: 0x08, central)
    _ = central.takeSaid()
    central.searchSensors()
    expect(central.takeSaid(), [], "it listens already")
    let strap = put(.heart, number: 1)
    central.pass(1_500)
    expect(offered, strap.deviceAddress)
    expect(controller.isScanning, "the search for the phone goes on")
    controller.advertise(central)
    central.pass(0)
    controller.advertise(central)
    central.pass(180)
    expect(central.stage == .ready && controller.link(strap) != nil)
  }

  /// The phone is lost, and searched for: that is what the radio does then.
  @Test func aLossOfThePhoneMakesItThePhonesScan() {
    central.searchSensors()
    controller.disconnect(reason: 0x08, central)
    expect(controller.isScanning && stage != .off)
    controller.advertise(central)
    central.pass(180)
    expect(central.stage, .ready)
  }

  /// Its address is a private one.
  @Test func aRememberedPhoneThatIsAwayIsNoSensor() {
    let scene = Encounter.pairedAndLost()
    scene.controller.connects = false
    scene.central.searchSensors()
    scene.controller.report(
      scene.security.privateAddress(2), bytes("02 01 06 03 03 0d 18"), rssi: -40, scene.central)
    expect(scene.central.takeSensorEvents(), [])
  }

  @Test func pairingWithThePhoneStopsIt() {
    let central = Central(pairing: .preferred)
    let controller = VirtualController()
    let phone = VirtualPhone()
    phone.security = VirtualSecurity()
    controller.phone = phone
    central.controller = { controller.take($1, $0) }
    central.start()
    central.rememberNobody()
    central.searchSensors()
    #expect(central.ask { $0.sensors.stage } != .off)
    controller.advertise(central)
    central.pass(180)
    expect(central.ask { $0.sensors.stage }, .off)
  }

  @Test func aControllerThatCannotListenBesideALinkEndsIt() {
    controller.refused[0x200C] = 0x0C
    central.searchSensors()
    expect(stage == .off && central.takeSensorEvents() == [.sensorSearch])
    expect(central.stage, .ready)
  }
}

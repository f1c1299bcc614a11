import Bytes
import Central
import Expecting
import HCI
import Sensors
import TestSupport
import VirtualAir

/// The search for a sensor that the rider wants to have, beside the ride and without one.
struct SensorSearchTests: RidingSuite {
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
    let sensor = find { $0.address = Array(repeating: 0, count: 7) }
    expect(offered, sensor.deviceAddress)
  }

  @Test func aControllerThatRefusesToListenBesideALinkEndsTheSearch() {
    controller.refused[0x200C] = 0x0C
    _ = (central.takeSaid(), central.takeEvents())
    central.searchSensors()
    central.pass(1_000)
    expect(stage == .off && central.takeSensorEvents() == [.sensorSearch])
    expect(central.stage, .ready)
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

  @Test func theStrongestIsOfferedThenTheNextOneAndNobodyTwice() {
    central.searchSensors()
    let all = (1...3).map { put(.heart, number: $0, rssi: -40 - Int8($0) * 10) }
    expect(
      central.takeSensorEvents().prefix(2),
      [.sensorFound(.heart, all[0].deviceAddress), .sensorFound(.heart, all[1].deviceAddress)])
    central.pass(1_499)
    expect(controller.initiating == nil && offered == nil)
    central.pass(1)
    for sensor in all {
      expect(offered, sensor.deviceAddress)
      expect(!controller.isScanning, "who is asked about keeps the search waiting")
      controller.notify(bytes("00 48"), from: sensor, central)
      expect(central.sensorBytes.last, bytes("00 48"))
      central.searchNextSensor()
      expect(controller.link(sensor) == nil)
      for other in all {
        controller.advertise(central, other, rssi: -40 - Int8(other.address[1]) * 10)
      }
      central.pass(1_500)
    }
    expect(offered, nil)
  }

  /// As is who sends its pulse to everybody and takes no link, and the phone, which says that it measures the pulse.
  @Test(arguments: [(0, -71, false), (3, -60, false), (0, -40, true)] as [(UInt8, Int8, Bool)])
  func whoIsFarIsNobodysWhoSearches(_ type: UInt8, _ rssi: Int8, _ isPhones: Bool) {
    central.searchSensors()
    let strap = VirtualSensor(.heart, number: 1)
    controller.sensors.append(strap)
    let address = isPhones ? phone.address : strap.address
    controller.report(address, strap.advertisement, type: type, rssi: rssi, central)
    central.pass(2_000)
    expect(offered == nil && central.takeSensorEvents() == [] && controller.initiating == nil)
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

  /// It has taken its encryption away, and its end takes long.
  @Test func whoIsReplacedWhileItsLinkEndsIsNotToldToEndItOnceMore() throws {
    let old = linked()
    let new = find(number: 2)
    expect(offered, new.deviceAddress)
    let handle = try #require(controller.link(old)?.handle)
    central.onPacket = { $0[1] == 0x05 ? [] : [$0] }
    controller.forgetCommands()
    central.receive([0x04, 0x08, 4, 0] + little(handle) + [0])
    central.follow(new)
    central.pass(0)
    expect(controller.commands.count { $0 == 0x0406 }, 1)
    expect(isReady(.heart))
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
    let old = linked()
    #expect(controller.link(old) != nil)
    let new = find(number: 2) { $0.shift = 0x10 }
    expect(offered == new.deviceAddress && controller.link(old) != nil)
    expect(new.requests.first, 0x06, "not by the handles of the old one")
    for (sensor, value) in [(old, "00 48"), (new, "00 58"), (old, "00 49")] {
      controller.notify(bytes(value), from: sensor, central)
      expect(central.sensorBytes.last, bytes(value))
      expect(central.ask { $0.sensorAddress }, sensor.deviceAddress)
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

  /// It sleeps, and waiting for it would keep the radio from listening; nor is it a candidate when it is there.
  @Test func whoIsRememberedIsNeitherWaitedForNorOfferedInASearch() {
    let old = asleep(.heart, number: 1)
    central.searchSensors()
    expect(controller.initiating == nil && controller.isScanning)
    old.isNear = true
    controller.advertise(central, old)
    let strap = put(.heart, number: 2, rssi: -65)
    central.pass(1_500)
    expect(offered, strap.deviceAddress)
  }

  /// What is saved of others does not end it.
  @Test func whoIsOfferedIsOfferedStillWhenOthersAreFollowed() {
    let wheel = linked(.speed, number: 2)
    let strap = find()
    central.follow(wheel)
    asleep(.heart, number: 3)
    expect(offered, strap.deviceAddress)
  }

  /// However late one is tried, the next one has its ten seconds.
  @Test func whoCannotBeConnectedToIsGivenUpAfterFiveSecondsAndTheSearchGoesOnForTen() {
    central.searchSensors()
    controller.connects = false
    central.pass(28_000)
    put(.heart, number: 1)
    central.pass(1_500)
    central.pass(4_999)
    #expect(controller.initiating != nil)
    central.pass(1)
    expect(controller.initiating == nil && controller.isScanning)
    expect(central.stage, .ready)
    central.pass(9_999)
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

  /// A remembered strap that offers navigation is not the phone.
  @Test func aRememberedSensorIsNoPhone() {
    let strap = asleep()
    controller.disconnect(reason: 0x08, central)
    _ = central.takeEvents()
    controller.report(strap.address, phone.advertisement, rssi: -30, central)
    let told = central.takeEvents()
    expect(!told.contains { if case .phone = $0 { true } else { false } })
  }

  /// The phone is lost before or meanwhile: to search for it is what the radio does then.
  @Test(arguments: [true, false])
  func withoutAPhoneTheScanForItIsTheSensorsToo(_ isLostBefore: Bool) {
    if !isLostBefore { central.searchSensors() }
    controller.disconnect(reason: 0x08, central)
    _ = central.takeSaid()
    if isLostBefore { central.searchSensors() }
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
    let scene = Encounter()
    scene.central.searchSensors()
    #expect(scene.central.ask { $0.sensors.stage } != .off)
    _ = scene.meet()
    expect(scene.central.ask { $0.sensors.stage }, .off)
  }
}

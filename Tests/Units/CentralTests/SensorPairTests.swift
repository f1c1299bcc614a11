import Bond
import Bytes
import Central
import Expecting
import Sensors
import TestSupport
import VirtualAir

/// Two sensors of one service: one at the wheel and one at the crank, or two pedals.
struct SensorPairTests: RidingSuite {
  let ride = FollowedRide()
  private let wheel = VirtualSensor(.speed, number: 1)
  private let crank = VirtualSensor(.cadence, number: 2)

  /// It may be at the crank; and where only that is remembered, it may be the wheel.
  @Test(arguments: [VirtualSensor.Kind.speed, .cadence])
  func centralBehaviour97_theSecondOneIsOfferedBesideTheFirst(_ kind: VirtualSensor.Kind) {
    let first = kind == .speed ? wheel : crank
    link(first)
    let second = find(kind == .speed ? .cadence : .speed, number: 3)
    expect(stage == .offering(second.kind.known) && offered == second.deviceAddress)
    expect(isReady(kind.known) && controller.link(first) != nil)
    #expect(central.takeSensorEvents().contains(.sensorFound(.speed, second.deviceAddress)))
  }

  /// It was offered as one of speed, and its crank has turned.
  @Test func centralBehaviour97_whoTurnsOutToBeTheOtherKindKeepsItsLink() throws {
    central.searchSensors()
    put(crank)
    central.pass(1_500)
    expect(stage, .offering(.speed))
    _ = central.takeEvents()
    central.follow(try remembered([.cadence: crank]))
    expect(stage == .off && isReady(.cadence) && !isReady(.speed))
    expect(central.takeSensorEvents(), [])
    controller.notify([0x02], from: crank, central)
    expect(central.takeSensorEvents(), [.sensor(.cadence, .value)])
    central.pass(60_000)
    #expect(controller.link(crank) != nil)
  }

  /// The one that is remembered is at the crank, and what is offered beside it is at the wheel.
  @Test func centralBehaviour97_bothChangePlacesAndKeepTheirLinks() throws {
    controller.sensors = [crank]
    central.follow(try remembered([.speed: crank]))
    central.searchSensors()
    put(wheel)
    central.pass(1_500)
    expect(stage, .offering(.cadence))
    _ = central.takeEvents()
    central.follow(try remembered([.speed: wheel, .cadence: crank]))
    expect(central.ask { $0.sensors.linkedAddress(.speed) }, wheel.deviceAddress)
    expect(central.ask { $0.sensors.linkedAddress(.cadence) }, crank.deviceAddress)
    expect(isReady(.speed) && isReady(.cadence) && central.takeSensorEvents() == [])
  }

  /// Another wheel takes the place of the old one, though it was offered beside it.
  @Test func centralBehaviour97_anotherWheelTakesThePlaceOfTheOldOne() throws {
    link(wheel)
    let other = find(.speed, number: 3)
    central.follow(try remembered([.speed: other]))
    expect(
      central.ask { $0.sensors.linkedAddress(.speed) } == other.deviceAddress && isReady(.speed))
    expect(controller.link(wheel) == nil && controller.link(other) != nil)
  }

  /// Three links for five sensors: a radar, power, and a wheel.
  @Test func centralBehaviour97_ofFiveTheTwoThatAreWorthTheLeastGiveWay() {
    let heart = VirtualSensor(.heart, number: 3)
    let power = VirtualSensor(.power, number: 4)
    let radar = VirtualSensor(.radar, number: 5)
    for sensor in [heart, crank, wheel, power, radar] { link(sensor) }
    central.pass(2_000)
    #expect([heart, crank].allSatisfy { controller.link($0) == nil })
    #expect([wheel, power, radar].allSatisfy { controller.link($0) != nil })
    expect(controller.links.count, 4)
    // Power counts wheel and crank, too: the pulse is worth more than both.
    var both = SensorKinds()
    for kind in [SensorKind.speed, .cadence] { both.insert(kind) }
    central.change { host, _ in host.setGivingWay(both) }
    central.pass(61_000)
    #expect([heart, power, radar].allSatisfy { controller.link($0) != nil })
    #expect([wheel, crank].allSatisfy { controller.link($0) == nil })
    expect(controller.links.count, 4)
    // Of these two the wheel has the next link that is free.
    heart.isNear = false
    controller.disconnect(heart, reason: 0x08, central)
    central.pass(61_000)
    #expect(controller.link(wheel) != nil && controller.link(crank) == nil)
  }

  // MARK: - Two pedals

  @Test func centralBehaviour101_thePedalThatWasAgreedToIsFollowedAndNeverTheOther() throws {
    central.searchSensors()
    let left = put(.power, number: 1, rssi: -40)
    let right = put(.power, number: 2, rssi: -50)
    central.pass(1_500)
    expect(offered, left.deviceAddress)
    central.searchNextSensor()
    controller.advertise(central, right, rssi: -50)
    controller.advertise(central, left, rssi: -30)
    central.pass(1_500)
    expect(offered, right.deviceAddress, "nobody is offered twice")
    central.follow(try remembered([.power: right]))
    for _ in 0..<20 {
      controller.advertise(central, left, rssi: -30)
      central.pass(500)
    }
    expect(controller.link(right) != nil && controller.link(left) == nil)
    right.isNear = false
    controller.disconnect(right, reason: 0x08, central)
    for _ in 0..<20 {
      controller.advertise(central, left, rssi: -30)
      central.pass(500)
    }
    expect(controller.link(left) == nil && !isReady(.power), "nor in its place")
    right.isNear = true
    controller.advertise(central, right, rssi: -69)
    central.pass(2_000)
    expect(
      isReady(.power) && central.ask { $0.sensors.linkedAddress(.power) } == right.deviceAddress)
  }

  /// The attempt at it is under way, as at a stranger.
  @Test func whoIsRememberedWhileItIsTriedGetsItsLink() {
    controller.connects = false
    let strap = find()
    expect(stage == .trying(.heart) && controller.initiating != nil)
    central.follow(strap)
    controller.connect(central, to: strap.address)
    central.pass(100)
    expect(isReady(.heart) && controller.link(strap) != nil)
  }
}

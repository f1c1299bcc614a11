import Bond
import Bytes
import Expecting
import Sensors
import TestSupport
import VirtualAir

@testable import Device
@testable import VirtualDevice

/// The rider has a strap, and looks for another one.
@Suite struct SensorChangeTests {
  private let own = VirtualSensor(.heart, number: 1)
  private let other = VirtualSensor(.heart, number: 2)

  /// The own strap tells; the other one is offered, or the search has come to it.
  private func searching() throws -> World {
    let world = try World.riding(beside: [own])
    try world.remember(own, as: .heart)
    world.pass(3_500)
    world.notify(bytes("00 48"), from: own)
    world.pass(1_500)
    world.controller.sensors.append(other)
    other.name = "Other strap"
    world.turnToSensors()
    world.press("b")
    world.advertise(other)
    world.pass(1_500)
    return world
  }

  private func heart(_ world: World) -> UInt16? { world.device.desk.figures.heart }

  @Test func centralBehaviour81_theOwnStrapGoesOnWhileAnotherOneIsOffered() throws {
    let world = try searching()
    world.notify(bytes("00 58"), from: other)
    world.pass(1_500)
    expect(world.shows(.sensor(.candidate(.heart, other.name, .figure(.heart(88))))))
    world.notify(bytes("00 4a"), from: own)
    world.notify(bytes("00 59"), from: other)
    world.pass(1_500)
    expect(world.shows(.sensor(.candidate(.heart, other.name, .figure(.heart(89))))))
    expect(heart(world), 74)
    expect(!world.events("measure").contains { $0[number: "heart"] == 88 })
  }

  /// The own one goes on with the same beats.
  @Test func thePulseOfAnotherStrapThatFallsSilentIsShownNoMore() throws {
    let world = try searching()
    world.notify(bytes("00 58"), from: other)
    world.pass(1_500)
    expect(world.shows(.sensor(.candidate(.heart, other.name, .figure(.heart(88))))))
    for _ in 0..<7 {
      world.notify(bytes("00 48"), from: own)
      world.pass(1_000)
    }
    expect(world.shows(.sensor(.candidate(.heart, other.name, .still))))
    expect(heart(world), 72)
  }

  @Test func centralBehaviour81_afterAYesTheOtherOneIsTheOwn() throws {
    own.battery = 20
    let world = try searching()
    world.notify(bytes("00 58"), from: other)
    world.pass(1_500)
    world.press("a")
    world.pass(500)
    expect(world.shows(.sensor(.saved(.heart, other.name))))
    expect(world.controller.link(own) == nil && world.controller.link(other) != nil)
    expect(heart(world), nil, "what the other strap measured was another heart's")
    world.notify(bytes("00 5a"), from: other)
    world.pass(4_000)
    expect(heart(world), 90)
    expect(world.shows(.sensor(.page([.heart: (other.name, .ready(battery: 87))]))))
  }

  /// The own one was away, and comes while the other one is offered.
  @Test func centralBehaviour81_whatTheOtherOneMeasuredIsNotTheOwnOnes() throws {
    let world = try searching()
    world.press("b")
    own.isNear = false
    world.loseLink(of: own, reason: 0x08)
    other.isNear = false
    world.pass(32_000)  // that search is over
    let third = VirtualSensor(.heart, number: 3)
    world.controller.sensors.append(third)
    world.turnToSensors()
    world.press("b")
    world.advertise(third)
    world.pass(1_500)
    world.notify(bytes("00 60"), from: third)
    world.pass(1_500)
    expect(heart(world), 96, "it is looked at")
    own.isNear = true
    world.advertise(own)
    world.pass(1_500)
    expect(world.controller.link(own) != nil && world.controller.link(third) != nil)
    expect(heart(world), nil)
  }

  /// Wheel and crank are both remembered, so that it is offered beside the wheel until its own crank turns.
  @Test func centralBehaviour97_anotherCrankReplacesTheCrankAndLeavesTheWheelAlone() throws {
    let (wheel, crank) = (VirtualSensor(.speed, number: 4), VirtualSensor(.cadence, number: 5))
    let new = VirtualSensor(.cadence, number: 6)
    new.name = "New crank"
    let world = try World.riding(beside: [wheel, crank])
    for (kind, sensor) in [(SensorKind.speed, wheel), (.cadence, crank)] {
      try world.remember(sensor, as: kind)
      world.pass(4_000)
    }
    world.controller.sensors.append(new)
    world.turnToSensors()
    world.press("b")
    world.advertise(new)
    world.pass(1_500)
    for second: UInt16 in 0..<3 {
      let time = little(1_024 * second)
      world.notify([0x01] + little(2 * second) + [0, 0] + time, from: wheel)
      world.notify([0x02] + little(second) + time, from: new)
      world.pass(1_000)
    }
    expect(world.shows(.sensor(.candidate(.cadence, new.name, .figure(.cadence(60))))))
    world.press("a")
    world.pass(500)
    let kept = world.device.sensors
    expect(kept[.cadence]?.address, new.deviceAddress)
    expect(kept[.speed]?.address, wheel.deviceAddress)
    expect(world.controller.link(new) != nil && world.controller.link(wheel) != nil)
    expect(world.controller.link(crank) == nil)
    expect(world.device.desk.figures.speed, 4_210)
    let lost = world.events("sensor").filter { $0["state"] == "disconnected" }
    expect(lost.count == 1 && lost[0]["kind"] == "cadence" && lost[0]["name"] != new.name)
  }
}

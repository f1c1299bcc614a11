import Bytes
import Expecting
import Screens
import Sensors
import TestSupport
import VirtualAir
import VirtualDevice

@testable import Device

/// Two sensors of one kind or service, as bicycles have them: at the wheel and at the crank, or two pedals.
struct WheelAndCrankTests {
  private let wheel = VirtualSensor(.speed, number: 1)
  private let crank = VirtualSensor(.cadence, number: 2)

  /// The rider searches on the page of the sensors, and this one is offered.
  private func look(for sensor: VirtualSensor, _ world: World) {
    if !world.controller.sensors.contains(where: { $0 === sensor }) {
      world.controller.sensors.append(sensor)
    }
    world.turnToSensors()
    world.find(sensor)
  }

  private func keep(_ world: World) {
    world.press("a")
    world.pass(4_000)
  }

  private func remember(_ kind: SensorKind, _ sensor: VirtualSensor, _ world: World) throws {
    world.controller.sensors.append(sensor)
    try world.remember(sensor, as: kind)
    world.pass(4_000)
  }

  /// A turn of the crank each second.
  private func pedal(_ world: World, seconds: Int, from first: Int = 0, flag: String = "02") {
    let still = flag == "03" ? bytes("00 00 00 00 00 00") : []
    for second in first..<first + seconds {
      let time = little(UInt16(truncatingIfNeeded: 1_024 * second))
      world.notify(bytes(flag) + still + little(UInt16(second)) + time, from: crank)
      world.pass(1_000)
    }
  }

  private func told(_ world: World, of sensor: VirtualSensor) -> [String] {
    var address = FixedBuffer<17>()
    address.append(text: sensor.deviceAddress)
    let text = string(address.bytes)
    return world.events("sensor").filter { $0["address"] == text }
      .map { "\($0["state"] ?? "?") \($0["kind"] ?? "?")" }
  }

  private func address(_ kind: SensorKind, _ world: World) -> DeviceAddress? {
    world.device.sensors[kind]?.address
  }

  // MARK: - Adding both

  @Test func centralBehaviour97_aWheelThenACrankAreAddedAndBothAreKept() throws {
    let world = try World.riding(beside: [])
    look(for: wheel, world)
    world.roll(wheel, seconds: 3)
    expect(world.shows(.sensor(.candidate(.speed, wheel.name, .figure(.speed(4_210, .metric))))))
    keep(world)
    look(for: crank, world)
    expect(world.shows(.sensor(.candidate(.speed, crank.name, .still))), "it may be either")
    pedal(world, seconds: 3)
    expect(world.shows(.sensor(.candidate(.cadence, crank.name, .figure(.cadence(60))))))
    world.press("a")
    world.pass(100)
    expect(world.shows(.sensor(.saved(.cadence, crank.name))))
    expect(address(.speed, world), wheel.deviceAddress)
    expect(address(.cadence, world), crank.deviceAddress)
    world.roll(wheel, seconds: 2, from: 3)
    pedal(world, seconds: 2, from: 3)
    expect(world.events("measure").last.map { $0[number: "cadence"] }, 60)
    expect(
      told(world, of: crank),
      [
        "found speed", "connecting speed", "ready speed", "battery speed", "remembered cadence",
      ])
    expect(!told(world, of: wheel).contains { $0.hasPrefix("disconnected") })
    let again = try World.started(with: world.disk)
    expect(address(.speed, again), wheel.deviceAddress)
    expect(address(.cadence, again), crank.deviceAddress)
  }

  /// It was taken for one of speed, and has turned its crank alone, though not often.
  @Test func centralBehaviour97_aNewWheelReplacesNoSensorThatIsAtTheCrank() throws {
    let world = try World.riding(beside: [])
    try remember(.speed, crank, world)
    pedal(world, seconds: 5)
    look(for: wheel, world)
    world.roll(wheel, seconds: 3)
    keep(world)
    expect(address(.speed, world), wheel.deviceAddress)
    expect(address(.cadence, world), crank.deviceAddress)
    expect(!told(world, of: crank).contains { $0.hasPrefix("forgotten") })
    expect(world.controller.link(crank) != nil && world.controller.link(wheel) != nil)
  }

  /// That one has moved a crank alone, and a sensor of cadence is there already; or that one is at a wheel, and one of
  /// speed is there, which has said nothing yet.
  @Test func whoIsAtThePlaceOfAnotherKindDisplacesNoSensorOfThat() throws {
    let (cadence, speed) = (VirtualSensor(.cadence, number: 7), VirtualSensor(.speed, number: 7))
    let world = try World.riding(beside: [])
    try remember(.cadence, cadence, world)
    try remember(.speed, crank, world)
    pedal(world, seconds: 5)
    try remember(.speed, wheel, world)
    expect(address(.speed, world), wheel.deviceAddress)
    expect(address(.cadence, world), cadence.deviceAddress)
    let other = try World.riding(beside: [])
    try remember(.speed, speed, other)
    try remember(.cadence, wheel, other)
    other.roll(wheel, seconds: 4)
    expect(address(.speed, other), speed.deviceAddress)
    expect(address(.cadence, other), wheel.deviceAddress)
  }

  /// By its own clock 28 s have passed; more than half a round of it would have gone back.
  @Test func aCrankThatTurnsTwiceAMinuteDoesNotStand() throws {
    let world = try World.riding(beside: [])
    look(for: crank, world)
    for value in ["02 0000 0000", "02 0100 0070"] {
      world.notify(bytes(value), from: crank)
      world.pass(1_000)
    }
    expect(world.shows(.sensor(.candidate(.cadence, crank.name, .figure(.cadence(2))))))
  }

  // MARK: - What has moved decides

  /// A store of before has it as the sensor of speed; that its flags claim a wheel is a lie.
  @Test(arguments: ["02", "03"])
  func centralBehaviour97_aSensorOfSpeedWhoseCrankAloneTurnsBecomesOneOfCadence(_ flag: String)
    throws
  {
    let world = try World.riding(beside: [])
    try remember(.speed, crank, world)
    pedal(world, seconds: 20, flag: flag)
    expect(address(.speed, world), crank.deviceAddress)
    pedal(world, seconds: 3, from: 20, flag: flag)
    expect(address(.cadence, world) == crank.deviceAddress && address(.speed, world) == nil)
    expect(told(world, of: crank).last, "remembered cadence")
    expect(!told(world, of: crank).contains { $0.hasPrefix("disconnected") })
    expect(!world.shows(.sensor(.saved(.cadence, crank.name))), "the rider has done nothing")
    expect(world.events("measure").last.map { $0[number: "cadence"] }, 60)
    world.loseAllLinks()
    world.pass(11_000)
    expect(address(.cadence, try World.started(with: world.disk)), crank.deviceAddress)
  }

  /// The rider had turned its crank alone when it was added.
  @Test func centralBehaviour97_aSensorOfCadenceWhoseWheelTurnsBecomesOneOfSpeed() throws {
    let world = try World.riding(beside: [])
    try remember(.cadence, wheel, world)
    world.roll(wheel, seconds: 4)
    expect(address(.speed, world) == wheel.deviceAddress && address(.cadence, world) == nil)
    expect(world.events("measure").last.map { $0[number: "speed"] }, 4_210)
    expect(!told(world, of: wheel).contains { $0.hasPrefix("disconnected") })
  }

  @Test func centralBehaviour97_twoThatAreAtEachOthersPlacesChangeThem() throws {
    let world = try World.riding(beside: [])
    try remember(.cadence, wheel, world)
    try remember(.speed, crank, world)
    for second in 0..<25 {
      pedal(world, seconds: 1, from: second)
      world.roll(wheel, seconds: 1, from: second)
    }
    expect(address(.speed, world), wheel.deviceAddress)
    expect(address(.cadence, world), crank.deviceAddress)
    expect(world.events("measure").last.map { $0[number: "speed"] }, 4_210)
  }

  /// The disk is full: it is not asked while the link is there.
  @Test func whatCannotBeSavedCountsAllTheSame() throws {
    let world = try World.riding(beside: [])
    try remember(.speed, crank, world)
    pedal(world, seconds: 15)
    world.faults[.store] = .noSpace
    pedal(world, seconds: 60, from: 15)
    expect(world.events("error").filter { $0["source"] == "store" }.count, 0)
    expect(address(.cadence, world), crank.deviceAddress)
    expect(world.events("measure").last.map { $0[number: "cadence"] }, 60)
  }

  /// Neither has told anything yet.
  @Test func whoIsOnlyAddedHasADashForWheelAndCrank() throws {
    let world = try World.riding(beside: [])
    try remember(.speed, wheel, world)
    try remember(.cadence, crank, world)
    while world.device.scene.page != .data { world.press("a") }
    world.pass(100)
    let figures = DataFigures(
      speed: .unknown, heart: .absent, cadence: .unknown, power: .absent, units: .metric)
    expect(world.shows(.sensor(.data(figures))))
  }

  /// Its own sensor of cadence goes on beside it.
  @Test func whoIsOfferedIsShownByItsOwnCrankAndNotByTheRiders() throws {
    let world = try World.riding(beside: [])
    try remember(.cadence, crank, world)
    let other = VirtualSensor(.speed, number: 7)
    look(for: other, world)
    pedal(world, seconds: 3)
    expect(world.shows(.sensor(.candidate(.speed, other.name, .still))))
  }

  // MARK: - Two pedals

  @Test func centralBehaviour101_aSensorWithoutANameIsKnownByTheEndOfItsAddress() throws {
    let pedal = VirtualSensor(.power, number: 3)
    pedal.name = ""
    let world = try World.riding(beside: [])
    look(for: pedal, world)
    world.notify(bytes("0000 8800"), from: pedal)
    world.pass(1_000)
    expect(world.shows(.sensor(.candidate(.power, "5E03", .figure(.power(136))))))
    world.press("a")
    world.pass(100)
    expect(world.shows(.sensor(.saved(.power, "5E03"))))
    world.pass(4_000)
    world.turnToSensors()
    expect(world.shows(.sensor(.page([.power: ("5E03", .ready(battery: 87))]))))
    #expect(world.events("sensor").allSatisfy { $0["name"] == nil }, "that is no name")
  }

  // MARK: - Security

  /// `required` is about phones.
  @Test func centralBehaviour100_theKeyOfASensorIsKeptAndUsedAfterARestart() throws {
    let strap = VirtualSensor(.heart, number: 1)
    (strap.requestsSecurity, strap.leavesWhenDeclined) = (true, true)
    strap.security = VirtualSecurity(number: 1)
    strap.security?.manner = .justWorks
    let world = try World(["pairing=required"])
    world.pass(1_000)
    look(for: strap, world)
    world.notify(bytes("00 48"), from: strap)
    world.pass(1_000)
    keep(world)
    expect(strap.isEncrypted && world.device.sensors[.heart]?.key == strap.security?.longTermKey)
    #expect(world.device.sensors[.heart]?.key != nil)
    strap.isNear = false
    world.loseLink(of: strap)
    let again = try World(["pairing=required"], boots: false)
    again.disk = world.disk
    again.controller.sensors = [strap]
    again.pass(1_000)
    strap.isNear = true
    again.advertise(strap)
    again.pass(1_000)
    expect(strap.isSubscribed && strap.isEncrypted)
    expect(strap.security?.codes.count { $0 == 0x01 }, 1, "it is not paired with again")
    again.forgetSensors()
    #expect(again.device.sensors.isEmpty)
    let key = try #require(strap.security?.longTermKey)
    let secret = array(key.bytes)
    let disk = again.disk
    let holds = (0...disk.count - 16).contains { disk[$0..<$0 + 16].elementsEqual(secret) }
    expect(!holds, "in neither record")
  }
}

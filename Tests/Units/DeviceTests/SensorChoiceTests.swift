import Bytes
import DeviceState
import Expecting
import Screens
import Sensors
import TestSupport
import VirtualAir

@testable import Device
@testable import VirtualDevice

/// The rider chooses among several sensors in one search.
struct SensorListRideTests {
  private let own = VirtualSensor(.heart, number: 1, name: "TICKR")
  private let friends = VirtualSensor(.heart, number: 2, name: "H10 4F2A")

  /// Both are on the air, the friend's is the stronger one, and both have said their pulse.
  private func comparing(_ settings: [String] = []) throws -> World {
    let world = try World.riding(beside: [own, friends], settings)
    world.press("aab")
    hear(world)
    say("00 8D", friends, world)
    world.press("b")
    hear(world)
    say("00 48", own, world)
    return world
  }

  private func hear(_ world: World) {
    world.advertise(friends, rssi: -40)
    world.advertise(own, rssi: -60)
    world.pass(1_500)
  }

  private func say(_ value: String, _ sensor: VirtualSensor, _ world: World) {
    world.notify(bytes(value), from: sensor)
    world.pass(1_000)
  }

  private func shows(_ world: World, _ first: Int, _ second: Int, mark: Int) -> Bool {
    let own = (SensorKind.heart, "TICKR", SensorCandidate.Reading.figure(.heart(second)))
    return world.shows(
      .sensor(.choice([(.heart, "H10 4F2A", .figure(.heart(first))), own], mark: mark)))
  }

  /// It was heard, and nobody has asked it yet.
  @Test func whoWasOnlyHeardIsListedByTheEndOfItsAddress() throws {
    let world = try World.riding(beside: [own, friends])
    world.press("aab")
    hear(world)
    say("00 8D", friends, world)
    expect(
      world.shows(
        .sensor(
          .choice([(.heart, "H10 4F2A", .figure(.heart(141))), (.heart, "5E01", .still)], mark: 0)))
    )
  }

  @Test func severalAreListedWithWhatTheySaidLastAndAKeepsTheOneThatIsMarked() throws {
    let world = try comparing()
    expect(shows(world, 141, 72, mark: 1))
    say("00 4A", own, world)
    expect(shows(world, 141, 74, mark: 1), "the marked one is live")
    world.press("a")
    world.pass(100)
    expect(world.device.sensors[.heart]?.address, own.deviceAddress)
    expect(world.shows(.sensor(.saved(.heart, "TICKR"))))
  }

  /// The second look decides: B behind the last one goes back to the first.
  @Test func bGoesRoundAndTheFirstOneCanBeKeptStill() throws {
    let world = try comparing()
    world.press("b")
    world.pass(100)
    expect(world.shows(.sensor(.search(secondsLeft: 25))))
    world.press("b")
    world.pass(1_000)
    expect(world.shows(.sensor(.candidate(.heart, "H10 4F2A", .still))))
    say("00 90", friends, world)
    expect(shows(world, 144, 72, mark: 0), "\(world.glass)")
    world.press("a")
    world.pass(100)
    expect(world.device.sensors[.heart]?.address, friends.deviceAddress)
  }

  @Test func whoIsCalledTheSameIsToldApartByItsAddress() throws {
    let twin = VirtualSensor(.heart, number: 3, name: "H10 4F2A")
    let world = try comparing()
    world.find(twin)
    say("00 50", twin, world)
    expect(
      world.shows(
        .sensor(
          .choice(
            [
              (.heart, "H10 4F2A 5E02", .figure(.heart(141))),
              (.heart, "TICKR", .figure(.heart(72))),
              (.heart, "H10 4F2A 5E03", .figure(.heart(80))),
            ], mark: 2))))
  }

  /// Some were found, but nobody answered.
  @Test func onlyASearchThatCameToNobodyEndsWithNoSensorFound() throws {
    let world = try comparing()
    world.pass(61_000)
    expect(!world.shows(.sensor(.noneFound)), "\(world.glass)")
    expect(world.device.host.sensors.stage, .off)
    for _ in 0..<4 where world.device.scene.page != .sensors { world.press("a") }
    world.press("b")
    world.pass(31_000)
    expect(world.shows(.sensor(.noneFound)), "\(world.glass)")
  }

  /// Two rows are too few for a list: the question is that of before.
  @Test func onALowPanelTheMarkedOneAloneIsAskedAbout() throws {
    let world = try comparing(["panel=ssd1306-128x32"])
    expect(world.shows(.sensor(.candidate(.heart, "TICKR", .figure(.heart(72))))))
  }

  /// A crank that says first what it is.
  @Test func aLineKeepsWhatItsSensorTurnedOutToBe() throws {
    let crank = VirtualSensor(.speed, number: 3, name: "CADENCE 3C4D")
    let world = try World.riding(beside: [crank, own])
    world.press("aab")
    world.advertise(crank, rssi: -40)
    world.pass(1_500)
    say("02 0000 0000", crank, world)
    say("02 0100 0004", crank, world)
    world.find(own)
    say("00 48", own, world)
    expect(
      world.shows(
        .sensor(
          .choice(
            [
              (.cadence, "CADENCE 3C4D", .figure(.cadence(60))),
              (.heart, "TICKR", .figure(.heart(72))),
            ], mark: 1))))
  }
}

/// What is noted of the sensors that a search came to.
struct SensorNotesTests {
  private let strap = DeviceAddress(1, .random)

  private func note(
    _ notes: inout SensorNotes, _ address: DeviceAddress, _ name: String,
    _ reading: SensorCandidate.Reading
  ) {
    let bytes = Array(name.utf8)
    notes.note(.heart, bytes.span, reading, of: address)
  }

  private func name(_ notes: borrowing SensorNotes, _ address: DeviceAddress) -> String {
    var name = FixedBuffer<40>()
    notes.copyName(of: address, into: &name)
    return string(name.bytes)
  }

  private func reading(
    _ notes: borrowing SensorNotes, _ address: DeviceAddress
  ) -> SensorCandidate.Reading? {
    notes.note(of: address)?.1
  }

  /// On a new link, which begins without either.
  @Test func aNameAndAValueStayUntilOthersAreSaid() {
    var notes = SensorNotes()
    note(&notes, strap, "TICKR", .figure(.heart(72)))
    note(&notes, strap, "", .still)
    expect(name(notes, strap), "TICKR")
    expect(reading(notes, strap), .figure(.heart(72)))
    note(&notes, strap, "TICKR 2", .figure(.heart(74)))
    expect(name(notes, strap), "TICKR 2")
    expect(reading(notes, strap), .figure(.heart(74)))
  }

  @Test func theSeventeenthTakesThePlaceOfTheFirst() {
    var notes = SensorNotes()
    for number in 1...17 as ClosedRange<UInt64> {
      note(&notes, DeviceAddress(number, .random), "H10 \(number)", .still)
    }
    expect(reading(notes, strap) == nil && name(notes, strap) == "")
    expect(name(notes, DeviceAddress(2, .random)), "H10 2")
    expect(name(notes, DeviceAddress(17, .random)), "H10 17")
  }
}

/// The rider has a strap, and looks for another one.
struct SensorChangeTests {
  private let own = VirtualSensor(.heart, number: 1)
  private let other = VirtualSensor(.heart, number: 2)

  /// The own strap tells; the other one is offered, or the search has come to it.
  private func searching() throws -> World {
    let world = try World.riding(beside: [own])
    try world.remember(own, as: .heart)
    world.pass(3_500)
    world.notify(bytes("00 48"), from: own)
    world.pass(1_500)
    other.name = "Other strap"
    world.turnToSensors()
    world.find(other)
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
    world.turnToSensors()
    world.find(third)
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
    world.turnToSensors()
    world.find(new)
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

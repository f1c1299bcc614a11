import Bytes
import DeviceState
import Expecting
import Screens
import Sensors
import TestSupport
import VirtualAir
import VirtualDevice

@testable import Device

/// The rider chooses among several sensors in one search.
@Suite struct SensorListRideTests {
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

  private func lists(
    _ lines: [(SensorKind, String, SensorCandidate.Reading)], mark: Int, _ world: World
  ) -> Bool {
    world.shows(.sensor(.choice(lines, mark: mark)))
  }

  private func shows(_ world: World, _ first: Int, _ second: Int, mark: Int) -> Bool {
    lists(
      [
        (.heart, "H10 4F2A", .figure(.heart(first))), (.heart, "TICKR", .figure(.heart(second))),
      ], mark: mark, world)
  }

  @Test func severalAreListedWithWhatTheySaidLast() throws {
    let world = try comparing()
    expect(shows(world, 141, 72, mark: 1))
    say("00 4A", own, world)
    expect(shows(world, 141, 74, mark: 1), "the marked one is live")
  }

  /// It was heard, and nobody has asked it yet.
  @Test func whoWasOnlyHeardIsListedByTheEndOfItsAddress() throws {
    let world = try World.riding(beside: [own, friends])
    world.press("aab")
    hear(world)
    say("00 8D", friends, world)
    expect(
      lists([(.heart, "H10 4F2A", .figure(.heart(141))), (.heart, "5E01", .still)], mark: 0, world))
  }

  @Test func aKeepsTheOneThatIsMarked() throws {
    let world = try comparing()
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
    world.controller.sensors.append(twin)
    world.press("b")
    world.advertise(twin, rssi: -60)
    world.pass(1_500)
    say("00 50", twin, world)
    expect(
      lists(
        [
          (.heart, "H10 4F2A 5E02", .figure(.heart(141))), (.heart, "TICKR", .figure(.heart(72))),
          (.heart, "H10 4F2A 5E03", .figure(.heart(80))),
        ], mark: 2, world))
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
    world.press("b")
    world.advertise(own, rssi: -60)
    world.pass(1_500)
    say("00 48", own, world)
    expect(
      lists(
        [
          (.cadence, "CADENCE 3C4D", .figure(.cadence(60))), (.heart, "TICKR", .figure(.heart(72))),
        ], mark: 1, world))
  }
}

/// What is noted of the sensors that a search came to.
@Suite struct SensorNotesTests {
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

  @Test func aNameIsThereTwiceIfAnotherOneHasIt() {
    var notes = SensorNotes()
    note(&notes, strap, "H10", .still)
    let isTwiceAlone = notes.isNameTwice(of: strap)
    note(&notes, DeviceAddress(2, .random), "H10", .still)
    let isTwice = notes.isNameTwice(of: strap)
    expect(!isTwiceAlone && isTwice)
  }
}

import Screens
import Sensors
import TestSupport
import Testing
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
    #expect(shows(world, 141, 72, mark: 1))
    say("00 4A", own, world)
    #expect(shows(world, 141, 74, mark: 1), "the marked one is live")
  }

  /// It was heard, and nobody has asked it yet.
  @Test func whoWasOnlyHeardIsListedByTheEndOfItsAddress() throws {
    let world = try World.riding(beside: [own, friends])
    world.press("aab")
    hear(world)
    say("00 8D", friends, world)
    #expect(
      lists([(.heart, "H10 4F2A", .figure(.heart(141))), (.heart, "5E01", .still)], mark: 0, world))
  }

  @Test func aKeepsTheOneThatIsMarked() throws {
    let world = try comparing()
    world.press("a")
    world.pass(100)
    #expect(world.device.sensors[.heart]?.address == own.deviceAddress)
    #expect(world.shows(.sensor(.saved(.heart, "TICKR"))))
  }

  /// The second look decides: B behind the last one goes back to the first.
  @Test func bGoesRoundAndTheFirstOneCanBeKeptStill() throws {
    let world = try comparing()
    world.press("b")
    world.pass(100)
    #expect(world.shows(.sensor(.search(secondsLeft: 25))))
    world.press("b")
    world.pass(1_000)
    #expect(world.shows(.sensor(.candidate(.heart, "H10 4F2A", .still))))
    say("00 90", friends, world)
    #expect(shows(world, 144, 72, mark: 0), "\(world.glass)")
    world.press("a")
    world.pass(100)
    #expect(world.device.sensors[.heart]?.address == friends.deviceAddress)
  }

  /// It was passed over on the second round before it said anything.
  @Test func whoIsSilentOnTheSecondRoundIsWhatItWasBefore() throws {
    let world = try comparing()
    world.press("b")
    world.pass(100)
    world.press("b")
    world.pass(1_000)
    #expect(world.shows(.sensor(.candidate(.heart, "H10 4F2A", .still))))
    world.press("b")
    world.pass(1_000)
    say("00 4C", own, world)
    #expect(shows(world, 141, 76, mark: 1), "\(world.glass)")
  }

  /// It would be kept under the name of another one.
  @Test func onTheSecondRoundANamelessOneHasNotTheNameOfTheOneBefore() throws {
    let nameless = VirtualSensor(.heart, number: 3, name: "")
    let world = try World.riding(beside: [nameless, friends])
    world.press("aab")
    world.advertise(friends, rssi: -40)
    world.advertise(nameless, rssi: -60)
    world.pass(1_500)
    say("00 8D", friends, world)
    world.press("b")
    world.advertise(nameless, rssi: -60)
    world.pass(1_500)
    say("00 48", nameless, world)
    world.press("b")
    world.pass(100)
    world.press("b")
    world.pass(1_000)
    say("00 8D", friends, world)
    world.press("b")
    world.pass(1_000)
    say("00 49", nameless, world)
    #expect(
      lists(
        [(.heart, "H10 4F2A", .figure(.heart(141))), (.heart, "5E03", .figure(.heart(73)))],
        mark: 1, world))
    world.press("a")
    world.pass(100)
    #expect(world.device.sensors[.heart]?.address == nameless.deviceAddress)
    #expect(world.shows(.sensor(.saved(.heart, "5E03"))))
  }

  @Test func whoIsCalledTheSameIsToldApartByItsAddress() throws {
    let twin = VirtualSensor(.heart, number: 3, name: "H10 4F2A")
    let world = try comparing()
    world.controller.sensors.append(twin)
    world.press("b")
    world.advertise(twin, rssi: -60)
    world.pass(1_500)
    say("00 50", twin, world)
    #expect(
      lists(
        [
          (.heart, "H10 4F2A 5E02", .figure(.heart(141))), (.heart, "TICKR", .figure(.heart(72))),
          (.heart, "H10 4F2A 5E03", .figure(.heart(80))),
        ], mark: 2, world))
  }

  @Test func anotherSearchKnowsNothingOfTheOneBefore() throws {
    let world = try comparing()
    world.pass(65_000)  // nobody answers
    for _ in 0..<4 where world.device.scene.page != .sensors { world.press("a") }
    world.press("b")
    world.advertise(own, rssi: -40)
    world.advertise(friends, rssi: -60)
    world.pass(1_500)
    say("00 48", own, world)
    #expect(
      lists([(.heart, "TICKR", .figure(.heart(72))), (.heart, "5E02", .still)], mark: 0, world))
  }

  /// Some were found, but nobody answered.
  @Test func onlyASearchThatCameToNobodyEndsWithNoSensorFound() throws {
    let world = try comparing()
    world.pass(61_000)
    #expect(!world.shows(.sensor(.noneFound)), "\(world.glass)")
    #expect(world.device.host.sensorSearch == .off)
    for _ in 0..<4 where world.device.scene.page != .sensors { world.press("a") }
    world.press("b")
    world.pass(31_000)
    #expect(world.shows(.sensor(.noneFound)), "\(world.glass)")
  }

  /// Two rows are too few for a list: the question is that of before.
  @Test func onALowPanelTheMarkedOneAloneIsAskedAbout() throws {
    let world = try comparing(["panel=ssd1306-128x32"])
    #expect(world.shows(.sensor(.candidate(.heart, "TICKR", .figure(.heart(72))))))
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
    #expect(
      lists(
        [
          (.cadence, "CADENCE 3C4D", .figure(.cadence(60))), (.heart, "TICKR", .figure(.heart(72))),
        ], mark: 1, world))
  }

  /// Twenty that take no link: two presses, and the list has those that said something.
  @Test func aFloodOfAdvertisersDoesNotKeepTheRiderFromTheList() throws {
    let world = try comparing()
    world.press("b")
    for number in 20..<40 as Range<UInt8> {
      let stranger = VirtualSensor(.heart, number: number)
      world.controller.sensors.append(stranger)
      world.advertise(stranger, rssi: -30)
      stranger.isNear = false
    }
    world.pass(1_500)
    #expect(world.shows(.sensor(.candidate(.heart, "", .connecting))))
    world.press("bb")
    world.pass(2_000)
    say("00 8E", friends, world)
    #expect(shows(world, 142, 72, mark: 0), "\(world.glass)")
  }
}

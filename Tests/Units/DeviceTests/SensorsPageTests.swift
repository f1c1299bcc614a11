import Expecting
import Screens
import Sensors
import TestSupport
import VirtualAir
import VirtualDevice

@testable import Device

/// How the rider adds sensors, sees them, and is rid of them, beside the ride.
struct SensorsPageTests {
  private let strap = VirtualSensor(.heart, number: 1)

  private func riding(_ settings: [String] = []) throws -> World {
    try World.riding(beside: [], settings)
  }

  private func searching() throws -> World { try World.searching(for: strap) }

  private func told(_ world: World, _ kind: String = "heart") -> [String] {
    world.events("sensor").filter { $0["kind"] == kind }.compactMap { $0["state"] }
  }

  private func isRiding(_ world: World) -> Bool {
    world.connection == .ready && !world.events("link").contains { $0["state"] == "disconnected" }
  }

  @Test func theNextOneIsNotShownByTheNameOfTheOneBefore() throws {
    let world = try searching()
    let wheel = VirtualSensor(.speed, number: 2)
    world.controller.sensors.append(wheel)
    world.press("b")
    world.advertise(wheel)
    wheel.isNear = false
    world.pass(1_500)
    expect(world.shows(.sensor(.candidate(.speed, "", .connecting))))
  }

  @Test func aStrapIsAddedByItsPulse() throws {
    let world = try searching()
    expect(world.shows(.sensor(.candidate(.heart, strap.name, .still))))
    world.notify(bytes("00 48"), from: strap)
    world.pass(1_000)
    expect(world.shows(.sensor(.candidate(.heart, strap.name, .figure(.heart(72))))))
    world.press("a")
    world.pass(100)
    expect(world.shows(.sensor(.saved(.heart, strap.name))))
    expect(told(world), ["found", "connecting", "ready", "battery", "remembered"])
    expect(world.device.sensors[.heart]?.address, strap.deviceAddress)
    world.tell(8, 340, "Hauptstraße", id: 2)
    expect(world.shows(.sensor(.saved(.heart, strap.name))), "no turn takes the answer's place")
    world.pass(3_000)
    expect(world.shows(.sensor(.page([.heart: (strap.name, .ready(battery: 87))]))))
    expect(isRiding(world))
  }

  /// It may be a stranger's.
  @Test func ofWhoIsOfferedNoBatteryAndNoVehicleIsToldOf() throws {
    strap.battery = 14
    let world = try searching()
    world.say(try #require(PhoneKind.android.silence))
    world.pass(1_000)
    expect(world.shows(.sensor(.candidate(.heart, strap.name, .still))))
    let radar = VirtualSensor(.radar, number: 2)
    world.find(radar)
    world.notify(bytes("82AE2B44"), from: radar)
    world.pass(100)
    expect(
      world.shows(
        .sensor(
          .choice([(.heart, strap.name, .still), (.radar, radar.name, .vehicles(1))], mark: 1))))
    let alert = world.device.alert.deadline
    expect(alert, nil)
  }

  @Test func centralBehaviour154_whileNobodyIsHeardTheSecondsAreCounted() throws {
    let world = try riding()
    world.press("aab")
    world.pass(100)
    expect(world.shows(.sensor(.search(secondsLeft: 30))))
    world.pass(10_000)
    expect(world.shows(.sensor(.search(secondsLeft: 20))))
    world.pass(20_000)
    expect(world.shows(.sensor(.noneFound)))
    expect(world.states("sensor"), ["none"])
    world.press("b")
    world.pass(0)
    expect(world.shows(.sensor(.page([:]))), "a press takes the word away")
    world.press("b")
    world.pass(30_000)
    expect(world.shows(.sensor(.noneFound)))
    world.pass(3_000)
    expect(world.shows(.sensor(.page([:]))))
    expect(isRiding(world))
  }

  @Test func aSensorThatDoesNotTellOfItsBatteryHasNotThatOfTheOneBefore() throws {
    let other = VirtualSensor(.heart, number: 2)
    other.battery = nil
    let world = try searching()
    strap.isNear = false
    world.find(other)
    world.press("a")
    world.pass(4_000)
    expect(world.shows(.sensor(.page([.heart: (other.name, .ready(battery: nil))]))))
  }

  @Test func aSensorThatComesBackMeanwhileDoesNotGiveItsNameToTheOneThatIsOffered() throws {
    let world = try World.keeping(strap)
    strap.isNear = false
    world.loseLink(of: strap, reason: 0x08)
    let wheel = VirtualSensor(.speed, number: 2)
    world.find(wheel)
    strap.isNear = true
    world.advertise(strap)
    world.pass(100)
    expect(world.device.host.sensors.isReady(.heart) && world.device.host.sensors.isReady(.speed))
    world.press("a")
    world.pass(100)
    expect(world.shows(.sensor(.saved(.speed, wheel.name))))
    expect(world.events("sensor").last.map { $0["name"] }, wheel.name)
    expect(isRiding(world))
  }

  /// The disk has it before the panel says so.
  @Test func aSensorThatCannotBeSavedIsNotRemembered() throws {
    let world = try searching()
    world.faults[.store] = .noSpace
    world.press("a")
    world.pass(100)
    expect(world.shows(.sensor(.notSaved(.heart))))
    #expect(world.device.sensors.isEmpty)
    world.tell(8, 340, "Hauptstraße", id: 2)
    expect(world.shows(.sensor(.notSaved(.heart))), "no turn takes the answer's place")
    expect(isRiding(world))
  }

  @Test func centralBehaviour154_aSensorWhoseAddressChangesCannotBeKept() throws {
    strap.address = bytes("01 01 02 03 04 05 46")
    let world = try searching()
    world.press("a")
    world.pass(100)
    #expect(world.device.sensors.isEmpty)
    expect(world.shows(.sensor(.page([.heart: ("", .changesAddress)]))))
    expect(world.controller.link(strap) == nil)
    #expect(
      world.events("sensor").contains { $0["state"] == "refused" && $0["reason"] == "address" })
    world.press("b")
    world.pass(33_000)
    expect(world.shows(.sensor(.page([:]))), "another search, and nobody was found")
  }

  /// What is not seen cannot be agreed to.
  @Test func onADarkPanelNobodyIsKept() throws {
    let world = try searching()
    world.press("AA")
    expect(!world.isLit)
    world.press("a")
    world.pass(100)
    #expect(world.device.sensors.isEmpty)
  }

  @Test func whoLeavesThePageOrForgetsTheSensorsEndsTheSearch() throws {
    for presses in ["aaba", "aabB"] {
      let world = try riding()
      world.press(presses)
      let search = world.device.host.sensors.stage
      expect(search, .off, "\(presses)")
    }
    let world = try searching()
    world.press("B")
    expect(world.controller.link(strap) == nil)
  }

  /// A turn is due, and takes the page's place.
  @Test func onAnotherPageNothingIsSaidOfTheEndOfASearch() throws {
    let world = try riding()
    world.press("aab")
    world.pass(29_000)
    world.tell(8, 20, "Hauptstraße", id: 2)
    world.pass(1_000)
    let search = world.device.host.sensors.stage
    expect(search == .off && !world.shows(.sensor(.noneFound)))
  }

  @Test(
    arguments: [
      (.speed, [], .still),
      (.speed, ["01 00000000 0000", "01 01000000 0004"], .figure(.speed(2_105, .metric))),
      (.speed, ["02 0000 0000", "02 0100 0004"], .figure(.cadence(60))),
      (.speed, ["01 00000000 0000", "01 00000000 0004"], .still),
      (.speed, ["02 0000 0000", "02 0100 0004", "02 0100 0008"], .figure(.cadence(60))),
      (.power, ["0000 0000"], .still), (.power, ["0000 8800"], .figure(.power(136))),
      (.radar, [], .still), (.radar, ["82"], .vehicles(0)), (.radar, ["82AE2B44"], .vehicles(1)),
    ] as [(SensorKind, [String], SensorCandidate.Reading)])
  func eachKindIsKnownByWhatItMeasures(
    _ kind: SensorKind, _ values: [String], _ reading: SensorCandidate.Reading
  ) throws {
    let sensor = VirtualSensor(VirtualSensor.Kind.allCases[Int(kind.rawValue)])
    let world = try riding()
    world.press("aa")
    world.find(sensor)
    for value in values {
      world.notify(bytes(value), from: sensor)
      world.pass(1_000)
    }
    let shown = values.first?.hasPrefix("02") == true ? .cadence : kind
    expect(world.shows(.sensor(.candidate(shown, sensor.name, reading))))
  }

  @Test func unpairHeldOnThisPageForgetsTheSensorsAndNotThePhone() throws {
    let world = try World.keeping(strap)
    world.press("B")
    world.pass(100)
    expect(world.shows(.sensor(.forgotten)))
    expect(world.device.sensors.isEmpty && world.controller.link(strap) == nil)
    expect(told(world).suffix(2), ["forgotten", "disconnected"])
    expect(isRiding(world))
    expect(world.states("bond"), ["saved"])
  }

  @Test func unpairHeldElsewhereForgetsThePhoneAndNotTheSensors() throws {
    let world = try World.keeping(strap)
    world.press("a")
    world.press("B")
    world.pass(100)
    expect(world.states("bond").last, "erased")
    expect(world.device.sensors[.heart] != nil && world.controller.link(strap) != nil)
  }

  /// While B is held the page would have given way, or gives way to a turn that is due.
  @Test(arguments: [false, true])
  func aHoldThatBeganOnThisPageNeverForgetsThePhone(_ isLeft: Bool) throws {
    let world = try World.keeping(strap)
    world.pass(isLeft ? 1_000 : 13_500)
    world.touch(.b, isPressed: true)
    world.pass(1_000)
    if isLeft { world.tell(8, 20, "Gasse", id: 9) }
    world.pass(2_200)
    world.touch(.b, isPressed: false)
    world.pass(100)
    expect(world.states("bond"), ["saved"])
    expect(world.device.sensors.isEmpty, !isLeft)
  }

  /// A rider without sensors forgets none.
  @Test func thisPageGivesWayAfterTwentySecondsUntouched() throws {
    let world = try riding()
    world.press("aaB")
    world.pass(100)
    expect(world.shows(.sensor(.page([:]))))
    world.pass(18_900)
    expect(world.shows(.sensor(.page([:]))))
    world.tell(8, 350, "Hauptstraße")
    world.pass(1_100)
    expect(world.shows(.turn(.right, "350 m", "Hauptstraße")))
  }

  @Test func withoutSensorsThereIsNoSuchPage() throws {
    let world = try riding(["sensors=off"])
    world.press("aa")
    world.pass(100)
    expect(world.shows(.turn(.right, "350 m", "Hauptstraße")))
  }

  /// The rider has no phone with them: this is a speedometer.
  @Test func withoutAPhoneThePagesAreThereToo() throws {
    let world = try World(["pairing=preferred"], pairs: true)
    world.controller.sensors = [strap]
    world.pass(40_000)
    expect(world.connection, .noPhone)
    world.press("a")
    expect(world.connection, .searching, "on the page of the turn it is for a search")
    world.press("aa")
    world.find(strap)
    world.notify(bytes("00 48"), from: strap)
    world.pass(1_000)
    world.press("a")
    world.pass(100)
    #expect(world.device.sensors[.heart] != nil)
  }

  @Test func aControllerWithoutAnotherLinkIsToldOf() throws {
    let world = try World.keeping(strap)
    world.controller.linkLimit = 2
    let wheel = VirtualSensor(.speed, number: 2)
    world.find(wheel)
    expect(world.events("error").compactMap { $0["source"] }, ["sensor"])
    expect(isRiding(world))
  }

  @Test func thePageSaysWhyASensorHasNoLink() throws {
    let world = try World.keeping(strap)
    strap.isNear = false
    world.loseLink(of: strap)
    world.pass(2_000)
    expect(says(.looking, world))
    world.controller.linkLimit = 1
    world.pass(60_000)
    expect(says(.noLinkFree, world))
    world.faults[.hci] = .noSuchDevice
    world.loseRadio()
    world.pass(60_000)
    expect(says(.away, world))
    world.controller.supportedStates &= ~(1 << 28)
    world.faults[.hci] = nil
    world.pass(60_000)
    expect(!says(.noLinkFree, world), "no other kind has one either")
    let never = SensorState.noLinkFree
    expect(
      world.shows(
        .sensor(
          .page([
            .heart: (strap.name, never), .speed: ("", never), .power: ("", never),
            .radar: ("", never), .cadence: ("", never),
          ]))))
  }

  private func says(_ state: SensorState, _ world: World) -> Bool {
    world.turnToSensors()
    return world.shows(.sensor(.page([.heart: (strap.name, state)])))
  }
}

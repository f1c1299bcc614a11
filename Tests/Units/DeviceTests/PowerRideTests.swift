import Bond
import Screens
import Sensors
import TestSupport
import Testing
import VirtualAir
import VirtualDevice

@testable import Device

/// What a power meter tells in a ride.
@Suite struct PowerRideTests {
  private let power = VirtualSensor(.power, number: 3)

  /// A ride with it, which is remembered and near.
  private func riding() throws -> World {
    let world = try World()
    let found = RememberedSensor(
      .power, address: power.deviceAddress, name: Array(power.name.utf8).span)
    world.remember(try #require(found))
    world.pass(3_000)  // for which the panel says so
    world.controller.sensors = [power]
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    world.pass(1_000)
    return world
  }

  /// Then nothing else wakes it up.
  @Test func powerAloneIsNotKnownAfterFiveSecondsEither() throws {
    let world = try riding()
    world.notify(bytes("0000 8800"), from: power)
    world.pass(7_000)
    #expect(world.events("measure").map { $0[number: "power"] } == [136, nil])
  }

  @Test func thePanelHasTheMeanOfPowerAndTheEventItsValue() throws {
    let world = try riding()
    for watts in ["6400", "C800", "2C01"] {
      world.notify(bytes("0000 " + watts), from: power)
      world.pass(1_000)
    }
    #expect(world.events("measure").map { $0[number: "power"] } == [100, 200, 300])
    world.press("aa")
    world.pass(100)
    let figures = DataFigures(
      speed: .absent, heart: .absent, cadence: .absent, power: .value(200), units: .metric)
    #expect(world.shows(.sensor(.data(figures))))
  }

  @Test func powerBelowZeroIsTold() throws {
    let world = try riding()
    world.notify(bytes("0000 F6FF"), from: power)
    world.pass(1_000)
    #expect(world.events("measure").last.map { $0[number: "power"] } == -10)
  }
}

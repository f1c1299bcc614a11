import Bytes
import Navigation
import TestSupport
import Testing
import VirtualAir
import VirtualDevice

@testable import Device

/// What a turn that is near, and the arrival, do to the picture and to the alert line.
@Suite struct AlertLineTests {
  private static let line = ["buttons=gpio:/dev/gpiochip0", "button-a=17", "alert=22"]

  private func riding(_ settings: [String] = AlertLineTests.line) throws -> World {
    let world = try World(settings)
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    world.pass(1_000)
    return world
  }

  /// How long the line kept each level, from the first one that is high on.
  private func lengths(_ world: World) -> [Int64] {
    zip(world.alerts, world.alerts.dropFirst()).map { $1.time - $0.time }
  }

  @Test func aNearTurnIsInvertedForASecondAndPulsesTheLineThreeTimes() throws {
    let world = try riding()
    world.tell(8, 25, "Hauptstraße", id: 2)
    #expect(world.shows(.turn(.right, "30 m", "Hauptstraße", isInverted: true)))
    world.pass(999)
    #expect(world.shows(.turn(.right, "30 m", "Hauptstraße", isInverted: true)))
    world.pass(1)
    #expect(world.shows(.turn(.right, "30 m", "Hauptstraße", isMarked: true)))
    #expect(world.alerts.map(\.isHigh) == [true, false, true, false, true, false])
    #expect(lengths(world) == [150, 150, 150, 150, 150])
    world.tell(8, 20, "Hauptstraße", id: 3)
    world.pass(2_000)
    #expect(world.alerts.count == 6, "a level is announced once for each turn")
  }

  @Test func aTurnThatWasAnnouncedBeforeItIsWithin30MetresHasTwoMorePulsesThere() throws {
    let world = try riding()
    // 10 m a second: 15 s before the turn are 150 m.
    for second in 0..<34 {
      world.tell(8, UInt32(350 - 10 * second), "Hauptstraße", id: UInt32(2 + second))
      world.pass(1_000)
    }
    #expect(world.alerts.count == 6 + 4)
    #expect(Array(lengths(world).suffix(3)) == [150, 150, 150])
    // 20 m a second ago, and 10 m since.
    #expect(world.shows(.turn(.right, "10 m", "Hauptstraße", isMarked: true)))
    #expect(world.events("alert").last.map { $0["level"] } == "high", "the cue is no new level")
  }

  /// komoot's 4 is left, 8 right, 5 a roundabout's: by the pulses' lengths.
  @Test(
    arguments: [
      (6, [150, 150, 150]), (8, [600, 150, 150]), (12, [150, 150, 150, 150, 150]),
    ] as [(UInt8, [Int64])])
  func withSidesEachHasItsPulses(_ direction: UInt8, _ expected: [Int64]) throws {
    let world = try riding(Self.line + ["alert-sides=on"])
    world.tell(direction, 25, "Hauptstraße", id: 2)
    world.pass(2_000)
    #expect(lengths(world) == expected)
  }

  @Test func straightOnNeitherFlashesNorPulses() throws {
    let world = try riding()
    world.tell(1, 25, "Hauptstraße", id: 2)
    #expect(world.shows(.turn(.straight, "30 m", "Hauptstraße")))
    world.pass(2_000)
    world.tell(1, 10, "Hauptstraße", id: 3)
    world.pass(2_000)
    #expect(world.alerts.isEmpty)
    #expect(world.events("alert").last.map { $0["level"] } == "high")
  }

  @Test func theMarkGoesWithTheTurnAndIsNotForOldNews() throws {
    let world = try riding()
    world.tell(8, 25, "Hauptstraße", id: 2)
    world.loseLink()
    world.pass(8_000)
    let age = Age(milliseconds: 8_000)
    #expect(world.shows(.turn(.right, "30 m", "Hauptstraße", age: age, isLinkLost: true)))
    world.advertise()
    world.pass(1_000)
    world.tell(8, 20, "Hauptstraße", id: 3)
    #expect(world.shows(.turn(.right, "20 m", "Hauptstraße", isMarked: true)), "it is due again")
    world.tell(5, 90, "Am Markt", id: 4)
    #expect(world.shows(.turn(.left, "90 m", "Am Markt")))
  }

  @Test func withoutALinkThePanelSaysSo() throws {
    let world = try riding()
    world.loseLink()
    world.pass(8_000)
    let age = Age(milliseconds: 8_000)
    #expect(world.shows(.turn(.right, "350 m", "Hauptstraße", age: age, isLinkLost: true)))
  }

  @Test func anArrivalIsOnePulse() throws {
    let world = try riding()
    world.tell(3, 20, "Zuhause", id: 2)
    world.pass(2_000)
    #expect(world.alerts.map(\.isHigh) == [true, false])
    #expect(lengths(world) == [600])
    #expect(world.events("alert").last.map { $0["level"] } == "arrive")
  }

  @Test func theOtherLevelsLeaveTheLineLow() throws {
    let world = try riding()
    world.tell(2, 400, "Am Start", id: 2)
    world.pass(2_000)
    world.tell(8, 300, "Hauptstraße", id: 3)
    world.pass(20_000)
    #expect(world.alerts.isEmpty)
    #expect(world.events("alert").compactMap { $0["level"] } == ["low", "depart", "low"])
  }

  @Test func theLineIsLowWhenTheProgramEndsInMidPulse() throws {
    let world = try riding()
    world.tell(8, 25, "Hauptstraße", id: 2)
    world.pass(50)
    #expect(world.alerts.last?.isHigh == true)
    world.leave()
    #expect(world.alerts.last?.isHigh == false)
  }

  @Test func aLineThatFailsIsToldOnceAndOpenedAgainBehindTheRide() throws {
    let world = try riding()
    world.faults[.alert] = .noSuchDevice
    world.tell(8, 25, "Hauptstraße", id: 2)
    world.pass(5_000)
    #expect(world.events("error").compactMap { $0["source"] } == ["gpio"])
    world.faults[.alert] = nil
    world.pass(1_000)
    world.tell(5, 25, "Am Markt", id: 3)
    world.pass(2_000)
    #expect(world.alerts.count == 6)
  }

  /// The kernel gives the name to no other chip while somebody has a line of the one that went.
  @Test func theLineIsLetGoOfWithAChipThatTheButtonsMiss() throws {
    let world = try riding()
    world.fail(.buttons, .noSuchDevice)
    #expect(world.state(of: .alert) == .closed)
    world.pass(1_000)
    #expect(world.state(of: .alert) == .open && world.state(of: .buttons) == .open)
  }

  @Test func withoutAnAlertLineThereIsNoPort() throws {
    let world = try riding(["buttons=stdin"])
    world.tell(8, 25, "Hauptstraße", id: 2)
    world.pass(2_000)
    #expect(world.state(of: .alert) == .absent && world.alerts.isEmpty)
  }
}

import Bytes
import Screens
import TestSupport
import Testing
import VirtualAir
import VirtualDevice

@testable import Device

/// What the events tell of the way to the turn, and what a wheel does to the panel.
@Suite struct ProgressEventTests {
  /// A ride of 8 m/s, with a wheel, to a turn that is 500 m away; the phone is silent after 200 m.
  private func riding() throws -> World {
    let world = try World.meeting(.iosBackground)
    for second in 0...25 {
      world.roll(second * 8, speed: 8)
      world.tell(8, UInt32(500 - second * 8), "Hauptstraße", id: UInt32(second + 1))
      world.pass(1_000)
    }
    return world
  }

  @Test func theProgressIsToldAtMostOnceASecondAndOnChange() throws {
    let world = try riding()
    for step in 1...20 {
      world.roll(200 + step * 6, speed: 8)
      world.tell(8, UInt32(300 - step * 6), "Hauptstraße", id: UInt32(26 + step))
      world.pass(750)
    }
    let events = world.events("progress")
    let times = events.compactMap { event in
      event.line.firstMatch(of: /"t":([0-9.]+)/).flatMap { Double($0.1) }
    }
    #expect(times.count == events.count)
    #expect(events.count > 30)
    #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 > 0.999 })
    world.pass(4_000)
    let before = world.events("progress").count
    world.roll(320, speed: 0)
    world.pass(1_500)
    #expect(world.events("progress").count - before <= 2, "nothing else changes")
  }

  @Test func itTellsMetresFractionSecondsAndSource() throws {
    let world = try riding()
    world.roll(208, speed: 8)
    world.pass(1_000)
    world.roll(216, speed: 8)
    let event = try #require(world.events("progress").last)
    #expect(event[number: "id"] == 26)
    #expect(event.line.contains(#""fraction":0."#))
    #expect(event["source"] == "wheel")
    let metres = try #require(event[number: "distance"])
    let seconds = try #require(event[number: "seconds"])
    #expect((284...292).contains(metres))
    #expect(seconds == (metres + 4) / 8)
  }

  @Test func withoutATurnAheadNothingIsTold() throws {
    let world = try World.meeting(.ios)
    world.tell(2, 0, "Hauptstraße", id: 1)
    world.pass(2_000)
    #expect(world.events("progress").isEmpty)
  }

  @Test func inATunnelTheTurnIsAnnouncedByTheWheel() throws {
    let world = try riding()
    for second in 26...62 {
      world.roll(second * 8, speed: 8)
      world.pass(1_000)
    }
    #expect(world.events("alert").compactMap { $0["level"] } == ["low", "medium", "high"])
    #expect(world.events("stale").isEmpty)
    let isEstimated = world.device.ride.guidance.isEstimated
    #expect(isEstimated)
  }

  @Test func thePageOfTheRideHasTheFiguresOfTheWheel() throws {
    let world = try World.meeting(.ios)
    world.press("a")
    for second in 0...100 {
      world.roll(second * 6, speed: 6)
      world.pass(1_000)
    }
    let trip = figures(speed: 22, minutes: 1, tenths: 6, average: 22)
    #expect(world.showsMoved(.ride("Fairy", trip, isConnected: true, rssi: -60)))
  }

  @Test func aMovingWheelKeepsThePanelOn() throws {
    let world = try World()
    for second in 0...900 {
      world.roll(second * 6, speed: 6)
      world.pass(1_000)
    }
    let (wasOn, _) = (world.device.isPanelOn, world.pass(601_000))
    let isOn = world.device.isPanelOn
    #expect(wasOn && !isOn)
  }
}

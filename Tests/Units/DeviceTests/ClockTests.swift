import Bytes
import Screens
import TestSupport
import Testing
import VirtualDevice

@testable import Device

/// The time of the day in the spare line, which only a paired phone tells: Current Time Service 1.1.
@Suite struct ClockTests {
  /// A ride with a paired phone, at 2026-09-17, 14:30:00.
  private func riding(_ time: String?) throws -> World {
    let world = try World(["pairing=preferred", "extra=clock"], pairs: true)
    world.phone.currentTime = time.map(bytes)
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    world.pass(1_500)
    world.press("p")
    world.pass(4_000)
    return world
  }

  private func shows(_ world: World, minutes: Int?) -> Bool {
    world.tell(8, 350, "Hauptstraße")
    world.pass(0)
    return world.shows(
      .sensor(.turn(.right, "350 m", "Hauptstraße", extra: .clock(minutes: minutes))))
  }

  @Test func itIsTheTimeThatThePhoneTells() throws {
    let world = try riding("EA 07 09 11 0E 1E 00 04 00 00")
    #expect(shows(world, minutes: 14 * 60 + 30))
  }

  @Test func itGoesOnByItself() throws {
    let world = try riding("EA 07 09 11 17 3B 1E 04 00 00")  // 23:59:30
    #expect(shows(world, minutes: 23 * 60 + 59))
    world.pass(30_000)
    #expect(shows(world, minutes: 0))
    world.pass(1_800_000)
    #expect(shows(world, minutes: 30))
  }

  /// The clocks are put back, or the rider crosses into another zone.
  @Test func itIsAskedForAgainEachHour() throws {
    let world = try riding("EA 07 09 11 0E 1E 00 04 00 00")
    world.phone.currentTime = bytes("EA 07 09 11 0F 00 00 04 00 00")
    world.pass(3_600_000)
    #expect(shows(world, minutes: 15 * 60))
  }

  @Test(arguments: [nil, "", "EA 07 09 11 18 00 00 04 00 00", "EA 07 09 11 0E 3C 00 04 00 00"])
  func whereThePhoneTellsNoneThereIsADash(_ time: String?) throws {
    let world = try riding(time)
    #expect(shows(world, minutes: nil))
    #expect(world.events("error").isEmpty)
  }

  // MARK: - By itself

  private static func at(_ milliseconds: Int64) -> Instant { Instant(milliseconds: milliseconds) }

  @Test func itWakesUpForEachMinuteAndEachReading() {
    var clock = DayClock()
    #expect(clock.deadline(at: Self.at(0)) == nil)
    clock.set(30, at: Self.at(0))
    #expect(clock.deadline(at: Self.at(0)) == Self.at(30_000))
    #expect(clock.deadline(at: Self.at(30_000)) == Self.at(90_000))
    #expect(clock.deadline(at: Self.at(3_570_000)) == Self.at(3_600_000))
  }

  @Test func itAsksOnceAndAnHourAfterItWasTold() {
    var clock = DayClock()
    clock.set(0, at: Self.at(0))
    clock.set(100, at: Self.at(100_000))
    let answers = [3_600_000, 3_700_000, 3_700_001, 7_300_000].map {
      clock.takeDueReading(at: Self.at($0))
    }
    #expect(answers == [false, true, false, true])
  }
}

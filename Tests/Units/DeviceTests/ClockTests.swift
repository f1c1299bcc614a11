import Bytes
import Expecting
import TestSupport
import VirtualDevice

@testable import Device
@testable import DeviceState

/// The time of the day, which only a paired phone tells: Current Time Service 1.1.
struct ClockTests {
  private static let halfPastTwo = "EA 07 09 11 0E 1E 00 04 00 00"

  /// A ride with a paired phone, at 2026-09-17, 14:30:00 CEST or what the value says.
  private func riding(
    _ time: String? = ClockTests.halfPastTwo, zone: String? = "04 04",
    settings: [String] = ["extra=clock"], prepare: (World) -> Void = { _ in }
  ) throws -> World {
    try World.paired(settings) {
      $0.phone.clock.time = time.map(bytes)
      $0.phone.clock.zone = zone.map(bytes)
      prepare($0)
    }
  }

  private func shows(_ world: World, minutes: Int?) -> Bool {
    world.tell(8, 350, "Hauptstraße")
    world.pass(0)
    return world.shows(
      .sensor(.turn(.right, "350 m", "Hauptstraße", extra: .clock(minutes: minutes))))
  }

  private func told(_ world: World) -> [String?] { world.events("clock").map { $0["time"] } }

  // MARK: - What is shown

  @Test func itGoesOnByItself() throws {
    let world = try riding("EA 07 09 11 17 3B 1E 04 00 00")  // 23:59:30
    world.phone.clock.refusal = 0x0A
    expect(shows(world, minutes: 23 * 60 + 59))
    world.pass(30_000)
    expect(shows(world, minutes: 0))
    for _ in 0..<120 {
      world.tell(8, 350, "Hauptstraße")  // komoot repeats it
      world.pass(15_000)
    }
    expect(shows(world, minutes: 30))
  }

  /// Also without the phone; another minute is no news for which the panel stays bright.
  @Test func itIsOnThePageOfTheRideAndGoesOnThere() throws {
    for isLost in [false, true] {
      let world = try riding(settings: [])
      if isLost { world.loseLink() }
      world.press("a")
      world.pass(0)
      func clock() -> Int? { world.device.display.look?.clock }
      expect(clock(), 14 * 60 + 30)
      world.pass(60_000)
      expect(clock(), 14 * 60 + 31)
      world.pass(70_000)
      expect(world.panel.contrast < 207 && world.events("error").isEmpty)
    }
  }

  /// Summer time ends at 3:00: the hour between 2:00 and 3:00 comes twice.
  @Test func summerTimeEndsTwoSecondsAfterTheFullHour() throws {
    let world = try riding("EA 07 0A 19 02 3B 1E 07 00 00")
    expect(shows(world, minutes: 2 * 60 + 59))
    world.phone.clock.time = bytes("EA 07 0A 19 02 00 02 07 00 00")
    world.phone.clock.zone = bytes("04 00")
    world.pass(33_000)
    expect(shows(world, minutes: 2 * 60))
    expect(told(world), ["2026-10-25T02:59:30+02:00", "2026-10-25T02:00:02+01:00"])
  }

  /// The rider crosses into another zone: the phone says so by itself.
  @Test func aChangeThatThePhoneNotifiesCountsAtOnce() throws {
    let world = try riding()
    world.phone.clock.time = bytes("EA 07 09 11 0D 1F 00 04 00 04")
    world.phone.clock.zone = bytes("00 04")
    world.notify(try #require(world.phone.clock.news))
    world.pass(1_000)
    expect(shows(world, minutes: 13 * 60 + 31))
    expect(told(world).last, "2026-09-17T13:31:00+01:00")
  }

  /// Two seconds fast or slow, on both sides of midnight.
  @Test(arguments: [-2_500, -999, 0, 999, 2_500] as [Int64])
  func whatTheAirMayDelayIsTheSameTime(_ time: Int64) {
    let day: Int64 = 86_400_000
    var clock = DayClock()
    clock.set((day + time) % day, at: Instant(milliseconds: 0))
    for difference in [-2_001, -2_000, 0, 2_000, 2_001] as [Int64] {
      let told = (2 * day + time + 1_000 + difference) % day
      let isSame = clock.shows(told, at: Instant(milliseconds: 1_000))
      expect(isSame, (abs(difference) <= 2_000), "\(difference)")
    }
  }

  /// Else it would be asked without a pause, and nothing else of it any more.
  @Test func aPhoneThatOnlyTicksIsNotAsked() throws {
    let world = try riding("EA 07 09 11 17 3B 1E 04 00 00")  // 23:59:30, some four seconds ago
    let before = world.phone.clock.readings
    for second: UInt8 in 35..<91 {
      let time: [UInt8] = second < 60 ? [23, 59, second] : [0, 0, second - 60]
      world.phone.clock.time = bytes("EA 07 09 11") + time + bytes("04 00 00")
      world.notify(try #require(world.phone.clock.news))
      world.pass(1_000)
    }
    // That is the reading behind the full hour.
    expect(world.phone.clock.readings == before + 1 && told(world).count == 2)
    world.phone.clock.time = bytes("EA 07 09 12 00 01 00 05 00 01")
    world.notify(try #require(world.phone.clock.news))
    world.pass(1_000)
    expect(told(world).last, "2026-09-18T00:01:00+02:00")
  }

  // MARK: - What is told

  @Test func theEventHasTheZoneWhereThePhoneTellsOne() throws {
    let world = try riding()
    expect(told(world), ["2026-09-17T14:30:00+02:00"])
    expect(told(try riding(zone: "80 FF")), ["2026-09-17T14:30:00"])
    // The zone of a link is not that of the next.
    world.loseLink()
    world.phone.clock.zone = nil
    world.advertise()
    world.pass(5_000)
    expect(told(world).last, "2026-09-17T14:30:00")
  }

  // MARK: - Phones without a clock

  /// It has none, its value is no time, or it refuses to tell.
  @Test(
    arguments: [
      (nil, nil), ("", nil), ("EA 07 09 11 18 00 00 04 00 00", nil),
      ("EA 07 09 11 0E 3C 00 04 00 00", nil), (halfPastTwo, 0x01), (halfPastTwo, 0x02),
      (halfPastTwo, 0x03), (halfPastTwo, 0x05), (halfPastTwo, 0x06), (halfPastTwo, 0x0A),
      (halfPastTwo, 0x0E), (halfPastTwo, 0x0F), (halfPastTwo, 0x80),
    ] as [(String?, UInt8?)])
  func whereThePhoneTellsNoTimeThereIsADash(_ time: String?, _ refusal: UInt8?) throws {
    let world = try riding(time) { $0.phone.clock.refusal = refusal }
    expect(shows(world, minutes: nil))
    expect(world.events("error").isEmpty && told(world).isEmpty)
  }

  /// What was told before holds.
  @Test func aPhoneThatRefusesLaterChangesNothing() throws {
    let world = try riding()
    world.phone.clock.refusal = 0x05
    world.pass(3_600_000)
    expect(shows(world, minutes: 15 * 60 + 30))
    #expect(world.events("error").isEmpty)
  }

  // MARK: - What it costs

  @Test func nobodyIsWokenForAMinuteThatNobodySees() throws {
    let world = try riding(settings: [])
    world.pass(700_000)  // the turn is stale, and its age in minutes
    let clock = world.device.clockDeadline
    expect(clock, world.device.phone.clock.nextReading)
    world.press("a")
    world.pass(0)
    expect(world.device.clockDeadline, world.device.phone.clock.nextMinute(at: world.now))
  }

  // MARK: - By itself

  private static func at(_ milliseconds: Int64) -> Instant { Instant(milliseconds: milliseconds) }

  @Test func itsMinutesBeginWithThoseOfThePhone() {
    var clock = DayClock()
    expect(clock.nextMinute(at: Self.at(0)), nil)
    clock.set(30_000, at: Self.at(0))
    expect(clock.nextMinute(at: Self.at(0)), Self.at(30_000))
    expect(clock.nextMinute(at: Self.at(30_000)), Self.at(90_000))
  }

  @Test func itAsksOnceBehindEachFullHour() {
    var clock = DayClock()
    clock.set(0, at: Self.at(0))
    clock.set(100_000, at: Self.at(200_000))
    let answers = [3_600_000, 3_702_000, 3_702_001, 7_302_000].map {
      clock.takeDueReading(at: Self.at($0))
    }
    expect(answers, [false, true, false, true])
  }
}

import Bytes
import DeviceState
import Expecting
import Navigation
import TestSupport
import Turns
import VirtualDevice

@testable import Device

/// A ride from the first advertisement to the last picture, in virtual time.
struct RideTests {
  @Test func aTurnGoesFromThePhoneToTheGlass() throws {
    let world = try World.following()
    expect(world.shows(.turn(.right, "350 m", "Hauptstraße")))
    expect(world.states("link"), ["connecting", "connected", "ready"])
    expect(world.events("instruction").map { $0[number: "distance"] }, [350])
  }

  @Test func theAnswerToThePhoneGoesBeforeThePicture() throws {
    let world = try World.following()
    _ = world.takeOrder()
    world.tell(8, 340, "Hauptstraße", id: 2)
    let order = world.takeOrder()
    expect(order.first, "packet", "the read of the value that was notified")
    expect(order.last, "picture")
  }

  @Test func whatIsKnownAgainIsNotDrawnAgain() throws {
    let world = try World.following()
    let count = world.messages.count
    for number in 2...10 as ClosedRange<UInt32> {
      world.tell(8, 352, "Hauptstraße", id: number)
      world.pass(2_000)
    }
    expect(world.messages.count, count, "352 m are shown as 350 m, too")
  }

  @Test func aTurnThatNobodyConfirmsGetsOldAndGoesAfterTenMinutes() throws {
    let world = try World()
    world.tell(5, 120, "Am Markt")
    world.advertise()
    world.pass(1_000)
    world.controller.connects = false
    world.loseLink()
    world.pass(12_000)
    expect(world.events("stale").compactMap { $0[number: "age"] }, [8, 9, 10])
    world.pass(600_000)
    expect(world.events("stale").last.map { $0[number: "age"] }, 600)
    expect(world.events("scan").last.map { $0["mode"] }, "slow")
  }

  /// 341 turns at the times of the ride; the picture of each new turn is compared with what is
  /// drawn of it, and the panel's bytes with what a picture may cost.
  ///
  /// Upright, digits stand across all pages of the RAM.
  @Test(
    .enabled(if: RecordedRide.areThere, "the rides are not among the recordings"),
    arguments: [("0", 115), ("90", 150)])
  func everyTurnOfALongRideIsShown(_ rotation: String, _ limit: Int) throws {
    let world = try World(["rotation=\(rotation)"])
    world.advertise()
    world.pass(1_000)
    let (start, sent) = (world.now, world.messages.count)
    var last: RecordedRide.Row?
    var compared = 0
    for (index, row) in try RecordedRide("potsdam-long").rows.enumerated() {
      world.pass(max(0, start + row.time - world.now))
      world.tell(row.direction, row.distance, row.street, id: UInt32(index))
      // A street that goes on may have scrolled.
      if last?.street != row.street {
        expect(isShown(row, world), "row \(index)")
        compared += 1
      }
      last = row
    }
    expect(compared, 10)
    expect(world.events("instruction").count, 341)
    expect(!world.events.contains { $0.name == "error" })
    let bytes = world.messages.dropFirst(sent).reduce(0) { $0 + 1 + $1.count }
    let pictures = world.events("frame").count
    // The digits of a near turn lie in five pages: some 100 bytes for each of its last 100 m, which
    // are drawn every 10 m, between two readings too.
    #expect(bytes / pictures < limit, "bytes a picture")
  }

  /// The first minute of our own ride; `PanelModel` has the glass of each.
  @Test(
    arguments: [
      "ssd1306-128x64", "ssd1306-128x32", "ssd1306-64x48", "ssd1306-72x40", "sh1106-128x64",
      "ssd1309-128x64", "sh1107-128x128",
    ], ["0", "90", "180", "270"])
  func eachPanelShowsTheRideHoweverItIsMounted(_ panel: String, _ rotation: String) throws {
    let world = try World.meeting(.ios, ["panel=\(panel)", "rotation=\(rotation)"])
    var street = ""
    try world.ride(OwnRide.rows().filter { $0.time < 60_000 }) { index, row in
      defer { street = row.street }
      guard street != row.street else { return }  // one that goes on may have scrolled
      expect(isShown(row, world), "row \(index)")
    }
    #expect(world.events("error").isEmpty)
  }

  /// Whether the glass has the turn of a row, whether or not it is due.
  private func isShown(_ row: RecordedRide.Row, _ world: World) -> Bool {
    let maneuver = Maneuver(direction: row.direction)
    let distance = string(RoundedDistance(metres: row.distance, units: .metric).text().bytes)
    return world.showsMoved(.turn(maneuver, distance, row.street))
      || world.showsMoved(.turn(maneuver, distance, row.street, isInverted: true))
      || world.showsMoved(.turn(maneuver, distance, row.street, isMarked: true))
  }
}

/// The figures of a ride; those that are not named are not known.
func figures(
  speed: Int? = nil, minutes: Int? = nil, tenths: Int? = nil, average: Int? = nil,
  isUnderWay: Bool = true
) -> TripFigures {
  var trip = TripFigures(units: .metric, isUnderWay: isUnderWay)
  (trip.speed, trip.minutes, trip.tenths, trip.average) = (speed, minutes, tenths, average)
  return trip
}

/// The moments of a ride on its page and at its end, in virtual time.
struct TripMomentTests {
  /// A ride of 5 m/s to a turn 2 km away, told each second; `metres` of it are ridden.
  private func riding(_ metres: UInt32, _ settings: [String] = []) throws -> World {
    let world = try World(phone: .android, settings)
    world.advertise()
    world.pass(1_000)
    ride(world, from: 2_000, to: 2_000 - metres)
    return world
  }

  private func ride(
    _ world: World, _ direction: UInt8 = 8, _ street: String = "Hauptstraße", from first: UInt32,
    to last: UInt32
  ) {
    for distance in stride(from: Int(first), through: Int(last), by: -5) {
      world.tell(direction, UInt32(distance), street)
      world.pass(1_000)
    }
  }

  /// The phone repeats itself each other second.
  private func wait(
    _ world: World, seconds: Int, _ direction: UInt8, _ distance: UInt32, _ street: String
  ) {
    for _ in 0..<seconds / 2 {
      world.tell(direction, distance, street)
      world.pass(2_000)
    }
  }

  @Test func thePageHasSpeedTimeWayAndAverage() throws {
    let world = try riding(1_500)
    world.press("a")
    let trip = figures(speed: 18, minutes: 5, tenths: 15, average: 18)
    expect(world.showsMoved(.ride("Fairy", trip, isConnected: true, rssi: -60)))
  }

  @Test func thePageIsDrawnOnlyWhenAFigureChanges() throws {
    let world = try riding(500)
    world.press("a")
    let before = world.messages.count
    ride(world, from: 1_495, to: 1_460)
    expect(world.messages.count, before, "0.5 km, 18 km/h, 1 min")
    ride(world, from: 1_455, to: 1_445)
    #expect(world.messages.count > before, "0.6 km")
  }

  @Test func anArrivalShowsWhatWasRiddenForTwentySeconds() throws {
    let world = try riding(1_000)
    ride(world, 3, "Zielgerade", from: 500, to: 35)
    expect(!world.glass.isEmpty && world.events("alert").last.map { $0["level"] } != "arrive")
    ride(world, 3, "Zielgerade", from: 30, to: 5)
    let trip = figures(minutes: 5, tenths: 15, average: 18, isUnderWay: false)
    expect(world.shows(.arrived("Zielgerade", trip)))
    wait(world, seconds: 12, 3, 5, "Zielgerade")
    expect(world.showsMoved(.arrived("Zielgerade", trip)))
    wait(world, seconds: 4, 3, 5, "Zielgerade")
    expect(!world.showsMoved(.arrived("Zielgerade", trip)))
  }

  @Test func anArrivalEndsAfterTwentySecondsAndNoSooner() {
    let (nothing, now) = ([UInt8](), Instant(milliseconds: 5_000))
    var scene = Scene(mistake: nothing.span)
    scene.showArrival(at: now)
    scene.advance(to: now + 19_999)
    let wasShown = scene.isArrivalShown
    scene.advance(to: now + 20_000)
    let isShown = scene.isArrivalShown
    expect(wasShown && !isShown)
  }

  /// The app has nothing more to say: no flag gets old on the panel.
  @Test(arguments: [true, false])
  func behindTheArrivalThePanelIsReady(_ isPressed: Bool) throws {
    let world = try riding(1_000)
    ride(world, 3, "Zielgerade", from: 100, to: 5)
    world.phone.hasService = false
    if isPressed { world.press("aaa") }  // through all pages
    world.pass(isPressed ? 12_000 : 20_000)
    expect(world.showsMoved(.ready("Fairy")))
    world.press("a")
    let trip = figures(minutes: 3, tenths: 11, average: 18, isUnderWay: false)
    expect(world.showsMoved(.ride("Fairy", trip, isConnected: true, rssi: -60)), "the last ride")
  }

  @Test func aFinishThatIsSaidForMinutesIsShownStill() throws {
    let world = try riding(1_000)
    wait(world, seconds: 180, 3, 0, "Zielgerade")
    expect(world.showsMoved(.turn(.finish, "Now", "Zielgerade")))
  }

  /// Android answers with zeros when the app has nothing more to say; off the route behind the finish is still the end.
  @Test(arguments: [false, true]) func theArrivalOutlastsItsInstruction(_ isOffRoute: Bool) throws {
    let world = try riding(1_000)
    ride(world, 3, "Zielgerade", from: 30, to: 5)
    if isOffRoute {
      world.tell(30, 0, "")
    } else {
      world.say(try #require(PhoneKind.android.silence))
    }
    world.pass(12_000)
    let trip = figures(minutes: 3, tenths: 10, average: 18, isUnderWay: false)
    expect(world.showsMoved(.arrived(isOffRoute ? "" : "Zielgerade", trip)))
    world.phone.hasService = false
    world.pass(8_000)
    expect(world.showsMoved(.ready("Fairy")))
  }

  @Test func theNextRideEndsTheArrivalAndBeginsAnew() throws {
    let world = try riding(1_000)
    ride(world, 3, "Zielgerade", from: 100, to: 5)
    world.tell(8, 300, "Am Markt")
    expect(world.shows(.turn(.right, "300 m", "Am Markt")))
    world.press("a")
    expect(
      world.shows(
        .ride("Fairy", figures(speed: 18, minutes: 0, tenths: 0), isConnected: true, rssi: -60)))
  }

  /// The device meets the phone at the finish: it has seen nothing of the ride.
  @Test func anArrivalOfWhichNothingWasSeenSaysNoFigures() throws {
    let world = try World(phone: .android)
    world.advertise()
    world.pass(1_000)
    world.tell(3, 10, "Zielgerade")
    expect(world.shows(.arrived("Zielgerade", figures(isUnderWay: false))))
  }

  /// Arrived, the phone goes home with its rider, and in the evening the panel is dark.
  @Test func aDaysEndLeavesADarkPanelAndTheNextDayBeginsAnew() throws {
    let world = try riding(1_000)
    ride(world, 3, "Zielgerade", from: 100, to: 5)
    world.loseLink()
    world.pass(21_000)
    #expect(world.events("stale").allSatisfy { ($0[number: "age"] ?? 0) <= 20 })
    world.pass(14 * 3_600_000)
    #expect(!world.glass.contains("#"))
    world.phone.value = instruction(8, 2_000, Array("Hauptstraße".utf8))
    world.advertise()
    world.pass(2_000)
    world.press("a")
    expect(
      world.showsMoved(
        .ride("Fairy", figures(minutes: 0, tenths: 0), isConnected: true, rssi: -60)))
  }

  @Test func whoForgetsThePhoneForgetsItsRide() throws {
    let world = try riding(1_000)
    world.press("B")
    world.pass(5_000)
    expect(world.device.guidance.trip.millimetres, 0)
  }
}

/// What the events tell of the way to the turn, and what a wheel does to the panel.
struct ProgressEventTests {
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
    expect(times.count, events.count)
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
    expect(event[number: "id"], 26)
    #expect(event.line.contains(#""fraction":0."#))
    expect(event["source"], "wheel")
    let metres = try #require(event[number: "distance"])
    let seconds = try #require(event[number: "seconds"])
    #expect((284...292).contains(metres))
    expect(seconds, (metres + 4) / 8)
  }

  @Test func withoutATurnAheadNothingIsTold() throws {
    let world = try World.meeting(.ios)
    world.tell(2, 0, "Hauptstraße", id: 1)
    world.pass(2_000)
    #expect(world.events("progress").isEmpty)
  }
}

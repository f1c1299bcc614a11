import Bytes
import DeviceState
import Expecting
import Navigation
import Screens
import TestSupport
import Turns
import VirtualAir
import VirtualDevice

@testable import Device

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
@Suite struct TripMomentTests {
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

  /// The speed that is shown, which is right to about 1 km/h.
  private func speed(_ world: World) -> Int? {
    let speed = world.device.guidance.tripFigures.speed
    #expect((16...18).contains(speed ?? 0))
    return speed
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
    world.phone.hasService = false
    world.pass(12_000)
    expect(world.showsMoved(.ready("Fairy")))
  }

  /// Android answers with zeros when the app has nothing more to say.
  @Test func theArrivalOutlastsItsInstruction() throws {
    let world = try riding(1_000)
    ride(world, 3, "Zielgerade", from: 30, to: 5)
    world.say(try #require(PhoneKind.android.silence))
    world.pass(12_000)
    let trip = figures(minutes: 3, tenths: 10, average: 18, isUnderWay: false)
    expect(world.showsMoved(.arrived("Zielgerade", trip)))
    world.pass(4_000)
    expect(world.showsMoved(.ready("Fairy")))
  }

  @Test func offTheRouteBehindTheFinishIsStillTheEnd() throws {
    let world = try riding(1_000)
    ride(world, 3, "Zielgerade", from: 100, to: 5)
    world.tell(30, 0, "")
    world.pass(1_000)
    let trip = figures(minutes: 3, tenths: 11, average: 18, isUnderWay: false)
    expect(world.shows(.arrived("", trip)))
    world.phone.hasService = false
    world.pass(20_000)
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
    let ridden = world.device.guidance.trip.millimetres
    expect(ridden, 0)
  }
}

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

  @Test func aMovingWheelKeepsThePanelOn() throws {
    let world = try World()
    for second in 0...900 {
      world.roll(second * 6, speed: 6)
      world.pass(1_000)
    }
    let (wasOn, _) = (world.device.isPanelOn, world.pass(601_000))
    let isOn = world.device.isPanelOn
    expect(wasOn && !isOn)
  }
}

import Bytes
import Expecting
import Navigation
import TestSupport
import Turns
import VirtualAir
import VirtualDevice

@testable import Device
@testable import DeviceState

/// What a turn that is near, and the arrival, do to the picture and to the alert line.
@Suite struct AlertLineTests {
  private static let line = ["buttons=gpio:/dev/gpiochip0", "button-a=17", "alert=22"]

  /// How long the line kept each level, from the first one that is high on.
  private func lengths(_ world: World) -> [Int64] {
    zip(world.alerts, world.alerts.dropFirst()).map { $1.time - $0.time }
  }

  @Test func aNearTurnIsInvertedForASecondAndPulsesTheLineThreeTimes() throws {
    let world = try World.following(Self.line)
    world.tell(8, 25, "Hauptstraße", id: 2)
    expect(world.shows(.turn(.right, "30 m", "Hauptstraße", isInverted: true)))
    world.pass(999)
    expect(world.shows(.turn(.right, "30 m", "Hauptstraße", isInverted: true)))
    world.pass(1)
    expect(world.shows(.turn(.right, "30 m", "Hauptstraße", isMarked: true)))
    expect(world.alerts.map(\.isHigh), [true, false, true, false, true, false])
    expect(lengths(world), [150, 150, 150, 150, 150])
    world.tell(8, 20, "Hauptstraße", id: 3)
    world.pass(2_000)
    expect(world.alerts.count, 6, "a level is announced once for each turn")
  }

  @Test func aTurnThatWasAnnouncedBeforeItIsWithin30MetresHasTwoMorePulsesThere() throws {
    let world = try World.following(Self.line)
    // 10 m a second: 15 s before the turn are 150 m.
    for second in 0..<34 {
      world.tell(8, UInt32(350 - 10 * second), "Hauptstraße", id: UInt32(2 + second))
      world.pass(1_000)
    }
    expect(world.alerts.count, 6 + 4)
    expect(Array(lengths(world).suffix(3)), [150, 150, 150])
    // 20 m a second ago, and 10 m since.
    expect(world.shows(.turn(.right, "10 m", "Hauptstraße", isMarked: true)))
    expect(world.events("alert").last.map { $0["level"] }, "high", "the cue is no new level")
  }

  /// komoot's 4 is left, 8 right, 5 a roundabout's: by the pulses' lengths.
  @Test(
    arguments: [
      (6, [150, 150, 150]), (8, [600, 150, 150]), (12, [150, 150, 150, 150, 150]),
    ] as [(UInt8, [Int64])])
  func withSidesEachHasItsPulses(_ direction: UInt8, _ expected: [Int64]) throws {
    let world = try World.following(Self.line + ["alert-sides=on"])
    world.tell(direction, 25, "Hauptstraße", id: 2)
    world.pass(2_000)
    expect(lengths(world), expected)
  }

  @Test func straightOnNeitherFlashesNorPulses() throws {
    let world = try World.following(Self.line)
    world.tell(1, 25, "Hauptstraße", id: 2)
    expect(world.shows(.turn(.straight, "30 m", "Hauptstraße")))
    world.pass(2_000)
    world.tell(1, 10, "Hauptstraße", id: 3)
    world.pass(2_000)
    #expect(world.alerts.isEmpty)
    expect(world.events("alert").last.map { $0["level"] }, "high")
  }

  @Test func theMarkGoesWithTheTurnAndIsNotForOldNews() throws {
    let world = try World.following(Self.line)
    world.tell(8, 25, "Hauptstraße", id: 2)
    world.loseLink()
    world.pass(8_000)
    let age = Age(milliseconds: 8_000)
    expect(world.shows(.turn(.right, "30 m", "Hauptstraße", age: age, isLinkLost: true)))
    world.advertise()
    world.pass(1_000)
    world.tell(8, 20, "Hauptstraße", id: 3)
    expect(world.shows(.turn(.right, "20 m", "Hauptstraße", isMarked: true)), "it is due again")
    world.tell(5, 90, "Am Markt", id: 4)
    expect(world.shows(.turn(.left, "90 m", "Am Markt")))
  }

  @Test func theLineIsLowWhenTheProgramEndsInMidPulse() throws {
    let world = try World.following(Self.line)
    world.tell(8, 25, "Hauptstraße", id: 2)
    world.pass(50)
    expect(world.alerts.last?.isHigh, true)
    world.leave()
    expect(world.alerts.last?.isHigh, false)
  }

  @Test func aLineThatFailsIsToldOnceAndOpenedAgainBehindTheRide() throws {
    let world = try World.following(Self.line)
    world.faults[.alert] = .noSuchDevice
    world.tell(8, 25, "Hauptstraße", id: 2)
    world.pass(5_000)
    expect(world.events("error").compactMap { $0["source"] }, ["gpio"])
    world.faults[.alert] = nil
    world.pass(1_000)
    world.tell(5, 25, "Am Markt", id: 3)
    world.pass(2_000)
    expect(world.alerts.count, 6)
  }

  /// The kernel gives the name to no other chip while somebody has a line of the one that went.
  @Test func theLineIsLetGoOfWithAChipThatTheButtonsMiss() throws {
    let world = try World.following(Self.line)
    world.fail(.buttons, .noSuchDevice)
    expect(world.state(of: .alert), .closed)
    world.pass(1_000)
    expect(world.state(of: .alert) == .open && world.state(of: .buttons) == .open)
  }

  @Test func withoutAnAlertLineThereIsNoPort() throws {
    let world = try World.following(["buttons=stdin"])
    world.tell(8, 25, "Hauptstraße", id: 2)
    world.pass(2_000)
    expect(world.state(of: .alert) == .absent && world.alerts.isEmpty)
  }
}

/// What the alert line does, in virtual time: a picture of it is a letter for each 50 ms, high or low.
@Suite struct AlertPatternTests {
  private let begin = Instant(milliseconds: 5_000_000)

  @Test(
    arguments: [
      (.none, "...................."), (.depart, "...................."),
      (.low, "...................."), (.medium, "...................."),
      (.high, "###...###...###....."), (.arrive, "############........"),
    ] as [(AlertLevel, String)])
  func eachLevelHasItsPattern(_ level: AlertLevel, _ expected: String) {
    var pattern = AlertPattern()
    pattern.begin(level, at: begin)
    expect(picture(&pattern), expected)
  }

  /// With `alert-sides`: three short pulses are a turn to neither side.
  @Test(
    arguments: [
      (.left, "###...###..........."), (.right, "############...###.."),
      (nil, "###...###...###....."),
    ] as [(Maneuver.Side?, String)])
  func eachSideHasItsPattern(_ side: Maneuver.Side?, _ expected: String) {
    var pattern = AlertPattern(hasSides: true)
    pattern.begin(.high, toward: side, at: begin)
    expect(picture(&pattern), expected)
    pattern = AlertPattern(hasSides: true)
    pattern.beginSecondCue(toward: side, at: begin)
    expect(picture(&pattern), side == nil ? "###...###..........." : expected)
    var other = AlertPattern()
    other.begin(.high, toward: side, at: begin)
    expect(picture(&other), "###...###...###.....", "as ever without the setting")
    other = AlertPattern()
    other.beginSecondCue(toward: side, at: begin)
    expect(picture(&other), "###...###...........")
  }

  @Test func aVehicleSoundsLikeNoSide() {
    var pattern = AlertPattern(hasSides: true)
    pattern.beginVehicle(at: begin)
    var changes: [Int64] = []
    while let deadline = pattern.deadline, changes.count < 9 {
      pattern.advance(to: deadline)
      changes.append(deadline - begin)
    }
    expect(changes, [75, 150, 225, 300, 375, 450, 525])
    expect(!pattern.isHigh)
    var other = AlertPattern()
    other.beginVehicle(at: begin)
    expect(picture(&other), "###...###...........")
  }

  /// Turns that lead to a side, and those of which nobody knows that.
  @Test(
    arguments: [
      (.slightLeft, .left), (.left, .left), (.sharpLeft, .left), (.forkLeft, .left),
      (.slightRight, .right), (.right, .right), (.sharpRight, .right), (.forkRight, .right),
      (.straight, nil), (.uTurn, nil), (.finish, nil), (.offRoute, nil), (.pointOfInterest, nil),
      (.roundabout(.left, .clockwise), nil), (.unknown(7), nil),
    ] as [(Maneuver, Maneuver.Side?)])
  func aManeuverHasASideOrNone(_ maneuver: Maneuver, _ side: Maneuver.Side?) {
    expect(maneuver.side, side)
  }

  /// The loop sleeps until the next change and not once more.
  @Test(
    arguments: [
      (.low, []), (.high, [150, 300, 450, 600, 750]), (.arrive, [600]),
    ] as [(AlertLevel, [Int64])])
  func itWakesOnlyWhenTheLineChanges(_ level: AlertLevel, _ expected: [Int64]) {
    var pattern = AlertPattern()
    pattern.begin(level, at: begin)
    var changes: [Int64] = []
    while let deadline = pattern.deadline, changes.count < 9 {
      let before = pattern.isHigh
      pattern.advance(to: deadline + -1)
      expect(pattern.isHigh, before)
      pattern.advance(to: deadline)
      #expect(pattern.isHigh != before)
      changes.append(deadline - begin)
    }
    expect(changes, expected)
  }

  /// A silent level lets the old pattern end.
  @Test(
    arguments: [(.arrive, "############........"), (.low, "#...###.............")]
      as [(AlertLevel, String)])
  func aNewPatternCutsTheOldOneOff(_ level: AlertLevel, _ expected: String) {
    var pattern = AlertPattern()
    pattern.begin(.high, at: begin)
    pattern.advance(to: begin + 400)
    pattern.begin(level, at: begin + 400)
    expect(picture(&pattern, from: 400), expected)
  }

  /// A bus that hangs must not keep a buzzer on.
  @Test(arguments: [750, 800, 10_000, 1_000_000_000_000] as [Int64])
  func aLateLoopFindsTheLineLow(_ delay: Int64) {
    var pattern = AlertPattern()
    pattern.begin(.high, at: begin)
    pattern.advance(to: begin + delay)
    expect(!pattern.isHigh)
    expect(pattern.deadline, nil)
  }

  private func picture(_ pattern: inout AlertPattern, from first: Int64 = 0) -> String {
    var picture = ""
    for step in 0..<20 as Range<Int64> {
      pattern.advance(to: begin + first + step * 50)
      picture += pattern.isHigh ? "#" : "."
    }
    return picture
  }
}

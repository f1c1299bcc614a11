import Bytes
import Expecting
import Navigation
import TestSupport
import Turns
import VirtualDevice

@testable import Device
@testable import DeviceState

/// What a turn that is near, and the arrival, do to the picture and to the alert line.
struct AlertLineTests {
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
    let without = try World.following()
    without.tell(8, 25, "Hauptstraße", id: 2)
    without.pass(2_000)
    expect(without.state(of: .alert) == .absent && without.alerts.isEmpty)
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
}

/// When the alert line changes, in milliseconds since its pattern began.
struct AlertPatternTests {
  private static let two: [Int64] = [150, 300, 450]
  private static let three: [Int64] = [150, 300, 450, 600, 750]
  private let begin = Instant(milliseconds: 5_000_000)

  /// The loop sleeps until the next change and not once more.
  private func changes(_ pattern: inout AlertPattern) -> [Int64] {
    var changes: [Int64] = []
    while let deadline = pattern.deadline, changes.count < 9 {
      let before = pattern.isHigh
      pattern.advance(to: deadline + -1)
      expect(pattern.isHigh, before)
      pattern.advance(to: deadline)
      expect(pattern.isHigh != before)
      changes.append(deadline - begin)
    }
    expect(!pattern.isHigh)
    return changes
  }

  @Test func eachLevelHasItsPattern() {
    for (level, expected) in [
      (.none, []), (.depart, []), (.low, []), (.medium, []), (.high, Self.three), (.arrive, [600]),
    ] as [(AlertLevel, [Int64])] {
      var pattern = AlertPattern()
      pattern.begin(level, at: begin)
      expect(changes(&pattern), expected, "\(level)")
    }
  }

  /// With `alert-sides`: three short pulses are a turn to neither side.
  @Test func eachSideAndAVehicleHaveTheirPatterns() {
    for (side, expected) in [
      (.left, Self.two), (.right, [600, 750, 900]), (nil, Self.three),
    ] as [(Maneuver.Side?, [Int64])] {
      var pattern = AlertPattern(hasSides: true)
      pattern.begin(.high, toward: side, at: begin)
      expect(changes(&pattern), expected)
      pattern.beginSecondCue(toward: side, at: begin)
      expect(changes(&pattern), side == nil ? Self.two : expected)
      var other = AlertPattern()
      other.begin(.high, toward: side, at: begin)
      expect(changes(&other), Self.three, "as ever without the setting")
      other.beginSecondCue(toward: side, at: begin)
      expect(changes(&other), Self.two)
    }
    for (hasSides, expected) in [(true, [75, 150, 225, 300, 375, 450, 525]), (false, Self.two)] {
      var pattern = AlertPattern(hasSides: hasSides)
      pattern.beginVehicle(at: begin)
      expect(changes(&pattern), expected)
    }
  }

  /// Turns that lead to a side, and those of which nobody knows that.
  @Test func aManeuverHasASideOrNone() {
    for (side, maneuvers) in [
      (.left, [.slightLeft, .left, .sharpLeft, .forkLeft]),
      (.right, [.slightRight, .right, .sharpRight, .forkRight]),
      (
        nil,
        [
          .straight, .uTurn, .finish, .offRoute, .pointOfInterest, .roundabout(.left, .clockwise),
          .unknown(7),
        ]
      ),
    ] as [(Maneuver.Side?, [Maneuver])] {
      for maneuver in maneuvers { expect(maneuver.side, side, "\(maneuver)") }
    }
  }

  /// A silent level lets the old pattern end.
  @Test func aNewPatternCutsTheOldOneOff() {
    for (level, expected) in [(.arrive, [1_000]), (.low, [450, 600, 750])]
      as [(AlertLevel, [Int64])]
    {
      var pattern = AlertPattern()
      pattern.begin(.high, at: begin)
      pattern.advance(to: begin + 400)
      pattern.begin(level, at: begin + 400)
      expect(changes(&pattern), expected)
    }
  }

  /// A bus that hangs must not keep a buzzer on.
  @Test func aLateLoopFindsTheLineLow() {
    for delay in [750, 800, 10_000, 1_000_000_000_000] as [Int64] {
      var pattern = AlertPattern()
      pattern.begin(.high, at: begin)
      pattern.advance(to: begin + delay)
      expect(!pattern.isHigh)
      expect(pattern.deadline, nil)
    }
  }
}

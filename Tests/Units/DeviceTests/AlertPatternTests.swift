import Bytes
import Navigation
import Testing
import Turns

@testable import DeviceState

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
    #expect(picture(&pattern) == expected)
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
    #expect(picture(&pattern) == expected)
    pattern = AlertPattern(hasSides: true)
    pattern.beginSecondCue(toward: side, at: begin)
    #expect(picture(&pattern) == (side == nil ? "###...###..........." : expected))
    var other = AlertPattern()
    other.begin(.high, toward: side, at: begin)
    #expect(picture(&other) == "###...###...###.....", "as ever without the setting")
    other = AlertPattern()
    other.beginSecondCue(toward: side, at: begin)
    #expect(picture(&other) == "###...###...........")
  }

  @Test func aVehicleSoundsLikeNoSide() {
    var pattern = AlertPattern(hasSides: true)
    pattern.beginVehicle(at: begin)
    var changes: [Int64] = []
    while let deadline = pattern.deadline, changes.count < 9 {
      pattern.advance(to: deadline)
      changes.append(deadline - begin)
    }
    #expect(changes == [75, 150, 225, 300, 375, 450, 525])
    #expect(!pattern.isHigh)
    var other = AlertPattern()
    other.beginVehicle(at: begin)
    #expect(picture(&other) == "###...###...........")
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
    #expect(maneuver.side == side)
  }

  @Test func highIsOverWithItsFirstSecond() {
    var pattern = AlertPattern()
    pattern.begin(.high, at: begin)
    pattern.advance(to: begin + 1_000)
    #expect(!pattern.isHigh)
    #expect(pattern.deadline == nil)
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
      #expect(pattern.isHigh == before)
      pattern.advance(to: deadline)
      #expect(pattern.isHigh != before)
      changes.append(deadline - begin)
    }
    #expect(changes == expected)
  }

  @Test func aNewPatternCutsTheOldOneOff() {
    var pattern = AlertPattern()
    pattern.begin(.high, at: begin)
    pattern.advance(to: begin + 400)
    pattern.begin(.arrive, at: begin + 400)
    #expect(picture(&pattern, from: 400) == "############........")
  }

  @Test func aSilentLevelLetsTheOldOneEnd() {
    var pattern = AlertPattern()
    pattern.begin(.high, at: begin)
    pattern.advance(to: begin + 400)
    pattern.begin(.low, at: begin + 400)
    #expect(picture(&pattern, from: 400) == "#...###.............")
  }

  /// A bus that hangs must not keep a buzzer on.
  @Test(arguments: [750, 800, 10_000, 1_000_000_000_000] as [Int64])
  func aLateLoopFindsTheLineLow(_ delay: Int64) {
    var pattern = AlertPattern()
    pattern.begin(.high, at: begin)
    pattern.advance(to: begin + delay)
    #expect(!pattern.isHigh)
    #expect(pattern.deadline == nil)
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

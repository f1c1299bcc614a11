import Bytes
import Navigation
import Testing

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

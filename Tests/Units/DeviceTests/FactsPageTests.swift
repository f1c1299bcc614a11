import Bytes
import Navigation
import Testing

@testable import Device

/// The age of the last turn on the page of facts, in virtual time.
@Suite struct FactsPageTests {
  private let start = Instant(milliseconds: 70_000)

  @Test func besideThePageOfFactsNoTimeIsKept() {
    let rider = Rider()
    rider.hear(at: start)
    #expect(rider.deadline == nil)
  }

  @Test func withoutATurnThereIsNothingToWaitFor() {
    let rider = Rider()
    rider.press(at: start)
    #expect(rider.age == nil)
    #expect(rider.deadline == nil)
  }

  @Test func theFirstTenSecondsAreOnePicture() {
    let rider = Rider()
    rider.hear(at: start)
    rider.press(at: start + 3_000)
    #expect(rider.isChanged(at: start + 3_000))
    #expect(rider.age == 0)
    #expect(rider.deadline == start + 10_000)
    #expect(!rider.isChanged(at: start + 9_999))
    #expect(rider.isChanged(at: start + 10_000))
    #expect(rider.age == 10)
  }

  /// A phone that rides repeats itself every other second.
  @Test func repeatedTurnsChangeNothing() {
    let rider = Rider()
    rider.hear(at: start)
    rider.press(at: start)
    _ = rider.isChanged(at: start)
    for second in 1...60 as ClosedRange<Int64> {
      if second % 2 == 0 { rider.hear(at: start + 1_000 * second) }
      #expect(!rider.isChanged(at: start + 1_000 * second))
    }
  }

  /// 10, 20 … 50 s, then 1 … 59 min, then 1, 2 and 3 h: never each second.
  @Test func theAgeIsShownInCoarseSteps() {
    let rider = Rider()
    rider.hear(at: start)
    rider.press(at: start)
    _ = rider.isChanged(at: start)
    var ages: [Int64] = []
    while let due = rider.deadline, due <= start + 3 * 3_600_000 {
      #expect(rider.isChanged(at: due))
      ages.append(rider.age ?? -1)
    }
    let seconds = [10, 20, 30, 40, 50] as [Int64]
    let minutes = (1...59 as ClosedRange<Int64>).map { 60 * $0 }
    #expect(ages == seconds + minutes + [3_600, 7_200, 10_800])
  }

  @Test func theAgeIsRightAgainAsSoonAsThePageIsTurned() {
    let rider = Rider()
    rider.hear(at: start)
    rider.press(at: start)
    rider.press(at: start + 1_000)
    #expect(rider.deadline == nil)
    rider.press(at: start + 125_000)
    #expect(rider.age == 120)
    #expect(rider.deadline == start + 180_000)
  }
}

/// A scene that `#expect` can ask, which takes copyable values only.
private final class Rider {
  private var scene: Scene

  init() {
    let nothing: [UInt8] = []
    scene = Scene(mistake: nothing.span)
  }

  var deadline: Instant? { scene.deadline }
  var age: Int64? { scene.newsAge?.seconds }

  func hear(at now: Instant) { scene.hearNews(at: now) }
  func press(at now: Instant) { scene.turnPage(at: now) }

  /// Advances to `now`, and draws if that is needed.
  func isChanged(at now: Instant) -> Bool {
    scene.advance(to: now)
    defer { scene.isChanged = false }
    return scene.isChanged
  }
}

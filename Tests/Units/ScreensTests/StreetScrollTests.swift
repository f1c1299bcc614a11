import Bytes
import Expecting
import Screens

/// The course of a long street in virtual time.
@Suite struct StreetScrollTests {
  private let street: UInt32 = 273
  private let start = Instant(milliseconds: 5_000)

  @Test func aStreetThatFitsNeedsNoTime() {
    var scroll = StreetScroll()
    scroll.show(street, overflow: 0, at: start)
    expect(scroll.deadline, nil)
    expectAdvance(false, &scroll, to: start + 60_000)
    expect(scroll.offset, 0)
  }

  @Test func theBeginningStandsStillForOneAndAHalfSeconds() {
    var scroll = StreetScroll()
    scroll.show(street, overflow: 100, at: start)
    expect(scroll.deadline, start + 1_500)
    expectAdvance(false, &scroll, to: start + 1_499)
    expect(scroll.offset, 0)
    expectAdvance(true, &scroll, to: start + 1_500)
    #expect(scroll.offset > 0)
  }

  /// By hand: 7 columns are four steps, the last of them short.
  @Test func onePassOfSevenColumns() {
    var scroll = StreetScroll()
    scroll.show(street, overflow: 7, at: start)
    let steps = course(&scroll, count: 6)
    expect(
      steps,
      [
        [1_500, 2], [1_550, 4], [1_600, 6], [1_650, 7], [3_150, 0], [4_650, 2],
      ])
  }

  @Test func afterTwoPassesItRestsWithTheBeginningShown() {
    var scroll = StreetScroll()
    scroll.show(street, overflow: 4, at: start)
    let steps = course(&scroll, count: 100)
    expect(steps.count, 2 * 3)
    expect(steps.last?[1], 0)
    expect(scroll.deadline, nil)
    scroll.show(street, overflow: 4, at: start + 60_000)
    expect(scroll.deadline, nil, "drawn again, it still rests")
  }

  @Test func itIsNeverFasterThanOneCanRead() {
    var scroll = StreetScroll()
    scroll.show(street, overflow: 4_000, at: start)
    var now = start + 1_500
    _ = scroll.advance(to: now)
    let before = scroll.offset
    for _ in 0..<20 {
      let due = scroll.deadline ?? now
      now = due
      _ = scroll.advance(to: now)
    }
    // 50 columns a second are seven letters of seven columns.
    let perSecond = Int64(scroll.offset - before) * 1_000 / (now - (start + 1_500))
    #expect(perSecond <= 50)
    #expect(perSecond >= 30)
  }

  /// A loop that was busy for a second must not make the letters jump.
  @Test func aStepThatComesLateIsOneStep() {
    var scroll = StreetScroll()
    scroll.show(street, overflow: 100, at: start)
    expectAdvance(true, &scroll, to: start + 9_000)
    let first = scroll.offset
    expect(scroll.deadline, start + 9_050)
    expectAdvance(true, &scroll, to: start + 20_000)
    expect(scroll.offset - first, first)
  }

  @Test func theSameStreetGoesOnAndAnotherOneBeginsAnew() {
    var scroll = StreetScroll()
    scroll.show(street, overflow: 100, at: start)
    _ = scroll.advance(to: start + 1_500)
    scroll.show(street, overflow: 100, at: start + 1_520)
    expect(scroll.offset == 2 && scroll.deadline == start + 1_550)
    let other: UInt32 = 274
    scroll.show(other, overflow: 90, at: start + 2_000)
    expect(scroll.offset, 0)
    expect(scroll.deadline, start + 3_500)
  }

  @Test func aStreetThatWasHiddenBeginsAnew() {
    var scroll = StreetScroll()
    scroll.show(street, overflow: 100, at: start)
    _ = scroll.advance(to: start + 1_500)
    scroll.hide()
    expect(scroll.deadline, nil)
    expect(scroll.offset, 0)
    scroll.show(street, overflow: 100, at: start + 2_000)
    expect(scroll.deadline, start + 3_500)
  }

  /// The strip of a radar has come, or has gone.
  @Test(arguments: [92, 108])
  func centralBehaviour82_aStreetThatHasAnotherRoomBeginsAgain(_ overflow: Int) {
    var scroll = StreetScroll()
    scroll.show(street, overflow: 100, at: start)
    _ = scroll.advance(to: start + 1_500)
    scroll.show(street, overflow: overflow, at: start + 1_520)
    expect(scroll.offset, 0)
    expect(scroll.deadline, start + 3_020)
  }

  private func expectAdvance(
    _ isExpected: Bool, _ scroll: inout StreetScroll, to now: Instant,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let isChanged = scroll.advance(to: now)
    #expect(isChanged == isExpected, sourceLocation: sourceLocation)
  }

  /// The next steps: milliseconds since the start, and the offset from then on.
  private func course(_ scroll: inout StreetScroll, count: Int) -> [[Int]] {
    var steps: [[Int]] = []
    while steps.count < count, let due = scroll.deadline {
      expectAdvance(true, &scroll, to: due)
      steps.append([Int(due - start), scroll.offset])
    }
    return steps
  }
}

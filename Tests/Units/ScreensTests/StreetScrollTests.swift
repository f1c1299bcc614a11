import Bytes
import Screens
import Testing

/// The course of a long street in virtual time.
@Suite struct StreetScrollTests {
  private let street = Array("Radweg an der Bundesstraße 273".utf8)
  private let start = Instant(milliseconds: 5_000)

  @Test func aStreetThatFitsNeedsNoTime() {
    let scroll = Scroll()
    scroll.show(street, overflow: 0, at: start)
    #expect(scroll.deadline == nil)
    #expect(!scroll.advance(to: start + 60_000))
    #expect(scroll.offset == 0)
  }

  @Test func theBeginningStandsStillForOneAndAHalfSeconds() {
    let scroll = Scroll()
    scroll.show(street, overflow: 100, at: start)
    #expect(scroll.deadline == start + 1_500)
    #expect(!scroll.advance(to: start + 1_499))
    #expect(scroll.offset == 0)
    #expect(scroll.advance(to: start + 1_500))
    #expect(scroll.offset > 0)
  }

  /// By hand: 7 columns are four steps, the last of them short.
  @Test func onePassOfSevenColumns() {
    let scroll = Scroll()
    scroll.show(street, overflow: 7, at: start)
    #expect(
      course(scroll, count: 6) == [
        [1_500, 2], [1_550, 4], [1_600, 6], [1_650, 7], [3_150, 0], [4_650, 2],
      ])
  }

  @Test func afterThreePassesItRestsWithTheBeginningShown() {
    let scroll = Scroll()
    scroll.show(street, overflow: 4, at: start)
    let steps = course(scroll, count: 100)
    #expect(steps.count == 3 * 3)
    #expect(steps.last?[1] == 0)
    #expect(scroll.deadline == nil)
    #expect(scroll.isShowing(street))
  }

  @Test func itIsNeverFasterThanOneCanRead() {
    let scroll = Scroll()
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
    let scroll = Scroll()
    scroll.show(street, overflow: 100, at: start)
    #expect(scroll.advance(to: start + 9_000))
    let first = scroll.offset
    #expect(scroll.deadline == start + 9_050)
    #expect(scroll.advance(to: start + 20_000))
    #expect(scroll.offset - first == first)
  }

  @Test func theSameStreetGoesOnAndAnotherOneBeginsAnew() {
    let scroll = Scroll()
    scroll.show(street, overflow: 100, at: start)
    _ = scroll.advance(to: start + 1_500)
    #expect(scroll.isShowing(street))
    let other = Array("Radweg an der Bundesstraße 274".utf8)
    #expect(!scroll.isShowing(other))
    scroll.show(other, overflow: 90, at: start + 2_000)
    #expect(scroll.offset == 0)
    #expect(scroll.deadline == start + 3_500)
  }

  @Test func aStreetThatWasHiddenBeginsAnew() {
    let scroll = Scroll()
    scroll.show(street, overflow: 100, at: start)
    _ = scroll.advance(to: start + 1_500)
    scroll.hide()
    #expect(scroll.deadline == nil)
    #expect(scroll.offset == 0)
    #expect(!scroll.isShowing(street))
  }

  /// More than a value can hold: only what is kept is compared, so that it does not begin for ever.
  @Test func aStreetThatIsTooLongToBeKeptIsKnownAgain() {
    let scroll = Scroll()
    let endless = [UInt8](repeating: 0x57, count: 5_000)
    scroll.show(endless, overflow: 100, at: start)
    #expect(scroll.isShowing(endless))
  }

  /// The next steps: milliseconds since the start, and the offset from then on.
  private func course(_ scroll: Scroll, count: Int) -> [[Int]] {
    var steps: [[Int]] = []
    while steps.count < count, let due = scroll.deadline {
      #expect(scroll.advance(to: due))
      steps.append([Int(due - start), scroll.offset])
    }
    return steps
  }
}

/// A scroll that `#expect` can ask, which takes copyable values only.
private final class Scroll {
  private var scroll = StreetScroll()

  var offset: Int { scroll.offset }
  var deadline: Instant? { scroll.deadline }

  func isShowing(_ street: [UInt8]) -> Bool { scroll.isShowing(street.span) }

  func show(_ street: [UInt8], overflow: Int, at now: Instant) {
    scroll.show(street.span, overflow: overflow, at: now)
  }

  func hide() { scroll.hide() }

  func advance(to now: Instant) -> Bool { scroll.advance(to: now) }
}

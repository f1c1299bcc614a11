import Bytes
import Expecting
import Graphics
import Screens

/// The course of a long street in virtual time.
struct StreetScrollTests {
  private let street: UInt32 = 273
  private let start = Instant(milliseconds: 5_000)

  @Test func aStreetThatFitsNeedsNoTime() {
    var scroll = StreetScroll()
    scroll.show(street, overflow: 0, at: start)
    expect(scroll.deadline == nil && scroll.offset == 0)
    expectAdvance(false, &scroll, to: start + 60_000)
  }

  /// By hand: 7 columns are four steps, the last of them short.
  @Test func theBeginningStandsStillForOneAndAHalfSecondsAndSevenColumnsAreFourSteps() {
    var scroll = StreetScroll()
    scroll.show(street, overflow: 7, at: start)
    expectAdvance(false, &scroll, to: start + 1_499)
    expect(scroll.offset, 0)
    let steps = course(&scroll, count: 6)
    expect(steps, [[1_500, 2], [1_550, 4], [1_600, 6], [1_650, 7], [3_150, 0], [4_650, 2]])
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

  /// Also one for which the strip of a radar has come, or has gone.
  @Test func centralBehaviour82_theSameStreetGoesOnAndAnotherOneOrAnotherRoomBeginsAnew() {
    let other: UInt32 = 274
    for (name, overflow, goesOn) in [
      (street, 100, true), (other, 100, false), (street, 92, false), (street, 108, false),
    ] {
      var scroll = StreetScroll()
      scroll.show(street, overflow: 100, at: start)
      _ = scroll.advance(to: start + 1_500)
      scroll.show(name, overflow: overflow, at: start + 1_520)
      expect(scroll.offset, goesOn ? 2 : 0)
      expect(scroll.deadline, start + (goesOn ? 1_550 : 3_020))
    }
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

/// How a street that scrolls is drawn.
struct StreetPictureTests {
  private let long = "Radweg an der Bundesstraße 273 nach Marquardt"
  private let hebrew = "שדרות דוד בן גוריון פינת רחוב דיזנגוף בתל אביב"

  @Test(arguments: Panel.wide) func aScrolledStreetEndsWithItsLastLetter(_ panel: Panel) {
    let font: Font = panel == .large ? .bold14 : .bold12
    let bytes = Array(long.utf8)
    let scrolled = picture(panel, long, offset: panel.overflow(long))
    var end = Bitmap(panel.size)
    let width = font.width(of: bytes.span)
    end.draw(
      bytes.span, font: font, at: Point(panel.size.width - width, panel.size.height - 3))
    for y in panel.size.height - 13..<panel.size.height {
      for x in panel.size.width / 2..<panel.size.width { expect(scrolled[x, y], end[x, y]) }
    }
  }

  /// A message has 256 bytes of data at most, so less than 320 bytes go over the bus.
  @Test(arguments: Panel.wide + [.square])
  func aStepOfTheScrollChangesTheLastTwoPagesOnly(_ panel: Panel) {
    let streets = [long, hebrew, String(repeating: "W ", count: 251)]
    for street in panel == .square ? [streets[2]] : streets {
      let end = panel.overflow(street)
      #expect(end > 0)
      var offset = 0
      while offset < end {
        let before = picture(panel, street, offset: offset)
        offset = min(offset + (offset < 40 ? 2 : 50), end)
        let after = picture(panel, street, offset: offset)
        let isSmall = lastTwoPagesOnly(before, after)
        expect(isSmall)
      }
      // Back to the beginning, which is told to be one by an ellipsis.
      let last = picture(panel, street, offset: end)
      let first = picture(panel, street)
      let isSmall = lastTwoPagesOnly(last, first)
      expect(isSmall)
    }
  }

  /// The letters go out at the side where the street begins.
  @Test(arguments: Panel.wide) func theSidesOfAScrollAreThoseOfTheScript(_ panel: Panel) {
    for (street, step) in [(long, -1), (hebrew, 1)] {
      let before = picture(panel, street, offset: 20)
      let after = picture(panel, street, offset: 21)
      var differences = 0
      for y in panel.size.height - 13..<panel.size.height {
        for x in panel.size.width / 2 + 1..<panel.size.width - 1
        where after[x + step, y] != before[x, y] { differences += 1 }
      }
      expect(differences, 0)
    }
  }

  @Test(arguments: Panel.allCases) func theWarningOffTheRouteStandsStill(_ panel: Panel) {
    expect(panel.overflow(long) { $0.maneuver = .offRoute }, 0)
  }

  private func lastTwoPagesOnly(_ a: borrowing Bitmap, _ b: borrowing Bitmap) -> Bool {
    for page in 0..<a.pageCount - 2 {
      for column in 0..<a.size.width
      where a[page: page, column: column] != b[page: page, column: column] { return false }
    }
    return true
  }

  private func picture(_ panel: Panel, _ street: String, offset: Int = 0) -> Bitmap {
    panel.turn(street, "240 m", offset: offset)
  }
}

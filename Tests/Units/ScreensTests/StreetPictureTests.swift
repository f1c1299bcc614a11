import Expecting
import Graphics
import Screens

/// How a street that scrolls is drawn.
@Suite struct StreetPictureTests {
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

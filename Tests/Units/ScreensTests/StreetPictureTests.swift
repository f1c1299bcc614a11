import Graphics
import Screens
import Testing

/// How a street that scrolls is drawn.
@Suite struct StreetPictureTests {
  private let long = "Radweg an der Bundesstraße 273 nach Marquardt"
  private let hebrew = "שדרות דוד בן גוריון פינת רחוב דיזנגוף בתל אביב"

  @Test(arguments: Panel.wide) func aScrolledStreetEndsWithItsLastLetter(_ panel: Panel) {
    let font: Font = panel == .large ? .bold14 : .bold12
    let bytes = Array(long.utf8)
    let scrolled = picture(panel, long, offset: overflow(panel, long))
    var end = Bitmap(panel.size)
    let width = font.width(of: bytes.span)
    end.draw(
      bytes.span, font: font, at: Point(panel.size.width - width, panel.size.height - 3))
    for y in panel.size.height - 13..<panel.size.height {
      for x in panel.size.width / 2..<panel.size.width { #expect(scrolled[x, y] == end[x, y]) }
    }
  }

  /// A message has 256 bytes of data at most, so less than 320 bytes go over the bus.
  @Test(arguments: Panel.wide) func aStepOfTheScrollChangesTheLastTwoPagesOnly(_ panel: Panel) {
    for street in [long, hebrew, String(repeating: "W ", count: 251)] {
      let end = overflow(panel, street)
      #expect(end > 0)
      var offset = 0
      while offset < end {
        let before = picture(panel, street, offset: offset)
        offset = min(offset + (offset < 40 ? 2 : 50), end)
        let after = picture(panel, street, offset: offset)
        let isSmall = lastTwoPagesOnly(before, after)
        #expect(isSmall)
      }
      // Back to the beginning, which is told to be one by an ellipsis.
      let last = picture(panel, street, offset: end)
      let first = picture(panel, street)
      let isSmall = lastTwoPagesOnly(last, first)
      #expect(isSmall)
    }
  }

  @Test(arguments: Panel.wide) func aStreetFromRightToLeftBeginsAtTheRightEdge(_ panel: Panel) {
    let left = "Weg"
    #expect(litColumns(panel, left).lowerBound < panel.size.width / 2)
    #expect(litColumns(panel, "רחוב").upperBound >= panel.size.width - 3)
    // A number has no direction, the first letter has.
    #expect(litColumns(panel, "7 רחוב").upperBound >= panel.size.width - 3)
    #expect(litColumns(panel, "a ר").lowerBound == litColumns(panel, "a").lowerBound)
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
      #expect(differences == 0)
    }
  }

  @Test(arguments: Panel.allCases) func theWarningOffTheRouteStandsStill(_ panel: Panel) {
    let (far, road) = (Array("20 m".utf8), Array(long.utf8))
    let turn = ShownTurn(.offRoute, distance: far.span, street: road.span)
    #expect(Bitmap(panel.size).streetOverflow(of: turn) == 0)
  }

  private func litColumns(_ panel: Panel, _ street: String) -> ClosedRange<Int> {
    let bitmap = picture(panel, street)
    let rows = panel.size.height - 12..<panel.size.height
    // On the flat panel the arrow stands left of the street.
    let first = panel == .flat ? 32 : 0
    let lit = (first..<panel.size.width).filter { x in rows.contains { bitmap[x, $0] } }
    return (lit.first ?? 0)...(lit.last ?? 0)
  }

  private func lastTwoPagesOnly(_ a: borrowing Bitmap, _ b: borrowing Bitmap) -> Bool {
    for page in 0..<a.pageCount - 2 {
      for column in 0..<a.size.width
      where a[page: page, column: column] != b[page: page, column: column] { return false }
    }
    return true
  }

  private func overflow(_ panel: Panel, _ street: String) -> Int {
    let (far, road) = (Array("240 m".utf8), Array(street.utf8))
    let turn = ShownTurn(.left, distance: far.span, street: road.span)
    return Bitmap(panel.size).streetOverflow(of: turn)
  }

  private func picture(_ panel: Panel, _ street: String, offset: Int = 0) -> Bitmap {
    let (far, road) = (Array("240 m".utf8), Array(street.utf8))
    var turn = ShownTurn(.left, distance: far.span, street: road.span)
    turn.streetOffset = offset
    return panel.bitmap(.navigation(turn))
  }
}

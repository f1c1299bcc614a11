import Expecting
import Graphics
import Navigation
import Screens
import TestSupport
import Turns

struct RobustnessTests {
  /// Streets of every kind: short, of two lines, that scroll, from right to left, and of nothing.
  private static let streets = [
    "", "Weg", "Große Weinmeisterstraße", String(repeating: "W", count: 503),
    "Radweg an der Bundesstraße 273 nach Marquardt", "רחוב יפו",
    "שדרות דוד בן גוריון פינת רחוב דיזנגוף בתל אביב",
  ]

  /// What the street lights it lights with a distance too, and the rest is the whole distance.
  @Test(arguments: Panel.wide, streets)
  func nothingOverlapsTheDistance(_ panel: Panel, _ street: String) {
    for distance in ["Now", "990 m", "10.0 km", "88888888 km"] {
      for offset in [0, 1, 77] {
        let both = panel.turn(street, distance, offset: offset)
        let empty = withoutText(panel, street)
        let street = panel.turn(street, "", offset: offset)
        let size = panel.size
        var (hidden, distanceEnd, streetTop) = (0, 0, size.height)
        for y in 0..<size.height {
          for x in 0..<size.width {
            if street[x, y], !both[x, y] { hidden += 1 }
            if both[x, y], !street[x, y] { distanceEnd = y + 1 }
            if street[x, y], !empty[x, y], x >= size.width / 2 { streetTop = min(streetTop, y) }
          }
        }
        expect(hidden, 0)
        #expect(distanceEnd <= streetTop)
      }
    }
  }

  /// The arrow alone, as large as it is with this street.
  private func withoutText(_ panel: Panel, _ street: String) -> Bitmap {
    let line = String(repeating: "\u{A0}", count: 25)
    let isInTwoLines = panel == .large && street.hasPrefix("Große")
    return panel.turn(isInTwoLines ? line + " " + line : street.isEmpty ? "" : " ", "")
  }

  @Test func aStreetThatFitsDoesNotScroll() {
    for (street, isLong) in [
      ("", false), ("Lennéstraße", false), ("Große Weinmeisterstraße", false),
      ("Radweg an der Bundesstraße 273 nach Marquardt", true),
    ] {
      let bytes = Array(street.utf8)
      let all = Font.bold14.width(of: bytes.span)
      expect(Panel.large.overflow(street), isLong ? all - 128 : 0)
    }
  }

  @Test func aWordThatIsTooLongForALineGoesOnInTheNext() {
    let text = Array(String(repeating: "H", count: 30).utf8)
    let bitmap = Panel.large.bitmap(.noRadio(advice: text.span))
    // Right of the symbol and below the title.
    let litRows = (20..<64).filter { y in (32..<128).contains { bitmap[$0, y] } }
    // 10 letters of 9 columns fit in 96, so 30 take three lines of letters 9 rows tall.
    expect(litRows.count, 3 * 9)
  }
}

import Expecting
import Graphics
import TestSupport

@testable import Screens

/// The turn on a panel that stands upright: the arrow on top, below it the distance, then the street.
struct UprightTests {
  private static let streets = [
    "Weg", "Lennéstraße", "Große Weinmeisterstraße", "Große Weinmeisterstraße und weiter",
    "Radweg an der Bundesstraße 273 nach Marquardt", "רחוב יפו",
  ]

  @Test(arguments: Panel.upright, streets)
  func arrowDistanceAndStreetStandOneBelowTheOther(_ panel: Panel, _ street: String) throws {
    let without = Pixels(panel.turn(street, ""))
    let others = without.litRows()
    for distance in ["Now", "90 m", "240 m", "9.9 km"] {
      let changed = Pixels(panel.turn(street, distance)).differences(from: without).litRows()
      let (first, last) = (try #require(changed.first), try #require(changed.last))
      expect(others.contains { $0 < first } && others.contains { $0 > last })
      expect(!others.contains { (first...last).contains($0) }, "\(distance) to \(street)")
    }
  }

  @Test func aStreetOfUpToFourLinesStandsStillAndALongerOneScrolls() {
    for (street, lines) in [
      ("Lennéstraße", 2), ("Große Weinmeisterstraße", 3), ("Große Weinmeisterstraße und weiter", 4),
    ] {
      let (bytes, distance) = (Array(street.utf8), Array("240 m".utf8))
      let turn = ShownTurn(TurnFigures(.left), distance: distance.span, street: bytes.span)
      expect(Panel.tall.overflow(street), 0)
      let fit = NavigationLayout(Panel.tall.size, for: turn).fit
      if case .several(lines, _) = fit.way { continue }
      Issue.record("\(street): \(fit)")
    }
    let long = Array(Self.streets[4].utf8)
    expect(Panel.tall.overflow(Self.streets[4]), Font.bold14.width(of: long.span) - 64)
  }
}

/// The layout of a square panel: it is no flat one that is stretched.
struct SquareTests {
  @Test(arguments: ["350 m", "90 m", "1.2 km", "1,2 km"])
  func digitsHave38RowsOrOneMoreInFivePages(_ distance: String) {
    let rows = Pixels(Panel.square.turn("Weg", distance)).litRows(68..<128)
    expect(Array(rows.prefix(38)), Array(0..<38))
    expect(distance.contains(",") || !rows.contains(40), "five pages")
    #expect(!rows.contains(41))
  }

  /// Of all streets of the world's list, nearly each is whole at once, and most in letters of 14 rows.
  @Test func nearlyEachStreetIsWhole() {
    let cut = Street.all.map(\.name).filter { Panel.square.overflow($0) > 0 }
    #expect(cut.count * 50 < Street.all.count, "\(cut)")
  }

  @Test func aStreetStaysBelowTheBar() {
    for name in Street.all.map(\.name) where Panel.square.overflow(name) == 0 {
      let rows = Pixels(Panel.square.turn(name)).litRows()
      expect(!rows.contains { (64..<72).contains($0) }, "\(name)")
    }
  }

  @Test func aFigureTakesNoLineOfTheStreet() {
    let long = "Große Weinmeisterstraße am See"
    let with = Panel.square.turn(long) { $0.extra = .speed(6_750, .metric) }
    expect(Pixels(with), Pixels(Panel.square.turn(long)))
    let short = Panel.square.turn("Weg") { $0.extra = .speed(6_750, .metric) }
    #expect(Pixels(short).litRows().contains(120))
  }
}

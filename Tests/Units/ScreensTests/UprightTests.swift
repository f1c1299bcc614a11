import Expecting
import Graphics
import TestSupport
import Turns

@testable import Screens

/// The turn on a panel that stands upright: the arrow on top, below it the distance, then the street.
@Suite struct UprightTests {
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

  @Test(arguments: [
    ("Lennéstraße", 2), ("Große Weinmeisterstraße", 3), ("Große Weinmeisterstraße und weiter", 4),
  ])
  func aStreetOfUpToFourLinesStandsStill(_ street: String, _ lines: Int) {
    let bytes = Array(street.utf8)
    let distance = Array("240 m".utf8)
    let turn = ShownTurn(TurnFigures(.left), distance: distance.span, street: bytes.span)
    expect(Panel.tall.overflow(street), 0)
    let fit = NavigationLayout(Panel.tall.size, for: turn).fit
    guard case .several(lines, _) = fit.way else {
      Issue.record("\(fit)")
      return
    }
  }

  @Test func aLongerOneScrolls() {
    let street = "Radweg an der Bundesstraße 273 nach Marquardt"
    let bytes = Array(street.utf8)
    expect(Panel.tall.overflow(street), Font.bold14.width(of: bytes.span) - 64)
  }
}

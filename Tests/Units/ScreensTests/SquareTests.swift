import Expecting
import Graphics
import Navigation
import TestSupport
import Turns

@testable import Screens

/// The layout of a square panel: it is no flat one that is stretched.
@Suite struct SquareTests {
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

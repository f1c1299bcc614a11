import Graphics
import TestSupport
import Testing
import Turns

@testable import Screens

/// The turn on a panel that stands upright: the arrow on top, below it the distance, then the street.
@Suite struct UprightTests {
  private static let streets = [
    "Weg", "Lennéstraße", "Große Weinmeisterstraße", "Große Weinmeisterstraße und weiter",
    "Radweg an der Bundesstraße 273 nach Marquardt", "רחוב יפו",
  ]

  private func picture(
    _ panel: Panel, _ distance: String, _ street: String,
    _ change: (inout ShownTurn) -> Void = { _ in }
  ) -> Bitmap {
    let (far, road) = (Array(distance.utf8), Array(street.utf8))
    var turn = ShownTurn(.left, distance: far.span, street: road.span)
    change(&turn)
    return panel.bitmap(.navigation(turn))
  }

  private func litRows(_ bitmap: borrowing Bitmap) -> [Int] {
    var rows: [Int] = []
    for y in 0..<bitmap.size.height where (0..<bitmap.size.width).contains(where: { bitmap[$0, y] })
    {
      rows.append(y)
    }
    return rows
  }

  @Test(arguments: Panel.upright, streets)
  func arrowDistanceAndStreetStandOneBelowTheOther(_ panel: Panel, _ street: String) throws {
    let without = picture(panel, "", street)
    for distance in ["Now", "90 m", "240 m", "9.9 km"] {
      let with = picture(panel, distance, street)
      var changed: [Int] = []
      for y in 0..<with.size.height
      where (0..<with.size.width).contains(where: { with[$0, y] != without[$0, y] }) {
        changed.append(y)
      }
      let (first, last) = (try #require(changed.first), try #require(changed.last))
      let others = litRows(without)
      #expect(others.contains { $0 < first } && others.contains { $0 > last })
      #expect(!others.contains { (first...last).contains($0) }, "\(distance) to \(street)")
    }
  }

  @Test func theNearBarLiesAndGetsShorterToTheLeft() {
    let far = picture(.tall, "90 m", "Weg") { $0.nearness = 90 }
    let near = picture(.tall, "10 m", "Weg") { $0.nearness = 10 }
    let row = (0..<128).first { y in (0..<64).allSatisfy { far[$0, y] } } ?? 0
    let lengths = [
      90: (0..<64).count { far[$0, row + 2] }, 10: (0..<64).count { near[$0, row + 2] },
    ]
    // Of 62 columns inside the frame, and its two sides.
    #expect(lengths == [90: 55 + 2, 10: 6 + 2])
  }

  @Test(arguments: [
    ("Lennéstraße", 2), ("Große Weinmeisterstraße", 3), ("Große Weinmeisterstraße und weiter", 4),
  ])
  func aStreetOfUpToFourLinesStandsStill(_ street: String, _ lines: Int) {
    let bytes = Array(street.utf8)
    let distance = Array("240 m".utf8)
    let turn = ShownTurn(.left, distance: distance.span, street: bytes.span)
    let overflow = Bitmap(Panel.tall.size).streetOverflow(of: turn)
    #expect(overflow == 0)
    let fit = NavigationLayout(Panel.tall.size, for: turn).fit
    guard case .several(lines, _) = fit.way else {
      Issue.record("\(fit)")
      return
    }
  }

  @Test func aLongerOneScrolls() {
    let street = Array("Radweg an der Bundesstraße 273 nach Marquardt".utf8)
    let distance = Array("240 m".utf8)
    let turn = ShownTurn(.left, distance: distance.span, street: street.span)
    let overflow = Bitmap(Panel.tall.size).streetOverflow(of: turn)
    let width = Font.bold14.width(of: street.span)
    #expect(overflow == width - 64)
  }
}

import Foundation
import Graphics
import Navigation
import TestSupport
import Testing
import Turns

@testable import Screens

/// The layout of a square panel: it is no flat one that is stretched.
@Suite struct SquareTests {
  private func picture(
    _ street: String, _ distance: String = "350 m",
    _ change: (inout ShownTurn) -> Void = { _ in }
  ) -> Bitmap {
    let (far, road) = (Array(distance.utf8), Array(street.utf8))
    var turn = ShownTurn(.left, distance: far.span, street: road.span)
    change(&turn)
    return Panel.square.bitmap(.navigation(turn))
  }

  private func overflow(_ street: String) -> Int {
    let (far, road) = (Array("350 m".utf8), Array(street.utf8))
    let turn = ShownTurn(.left, distance: far.span, street: road.span)
    return Bitmap(Panel.square.size).streetOverflow(of: turn)
  }

  private func litRows(_ bitmap: borrowing Bitmap, _ columns: Range<Int>) -> [Int] {
    var rows: [Int] = []
    for y in 0..<128 {
      var isLit = false
      for x in columns where bitmap[x, y] { isLit = true }
      if isLit { rows.append(y) }
    }
    return rows
  }

  private static func streets() throws -> [String] {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "streets.txt")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    return nonEmpty(lines).map { String($0.split(separator: "\t")[1]) }
  }

  @Test(arguments: ["350 m", "90 m", "1.2 km", "1,2 km"])
  func digitsHave38RowsOrOneMoreInFivePages(_ distance: String) {
    let rows = litRows(picture("Weg", distance), 68..<128)
    #expect(Array(rows.prefix(38)) == Array(0..<38))
    #expect(distance.contains(",") || !rows.contains(40), "five pages")
    #expect(!rows.contains(41))
  }

  @Test func theArrowHas62RowsAndStandsAboveTheStreet() {
    let rows = litRows(picture(""), 0..<64)
    #expect(rows.count > 40)
    #expect(rows.allSatisfy { (33..<95).contains($0) }, "nothing below it: in the middle")
    let above = litRows(picture("Weg"), 0..<64).filter { $0 < 70 }
    #expect(above.allSatisfy { (1..<63).contains($0) })
  }

  /// Of all streets of the world's list, nearly each is whole at once, and most in letters of 14 rows.
  @Test func nearlyEachStreetIsWhole() throws {
    let streets = try Self.streets()
    let cut = streets.filter { overflow($0) > 0 }
    #expect(cut.count * 50 < streets.count, "\(cut)")
  }

  @Test func aStreetStaysBelowTheBar() throws {
    for street in try Self.streets() where overflow(street) == 0 {
      let rows = litRows(picture(street), 0..<128)
      #expect(!rows.contains { (64..<72).contains($0) }, "\(street)")
    }
  }

  /// A message has 256 bytes of data at most, so less than 320 bytes go over the bus.
  @Test func aStepOfTheScrollChangesTheLastTwoPagesOnly() {
    let street = String(repeating: "Weg ", count: 100)
    #expect(overflow(street) > 0)
    let before = picture(street) { $0.streetOffset = 20 }
    let after = picture(street) { $0.streetOffset = 22 }
    var changed: Set<Int> = []
    for y in 0..<128 { for x in 0..<128 where before[x, y] != after[x, y] { changed.insert(y) } }
    #expect(!changed.isEmpty && changed.allSatisfy { $0 >= 112 })
  }

  /// Beside a radar's strip it is the same layout, not that of an upright panel.
  @Test func aRadarLeavesTheArrowWhereItIs() {
    let without = picture("Weg")
    let with = picture("Weg") { $0.radar = ShownRadar(isSilent: false) }
    var differences = 0
    for y in 0..<128 { for x in 0..<64 where with[x, y] != without[x, y] { differences += 1 } }
    #expect(differences == 0)
  }

  @Test func aFigureTakesNoLineOfTheStreet() {
    let long = "Große Weinmeisterstraße am See"
    let with = picture(long) { $0.extra = .speed(6_750, .metric) }
    let same = Pixels(with) == Pixels(picture(long))
    #expect(same)
    let short = litRows(picture("Weg") { $0.extra = .speed(6_750, .metric) }, 0..<128)
    #expect(short.contains(120))
  }

  @Test func theAgeOfATurnHasTheLastLine() {
    let rows = litRows(picture("Weg") { $0.age = Age(milliseconds: 9_000) }, 0..<1)
    #expect(rows.contains(110) && rows.contains(127))
  }
}

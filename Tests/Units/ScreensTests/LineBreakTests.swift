import Expecting
import Graphics
import Messages
import TestSupport

@testable import Screens

/// How texts are broken on a panel that is so narrow that words have to be parted.
@Suite struct LineBreakTests {
  private func lines(_ text: String, width: Int) -> [String] {
    let bytes = Array(text.utf8)
    var rest = bytes.span
    var lines: [String] = []
    while !rest.isEmpty {
      let line = LineBreak(of: rest, .bold12, width: width)
      guard line.end > 0 else { return lines }
      lines.append(string(rest.extracting(first: line.end)) + (line.isHyphenated ? "-" : ""))
      rest = rest.extracting(droppingFirst: line.end).droppingBlanks()
    }
    return lines
  }

  /// In a syllable what sounds as one letter stays together, and no letter stays alone; a file is parted at its
  /// signs, without a hyphen.
  @Test(arguments: [
    ("Am Neuen Palais", 64, ["Am Neuen", "Palais"]), ("Lennéstraße", 64, ["Lenné-", "straße"]),
    ("Schopenhauerstraße", 64, ["Schopen-", "hauer-", "straße"]),
    ("Große Weinmeisterstraße", 64, ["Große", "Weinmeis-", "terstraße"]),
    ("Rue du Chat-qui-Pêche", 64, ["Rue du", "Chat-qui-", "Pêche"]),
    ("Taschen", 40, ["Ta-", "schen"]), ("Kutscher", 40, ["Kut-", "scher"]),
    ("search", 38, ["sear-", "ch"]), ("Switch", 38, ["Swit-", "ch"]),
    ("board.conf:12:", 64, ["board.", "conf:12:"]),
  ])
  func aLineEndsBehindAWordOrElseBeforeAKindOfStreetOrASyllable(
    _ text: String, _ width: Int, _ expected: [String]
  ) {
    expect(lines(text, width: width), expected)
  }

  @Test(arguments: [20, 32, 40, 48, 64])
  func eachLineFitsAndNothingIsLost(_ width: Int) {
    for text in ["Radweg an der Bundesstraße 273 nach Marquardt", "Łukasiewicz", "улица Мира"] {
      let lines = lines(text, width: width)
      for line in lines {
        let bytes = Array(line.utf8)
        let fits = Font.bold12.fits(bytes.span, in: width + 1)
        expect(fits, "\(line) in \(width) columns")
      }
      func letters(_ text: String) -> String { text.filter { $0 != " " && $0 != "-" } }
      expect(letters(lines.joined()), letters(text))
    }
  }
}

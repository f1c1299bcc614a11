import Expecting
import Graphics
import Messages
import TestSupport

@testable import Screens

/// How names of streets are parted, shortened and, at last, scrolled.
struct StreetFitTests {
  /// The lines of a name on a panel of 128 columns, or `nil` if it scrolls.
  private func lines(_ name: String, width: Int = 128) -> [String]? {
    let bytes = Array(name.utf8)
    let fit = StreetFit(bytes.span, .bold14, width: width, mayTakeTwo: true)
    let shown = fit.isShortened ? array(ShortenedStreet(bytes.span).name.bytes) : bytes
    switch fit.way {
    case .one: return [String(decoding: shown, as: UTF8.self)]
    case .two(let place):
      let first = String(decoding: shown.prefix(place.end), as: UTF8.self)
      return [first + (place.isHyphenated ? "-" : ""), string(place.rest(of: shown.span))]
    case .scrolled, .several: return nil
    }
  }

  @Test(arguments: [
    ("Lennéstraße", ["Lennéstraße"]),
    ("Große Weinmeisterstraße", ["Große", "Weinmeisterstraße"]),
    ("Am Alten Markt zu Potsdam", ["Am Alten Markt zu", "Potsdam"]),
    ("Rue du Chat-qui-Pêche-Noire", ["Rue du Chat-qui-", "Pêche-Noire"]),
    // Where no blank helps, before the kind of the street.
    ("Große Weinmeisterstraße und weiter", ["Große Weinmeister-", "straße und weiter"]),
    ("Oberschöneweideallee", ["Oberschöneweide-", "allee"]),
    ("Prinses Beatrixpromenade", ["Prinses", "Beatrixpromenade"]),
    ("Burgemeestervredelaan", ["Burgemeestervrede-", "laan"]),
    ("Sint-Pietersnieuwstraat", ["Sint-", "Pietersnieuwstraat"]),
    // The second joint is out of reach.
    ("Großweinmeisterstraße Hauptweg", ["Großweinmeister-", "straße Hauptweg"]),
  ])
  func aNameIsPartedAtABlankAHyphenOrBeforeItsKind(_ name: String, _ expected: [String]) {
    expect(lines(name), expected)
  }

  /// A word that only looks like one: two letters are no word before a kind of street.
  @Test(arguments: [
    ("Spad", 20), ("Käufer", 20), ("Hering", 20), ("Straße", 20), ("weg", 20),
    ("Radweg an der Bundesstraße 273 nach Marquardt und weiter", 128),
  ])
  func whatFitsInNoWayScrolls(_ name: String, _ width: Int) {
    expect(lines(name, width: width), nil)
  }

  @Test(arguments: [
    ("Alte Weinmeisterstraße Ecke Bergstraße", true),
    ("Große Weinmeisterstraße", false),  // fits as it is
    ("Große Weinmeisterstraße und weiter", false),  // a hyphen comes first
  ])
  func strIsTheLastResortButOne(_ name: String, _ isShortened: Bool) {
    let bytes = Array(name.utf8)
    let fit = StreetFit(bytes.span, .bold14, width: 128, mayTakeTwo: true)
    expect(fit.isShortened, isShortened)
  }

  @Test(arguments: [
    ("Hauptstraße", "Hauptstr."), ("Straße des 17. Juni", "Str. des 17. Juni"),
    ("Bahnhofstrasse 3", "Bahnhofstr. 3"), ("Straßenbahnring", "Straßenbahnring"),
    ("traße", "traße"), ("Hauptstraße/Bergstraße", "Hauptstr./Bergstr."),
  ])
  func onlyWholeWordsAreShortened(_ name: String, _ short: String) {
    let bytes = Array(name.utf8)
    expect(string(ShortenedStreet(bytes.span).name.bytes), short)
  }

  /// Letters from right to left may join, so that no word of them is parted.
  @Test func aWordFromRightToLeftIsNotParted() {
    for (name, isParted) in [("Schopenhauerring", true), ("רוטשילדרוטשילד", false)] {
      let bytes = Array(name.utf8)
      let fit = StreetFit(upright: bytes.span, .bold14, width: 64, rows: 60)
      if case .several = fit.way {
        expect(isParted, "\(name)")
      } else {
        expect(!isParted, "\(name)")
      }
    }
  }

  /// Every name of the world keeps all its letters: nothing is lost where a line ends.
  @Test func nothingIsLostBetweenTwoLines() {
    for name in ["Große Weinmeisterstraße", "Platz der Deutschen Einheit", "北京市朝阳区建国门外大街"] {
      let joined = lines(name)?.joined(separator: "").filter { $0 != " " }
      expect(joined, name.filter { $0 != " " })
    }
  }
}

/// How texts are broken on a panel that is so narrow that words have to be parted.
struct LineBreakTests {
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

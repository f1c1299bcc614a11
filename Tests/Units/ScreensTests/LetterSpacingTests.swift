import Bytes
import Expecting
import Foundation
import Graphics
import TestSupport

/// Letters never touch: at arm's length two that do are one blob.
@Suite struct LetterSpacingTests {
  /// Two letters that follow each other in a street of the world, in scripts whose letters do not join.
  static let pairs: [String] = {
    var pairs: Set<String> = []
    for street in Street.all {
      let letters = street.name.filter(isUnjoined)
      for (first, second) in zip(letters, letters.dropFirst()) { pairs.insert("\(first)\(second)") }
    }
    return pairs.sorted()
  }()

  /// Whether a letter is one character of a script from left to right whose letters stand apart.
  private static func isUnjoined(_ letter: Character) -> Bool {
    guard letter.unicodeScalars.count == 1, let scalar = letter.unicodeScalars.first else {
      return false
    }
    switch scalar.value {
    case 0x20: return false  // parts by itself
    case 0x590...0xA7F: return false  // Hebrew to Gurmukhi: from right to left, or under a headline
    case 0xA80...0xDFF, 0xE31, 0xE34...0xE4E, 0x1000...0x109F, 0x1780...0x17FF: return false
    default: return true
    }
  }

  @Test func thePairsAreThoseOfManyScripts() {
    #expect(Self.pairs.count > 1_500, "pairs of letters in streets.txt: \(Self.pairs.count)")
    for pair in ["ue", "rt", "ул", "ος", "北京", "To"] { #expect(Self.pairs.contains(pair)) }
  }

  @Test(arguments: [Font.bold12, .bold14, .bold18, .bold24, .bold34])
  func aDarkColumnIsBetweenAnyTwoLetters(font: Font) {
    var touching: [String] = []
    var drawn: [Character: [UInt64]] = [:]
    for pair in Self.pairs {
      for letter in pair where drawn[letter] == nil {
        drawn[letter] = columns(String(letter), font)
      }
      let isApart = isParted(pair, font, pair.compactMap { drawn[$0] })
      if !isApart { touching.append(pair) }
    }
    #expect(touching.isEmpty, "touch in \(font)")
  }

  @Test(arguments: [Font.bold12, .bold14]) func twoHyphensStayTwo(font: Font) {
    for hyphen in ["-", "\u{2010}", "\u{2011}", "\u{2013}", "\u{2014}"] {
      let one = columns(hyphen, font)
      expect(isParted(hyphen + hyphen, font, [one, one]), "\(hyphen)\(hyphen) in \(font)")
    }
  }

  /// Whether the first letter's picture is followed by a dark column, and that by the second one's.
  private func isParted(_ pair: String, _ font: Font, _ letters: [[UInt64]]) -> Bool {
    let whole = columns(pair, font)
    let end = width(String(pair.prefix(1)), font)
    return whole[end - 1] == 0 && Array(whole[0..<end]) == Array(letters[0][0..<end])
      && Array(whole[end...]) == Array(letters[1].prefix(whole.count - end))
  }

  private func width(_ text: String, _ font: Font) -> Int {
    let bytes = Array(text.utf8)
    return font.width(of: bytes.span)
  }

  /// What a line lights in each column.
  private func columns(_ text: String, _ font: Font) -> [UInt64] {
    var bitmap = Bitmap(Size(128, 64))
    let bytes = Array(text.utf8)
    bitmap.draw(bytes.span, font: font, at: Point(0, 40))
    return (0..<128).map { column in
      var rows: UInt64 = 0
      for page in (0..<8).reversed() {
        rows = rows << 8 | UInt64(bitmap[page: page, column: column])
      }
      return rows
    }
  }
}

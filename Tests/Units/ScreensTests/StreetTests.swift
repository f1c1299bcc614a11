import Bytes
import Expecting
import Foundation
import Graphics
import Screens
import TestSupport

/// Real streets of the world on the navigation screen.
struct StreetTests {
  @Test func theListIsOfTheWholeWorld() {
    #expect(Set(Street.all.map(\.name)).count >= 400)
    #expect(Set(Street.all.map(\.country)).count >= 60)
  }

  /// U+E000 is a private character, which has no picture in any font.
  @Test(arguments: [Font.bold12, .bold14]) func noGlyphIsMissing(_ font: Font) {
    var seen: Set<Unicode.Scalar> = []
    let box = Self.picture(of: "\u{E000}", font)
    for street in Street.all {
      for character in street.name.unicodeScalars where seen.insert(character).inserted {
        let picture = Self.picture(of: String(character), font)
        #expect(picture != box, "U+\(String(character.value, radix: 16)) of \(street)")
      }
    }
  }

  private static func picture(of text: String, _ font: Font) -> Pixels {
    let bytes = Array(text.utf8)
    var bitmap = Bitmap(Size(32, 24))
    bitmap.draw(bytes.span, font: font, at: Point(16, 16))
    return Pixels(bitmap)
  }

  /// No row of a street in small letters is above the 13 that its line has, or below the 3.
  @Test(arguments: [Font.bold12, .bold14]) func everyStreetKeepsToItsLine(_ font: Font) {
    for street in Street.all {
      let bytes = Array(street.name.utf8)
      let extent = font.extent(of: bytes.span)
      expect(extent.above <= 13 && extent.below <= 3, "\(street): \(extent)")
      var bitmap = Bitmap(Size(128, 64))
      bitmap.draw(bytes.span, font: font, at: Point(0, 32))
      let outside = Self.litPixels(bitmap) - Self.litPixels(bitmap, rows: 32 - 13..<32 + 3)
      expect(outside, 0, "\(street)")
    }
  }

  /// With the street as many pixels are lit as there are in arrow, distance and street by themselves,
  /// so none is shared, cut off or outside.
  ///
  /// A street that is scrolled away shows arrow and distance by themselves.
  @Test(arguments: Panel.wide) func aStreetOverlapsNothingAndIsWhole(_ panel: Panel) {
    let distance = Array("888 m".utf8)
    for street in Street.all {
      let name = Array(street.name.utf8)
      let long = name + Array(String(repeating: "\u{A0}", count: 60).utf8)
      var turn = ShownTurn(TurnFigures(.right), distance: distance.span, street: long.span)
      turn.streetOffset = 50_000
      let rest = panel.bitmap(.navigation(turn))
      let font: Font = panel == .large ? .bold14 : .bold12
      let width = font.width(of: long.span) - rest.streetOverflow(of: turn)

      turn = ShownTurn(TurnFigures(.right), distance: distance.span, street: name.span)
      let overflow = rest.streetOverflow(of: turn)
      if panel == .large, overflow == 0, !Font.bold12.fits(name.span, in: width) {
        let picture = Self.litPixels(panel.bitmap(.navigation(turn)))
        #expect(Self.pixelsInTwoLines(of: street.name, below: "888").contains(picture), "\(street)")
        continue
      }
      let fitting = font.fits(name.span, in: width) ? font : .bold12
      let short = Array(Self.shortened(street.name).utf8)
      var expected = [Self.litPixels(of: name, fitting)]
      if !Font.bold12.fits(name.span, in: width) {
        expected += [Font.bold12, font].map { Self.litPixels(of: short, $0) }
      }
      if overflow > 0 {
        turn.streetOffset = max(1, overflow / 3)
        // From right to left the end comes in from the other side.
        expected = [turn.streetOffset, overflow - turn.streetOffset].map { offset in
          var line = Bitmap(Size(width, 24))
          line.draw(name.span, font: font, at: Point(-offset, 16))
          return Self.litPixels(line)
        }
      }
      let street = Self.litPixels(panel.bitmap(.navigation(turn))) - Self.litPixels(rest)
      #expect(expected.contains(street), "\(String(decoding: name, as: UTF8.self)) on \(panel)")
    }
  }

  /// What a picture of a right turn lights if the name is in two lines, wherever it is parted.
  private static func pixelsInTwoLines(of name: String, below number: String) -> Set<Int> {
    var letters: Set<Int> = []
    for whole in [name, shortened(name)] {
      for place in whole.indices.dropFirst() {
        let (first, second) = (whole[..<place], whole[place...])
        letters.insert(
          litPixels(of: Array(first.utf8), .bold12) + litPixels(of: Array(second.utf8), .bold12))
      }
    }
    letters.formUnion(letters.map { $0 + litPixels(of: Array("-".utf8), .bold12) })
    var counts: Set<Int> = []
    for size in [40, 32] {
      for unit in [Font.bold14, .bold12] {
        var arrow = Bitmap(Size(64, 64))
        arrow.draw(.right, fitting: size, at: Point(0, 0))
        let rest =
          litPixels(arrow) + litPixels(of: Array(number.utf8), .bold34)
          + litPixels(of: Array("m".utf8), unit)
        counts.formUnion(letters.map { rest + $0 })
      }
    }
    return counts
  }

  private static func shortened(_ name: String) -> String {
    var short = name
    for ending in ["straße", "strasse", "Straße"] {
      short = short.replacingOccurrences(of: ending, with: ending.prefix(3) + ".")
    }
    return short
  }

  private static func litPixels(of text: [UInt8], _ font: Font) -> Int {
    stride(from: 0, to: font.width(of: text.span), by: 128).reduce(0) { count, x in
      var bitmap = Bitmap(Size(128, 64))
      bitmap.draw(text.span, font: font, at: Point(-x, 40))
      return count + litPixels(bitmap)
    }
  }

  private static func litPixels(_ bitmap: borrowing Bitmap, rows: Range<Int> = 0..<64) -> Int {
    var count = 0
    for page in 0..<bitmap.pageCount {
      for column in 0..<bitmap.size.width {
        var bits = bitmap[page: page, column: column]
        if rows != 0..<64 {
          for row in 0..<8 where !rows.contains(page * 8 + row) { bits &= ~(1 << UInt8(row)) }
        }
        count += bits.nonzeroBitCount
      }
    }
    return count
  }
}

/// Letters never touch: at arm's length two that do are one blob.
struct LetterSpacingTests {
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

  @Test(arguments: [Font.bold12, .bold14, .bold18, .bold24, .bold34])
  func aDarkColumnIsBetweenAnyTwoLetters(font: Font) {
    for pair in ["ue", "rt", "ул", "ος", "北京", "To"] { expect(Self.pairs.contains(pair)) }
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
    let first = Array(pair.utf8.prefix(pair.prefix(1).utf8.count))
    let end = font.width(of: first.span)
    return whole[end - 1] == 0 && Array(whole[0..<end]) == Array(letters[0][0..<end])
      && Array(whole[end...]) == Array(letters[1].prefix(whole.count - end))
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

/// A street of the world.
struct Street {
  /// Where it is, by the code of ISO 3166.
  let country: String
  let name: String

  /// Those of `streets.txt` beside this file.
  static let all: [Street] = {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "streets.txt")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return nonEmpty(text.split(separator: "\n")).map { line in
      let fields = line.split(separator: "\t").map(String.init)
      return Street(country: fields[0], name: fields[1])
    }
  }()
}

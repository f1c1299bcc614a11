import Graphics
import Words

/// How a text stands on a panel: in which of its forms, in which font, on how many lines.
struct WordLayout: Equatable {
  let form: Int
  let font: Font
  let lineCount: Int

  /// The layout of a text in a picture; `nil` where not all words of one of its forms are there.
  init?(of text: PanelText, in glass: WordGlass) {
    for (form, words) in text.forms.enumerated() {
      for (number, font) in PanelText.fonts.enumerated() where !words.isEmpty {
        let lines = words.map { glass.baselines(of: $0.looks[number]) }
        guard lines.allSatisfy({ !$0.isEmpty }) else { continue }
        (self.form, self.font, lineCount) = (form, font, Set(lines.joined()).count)
        return
      }
    }
    return nil
  }
}

/// A text of the panel in one language, as the words of its forms, and how they look in each font.
///
/// Left out are names, and words of one or two letters, which are parts of others, too.
struct PanelText {
  typealias Word = (text: String, looks: [Letters])

  static let fonts: [Font] = [.bold12, .bold14, .bold18, .bold24, .bold34]
  let forms: [[Word]]
  var hasWords: Bool { forms.contains { !$0.isEmpty } }

  init(_ text: String) {
    forms = text.split(separator: "|").map { form in
      form.split(separator: " ").filter { word in
        word.count { $0.isLetter } > 2 && !word.contains("%")
      }.map { word in (String(word), Self.fonts.map { Letters(String(word), $0) }) }
    }
  }

  /// All of them, by the number of their language.
  static let all = languages.map { language in
    ((0...UInt8.max).compactMap(Phrase.init).map(language.text)
      + (0...UInt8.max).compactMap(SensorPhrase.init).map(language.text))
      .map(PanelText.init)
  }

  /// The texts that a picture in English says, by their numbers, and their layouts.
  ///
  /// One of which each word is in that of a longer text, too, may not be meant.
  static func said(in glass: WordGlass) -> [(number: Int, layout: WordLayout)] {
    let said = all[0].enumerated().compactMap { number, text in
      WordLayout(of: text, in: glass).map { layout in
        (number, layout, words: text.forms[layout.form].map(\.text))
      }
    }
    return said.filter { part in
      !said.contains { whole in
        whole.words.joined().count > part.words.joined().count
          && part.words.allSatisfy { word in whole.words.contains { $0.contains(word) } }
      }
    }.map { ($0.0, $0.1) }
  }
}

/// How a word looks: the rows of each column, the topmost in bit 0.
struct Letters {
  let columns: [UInt64]
  /// Rows above the baseline and below it.
  let extent: (above: Int, below: Int)
  /// The first column in which something is lit, and its topmost rows that are lit below each other.
  let first: (x: Int, y: Int, count: Int)

  init(_ word: String, _ font: Font) {
    let bytes = Array(word.utf8)
    extent = font.extent(of: bytes.span)
    var bitmap = Bitmap(Size(font.width(of: bytes.span) - 1, extent.above + extent.below))
    bitmap.draw(bytes.span, font: font, at: Point(0, extent.above))
    columns = rows(of: bitmap)
    let x = columns.firstIndex { $0 != 0 } ?? 0
    let y = columns.isEmpty ? 0 : columns[x].trailingZeroBitCount
    first = (x, y, columns.isEmpty ? 0 : (~(columns[x] >> UInt64(y))).trailingZeroBitCount)
  }
}

/// A picture of at most 64 rows in which words are found at once: by how many rows they begin with.
///
/// `Glass` knows more of how words may stand, and is slower.
struct WordGlass {
  /// The picture, and what is dark on light in it.
  private let sides: [[UInt64]]
  /// Where so many rows are lit below each other, by their number.
  private var runs: [Int: [(side: Int, x: Int, y: Int)]] = [:]

  init(_ bitmap: borrowing Bitmap) {
    let lit = rows(of: bitmap)
    let all: UInt64 = .max >> UInt64(64 - bitmap.size.height)
    sides = [lit, lit.map { ~$0 & all }]
    for (side, columns) in sides.enumerated() {
      for (x, column) in columns.enumerated() {
        var y = column.trailingZeroBitCount
        while y < 64 {
          let count = (~(column >> UInt64(y))).trailingZeroBitCount
          runs[count, default: []].append((side, x, y))
          y += count
          y = y < 64 ? y + (column >> UInt64(y)).trailingZeroBitCount : 64
        }
      }
    }
  }

  /// The rows on which a word stands.
  func baselines(of word: Letters) -> [Int] {
    let mask: UInt64 = .max >> UInt64(64 - word.extent.above - word.extent.below)
    return (runs[word.first.count] ?? []).compactMap { side, x, y in
      let (left, top) = (x - word.first.x, y - word.first.y)
      guard left >= 0, top >= 0, left + word.columns.count <= sides[side].count else { return nil }
      // With a closure for each column unoptimised code needs half as much time again.
      var column = 0
      while column < word.columns.count {
        guard (sides[side][left + column] >> UInt64(top)) & mask == word.columns[column] else {
          return nil
        }
        column += 1
      }
      return top + word.extent.above
    }
  }
}

private func rows(of bitmap: borrowing Bitmap) -> [UInt64] {
  var columns = [UInt64](repeating: 0, count: bitmap.size.width)
  for x in columns.indices {
    for y in 0..<bitmap.size.height where bitmap[x, y] { columns[x] |= 1 << UInt64(y) }
  }
  return columns
}

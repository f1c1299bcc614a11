import Foundation

/// A picture as rows of lit and dark pixels, the topmost first.
private typealias Rows = [[Bool]]

extension Rows {
  /// Removes the row of a range that is most like the next one; of several, the one nearest to the middle.
  fileprivate mutating func removeSimilarRow(in range: Range<Int>) {
    let middle = (range.lowerBound + range.upperBound) / 2
    func difference(_ y: Int) -> Int { zip(self[y], self[y + 1]).count { $0 != $1 } }
    let chosen = range.dropLast().min {
      (difference($0), abs($0 - middle)) < (difference($1), abs($1 - middle))
    }
    remove(at: chosen ?? range.lowerBound)
  }
}

extension Glyph {
  private var pixels: Rows {
    (0..<rows).map { y in columns.map { $0 >> UInt64(y) & 1 == 1 } }
  }

  private init(advance: Int, left: Int, top: Int, pixels: Rows) {
    self.init(
      advance: advance, left: left, top: top, width: pixels.first?.count ?? 0,
      height: pixels.count
    ) { pixels[$1][$0] }
  }

  /// A picture that stands on the baseline, an `o` for each lit pixel; the pen moves one column past it.
  init(standing picture: [String]) {
    let pixels = picture.map { row in row.map { $0 == "o" } }
    self.init(advance: pixels[0].count + 1, left: 0, top: pixels.count, pixels: pixels)
  }

  /// The same glyph, reaching at most `above` rows above the baseline and `below` rows below it.
  ///
  /// A letter with accents loses the rows of its body that are most like their neighbours. The accents
  /// and the gaps beside them stay, as they distinguish the letter from others. A mark below loses
  /// rows in the same way.
  func squeezed(above: Int, below: Int) -> Glyph {
    guard top > above || rows - top > below else { return self }
    var (pixels, top) = (pixels, top)
    while top > above {
      let body = pixels.prefix(top)
      let first = (body.lastIndex { !$0.contains(true) } ?? -1) + 1
      if first < body.count { pixels.removeSimilarRow(in: first..<body.count) }
      top -= 1
    }
    while pixels.count - top > below {
      if top < 0 {
        top += 1  // a glyph wholly below the baseline moves up
        continue
      }
      let gap = pixels[top...].firstIndex { !$0.contains(true) } ?? top - 1
      // The gap and the mark keep at least one row; the part that hangs down loses rows last.
      let parts = [gap..<(gap + 2), gap + 1..<pixels.count, top..<max(top + 1, gap)]
      let isWideGap = gap >= top && !pixels[gap + 1].contains(true)
      pixels.removeSimilarRow(in: isWideGap ? parts[0] : parts[1].count > 1 ? parts[1] : parts[2])
    }
    return Glyph(advance: advance, left: left, top: top, pixels: pixels)
  }

  func lowered(by count: Int) -> Glyph {
    var glyph = self
    glyph.top -= count
    return glyph
  }

  /// This letter with a mark above it.
  ///
  /// The mark goes one row above the middle of a bare letter. Above an accent it goes to the right,
  /// as Vietnamese is written, and touches no more than the accent's top row.
  func with(mark: [String]) -> Glyph {
    let letter = pixels
    let isAccented = letter.contains { !$0.contains(true) }
    let ink = mark.map { row in row.map { $0 == "o" } }
    let width = ink.first?.count ?? 0
    let x = isAccented ? (columns.count + 1) / 2 + 1 : (columns.count - width + 1) / 2
    var whole = Rows(
      repeating: Array(repeating: false, count: max(columns.count, x + width)), count: ink.count)
    if !isAccented { whole.append(Array(repeating: false, count: whole[0].count)) }
    for (y, row) in ink.enumerated() { whole[y].replaceSubrange(x..<x + width, with: row) }
    let added = whole.count
    for row in letter {
      whole.append(row + Array(repeating: false, count: whole[0].count - row.count))
    }
    return Glyph(
      advance: max(advance, left + whole[0].count), left: left, top: top + added, pixels: whole)
  }
}

extension [UInt32: Glyph] {
  /// Up to the last block of Latin letters with accents.
  private static let latin: ClosedRange<UInt32> = 0xC0...0x1EFF

  /// Adds each missing letter that one of the marks makes with a letter of this table.
  mutating func compose(_ marks: [UInt32: [String]]) {
    for code in Self.latin where self[code] == nil {
      let parts = parts(of: code)
      for (mark, picture) in marks where parts.contains(where: { $0.value == mark }) {
        guard let base = letter(of: parts.filter { $0.value != mark }), let glyph = self[base]
        else { continue }
        self[code] = glyph.with(mark: picture)
      }
    }
  }
}

/// The letters that a base letter and a combining mark make together.
///
/// This is the canonical composition of The Unicode Standard, chapter 3.11, for the letters that some
/// table has. It takes one mark at a time, in any order of the marks.
struct Compositions {
  private var pairs: [[UInt32]: UInt32] = [:]
  /// Syllables that are computed from their parts.
  private static let hangul: ClosedRange<UInt32> = 0xAC00...0xD7A3

  init(of codes: Set<UInt32>) {
    for code in codes.sorted() where !Self.hangul.contains(code) {
      let parts = parts(of: code)
      guard parts.count >= 2 else { continue }
      for index in 1..<parts.count {
        var others = parts
        let mark = others.remove(at: index)
        guard let base = letter(of: others), codes.contains(base) else { continue }
        let pair = [base, mark.value]
        if pairs[pair] == nil { pairs[pair] = code }
      }
    }
  }

  /// How many pairs (2), then for each, sorted by base and mark: base (3), mark (3), letter (3).
  var table: [UInt8] {
    var table = Septets()
    table.append(pairs.count, bytes: 2)
    for (pair, code) in pairs.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      for number in pair + [code] { table.append(Int(number), bytes: 3) }
    }
    return table.bytes
  }
}

/// The base letter and the marks that a letter consists of.
func parts(of code: UInt32) -> [Unicode.Scalar] {
  guard let scalar = Unicode.Scalar(code) else { return [] }
  return Array(String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars)
}

/// The one letter that these parts make, or `nil`.
func letter(of parts: [Unicode.Scalar]) -> UInt32? {
  var text = String.UnicodeScalarView()
  text.append(contentsOf: parts)
  let letters = Array(String(text).precomposedStringWithCanonicalMapping.unicodeScalars)
  return letters.count == 1 ? letters[0].value : nil
}

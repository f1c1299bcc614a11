import Foundation

/// A picture as rows of lit and dark pixels, the topmost first.
private typealias Rows = [[Bool]]

extension Glyph {
  /// The picture as rows.
  private var pixels: Rows {
    (0..<rows).map { y in columns.map { $0 >> UInt64(y) & 1 == 1 } }
  }

  private init(advance: Int, left: Int, top: Int, pixels: Rows) {
    self.init(
      advance: advance, left: left, top: top, width: pixels.first?.count ?? 0,
      height: pixels.count
    ) { pixels[$1][$0] }
  }

  /// The same glyph, reaching at most `limit` rows above the baseline.
  ///
  /// A letter with accents gives way in its body, where it loses those rows that are most like
  /// their neighbours; the accents and the gaps below them are what tells it from others.
  func squeezed(to limit: Int) -> Glyph {
    guard top > limit else { return self }
    var body = pixels
    let below = max(0, rows - top)  // rows below the baseline stay
    for _ in 0..<top - limit {
      let last = body.count - below
      let first = (body[..<last].lastIndex { !$0.contains(true) } ?? -1) + 1
      func difference(_ y: Int) -> Int { zip(body[y], body[y + 1]).count { $0 != $1 } }
      let candidates = first < last - 1 ? Array(first..<last - 1) : [0]
      let middle = (first + last) / 2
      guard
        let chosen = candidates.min(by: {
          (difference($0), abs($0 - middle)) < (difference($1), abs($1 - middle))
        })
      else { break }
      body.remove(at: chosen)
    }
    return Glyph(advance: advance, left: left, top: limit, pixels: body)
  }

  /// The same glyph, `count` rows further down.
  func lowered(by count: Int) -> Glyph {
    var glyph = self
    glyph.top -= count
    return glyph
  }

  /// This letter with a mark above it.
  ///
  /// The mark goes one row above the middle of a bare letter; above one with an accent it goes to
  /// the right, touching no more than the accent's top row, as Vietnamese is written.
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
  /// Adds those letters that one of the marks makes with a letter that is here.
  mutating func compose(_ marks: [UInt32: [String]], in ranges: [ClosedRange<UInt32>]) {
    for code in ranges.joined() where self[code] == nil {
      guard let scalar = Unicode.Scalar(code) else { continue }
      let parts = Array(String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars)
      for (mark, picture) in marks where parts.contains(where: { $0.value == mark }) {
        var base = String.UnicodeScalarView()
        base.append(contentsOf: parts.filter { $0.value != mark })
        let letter = Array(String(base).precomposedStringWithCanonicalMapping.unicodeScalars)
        guard letter.count == 1, let glyph = self[letter[0].value] else { continue }
        self[code] = glyph.with(mark: picture)
      }
    }
  }
}

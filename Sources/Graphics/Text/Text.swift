extension Font {
  /// Columns that a line of UTF-8 covers.
  package func width(of text: Span<UInt8>) -> Int { width(of: text, upTo: .max) }

  /// Whether a line of UTF-8 fits in `width` columns.
  package func fits(_ text: Span<UInt8>, in width: Int) -> Bool {
    self.width(of: text, upTo: width) <= width
  }

  /// Columns that a line of UTF-8 covers without the blank one behind its last letter, which may be
  /// beyond an edge.
  package func inkWidth(of text: Span<UInt8>) -> Int { width(of: text) - 1 }

  /// Whether a line of UTF-8 without that blank column fits in `width` columns.
  package func inkFits(_ text: Span<UInt8>, in width: Int) -> Bool { fits(text, in: width + 1) }

  /// The width of a line, or, if that is more than `limit`, some number above `limit`.
  private func width(of text: Span<UInt8>, upTo limit: Int) -> Int {
    let table = self.table
    var layout = TextLayout(text, font: self, table)
    while layout.width <= limit, layout.next() != nil {}
    return layout.width
  }

  /// How many rows above and below the baseline a line of UTF-8 reaches.
  ///
  /// At most 13 and 3 in the small fonts.
  package func extent(of text: Span<UInt8>) -> (above: Int, below: Int) {
    let table = self.table
    var layout = TextLayout(text, font: self, table)
    var (above, below) = (0, 0)
    while let item = layout.next() {
      let rows = layout.rows(of: item)
      (above, below) = (max(above, rows.above), max(below, rows.below))
    }
    return (above, below)
  }

  /// How many bytes of a line of UTF-8 fit in `width` columns, blanks at the end left out.
  ///
  /// Never cuts a character or parts a letter from its marks.
  package func prefix(of text: Span<UInt8>, fitting width: Int) -> Int {
    let table = self.table
    var layout = TextLayout(text, font: self, table)
    var end = 0
    while let item = layout.next() {
      if layout.width > width { break }
      if !item.isSpace { end = layout.index }
    }
    return end
  }

  /// How many bytes of a line of UTF-8 fit in `width` columns where the line may break; 0 if none do.
  ///
  /// It may break at a blank, at its end, behind `-` or `/`, and between two ideographs or kana.
  package func line(of text: Span<UInt8>, fitting width: Int) -> Int {
    let table = self.table
    var layout = TextLayout(text, font: self, table)
    var (end, lastBreak) = (0, 0)
    while let item = layout.next() {
      if item.isSpace {
        lastBreak = end
      } else {
        if end > 0, text.mayBreak(at: end) { lastBreak = end }
        if layout.width > width { return lastBreak }
        end = layout.index
      }
    }
    return end
  }
}

extension Span<UInt8> {
  /// Whether a line may end before the byte at `index`, which is not the first.
  ///
  /// It may end behind `-` or `/`, and between two ideographs or kana, but not before a closing sign
  /// or a long vowel.
  fileprivate func mayBreak(at index: Int) -> Bool {
    let last = self[index - 1]
    if last == 0x2D || last == 0x2F { return true }
    guard index >= 3, index + 2 < count, isIdeograph(at: index), isIdeograph(at: index - 3) else {
      return false
    }
    switch (self[index], self[index + 1], self[index + 2]) {
    case (0xE3, 0x80, 0x81...0x91): return false  // 、。 and brackets
    case (0xE3, 0x83, 0xBC): return false  // ー
    default: return true
    }
  }

  /// Whether a character from U+3000 to U+9FFF starts here.
  private func isIdeograph(at index: Int) -> Bool { self[index] >= 0xE3 && self[index] <= 0xE9 }
}

/// The pictures of a line of text with their places, in the order in which they are read.
struct TextLayout: ~Escapable {
  private var reader: TextReader
  private var pen: Pen

  /// Lays out `text` from its first byte on; `table` is the font's own.
  @_lifetime(copy text, borrow table)
  init(_ text: Span<UInt8>, font: Font, _ table: borrowing GlyphTable) {
    reader = TextReader(text)
    pen = Pen(font, table)
  }

  /// Index of the first byte of the text that is not laid out yet.
  var index: Int { reader.index }

  /// Columns from the start of the line to where the next picture goes.
  var width: Int { pen.x }

  @inline(__always)
  mutating func next() -> Pen.Item? {
    while let element = reader.next() {
      if let item = pen.place(element) { return item }
    }
    return nil
  }

  func rows(of item: Pen.Item) -> (above: Int, below: Int) { pen.rows(of: item) }
}

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

  /// The next picture, or `nil` at the end.
  @inline(__always)
  @_lifetime(self: copy self)
  mutating func next() -> Pen.Item? {
    while let element = reader.next() {
      if let item = pen.place(element) { return item }
    }
    return nil
  }

  /// How many rows above and below the baseline a picture reaches.
  func rows(of item: Pen.Item) -> (above: Int, below: Int) { pen.rows(of: item) }
}

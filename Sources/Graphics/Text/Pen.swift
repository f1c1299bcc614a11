/// Places the pictures of a line from left to right.
struct Pen: ~Escapable {
  struct Item {
    /// The picture's place in its table; in Unifont, -1 stands for the box of an unknown character.
    let position: Int
    let source: Source
    /// Columns from the start of the line to the picture's origin.
    let x: Int
    /// Rows that the picture is raised.
    var raise = 0
    /// Whether it is a blank, where a line may end.
    let isSpace: Bool
  }

  enum Source {
    /// The font's own table, its fallback, or the last resort.
    case own, fixed, unifont
  }

  let font: Font
  fileprivate let own: GlyphReader
  private var last = (x: 0, advance: 0, position: -1, source: Source.own)

  /// Where the last character outside the font's first range was found.
  private var run = GlyphReader.Run(first: 1, last: 0, index: -1)
  private var source = Source.own

  /// Columns from the start of the line to where the next picture goes.
  private(set) var x = 0

  /// A pen at the start of a line; `table` is the font's own.
  @_lifetime(borrow table)
  init(_ font: Font, _ table: borrowing GlyphTable) {
    self.font = font
    own = table.reader
  }

  @inline(__always)
  mutating func place(_ element: TextReader.Element) -> Item? {
    switch element {
    case .character(let code):
      let position = own.quickPosition(of: code)
      guard position >= 0 else { return placeOther(code) }
      return place(code, position, .own, advance: own.advance(at: position))
    case .mark(let code): return placeMark(code)
    case .invisible: return nil
    }
  }

  @inline(__always)
  private mutating func place(
    _ code: UInt32, _ position: Int, _ source: Source, advance: Int
  ) -> Item {
    last = (x, advance, position, source)
    x += advance
    return Item(position: position, source: source, x: last.x, isSpace: code == 0x20)
  }

  /// Places the picture of a character that is not in the font's first range, or a box.
  @inline(never)
  private mutating func placeOther(_ code: UInt32) -> Item {
    if !run.contains(code) { (run, source) = find(code) }
    guard run.index >= 0 else { return place(code, -1, .unifont, advance: font.box.width + 2) }
    switch source {
    case .own: return place(code, in: own)
    case .fixed: return place(code, in: font.fallback.reader)
    case .unifont: return place(code, in: GlyphTable.unifont.reader)
    }
  }

  private mutating func place(_ code: UInt32, in table: borrowing GlyphReader) -> Item {
    let position = table.position(of: code, in: run)
    return place(code, position, source, advance: table.advance(at: position))
  }

  /// Places a mark over the last picture; a mark that no table has is left out.
  func placeMark(_ code: UInt32) -> Item? {
    guard last.source == .unifont else { return placeMarkOnLatin(code) }
    let position = GlyphTable.unifont.reader.position(of: code)
    guard position >= 0 else { return nil }
    var x = last.x + (isCentered(code) ? last.advance / 2 : last.advance)
    // Nothing goes left of its letter, where something else may be.
    x = max(x, last.x - GlyphTable.unifont.reader.glyph(at: position).left)
    return Item(position: position, source: .unifont, x: x, isSpace: false)
  }

  /// Places a mark over the middle of a letter of a bold font, and raises it above a tall one.
  private func placeMarkOnLatin(_ code: UInt32) -> Item? {
    let (run, source) = find(code)
    guard run.index >= 0 else { return nil }
    let position = position(of: code, in: run, of: source)
    let glyph = glyph(at: position, of: source)
    // Unifont's marks have no advance, and lie left of the pen or around the letter's middle.
    let half = source == .unifont ? isCentered(code) ? 0 : 4 : -glyph.advance / 2
    var raise = 0
    if last.position >= 0, glyph.top - glyph.height > 4 {
      let top = self.glyph(at: last.position, of: last.source).top
      raise = max(0, min(top + 1 - (glyph.top - glyph.height), 13 - glyph.top))
    }
    return Item(
      position: position, source: source, x: last.x + last.advance / 2 + half, raise: raise,
      isSpace: false)
  }

  /// Whether Unifont centres a mark on its letter, as it does for scripts from right to left.
  private func isCentered(_ code: UInt32) -> Bool {
    code >= 0x590 && code < 0x900 || code == 0xFB1E
  }

  /// The neighbours of a character that have pictures in the same table, and the table.
  private func find(_ code: UInt32) -> (run: GlyphReader.Run, source: Source) {
    var run = own.run(of: code)
    if run.index >= 0 { return (run, .own) }
    var found = font.fallback.reader.run(of: code)
    var source = Source.fixed
    if found.index < 0 {
      run = run.narrowed(to: found)
      found = GlyphTable.unifont.reader.run(of: code)
      source = .unifont
    }
    return (found.narrowed(to: run), source)
  }

  /// How many rows above and below the baseline a picture reaches.
  func rows(of item: Item) -> (above: Int, below: Int) {
    guard item.position >= 0 else { return (font.box.height, 0) }
    let glyph = glyph(at: item.position, of: item.source)
    let top = glyph.top + item.raise
    return glyph.height == 0 ? (0, 0) : (top, glyph.height - top)
  }

  private func position(of code: UInt32, in run: GlyphReader.Run, of source: Source) -> Int {
    switch source {
    case .own: own.position(of: code, in: run)
    case .fixed: font.fallback.reader.position(of: code, in: run)
    case .unifont: GlyphTable.unifont.reader.position(of: code, in: run)
    }
  }

  private func glyph(at position: Int, of source: Source) -> Glyph {
    switch source {
    case .own: own.glyph(at: position)
    case .fixed: font.fallback.reader.glyph(at: position)
    case .unifont: GlyphTable.unifont.reader.glyph(at: position)
    }
  }
}

extension Bitmap {
  /// Lights a picture that a pen has placed on a line whose baseline starts at `origin`.
  mutating func draw(
    _ item: Pen.Item, of pen: borrowing Pen, at origin: Point, in area: Rectangle
  ) {
    switch item.source {
    case .own: draw(item, of: pen.own, at: origin, in: area)
    case .fixed: draw(item, of: pen.font.fallback.reader, at: origin, in: area)
    case .unifont where item.position >= 0:
      draw(item, of: GlyphTable.unifont.reader, at: origin, in: area)
    case .unifont:
      let box = pen.font.box
      drawBox(box, at: Point(origin.x + item.x + 1, origin.y - box.height), in: area)
    }
  }

  private mutating func draw(
    _ item: Pen.Item, of reader: borrowing GlyphReader, at origin: Point, in area: Rectangle
  ) {
    let glyph = reader.glyph(at: item.position)
    let corner = Point(
      origin.x + item.x + glyph.left, origin.y - glyph.top - item.raise)
    draw(glyph, of: reader, at: corner, in: area)
  }

  /// Lights the outline of a box within a rectangle of this bitmap.
  private mutating func drawBox(_ box: Size, at origin: Point, in area: Rectangle) {
    let (right, bottom) = (box.width - 1, box.height - 1)
    for column in 0...right where area.columns.contains(origin.x + column) {
      for row in 0...bottom where area.rows.contains(origin.y + row) {
        guard column % right == 0 || row % bottom == 0 else { continue }
        self[origin.x + column, origin.y + row] = true
      }
    }
  }
}

extension Font {
  /// Columns that a line of UTF-8 takes.
  public func width(of text: Span<UInt8>) -> Int { width(of: text, upTo: .max) }

  /// Whether a line of UTF-8 fits in `width` columns.
  public func fits(_ text: Span<UInt8>, in width: Int) -> Bool {
    self.width(of: text, upTo: width) <= width
  }

  /// The width of a line, or, if that is more than `limit`, some number above `limit`.
  private func width(of text: Span<UInt8>, upTo limit: Int) -> Int {
    var layout = TextLayout(text, font: self)
    while layout.width <= limit, layout.next() != nil {}
    return layout.width
  }

  /// How many bytes of a line of UTF-8 fit in `width` columns, blanks at the end left out.
  ///
  /// Never cuts a character or parts a letter from its marks.
  public func prefix(of text: Span<UInt8>, fitting width: Int) -> Int {
    var layout = TextLayout(text, font: self)
    var end = 0
    while let item = layout.next() {
      if layout.width > width { break }
      if !item.isSpace { end = layout.index }
    }
    return end
  }

  /// How many bytes of a line of UTF-8 fit in `width` columns when it may end only at a blank, at
  /// the end, or behind `-` or `/`; 0 if there is no such place.
  public func line(of text: Span<UInt8>, fitting width: Int) -> Int {
    var layout = TextLayout(text, font: self)
    var (end, lastBreak) = (0, 0)
    while let item = layout.next() {
      if item.isSpace {
        lastBreak = end
      } else {
        if layout.width > width { return lastBreak }
        end = layout.index
        let byte = text[end - 1]
        if byte == 0x2D || byte == 0x2F { lastBreak = end }
      }
    }
    return end
  }
}

extension Bitmap {
  /// Lights a line of UTF-8 whose baseline starts at `origin`, within `clip`.
  ///
  /// The letters stand on row `origin.y - 1`. Returns the column where the next letter would go.
  @discardableResult
  public mutating func draw(
    _ text: Span<UInt8>, font: Font, at origin: Point, clip: Rectangle? = nil
  ) -> Int {
    let area = clipped(clip ?? bounds)
    guard isNear(origin) else { return origin.x }
    var layout = TextLayout(text, font: font)
    while let item = layout.next() {
      let x = origin.x + item.x
      if let glyph = item.glyph {
        let corner = Point(x + glyph.left, origin.y - glyph.top)
        draw(glyph, of: layout.table(of: item), at: corner, in: area)
      } else {
        drawBox(font.box, at: Point(x + 1, origin.y - font.box.height), in: area)
      }
    }
    return origin.x + layout.width
  }

  /// Lights the outline of a box within a rectangle of this bitmap.
  private mutating func drawBox(_ box: Size, at origin: Point, in area: Rectangle) {
    let inside = rows(of: area)
    let sides = UInt64.max.movedDown(box.height - 64)
    let ends: UInt64 = 1 | UInt64(1).movedDown(box.height - 1)
    for column in 0..<box.width where area.columns.contains(origin.x + column) {
      let rows = column == 0 || column == box.width - 1 ? sides : ends
      set(rows.movedDown(origin.y) & inside, column: origin.x + column)
    }
  }

  /// Lights a line of UTF-8 in `width` columns at most; what does not fit gives way to an ellipsis.
  public mutating func draw(_ text: Span<UInt8>, font: Font, at origin: Point, width: Int) {
    let area = Rectangle(x: origin.x, y: 0, width: width, height: size.height)
    guard !font.fits(text, in: width) else {
      draw(text, font: font, at: origin, clip: area)
      return
    }
    let ellipsis = "…".utf8
    let end = font.prefix(of: text, fitting: width - font.width(of: ellipsis.span))
    let x = draw(text.extracting(first: end), font: font, at: origin, clip: area)
    draw(ellipsis.span, font: font, at: Point(x, origin.y), clip: area)
  }

  /// Whether adding the size of a line to the point cannot overflow.
  func isNear(_ point: Point) -> Bool {
    let near = -0x10_0000...0x10_0000
    return near.contains(point.x) && near.contains(point.y)
  }
}

extension Font {
  /// Columns that a line of UTF-8 takes.
  public func width(of text: Span<UInt8>) -> Int {
    var layout = TextLayout(text, font: self)
    while layout.next() != nil {}
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
    let mask = rows(of: area)
    let columns = area.columns
    var layout = TextLayout(text, font: font)
    while let item = layout.next() {
      if origin.x + item.x > columns.upperBound + 64 { break }
      layout.forEachColumn(of: item) { x, rows, row in
        let column = origin.x + x
        guard columns.contains(column) else { return }
        set(rows.movedDown(origin.y + row) & mask, column: column)
      }
    }
    return origin.x + layout.width
  }

  /// Lights a line of UTF-8 in `width` columns at most; what does not fit gives way to an ellipsis.
  public mutating func draw(_ text: Span<UInt8>, font: Font, at origin: Point, width: Int) {
    let area = Rectangle(x: origin.x, y: 0, width: width, height: size.height)
    guard font.width(of: text) > width else {
      draw(text, font: font, at: origin, clip: area)
      return
    }
    let ellipsis = "…".utf8
    let end = font.prefix(of: text, fitting: width - font.width(of: ellipsis.span))
    let x = draw(text.extracting(first: end), font: font, at: origin, clip: area)
    draw(ellipsis.span, font: font, at: Point(x, origin.y), clip: area)
  }

  /// Whether adding the size of a line to the point cannot overflow.
  private func isNear(_ point: Point) -> Bool {
    let near = -0x10_0000...0x10_0000
    return near.contains(point.x) && near.contains(point.y)
  }
}

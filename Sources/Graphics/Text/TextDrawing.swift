extension Bitmap {
  /// Lights a line of UTF-8 whose baseline starts at `origin`, within `clip`.
  ///
  /// The letters stand on row `origin.y - 1`. Returns the column where the next letter would go.
  @discardableResult
  package mutating func draw(
    _ text: Span<UInt8>, font: Font, at origin: Point, clip: Rectangle? = nil
  ) -> Int {
    let area = clipped(clip ?? bounds)
    guard isNear(origin) else { return origin.x }
    #if arch(wasm32)
      words.append(text)
    #endif
    let table = font.table
    var pen = Pen(font, table)
    if mayGoLeft(text) {
      drawReordered(text, with: &pen, at: origin, in: area)
      return origin.x + pen.x
    }
    var reader = TextReader(text)
    while let element = reader.next() {
      if let item = pen.place(element) { draw(item, of: pen, at: origin, in: area) }
    }
    return origin.x + pen.x
  }

  /// Lights a line of text that goes from right to left in places.
  private mutating func drawReordered(
    _ text: Span<UInt8>, with pen: inout Pen, at origin: Point, in area: Rectangle
  ) {
    var line = BidiLine()
    var reader = TextReader(text)
    while let element = reader.next(), line.append(element.code) {}
    line.resolve()
    for place in 0..<line.orderCount {
      let index = line.order(place)
      guard case .character(let code) = TextReader.Element(line.codes[index]) else { continue }
      let isLeft = line.levels[index] & 1 == 1
      let image = isLeft ? Mirror(of: code)?.image ?? code : code
      drawNext(.character(image), with: &pen, at: origin, in: area)
      var mark = index + 1
      while mark < line.count {
        let element = TextReader.Element(line.codes[mark])
        if case .character = element { break }
        drawNext(element, with: &pen, at: origin, in: area)
        mark += 1
      }
    }
  }

  @inline(never)  // one copy
  private mutating func drawNext(
    _ element: TextReader.Element, with pen: inout Pen, at origin: Point, in area: Rectangle
  ) {
    if let item = pen.place(element) { draw(item, of: pen, at: origin, in: area) }
  }

  /// Lights a line of UTF-8 in `width` columns at most; an ellipsis replaces what does not fit.
  ///
  /// The ellipsis is on the left if the text goes from right to left.
  @inline(never)  // one copy
  package mutating func draw(_ text: Span<UInt8>, font: Font, at origin: Point, width: Int) {
    let area = Rectangle(x: origin.x, y: 0, width: width, height: size.height)
    guard !font.fits(text, in: width) else {
      draw(text, font: font, at: origin, clip: area)
      return
    }
    let ellipsis = "…".utf8
    let end = font.prefix(of: text, fitting: width - font.width(of: ellipsis.span))
    let isLeft = isRightToLeft(text)
    var x = origin.x
    if isLeft { x = draw(ellipsis.span, font: font, at: origin, clip: area) }
    x = draw(text.extracting(first: end), font: font, at: Point(x, origin.y), clip: area)
    if !isLeft { draw(ellipsis.span, font: font, at: Point(x, origin.y), clip: area) }
  }

  /// Whether adding the size of a line to the point cannot overflow.
  func isNear(_ point: Point) -> Bool {
    let near = -0x10_0000...0x10_0000
    return near.contains(point.x) && near.contains(point.y)
  }
}

import Graphics

extension Bitmap {
  /// A title, at the bottom a footer, and between them a text in as many lines as there is room for.
  ///
  /// The title is as large as fits, at most `font`. Where rows are scarce, the text goes first.
  mutating func draw(
    title: Span<UInt8>, font largest: Font = .bold18, text: Span<UInt8>,
    footer: Span<UInt8> = Span<UInt8>()
  ) {
    let limit = size.height < 48 ? Font.bold14 : largest
    let font = limit.largest(for: title, width: size.width)
    var baseline = font.capHeight + 1
    draw(title, font: font, at: Point(0, baseline), width: size.width)
    baseline += max(0, font.descent - 3)
    var bottom = size.height
    if !footer.isEmpty {
      draw(footer, font: .bold12, at: Point(0, bottom - 3), width: size.width)
      bottom -= lineHeight
    }
    drawLines(
      of: text,
      in: Rectangle(x: 0, y: baseline + 3, width: size.width, height: bottom - baseline - 3))
  }

  /// Rows from one line of small text to the next.
  var lineHeight: Int { 13 }

  /// Wraps a text at blanks and hyphens; the last line that there is room for ends in an ellipsis.
  private mutating func drawLines(of text: Span<UInt8>, in area: Rectangle) {
    let font = Font.bold12
    var rest = text
    for line in 0..<max(0, area.size.height / lineHeight) where !rest.isEmpty {
      let baseline = area.origin.y + (line + 1) * lineHeight - 3
      let isLast = (line + 2) * lineHeight > area.size.height
      var end = font.line(of: rest, fitting: area.size.width)
      if end == 0 { end = font.prefix(of: rest, fitting: area.size.width) }
      guard !isLast, end > 0 else {
        draw(rest, font: font, at: Point(area.origin.x, baseline), width: area.size.width)
        return
      }
      draw(rest.extracting(first: end), font: font, at: Point(area.origin.x, baseline))
      rest = rest.extracting(droppingFirst: end).droppingBlanks()
    }
  }
}

extension Font {
  /// This font or the first smaller one in which a line fits; the smallest if none does.
  func largest(for text: Span<UInt8>, width: Int) -> Font {
    var font = self
    while !font.fits(text, in: width), let smaller = font.smaller { font = smaller }
    return font
  }

  /// The next smaller font, or `nil` for the smallest.
  var smaller: Font? { rawValue == 0 ? nil : Font(rawValue: rawValue - 1) }
}

extension Span<UInt8> {
  /// What follows the blanks at the start.
  @_lifetime(copy self)
  func droppingBlanks() -> Span<UInt8> {
    var first = 0
    while first < count, self[first] == 0x20 { first += 1 }
    return extracting(droppingFirst: first)
  }
}

import Graphics

extension Bitmap {
  /// A title, at the bottom a footer, and between them a text in as many lines as there is room for.
  ///
  /// The title is as large as fits, at most `font`, and smaller if the text needs the rows. A text
  /// that does not fit even so gives way to the `shorter` one, if there is one. `free` are the
  /// columns right of the title and the rows at the bottom that are left for others. Where rows are
  /// scarce, the text goes first, or the title if it `isTitleSpare`.
  mutating func draw(
    title: Span<UInt8>, font largest: Font = .bold18, text: Span<UInt8>,
    shorter: Span<UInt8> = Span<UInt8>(), footer: Span<UInt8> = Span<UInt8>(),
    free: Size = Size(0, 0), isTitleSpare: Bool = false
  ) {
    var bottom = size.height - free.height
    if !footer.isEmpty {
      draw(footer, font: .bold12, at: Point(0, bottom - 3), width: size.width)
      bottom -= lineHeight
    }
    let width = size.width - free.width
    let limit = size.height < 48 ? Font.bold14 : largest
    let font = limit.largest(for: title, width: width)
    let rest = shorter.isEmpty ? text : shorter
    if let fitting = self.font(font, leavingRoomFor: text, above: bottom) {
      draw(title: title, width: width, font: fitting, text: text, above: bottom)
    } else if let fitting = self.font(font, leavingRoomFor: rest, above: bottom) {
      draw(title: title, width: width, font: fitting, text: rest, above: bottom)
    } else if isTitleSpare {
      drawLines(of: rest, in: Rectangle(x: 0, y: 0, width: size.width, height: bottom))
    } else {
      let mostLines = lines(below: .bold12, above: bottom)
      let most = mostLines > lines(below: font, above: bottom) ? Font.bold12 : font
      draw(title: title, width: width, font: most, text: rest, above: bottom)
    }
  }

  private mutating func draw(
    title: Span<UInt8>, width: Int, font: Font, text: Span<UInt8>, above bottom: Int
  ) {
    draw(title, font: font, at: Point(0, font.capHeight + 1), width: width)
    let top = top(below: font)
    drawLines(of: text, in: Rectangle(x: 0, y: top, width: size.width, height: bottom - top))
  }

  /// The first row below a title in this font.
  private func top(below font: Font) -> Int { font.capHeight + 4 + max(0, font.descent - 3) }

  /// How many lines of text there is room for below a title in this font; negative is none as well.
  private func lines(below font: Font, above bottom: Int) -> Int {
    (bottom - top(below: font)) / lineHeight
  }

  /// This font for the title or the first smaller one that leaves the text its lines, if any does.
  private func font(
    _ largest: Font, leavingRoomFor text: Span<UInt8>, above bottom: Int
  ) -> Font? {
    let count = Font.bold12.lines(of: text, width: size.width)
    var font = largest
    while lines(below: font, above: bottom) < count {
      guard let smaller = font.smaller else { return nil }
      font = smaller
    }
    return font
  }

  /// Rows from one line of small text to the next.
  var lineHeight: Int { 13 }

  /// Wraps a text at blanks and hyphens; the last line that there is room for ends in an ellipsis.
  mutating func drawLines(of text: Span<UInt8>, in area: Rectangle) {
    let font = Font.bold12
    var rest = text
    for line in 0..<max(0, area.size.height / lineHeight) where !rest.isEmpty {
      let baseline = area.origin.y + (line + 1) * lineHeight - 3
      let isLast = (line + 2) * lineHeight > area.size.height
      let end = font.wrapped(rest, width: area.size.width)
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
  /// How many bytes of a text go in its first line: words, or what fits of one that is too long.
  func wrapped(_ text: Span<UInt8>, width: Int) -> Int {
    let end = line(of: text, fitting: width)
    return end > 0 ? end : prefix(of: text, fitting: width)
  }

  /// How many lines a text takes.
  func lines(of text: Span<UInt8>, width: Int) -> Int {
    var rest = text
    var count = 0
    while true {
      let end = wrapped(rest, width: width)
      guard end > 0 else { return count }  // what may be left has no picture
      rest = rest.extracting(droppingFirst: end).droppingBlanks()
      count += 1
    }
  }

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

package import Graphics

/// Fonts of a message on a panel that stands upright, and the rows of its parts.
private struct UprightLook {
  var titleFont: Font
  var textFont: Font
  var titleRows: Int
  var textRows: Int
}

extension Bitmap {
  /// Whether the panel stands upright, where it is often too narrow for a whole word.
  package var isUpright: Bool { size.isUpright }

  /// Draws the symbol, title, text and footer of a message from top to bottom.
  ///
  /// The whole text is worth most, then the symbol and the size of the letters. Returns `false`, with
  /// nothing drawn, if no text fits.
  package mutating func drawUpright(_ message: borrowing Message) -> Bool {
    let bottom = size.height - message.free.height
    let footerLines = min(2, lines(of: message.footer, .bold12, width: size.width))
    let above = bottom - footerLines * lineHeight - 3
    if !message.footer.isEmpty, size.height >= 100,
      draw(upright: message, message.text, bottom: above)
        || draw(upright: message, message.shorter, bottom: above)
    {
      drawLines(of: message.footer, from: above + 3, rows: bottom - above - 3)
      return true
    }
    return draw(upright: message, message.text, bottom: bottom)
      || draw(upright: message, message.shorter, bottom: bottom)
      || draw(upright: message, message.shortest, bottom: bottom)
  }

  private mutating func draw(
    upright message: borrowing Message, _ text: Span<UInt8>, bottom: Int
  ) -> Bool {
    guard !text.isEmpty || message.text.isEmpty, mayShow(text) else { return false }
    let gap = 6
    if let symbol = message.symbol, symbol.size.width <= size.width, size.height >= 100,
      let look = look(of: message, text, rows: bottom - symbol.size.height - gap)
    {
      let rows = symbol.size.height + gap + look.titleRows + look.textRows
      let top = (bottom - rows) / 2
      draw(symbol, at: Point(0, top))
      draw(message, text, look, top: top + symbol.size.height + gap)
      return true
    }
    guard let look = look(of: message, text, rows: bottom) else { return false }
    // Rather above than below: an accent on a capital needs a row more.
    draw(message, text, look, top: max(0, bottom - look.titleRows - look.textRows + 1) / 2)
    return true
  }

  private mutating func draw(
    _ message: borrowing Message, _ text: Span<UInt8>, _ look: UprightLook, top: Int
  ) {
    drawLines(of: message.title, look.titleFont, from: top, rows: look.titleRows)
    drawLines(of: text, look.textFont, from: top + look.titleRows, rows: look.textRows)
  }

  /// The largest fonts in which title and text fit in `rows`; only the smallest font parts words.
  private func look(
    of message: borrowing Message, _ text: Span<UInt8>, rows: Int
  ) -> UprightLook? {
    Font.largest(from: size.width >= 56 ? message.textFont : .bold12) { font in
      Font.largest(from: size.height >= 100 ? message.titleFont : .bold14) { large in
        guard large.rawValue > font.rawValue || font == .bold12 else { return nil }
        // A name of several lines ends in an ellipsis.
        let most = size.width < 56 && size.height >= 100 ? 4 : 3
        let title = min(most, lines(of: message.title, large, width: size.width))
        let look = UprightLook(
          titleFont: large, textFont: font,
          titleRows: title * lineHeight(large) + gap(below: large),
          textRows: self.rows(of: text, font))
        guard look.titleRows + look.textRows <= rows,
          large == .bold12 && mayShow(message.title) || !parts(message.title, large),
          font == .bold12 || !parts(text, font)
        else { return nil }
        return look
      }
    }
  }

  /// Whether the words of a text fit whole, or may be parted here.
  func mayShow(_ text: Span<UInt8>) -> Bool {
    LineBreak.partsWords(in: size.width) || !parts(text, .bold12)
  }

  /// Rows between a title and its text: more where letters reach far below the line.
  private func gap(below font: Font) -> Int { size.height < 100 ? 0 : max(1, font.descent - 1) }

  /// Whether a word of the text is wider than this bitmap, so that it must be parted.
  package func parts(_ text: Span<UInt8>, _ font: Font, width: Int? = nil) -> Bool {
    var rest = text
    while !rest.isEmpty {
      let line = LineBreak(of: rest, font, width: width ?? size.width)
      // What has no width has no picture, as what follows many an emoji.
      if line.end == 0 { return font.width(of: rest) > 0 }
      if line.isHyphenated { return true }
      rest = rest.extracting(droppingFirst: line.end).droppingBlanks()
    }
    return false
  }

  /// Draws the first line of a text, at the right if that begins there, and returns what is left of it.
  @_lifetime(copy text)
  package mutating func drawLine(
    of text: Span<UInt8>, _ font: Font, at origin: Point, width: Int
  ) -> Span<UInt8> {
    let line = LineBreak(of: text, font, width: width)
    guard line.end > 0 else { return text.extracting(first: 0) }
    let part = text.extracting(first: line.end)
    let spare = isRightToLeft(text) ? max(0, width - font.width(of: part)) : 0
    let end = draw(part, font: font, at: Point(origin.x + spare, origin.y))
    if line.isHyphenated { draw("-".utf8.span, font: font, at: Point(end, origin.y)) }
    return text.extracting(droppingFirst: line.end).droppingBlanks()
  }
}

import Graphics

/// Fonts and rows of a message on a square panel.
private struct SquareLook {
  var titleFont: Font
  var textFont: Font
  var titleRows: Int
  var textRows: Int
}

extension Bitmap {
  /// Draws a message on a square panel: the symbol above the title, the text below both, all a size larger
  /// than on a flat one.
  ///
  /// The whole text is worth most, then the symbol and the size of the letters. A symbol has twice its size
  /// where there is room. Returns `false`, with nothing drawn, if no text fits.
  mutating func drawSquare(_ message: borrowing Message) -> Bool {
    let bottom = size.height - message.free.height
    let footerRows = rows(of: message.footer, most: 2)
    if footerRows > 0,
      draw(square: message, message.text, bottom: bottom - footerRows - 3)
        || draw(square: message, message.shorter, bottom: bottom - footerRows - 3)
    {
      drawLines(of: message.footer, from: bottom - footerRows, rows: footerRows)
      return true
    }
    return draw(square: message, message.text, bottom: bottom)
      || draw(square: message, message.shorter, bottom: bottom)
      || draw(square: message, message.shortest, bottom: bottom)
  }

  private mutating func draw(
    square message: borrowing Message, _ text: Span<UInt8>, bottom: Int
  ) -> Bool {
    guard !text.isEmpty || message.text.isEmpty else { return false }
    let gap = 6
    var scale = message.symbol == nil ? 0 : 2
    while let symbol = message.symbol, scale > 0 {
      let rows = symbol.size.height * scale + gap
      if let look = look(of: message, text, scale: scale, rows: bottom - rows) {
        let top = (bottom - rows - look.titleRows - look.textRows) / 2
        draw(symbol, at: Point(0, top), scale: scale)
        draw(message, text, look, top: top + rows)
        return true
      }
      scale -= 1
    }
    guard let look = look(of: message, text, scale: 1, rows: bottom) else { return false }
    draw(message, text, look, top: (bottom - look.titleRows - look.textRows) / 2)
    return true
  }

  private mutating func draw(
    _ message: borrowing Message, _ text: Span<UInt8>, _ look: SquareLook, top: Int
  ) {
    drawLines(of: message.title, look.titleFont, from: top, rows: look.titleRows)
    drawLines(of: text, look.textFont, from: top + look.titleRows, rows: look.textRows)
  }

  /// The largest fonts in which title and text fit in `rows` without a word that is parted.
  ///
  /// Beside a symbol of twice its size neither is made smaller for it.
  private func look(
    of message: borrowing Message, _ text: Span<UInt8>, scale: Int, rows: Int
  ) -> SquareLook? {
    let (largestText, largestTitle) = (message.textFont.larger, message.titleFont.larger)
    return Font.largest(from: largestText) { font in
      guard font.rawValue >= Font.bold14.rawValue || scale == 1 else { return nil }
      return Font.largest(from: largestTitle) { large in
        guard large.rawValue > font.rawValue || font == .bold12 else { return nil }
        let title = lines(of: message.title, large, width: size.width)
        // A name of several lines ends in an ellipsis.
        let isLast = large == .bold14 || large == .bold12
        guard title <= 1 || large.rawValue <= Font.bold18.rawValue else { return nil }
        let look = SquareLook(
          titleFont: large, textFont: font,
          titleRows: min(2, title) * lineHeight(large) + max(1, large.descent - 1),
          textRows: self.rows(of: text, font))
        guard look.titleRows + look.textRows <= rows, title <= 2 || isLast,
          isLast || !parts(message.title, large), font == .bold12 || !parts(text, font)
        else { return nil }
        return look
      }
    }
  }
}

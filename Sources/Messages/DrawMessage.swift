import Bytes
package import Graphics
package import Words

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

/// The messages that consist of a symbol, a title and a phrase.
extension Bitmap {
  /// Draws a title, and a sentence in its longest form that fits.
  package mutating func draw(
    _ symbol: Symbol, _ title: borrowing Wording, sentence: borrowing Wording
  ) {
    draw(Message(symbol, title: fitting(title.bytes), forms: sentence.bytes))
  }

  /// Draws a title, and a sentence or, where that does not fit, another one.
  package mutating func draw(
    _ symbol: Symbol, _ title: borrowing Wording, _ sentence: borrowing Wording,
    or short: borrowing Wording
  ) {
    var message = Message(symbol, title: fitting(title.bytes), text: sentence.bytes.form(0))
    message.shorter = fitting(short.bytes)
    draw(message)
  }

  /// Draws a title, and a sentence that names a phone.
  package mutating func draw(
    _ symbol: Symbol, _ title: borrowing Wording, naming phone: Span<UInt8>,
    in sentence: borrowing Wording
  ) {
    var text = FixedBuffer<128>()
    text.append(sentence.bytes.form(0), naming: phone)
    var message = Message(symbol, title: fitting(title.bytes), text: text.bytes)
    message.shorter = sentence.bytes.form(1)
    draw(message)
  }

  /// Draws a title, and a word or two in the longest form that fits in a line.
  package mutating func draw(
    _ symbol: Symbol?, _ title: borrowing Wording, words: borrowing Wording
  ) {
    draw(Message(symbol, title: fitting(title.bytes), text: fitting(words.bytes)))
  }

  // MARK: - A time that runs out

  /// Draws a message, and at the bottom right the seconds that are left.
  ///
  /// A low panel has the seconds beside the title where `hasTimeAlways`, if it is wide, and else none.
  /// A panel with room at the bottom has a name there as well.
  package mutating func draw(
    _ message: consuming Message, secondsLeft: Int?, below name: Span<UInt8>? = nil,
    hasTimeAlways: Bool = true
  ) {
    var time = FixedBuffer<24>()
    if let secondsLeft {
      time.append(decimal: Int64(widening: max(0, secondsLeft)))
      time.append(" s")
    }
    let timeWidth = small.width(of: time.bytes)
    // The columns of two digits: what stands beside them stays while they get fewer.
    let taken = max(timeWidth, small.width(of: "88 s".utf8.span)) + 4
    guard hasBottomLine else {
      let isFree = hasTimeAlways && size.width >= 100
      if isFree { message.free.width = taken }
      draw(message)
      if isFree { draw(time.bytes, font: small, at: Point(size.width - timeWidth, 10)) }
      return
    }
    let bottom = size.height - 3
    message.free.height = lineHeight + 2
    if let name, isUpright {
      let nameRows = rows(of: name, most: 2)
      message.free.height += nameRows
      draw(message)
      drawLines(of: name, from: size.height - nameRows - lineHeight, rows: nameRows)
    } else {
      draw(message)
      if let name {
        draw(name, font: small, at: Point(0, bottom), width: size.width - taken)
      }
    }
    draw(time.bytes, font: small, at: Point(size.width - timeWidth, bottom))
  }

  /// Whether a line at the bottom leaves room for title and text.
  package var hasBottomLine: Bool { size.height >= (isUpright ? 100 : 60) }
}

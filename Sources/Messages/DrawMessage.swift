import Bytes
package import Graphics
package import Words

/// Fonts and rows of a message whose parts stand one below the other.
private struct StackedLook {
  var titleFont: Font
  var textFont: Font
  var titleRows: Int
  var textRows: Int
}

extension Bitmap {
  /// Whether the panel stands upright, where it is often too narrow for a whole word.
  package var isUpright: Bool { size.isUpright }

  /// Draws a message with this text, the symbol above the title and the text below both.
  ///
  /// On a square panel a symbol has twice its size where there is room. Returns `false`, with nothing
  /// drawn, if the message does not fit above the row `bottom`.
  mutating func draw(
    stacked message: borrowing Message, _ text: Span<UInt8>, bottom: Int
  ) -> Bool {
    guard mayShow(text) else { return false }
    var scale = isUpright ? 1 : 2
    while scale >= 0 {
      defer { scale -= 1 }
      let rows = symbolRows(message.symbol, scale: scale)
      guard let rows, let look = look(of: message, text, scale: scale, rows: bottom - rows)
      else { continue }
      // Rather too high than too low: an accent on a capital needs a row more.
      let isRaised = isUpright && scale == 0
      let top = (bottom - rows - look.titleRows - look.textRows + (isRaised ? 1 : 0)) / 2
      if scale > 0, let symbol = message.symbol { draw(symbol, at: Point(0, top), scale: scale) }
      drawLines(of: message.title, look.titleFont, from: top + rows, rows: look.titleRows)
      drawLines(
        of: text, look.textFont, from: top + rows + look.titleRows, rows: look.textRows)
      return true
    }
    return false
  }

  /// Rows of a symbol and the gap below it, 0 at scale 0; `nil` if the symbol is missing or has no room.
  private func symbolRows(_ symbol: Symbol?, scale: Int) -> Int? {
    guard scale > 0 else { return 0 }
    guard let symbol, symbol.size.width <= size.width, size.height >= 100 else { return nil }
    return symbol.size.height * scale + 6
  }

  /// The largest fonts in which title and text fit in `rows`; only the smallest font parts words.
  ///
  /// On a square panel they are a size larger than on others. A symbol of twice its size is left out
  /// rather than making the text small.
  private func look(
    of message: borrowing Message, _ text: Span<UInt8>, scale: Int, rows: Int
  ) -> StackedLook? {
    let titleFont = message.titleFont
    let largest = size.isSquare ? message.textFont.larger : message.textFont
    return Font.largest(from: size.width >= 56 ? largest : .bold12) { font in
      guard font.rawValue >= Font.bold14.rawValue || scale < 2 else { return nil }
      let largestTitle = size.isSquare ? titleFont.larger : titleFont
      return Font.largest(from: size.height >= 100 ? largestTitle : .bold14) { large in
        guard large.rawValue > font.rawValue || font == .bold12 else { return nil }
        // A name of several lines ends in an ellipsis.
        let most = size.isSquare ? 2 : size.width < 56 && size.height >= 100 ? 4 : 3
        let title = lines(of: message.title, large, width: size.width)
        let look = StackedLook(
          titleFont: large, textFont: font,
          titleRows: min(most, title) * lineHeight(large) + gap(below: large),
          textRows: self.rows(of: text, font))
        guard look.titleRows + look.textRows <= rows, mayBe(message.title, large, lines: title),
          font == .bold12 || !parts(text, font)
        else { return nil }
        return look
      }
    }
  }

  /// Whether a title may be in this font, in which it takes `lines` lines.
  private func mayBe(_ title: Span<UInt8>, _ font: Font, lines: Int) -> Bool {
    guard size.isSquare else { return font == .bold12 && mayShow(title) || !parts(title, font) }
    if font.rawValue <= Font.bold14.rawValue { return true }
    return lines <= (font == .bold18 ? 2 : 1) && !parts(title, font)
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
      // Characters without a width have no picture, such as those that follow many an emoji.
      if line.end == 0 { return font.width(of: rest) > 0 }
      if line.isHyphenated { return true }
      rest = rest.extracting(droppingFirst: line.end).droppingBlanks()
    }
    return false
  }

  /// Draws the first line of a text, at the right if the text runs from there, and returns the rest of the text.
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
  /// Draws a title, and a text or, if that does not fit, a shorter one.
  package mutating func draw(
    _ symbol: Symbol?, _ title: borrowing Wording, text: Span<UInt8>,
    shorter: Span<UInt8>? = nil, shortest: Span<UInt8>? = nil, isTitleSpare: Bool = false
  ) {
    var message = Message(symbol, title: fitting(title.bytes), text: text)
    if let shorter { message.shorter = shorter }
    if let shortest { message.shortest = shortest }
    message.isTitleSpare = isTitleSpare
    draw(message)
  }

  /// Draws a title, and a sentence in its longest form that fits.
  package mutating func draw(
    _ symbol: Symbol, _ title: borrowing Wording, sentence: borrowing Wording
  ) {
    draw(Message(symbol, title: fitting(title.bytes), forms: sentence.bytes))
  }

  /// Draws a title, and a sentence or, if that does not fit, another one.
  package mutating func draw(
    _ symbol: Symbol, _ title: borrowing Wording, _ sentence: borrowing Wording,
    or short: borrowing Wording
  ) {
    draw(symbol, title, text: sentence.bytes.form(0), shorter: fitting(short.bytes))
  }

  /// Draws a title, and a sentence that names a phone.
  package mutating func draw(
    _ symbol: Symbol, _ title: borrowing Wording, naming phone: Span<UInt8>,
    in sentence: borrowing Wording
  ) {
    var text = FixedBuffer<128>()
    text.append(sentence.bytes.form(0), naming: phone)
    draw(symbol, title, text: text.bytes, shorter: sentence.bytes.form(1))
  }

  /// Draws a title, and a word or two in the longest form that fits in a line.
  package mutating func draw(
    _ symbol: Symbol?, _ title: borrowing Wording, words: borrowing Wording
  ) {
    draw(symbol, title, text: fitting(words.bytes))
  }

  // MARK: - A time that runs out

  /// Draws a message, and at the bottom right the seconds that are left.
  ///
  /// A low panel that is wide has the seconds beside the title if `hasTimeAlways`; else it has none.
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
    // The columns of two digits: what stands beside them stays as the digits become fewer.
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

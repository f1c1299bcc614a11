package import Graphics
import Words

/// The texts of a screen of words, before they are laid out.
package struct Message: ~Escapable {
  /// Drawn left of the words where there is room for both.
  package var symbol: Symbol?
  /// The largest font of the title.
  package var titleFont = Font.bold18
  /// The largest font of the text.
  package var textFont = Font.bold14
  /// In a word or two.
  package var title: Span<UInt8>
  /// In a sentence.
  package var text: Span<UInt8>
  /// Shown if the text does not fit; may be empty.
  package var shorter: Span<UInt8>
  /// Shown if the shorter text does not fit either; may be empty.
  package var shortest: Span<UInt8>
  /// A line at the bottom, where the others leave room for it.
  package var footer: Span<UInt8>
  /// Columns right of the title and rows at the bottom that other drawings take.
  package var free = Size(0, 0)
  /// Whether the text matters more than the title.
  package var isTitleSpare = false

  @_lifetime(copy title, copy text)
  package init(_ symbol: Symbol? = nil, title: Span<UInt8>, text: Span<UInt8>) {
    self.symbol = symbol
    self.title = title
    self.text = text
    shorter = text.extracting(first: 0)
    shortest = text.extracting(first: 0)
    footer = text.extracting(first: 0)
  }

  /// A message whose text is the longest form of a phrase that fits.
  @_lifetime(copy title, copy phrase)
  package init(_ symbol: Symbol? = nil, title: Span<UInt8>, forms phrase: Span<UInt8>) {
    self.init(symbol, title: title, text: phrase.form(0))
    shorter = phrase.form(1)
    shortest = phrase.form(2)
  }
}

/// Fonts and place of a message that fits.
private struct MessageLayout {
  var titleFont: Font
  var textFont: Font
  /// Where the words begin, right of a symbol.
  var left: Int
}

extension Bitmap {
  /// Draws a message as large as fits, in the middle of the rows.
  ///
  /// The whole text is worth most, then the symbol, the footer and the size of the letters. If even
  /// the shortest text does not fit, the shorter one is cut.
  package mutating func draw(_ message: borrowing Message) {
    if isUpright || size.isSquare, draw(whole: message) { return }
    if !isUpright, draw(whole: message, isStacked: false) { return }
    drawCut(message, bottom: size.height - message.free.height)
  }

  /// Draws a message in the longest text that fits, or returns `false` with nothing drawn.
  package mutating func draw(whole message: borrowing Message, isStacked: Bool = true) -> Bool {
    let bottom = size.height - message.free.height
    let footerRows = rows(of: message.footer, most: isStacked ? 2 : 1)
    let above = bottom - footerRows - (isStacked ? 3 : 0)
    if footerRows > 0, !isUpright || size.height >= 100,
      draw(message, message.text, bottom: above, isStacked)
        || draw(message, message.shorter, bottom: above, isStacked)
    {
      drawLines(of: message.footer, from: bottom - footerRows, rows: footerRows)
      return true
    }
    return draw(message, message.text, bottom: bottom, isStacked)
      || draw(message, message.shorter, bottom: bottom, isStacked)
      || draw(message, message.shortest, bottom: bottom, isStacked)
  }

  /// Draws a message with this text, or returns `false` if it does not fit above that row.
  private mutating func draw(
    _ message: borrowing Message, _ text: Span<UInt8>, bottom: Int, _ isStacked: Bool
  ) -> Bool {
    guard !text.isEmpty || message.text.isEmpty else { return false }
    if isStacked { return draw(stacked: message, text, bottom: bottom) }
    if let symbol = message.symbol, size.width >= 100, symbol.size.height <= bottom,
      let layout = layout(message, text, left: symbol.size.width + 4, bottom: bottom)
    {
      draw(symbol, at: Point(0, (bottom - symbol.size.height) / 2))
      draw(message, text, layout, bottom: bottom)
      return true
    }
    guard let layout = layout(message, text, left: 0, bottom: bottom) else { return false }
    draw(message, text, layout, bottom: bottom)
    return true
  }

  /// The largest fonts in which title and text fit right of `left` and above `bottom`.
  private func layout(
    _ message: borrowing Message, _ text: Span<UInt8>, left: Int, bottom: Int
  ) -> MessageLayout? {
    Font.largest(from: size.height >= 60 ? message.textFont : .bold12) { font in
      let rows = lines(of: text, font, width: size.width - left) * lineHeight(font)
      return Font.largest(from: size.height < 48 ? .bold14 : message.titleFont) { large in
        // The title is larger than the text, unless the text has the smallest font.
        guard large.rawValue > font.rawValue || font == .bold12 else { return nil }
        let width = size.width - left - message.free.width
        // A name may be wider than any panel; it ends in an ellipsis then.
        let isWide = left == 0 && large == .bold12 && font == .bold12
        guard isWide || large.inkFits(message.title, in: width),
          top(below: large) + rows <= bottom
        else { return nil }
        return MessageLayout(titleFont: large, textFont: font, left: left)
      }
    }
  }

  private mutating func draw(
    _ message: borrowing Message, _ text: Span<UInt8>, _ layout: MessageLayout, bottom: Int
  ) {
    let width = size.width - layout.left
    let textTop = top(below: layout.titleFont)
    let rows = lines(of: text, layout.textFont, width: width) * lineHeight(layout.textFont)
    // Nothing comes after the last line, so its gap is not counted.
    let spare = max(0, bottom - textTop - rows + (rows > 0 ? 1 : 3)) / 2
    draw(
      message.title, font: layout.titleFont,
      at: Point(layout.left, spare + layout.titleFont.capHeight + 1),
      width: size.width - layout.left - message.free.width + 1)
    drawLines(
      of: text, layout.textFont,
      in: Rectangle(x: layout.left, y: textTop + spare, width: width, height: rows))
  }

  /// Draws as much of a message as there is room for: on the narrowest panel its symbol.
  private mutating func drawCut(_ message: borrowing Message, bottom: Int) {
    if !LineBreak.partsWords(in: size.width), let symbol = message.symbol,
      symbol.size.width <= size.width
    {
      let room = Size(size.width - symbol.size.width, bottom - symbol.size.height)
      return draw(symbol, at: Point(room.width / 2, room.height / 2))
    }
    let text = message.shorter.isEmpty ? message.text : message.shorter
    var top = message.isTitleSpare ? 0 : top(below: small)
    if isUpright, !message.isTitleSpare {
      let rows = lines(of: message.title, small, width: size.width)
      top = min(rows, bottom / lineHeight) * lineHeight
      drawLines(of: message.title, from: 0, rows: top)
    } else if !message.isTitleSpare {
      let width = size.width - message.free.width + 1
      draw(message.title, font: small, at: Point(0, small.capHeight + 1), width: width)
    }
    drawLines(of: text, from: top, rows: bottom - top)
  }

  private func top(below font: Font) -> Int { font.capHeight + 4 + max(0, font.descent - 3) }

  /// Rows from one line of text to the next; as few as possible on a narrow panel.
  package func lineHeight(_ font: Font) -> Int {
    font.capHeight + (isUpright && size.width < 56 ? 3 : 4)
  }

  /// The font of hints, names and times: small, where there is no room for more.
  package var small: Font { size.isSquare ? .bold14 : .bold12 }

  /// Rows from one line of small text to the next.
  package var lineHeight: Int { lineHeight(small) }

  /// How many lines a text has.
  package func lines(of text: Span<UInt8>, _ font: Font, width: Int) -> Int {
    var rest = text
    var count = 0
    while true {
      let end =
        isUpright
        ? LineBreak(of: rest, font, width: width).end : font.wrapped(rest, width: width)
      guard end > 0 else { return count }  // the rest, if any, has no picture
      rest = rest.extracting(droppingFirst: end).droppingBlanks()
      count += 1
    }
  }

  /// Rows that a text takes in lines of the whole width.
  package func rows(of text: Span<UInt8>, _ font: Font? = nil, most: Int = .max) -> Int {
    let font = font ?? small
    return min(most, lines(of: text, font, width: size.width)) * lineHeight(font)
  }

  /// Wraps a text in rows of the whole width.
  package mutating func drawLines(
    of text: Span<UInt8>, _ font: Font? = nil, from top: Int, rows: Int
  ) {
    drawLines(
      of: text, font ?? small, in: Rectangle(x: 0, y: top, width: size.width, height: rows))
  }

  /// Wraps a text at blanks and hyphens; the last line that there is room for ends in an ellipsis.
  package mutating func drawLines(of text: Span<UInt8>, _ font: Font, in area: Rectangle) {
    let height = lineHeight(font)
    var rest = text
    for line in 0..<max(0, area.size.height / height) where !rest.isEmpty {
      let baseline = area.origin.y + (line + 1) * height - 3
      let isLast = (line + 2) * height > area.size.height
      if isUpright {
        let end = LineBreak(of: rest, font, width: area.size.width).end
        if !isLast && end > 0 || end == rest.count {
          rest = drawLine(
            of: rest, font, at: Point(area.origin.x, baseline), width: area.size.width)
          continue
        }
      }
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

extension Bitmap {
  /// The longest form of a phrase that fits in a line of small text, or else the last form.
  ///
  /// On an upright panel, and where it is `wrapped`, a form fits in `rows` rows if no word is parted.
  /// `taken` columns beside it belong to other drawings.
  @_lifetime(copy phrase)
  package func fitting(
    _ phrase: Span<UInt8>, beside taken: Int = 0, rows: Int = .max, wrapped: Bool = false
  ) -> Span<UInt8> {
    var number = 0
    while !phrase.form(number + 1).isEmpty,
      !fits(phrase.form(number), beside: taken, rows: rows, wrapped: wrapped)
    {
      number += 1
    }
    return phrase.form(number)
  }

  private func fits(_ form: Span<UInt8>, beside taken: Int, rows: Int, wrapped: Bool) -> Bool {
    let width = size.width - taken
    guard isUpright || wrapped else { return small.inkFits(form, in: width) }
    return !parts(form, small, width: width)
      && lines(of: form, small, width: width) * lineHeight <= rows
  }
}

extension Font {
  /// How many bytes of a text go in its first line: whole words, or the part of a long word that fits.
  fileprivate func wrapped(_ text: Span<UInt8>, width: Int) -> Int {
    let end = line(of: text, fitting: width)
    return end > 0 ? end : prefix(of: text, fitting: width)
  }
}

extension Span<UInt8> {
  /// The text without blanks at its start.
  @_lifetime(copy self)
  package func droppingBlanks() -> Span<UInt8> {
    var first = 0
    while first < count, self[first] == 0x20 { first += 1 }
    return extracting(droppingFirst: first)
  }
}

import Bytes
import Graphics
import Messages
import Words

/// The warning that the rider has left the route.
extension Bitmap {
  /// `Off route`, dark on a lit block, and below it the way back; no other screen looks like it.
  mutating func drawOffRoute(
    _ turn: ShownTurn, in layout: NavigationLayout, _ language: Language
  ) {
    let words = language[.offRoute]
    // The blank column behind the last letter need not fit.
    let beside = size.width - layout.street.size.width + 1
    var block = layout.column
    block.size.height -= 1
    var (number, hasRoom) = (0, false)
    while !hasRoom, !words.bytes.form(number).isEmpty {
      hasRoom = draw(words.bytes.form(number), in: block)
      number += 1
    }
    if let age = turn.figures.age {
      return drawAge(of: turn, age, in: layout.caption ?? layout.street, language)
    }
    guard hasRoom else {
      draw(line: fitting(words.bytes, beside: beside, rows: layout.street.size.height), in: layout)
      invert(layout.street)
      // The arrow says to turn round.
      if turn.hasNumber { drawDistance(turn.distance, in: layout.column) }
      return
    }
    invert(block)
    var text = FixedBuffer<640>()
    // A source without a distance sends 0, which would read `Now`.
    if turn.hasNumber {
      text.append(turn.distance)
      if !turn.street.isEmpty { text.append(", ") }
    }
    text.append(turn.street)
    if !text.isEmpty { return draw(line: text.bytes, in: layout) }
    let advice = language[.goBack]
    draw(line: fitting(advice.bytes, beside: beside), in: layout)
  }

  /// One line instead of the street, as large as fits; on an upright panel as many lines as fit.
  private mutating func draw(line: Span<UInt8>, in layout: NavigationLayout) {
    if layout.isUpright { return drawLinesInTheMiddle(of: line, in: layout.street) }
    if size.isSquare { return draw(square: line, in: layout.street) }
    let width = layout.street.size.width
    let font = layout.streetFont.fits(line, in: width) ? layout.streetFont : .bold12
    let isCut = !font.fits(line, in: width)
    let spare = isRightToLeft(line) && !isCut ? width - font.width(of: line) : 0
    draw(
      line, font: font, at: Point(layout.street.origin.x + spare, layout.streetBaseline),
      width: width - spare)
  }

  /// Draws as many lines as fit, in the largest letters in which all of them do.
  private mutating func draw(square line: Span<UInt8>, in area: Rectangle) {
    let font = Font.largest(from: .bold18) {
      lines(of: line, $0, width: area.size.width) * lineHeight($0) <= area.size.height
        && !parts(line, $0, width: area.size.width)
    }
    drawLines(of: line, font, in: area)
  }

  /// Draws small text in the middle of the rows, as much of it as there is room for.
  mutating func drawLinesInTheMiddle(of text: Span<UInt8>, in area: Rectangle) {
    let height = lines(of: text, .bold12, width: area.size.width) * lineHeight
    let rows = min(area.size.height, height)
    let top = area.origin.y + (area.size.height - rows + 1) / 2
    drawLines(
      of: text, .bold12, in: Rectangle(x: 0, y: top, width: area.size.width, height: rows))
  }

  /// Words in the middle of a block, in one line, or in two that are parted at the last blank;
  /// returns whether there was room.
  private mutating func draw(_ words: Span<UInt8>, in block: Rectangle) -> Bool {
    var blank = words.count
    for index in words.indices where words[index] == 0x20 { blank = index }
    let off = words.extracting(first: blank)
    let route = words.extracting(droppingFirst: blank).droppingBlanks()
    var candidate: Font? = .bold34
    while let font = candidate {
      let (offWidth, routeWidth) = (font.width(of: off), font.width(of: route))
      let gap = font.capHeight / 3
      let room = Size(block.size.width - 4, block.size.height - 4)
      if offWidth + gap + routeWidth <= room.width, font.capHeight <= room.height {
        let x = block.origin.x + (block.size.width - offWidth - gap - routeWidth) / 2
        let baseline = block.origin.y + (block.size.height + font.capHeight) / 2
        draw(off, font: font, at: Point(x, baseline))
        draw(route, font: font, at: Point(x + offWidth + gap, baseline))
        return true
      }
      let height = 2 * font.capHeight + gap
      if max(offWidth, routeWidth) <= room.width, height <= room.height {
        let top = block.origin.y + (block.size.height - height) / 2
        draw(
          off, font: font,
          at: Point(block.origin.x + (block.size.width - offWidth) / 2, top + font.capHeight))
        draw(
          route, font: font,
          at: Point(block.origin.x + (block.size.width - routeWidth) / 2, top + height))
        return true
      }
      candidate = font.smaller
    }
    return false
  }
}

extension ShownTurn {
  fileprivate var hasNumber: Bool {
    !distance.isEmpty && distance[0] >= 0x30 && distance[0] <= 0x39
  }
}

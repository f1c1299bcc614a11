import Bytes
import Graphics

/// The warning that the rider has left the route.
extension Bitmap {
  /// `Off route`, dark on a lit block, and below it how to get back; no other screen looks like it.
  mutating func drawOffRoute(_ turn: ShownTurn, in layout: NavigationLayout) {
    var block = layout.column
    block.size.height -= 1
    let hasRoom = drawWords(in: block)
    if let age = turn.age { return drawAge(of: turn, age, in: layout.street) }
    guard hasRoom else {
      draw(line: "Off route".utf8.span, in: layout)
      invert(layout.street)
      let advice = "Back".utf8
      drawDistance(turn.hasNumber ? turn.distance : advice.span, in: layout.column)
      return
    }
    invert(block)
    var text = FixedBuffer<640>()
    // Without a distance a source says 0: that would read `Now`.
    if turn.hasNumber {
      text.append(turn.distance)
      if !turn.street.isEmpty { text.append(", ") }
    }
    text.append(turn.street)
    if !text.isEmpty { return draw(line: text.bytes, in: layout) }
    let (long, middle, short) = ("Go back to the route".utf8, "Back to route".utf8, "Go back".utf8)
    let width = layout.street.size.width
    let isLong = Font.bold12.fits(long.span, in: width)
    let isMiddle = Font.bold12.fits(middle.span, in: width)
    draw(line: isLong ? long.span : isMiddle ? middle.span : short.span, in: layout)
  }

  /// One line in the place of the street, as large as fits.
  private mutating func draw(line: Span<UInt8>, in layout: NavigationLayout) {
    let width = layout.street.size.width
    let font = layout.streetFont.fits(line, in: width) ? layout.streetFont : .bold12
    let isCut = !font.fits(line, in: width)
    let spare = isRightToLeft(line) && !isCut ? width - font.width(of: line) : 0
    draw(
      line, font: font, at: Point(layout.street.origin.x + spare, layout.streetBaseline),
      width: width - spare)
  }

  /// The two words in the middle of a block, in one line or two; returns whether there was room.
  private mutating func drawWords(in block: Rectangle) -> Bool {
    let (off, route) = ("Off".utf8, "route".utf8)
    var candidate: Font? = .bold34
    while let font = candidate {
      let (offWidth, routeWidth) = (font.width(of: off.span), font.width(of: route.span))
      let gap = font.capHeight / 3
      let room = Size(block.size.width - 4, block.size.height - 4)
      if offWidth + gap + routeWidth <= room.width, font.capHeight <= room.height {
        let x = block.origin.x + (block.size.width - offWidth - gap - routeWidth) / 2
        let baseline = block.origin.y + (block.size.height + font.capHeight) / 2
        draw(off.span, font: font, at: Point(x, baseline))
        draw(route.span, font: font, at: Point(x + offWidth + gap, baseline))
        return true
      }
      let height = 2 * font.capHeight + gap
      if max(offWidth, routeWidth) <= room.width, height <= room.height {
        let top = block.origin.y + (block.size.height - height) / 2
        draw(
          off.span, font: font,
          at: Point(block.origin.x + (block.size.width - offWidth) / 2, top + font.capHeight))
        draw(
          route.span, font: font,
          at: Point(block.origin.x + (block.size.width - routeWidth) / 2, top + height))
        return true
      }
      candidate = font.smaller
    }
    return false
  }
}

extension ShownTurn {
  /// Whether the distance is a number.
  fileprivate var hasNumber: Bool {
    !distance.isEmpty && distance[0] >= 0x30 && distance[0] <= 0x39
  }
}

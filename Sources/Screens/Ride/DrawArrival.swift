import Bytes
import Graphics
import Messages
import Navigation
import Words

/// The end of the ride: a flag, the distance, the time and the street.
extension Bitmap {
  mutating func draw(_ arrival: borrowing Arrival) {
    var list = FigureList()
    list.add(.distance, of: arrival.trip)
    list.add(.time, of: arrival.trip)
    if size.isSquare { return drawSquare(arrival, list) }
    if size.width < 100 { return drawTall(arrival, list) }
    if size.height >= 60 { return drawWide(arrival, list) }
    drawLow(arrival, list)
  }

  /// The flag on the left, the words beside it, the street below both.
  private mutating func drawWide(_ arrival: borrowing Arrival, _ list: FigureList) {
    let street = arrival.street.isEmpty ? 0 : 16
    let height = size.height - street
    let flag = Arrow.size(fitting: height)
    draw(.finish, fitting: flag, at: Point(0, (height - flag) / 2))
    draw(
      arrival.street, font: Font.largest(from: .bold14) { $0.fits(arrival.street, in: size.width) },
      at: Point(0, size.height - 3), width: size.width)
    let area = Rectangle(
      x: flag + 6, y: 0, width: size.width - flag - 6, height: height)
    drawWords(of: arrival, list, in: area)
  }

  /// The flag with the figures beside it, the words and the street below both.
  private mutating func drawSquare(_ arrival: borrowing Arrival, _ list: FigureList) {
    let flag = Arrow.largest
    draw(.finish, fitting: flag, at: Point(0, 0))
    var list = list
    list.prefersTall = true
    draw(
      list, of: arrival.trip,
      in: Rectangle(x: flag + 8, y: 0, width: size.width - flag - 8, height: flag))
    let title = arrival.trip.language[.arrived]
    let words = title.bytes
    let font = Font.largest(from: .bold24) { $0.inkFits(words, in: size.width) }
    let baseline = flag + 5 + font.capHeight
    draw(title.bytes, font: font, at: Point(0, baseline))
    let street = arrival.street
    let (top, width) = (baseline + font.descent, size.width)
    let streetFont = Font.largest(from: .bold18) {
      lines(of: street, $0, width: width) * lineHeight($0) <= size.height - top
        && !parts(street, $0)
    }
    drawLines(of: street, streetFont, from: top, rows: size.height - top)
  }

  /// The flag on the left, and beside it a line each of title, figures and street.
  private mutating func drawLow(_ arrival: borrowing Arrival, _ list: FigureList) {
    let flag = Arrow.size(fitting: 27)
    draw(.finish, fitting: flag, at: Point(0, (size.height - flag) / 2))
    let x = flag + 4
    let title = arrival.trip.language[.arrived]
    let width = size.width - x
    var text = FixedBuffer<40>()
    for index in 0..<list.figures.count {
      let end = text.count
      if index > 0 { text.append(" ") }
      text.append(arrival.trip.text(of: list.figures[index]).bytes)
      if !small.inkFits(text.bytes, in: width) { text.truncate(to: end) }
    }
    let isFull = !text.isEmpty && !arrival.street.isEmpty
    let font: Font = isFull ? .bold12 : .bold14
    draw(title.bytes, font: font, at: Point(x, isFull ? 9 : 13))
    if isFull { draw(text.bytes, font: small, at: Point(x, 19), width: width + 1) }
    let bottom = Point(x, size.height - 3)
    if isFull || text.isEmpty {
      draw(arrival.street, font: small, at: bottom, width: width)
    } else {
      draw(text.bytes, font: small, at: bottom, width: width + 1)
    }
  }

  /// The flag above the words where there is room, the street below them.
  private mutating func drawTall(_ arrival: borrowing Arrival, _ list: FigureList) {
    var area = bounds
    if size.height > size.width {
      let flag = Arrow.size(fitting: min(size.width, size.height / 2))
      draw(.finish, fitting: flag, at: Point((size.width - flag) / 2, 0))
      area = Rectangle(x: 0, y: flag + 2, width: size.width, height: size.height - flag - 2)
    }
    let words = Font.bold14.capHeight + 2 + list.figures.count * (small.digitHeight + 2)
    let room = max(0, area.size.height - words - (isUpright ? 8 : 0)) / lineHeight
    let street = min(
      isUpright ? room : min(1, room), lines(of: arrival.street, .bold12, width: size.width))
    if street > 0 {
      let rows = street * lineHeight
      drawLines(of: arrival.street, from: size.height - rows, rows: rows)
      area.size.height -= rows
    }
    drawWords(of: arrival, list, in: area)
  }

  /// `Arrived`, as large as fits, and the list below it.
  private mutating func drawWords(
    of arrival: borrowing Arrival, _ list: FigureList, in area: Rectangle
  ) {
    let title = arrival.trip.language[.arrived]
    let words = title.bytes
    let font = Font.largest(from: .bold18) { $0.inkFits(words, in: area.size.width) }
    guard font.inkFits(words, in: area.size.width) else {
      draw(list, of: arrival.trip, in: area)
      return
    }
    guard !list.figures.isEmpty else {
      let baseline = area.origin.y + (area.size.height + font.capHeight) / 2
      draw(title.bytes, font: font, at: Point(area.origin.x, baseline))
      return
    }
    let rows = font.capHeight
    draw(title.bytes, font: font, at: Point(area.origin.x, area.origin.y + rows))
    draw(
      list, of: arrival.trip,
      in: Rectangle(
        x: area.origin.x, y: area.origin.y + rows + 3, width: area.size.width,
        height: area.size.height - rows - 3))
  }
}

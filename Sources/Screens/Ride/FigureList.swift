import Bytes
import Graphics
import Navigation

/// The known figures of a ride, the most useful first.
struct FigureList {
  private(set) var figures = FixedList<3, TripFigures.Figure>(filler: .time)
  /// The font of the numbers, where there is room for it.
  var largest = Font.bold24
  /// Whether a unit goes below its number rather than beside it.
  var prefersTall = false
  /// How full Lenker's own battery is, which is drawn at the right end of the first line.
  var ownBattery: UInt8?

  /// Columns of the first line that the battery takes, with the gap in front of it.
  var batteryWidth: Int { ownBattery == nil ? 0 : Bitmap.ownBatteryWidth + 3 }

  /// Adds a figure if it is known.
  mutating func add(_ figure: TripFigures.Figure, of trip: TripFigures) {
    if !trip.text(of: figure).isEmpty { figures.append(figure) }
  }
}

private struct ListLook {
  var font: Font
  var unitFont: Font
  var isTall: Bool

  var rows: Int { font.digitHeight + (isTall ? unitFont.capHeight + 3 : 0) }
  /// Columns between a number and its unit.
  var gap: Int { max(3, font.digitHeight / 8) }

  /// Rows that a figure reaches below its line, by the comma in its number or by its unit.
  func descent(_ figure: TripFigures.Figure, of trip: TripFigures) -> Int {
    let text = trip.text(of: figure)
    let quantity = Quantity(text.bytes)
    return max(font.extent(of: quantity.number).below, unitFont.extent(of: quantity.unit).below)
  }
}

extension Bitmap {
  /// Draws as many figures as there is room for, one below the other and all in the same font.
  ///
  /// A figure is worth more than the battery; returns whether the battery is there, too.
  @discardableResult
  mutating func draw(_ list: FigureList, of trip: TripFigures, in area: Rectangle) -> Bool {
    var bare = list
    bare.ownBattery = nil
    var count = list.figures.count
    while count > 0 {
      if let look = look(of: list, count, of: trip, in: area) {
        draw(list, count, of: trip, look, in: area)
        return list.ownBattery != nil
      }
      if list.ownBattery != nil, let look = look(of: bare, count, of: trip, in: area) {
        draw(bare, count, of: trip, look, in: area)
        return false
      }
      count -= 1
    }
    return false
  }

  private mutating func draw(
    _ list: FigureList, _ count: Int, of trip: TripFigures, _ look: ListLook, in area: Rectangle
  ) {
    let free =
      area.size.height - count * look.rows - look.descent(list.figures[count - 1], of: trip)
    // Lines stay together where there is much room.
    let gap = count > 1 ? min(free / (count - 1), look.font.digitHeight * 2 / 3) : 0
    var top = area.origin.y + (free - gap * (count - 1)) / 2
    for index in 0..<count {
      let text = trip.text(of: list.figures[index])
      let quantity = Quantity(text.bytes)
      let number = Point(area.origin.x, top + look.font.digitHeight)
      let end = draw(quantity.number, font: look.font, at: number, clip: bounds)
      let unit =
        look.isTall ? Point(area.origin.x, top + look.rows) : Point(end + look.gap, number.y)
      draw(quantity.unit, font: look.unitFont, at: unit)
      if index == 0, let percent = list.ownBattery {
        drawOwnBattery(
          percent, corner: Point(area.origin.x + area.size.width, top), rows: look.font.digitHeight)
      }
      top += look.rows + gap
    }
  }

  /// The largest fonts in which `count` figures fit, or `nil`.
  private func look(
    of list: FigureList, _ count: Int, of trip: TripFigures, in area: Rectangle
  ) -> ListLook? {
    Font.largest(from: list.largest) { font in
      let large: Font = font.rawValue > Font.bold14.rawValue ? .bold14 : .bold12
      for number in (list.prefersTall ? 0 : 1)..<4 {
        let look = ListLook(
          font: font, unitFont: number < 2 ? large : .bold12, isTall: number % 3 == 0)
        if fits(list, count, of: trip, look, in: area) { return look }
      }
      return nil
    }
  }

  private func fits(
    _ list: FigureList, _ count: Int, of trip: TripFigures, _ look: ListLook, in area: Rectangle
  ) -> Bool {
    // At least one dark row between two lines, and room for what hangs below the last line.
    let rows = count * (look.rows + 1) - 1 + look.descent(list.figures[count - 1], of: trip)
    guard rows <= area.size.height else { return false }
    for index in 0..<count {
      let text = trip.text(of: list.figures[index])
      let quantity = Quantity(text.bytes)
      let unit = look.unitFont.inkWidth(of: quantity.unit)
      let width =
        look.isTall
        ? max(look.font.inkWidth(of: quantity.number), unit)
        : look.font.width(of: quantity.number) + look.gap + unit
      if width + (index == 0 ? list.batteryWidth : 0) > area.size.width { return false }
    }
    return true
  }
}

import Bytes
import Graphics
import Messages
import Words

/// The page of the data: as many figures as there is room for, the larger the fewer they are.
extension Bitmap {
  mutating func draw(_ data: DataFigures, in language: Language) {
    let count = min(data.count, mostFigures)
    guard count > 0 else { return }
    // Of three, the first has the whole width of a large panel.
    let isFirstAlone = count == 3 && !isUpright
    if isFirstAlone { draw(data, 0..<1, of: count, in: language) }
    draw(data, (isFirstAlone ? 1 : 0)..<count, of: count, in: language)
  }

  /// How many figures this bitmap has room for.
  private var mostFigures: Int {
    if isUpright { return size.height >= 100 ? 4 : 2 }
    if size.width < 100 { return 1 }
    return size.height >= 60 ? 4 : 2
  }

  private mutating func draw(
    _ data: DataFigures, _ numbers: Range<Int>, of count: Int, in language: Language
  ) {
    var candidate: Font? = size.isSquare ? .bold56 : .bold48
    while let font = candidate {
      let large: Font = font.rawValue > Font.bold18.rawValue ? .bold14 : .bold12
      for number in 0..<4 {
        let look = FieldLook(
          font: font, unitFont: number < 2 ? large : .bold12, isTall: number & 1 == 1)
        let block = block(of: data, numbers, look, in: language)
        let cell = cell(numbers.lowerBound, of: count)
        // The blank column behind the last letter may be beyond the edge.
        // A dark row is between a figure and the next.
        let rows = cell.size.height - (count > 1 ? 1 : 0)
        let room = cell.size.width + 1 - (size.isSquare && count > 2 ? 4 : 0)
        guard block.width <= room, block.rows <= rows else { continue }
        return draw(data, numbers, of: count, look, block, in: language)
      }
      candidate = font.smaller
    }
  }

  private mutating func draw(
    _ data: DataFigures, _ numbers: Range<Int>, of count: Int, _ look: FieldLook,
    _ block: FieldBlock, in language: Language
  ) {
    for index in numbers {
      let field = data.field(index)
      let cell = cell(index, of: count)
      let number = data.number(of: field, in: language)
      let unit = data.unit(of: field, in: language, isNarrow: size.width < 36)
      let width = look.width(of: number)
      let left = cell.origin.x + max(0, cell.size.width - block.width + 1) / 2
      let middle = cell.origin.x + cell.size.width / 2
      let top = cell.origin.y + (cell.size.height - block.rows + 1) / 2
      let baseline = top + look.font.digitHeight
      let x = look.isTall ? middle - width / 2 : left + block.number - width
      draw(number, look, at: Point(max(cell.origin.x, x), baseline))
      let unitWidth = look.unitFont.inkWidth(of: unit.bytes)
      draw(
        unit.bytes, font: look.unitFont,
        at: look.isTall
          ? Point(middle - unitWidth / 2, baseline + look.unitGap + look.unitFont.capHeight)
          : Point(left + block.number + look.gap, baseline))
    }
  }

  /// Draws a number, or a dash in the middle of its rows.
  private mutating func draw(_ number: borrowing FigureNumber, _ look: FieldLook, at origin: Point)
  {
    let rows = look.font.digitHeight
    let sign = look.signWidth
    guard !number.whole.isEmpty else {
      return fill(
        Point(origin.x, origin.y - rows / 2 - 1), Size(look.dashWidth, max(2, rows / 10)))
    }
    var x = origin.x
    if number.isNegative {
      fill(Point(x, origin.y - rows / 2 - 1), Size(sign - 2, max(2, rows / 10)))
      x += sign
    }
    x = draw(number.whole.bytes, font: look.font, at: Point(x, origin.y))
    // A comma would reach into the unit below it.
    let raise = look.isTall ? look.restFont.extent(of: number.rest.bytes).below : 0
    draw(number.rest.bytes, font: look.restFont, at: Point(x, origin.y - raise))
  }

  private func cell(_ number: Int, of count: Int) -> Rectangle {
    let isFlat = !isUpright && size.height < 60
    let columns = isUpright || !isFlat && count == 2 || count == 1 ? 1 : 2
    let lines = (count + columns - 1) / columns
    let isFirstAlone = columns == 2 && count == 3
    let place = isFirstAlone && number > 0 ? number + 1 : number
    let (line, column) = (place / columns, place % columns)
    let width = isFirstAlone && number == 0 ? size.width : size.width / columns
    let top = size.height * line / lines
    return Rectangle(
      x: column * width, y: top, width: width, height: size.height * (line + 1) / lines - top)
  }

  /// The columns and rows that the largest of some figures takes.
  private func block(
    of data: DataFigures, _ numbers: Range<Int>, _ look: FieldLook, in language: Language
  ) -> FieldBlock {
    var (number, unit, descent) = (0, 0, 0)
    for index in numbers {
      let field = data.field(index)
      let text = data.unit(of: field, in: language, isNarrow: size.width < 36)
      number = max(number, look.width(of: data.number(of: field, in: language)))
      number = max(number, look.width(of: data.usualNumber(of: field)))
      unit = max(unit, look.unitFont.width(of: text.bytes))
      descent = max(descent, look.unitFont.extent(of: text.bytes).below)
    }
    // A unit beside a number may reach two rows below its block.
    let below = look.isTall ? look.unitGap + look.unitFont.capHeight + descent : max(0, descent - 2)
    return FieldBlock(
      number: number, width: look.isTall ? max(number, unit) : number + look.gap + unit,
      rows: look.font.digitHeight + below)
  }
}

private struct FieldLook {
  var font: Font
  var unitFont: Font
  var isTall: Bool

  /// The font of the tenth, which matters less than all before it.
  var restFont: Font {
    switch font {
    case .bold56: .bold34
    case .bold48: .bold24
    case .bold34: .bold24
    case .bold24: .bold18
    default: font
    }
  }
  /// Rows between a number and a unit below it.
  var unitGap: Int { font.digitHeight < 20 ? 1 : 2 }
  /// Columns between a number and a unit beside it.
  var gap: Int { max(3, font.digitHeight / 6) }
  var signWidth: Int { max(6, font.digitHeight / 2) }
  var dashWidth: Int { font.digitHeight * 2 / 3 }

  func width(of number: borrowing FigureNumber) -> Int {
    guard !number.whole.isEmpty else { return dashWidth }
    return (number.isNegative ? signWidth : 0) + font.width(of: number.whole.bytes)
      + restFont.width(of: number.rest.bytes)
  }
}

/// The room of figures that look the same.
private struct FieldBlock {
  /// Columns of the widest number.
  var number: Int
  /// Columns of number and unit.
  var width: Int
  var rows: Int
}

import Graphics
import Messages

extension Bitmap {
  /// A number with its unit beside it, as large as fits, or, in a narrow place, below it.
  ///
  /// Only a turn that is near has the largest digits. An estimated distance has a tilde before it.
  mutating func drawDistance(
    _ text: Span<UInt8>, isNear: Bool = false, isEstimated: Bool = false, isCentred: Bool = false,
    in area: Rectangle
  ) {
    let distance = Quantity(text)
    let sign = isEstimated && !distance.unit.isEmpty ? "~".utf8 : "".utf8
    let largest: Font = isNear && !distance.unit.isEmpty ? .bold48 : .bold34
    // A smaller number with its unit beside it is read more quickly than a large one above its unit; below an
    // arrow, in the middle of a narrow panel, the large one is.
    var candidate: Font? = isUpright ? nil : largest
    while let font = candidate, font.rawValue >= Font.bold18.rawValue {
      if drawBeside(sign.span, distance, font, isCentred: isCentred, in: area) { return }
      candidate = font.smaller
    }
    candidate = largest
    while let font = candidate {
      if drawBeside(sign.span, distance, font, isCentred: isCentred, in: area)
        || drawStacked(sign.span, distance, font, isCentred: isCentred, in: area)
      {
        return
      }
      candidate = font.smaller
    }
    drawCut(sign.span, text, in: area)
  }

  /// A word such as `Now`, or what there is room for of a distance, in small letters.
  private mutating func drawCut(_ sign: Span<UInt8>, _ text: Span<UInt8>, in area: Rectangle) {
    let baseline = area.origin.y + (area.size.height + Font.bold12.capHeight) / 2
    // The last column of a letter is blank, and one of the gap can be spared: `Jetzt` is as wide.
    let isTight =
      !Font.bold12.fits(text, in: area.size.width)
      && Font.bold12.fits(text, in: area.size.width + 2)
    let x = draw(sign, font: .bold12, at: Point(area.origin.x - (isTight ? 1 : 0), baseline))
    draw(
      text, font: .bold12, at: Point(x, baseline),
      width: area.origin.x + area.size.width - x + (isTight ? 1 : 0))
  }

  /// Draws a sign, a number and its unit in a row in the middle of the rows, or returns `false` if they do
  /// not fit.
  private mutating func drawBeside(
    _ sign: Span<UInt8>, _ distance: borrowing Quantity, _ font: Font, isCentred: Bool,
    in area: Rectangle
  ) -> Bool {
    let height = distance.unit.isEmpty ? font.capHeight : font.digitHeight
    let signFont = font.forSign
    let signWidth = signFont.width(of: sign)
    let width = signWidth + font.width(of: distance.number)
    let gap = distance.unit.isEmpty ? 0 : font.capHeight / 8
    // The blank column behind the last letter may be beyond the edge, where each one counts.
    let room = area.size.width + (sign.isEmpty ? 0 : 1) - width - gap
    let unitFont: Font =
      font.rawValue > Font.bold14.rawValue && Font.bold14.width(of: distance.unit) <= room
      ? .bold14 : .bold12
    let unitWidth = unitFont.width(of: distance.unit)
    guard unitWidth <= room, height <= area.size.height else { return false }
    let middle = area.origin.y + (area.size.height - height) / 2
    let baseline = (isCentred ? middle : raised(middle, rows: height)) + height
    let x = area.origin.x + (isCentred ? (area.size.width - width - gap - unitWidth) / 2 : 0)
    let raise = (font.digitHeight - signFont.digitHeight) / 2
    draw(sign, font: signFont, at: Point(x, baseline - raise))
    draw(distance.number, font: font, at: Point(x + signWidth, baseline), clip: bounds)
    draw(distance.unit, font: unitFont, at: Point(x + width + gap, baseline))
    return true
  }

  /// Draws a sign and a number, and the unit below them, or returns `false` if they do not fit.
  private mutating func drawStacked(
    _ sign: Span<UInt8>, _ distance: borrowing Quantity, _ font: Font, isCentred: Bool,
    in area: Rectangle
  ) -> Bool {
    let height = distance.unit.isEmpty ? font.capHeight : font.digitHeight
    let signFont = font.forSign
    let signWidth = signFont.width(of: sign)
    let width = signWidth + font.width(of: distance.number)
    let rows = area.size.height - height - 3
    let unitFont: Font =
      font.rawValue > Font.bold14.rawValue && Font.bold14.capHeight <= rows
        && Font.bold14.width(of: distance.unit) <= area.size.width ? .bold14 : .bold12
    let unitWidth = unitFont.width(of: distance.unit)
    guard width <= area.size.width, unitWidth <= area.size.width, unitFont.capHeight <= rows
    else { return false }
    let both = height + 3 + unitFont.capHeight
    let top = area.origin.y + (area.size.height - both) / 2
    let (x, unitX) =
      isCentred ? ((area.size.width - width) / 2, (area.size.width - unitWidth) / 2) : (0, 0)
    draw(sign, font: signFont, at: Point(area.origin.x + x, top + height))
    draw(distance.number, font: font, at: Point(area.origin.x + x + signWidth, top + height))
    draw(distance.unit, font: unitFont, at: Point(area.origin.x + unitX, top + both))
    return true
  }
}

extension Font {
  /// The font of a tilde before a number: the largest digits have no other sign.
  fileprivate var forSign: Font { self == .bold48 ? .bold34 : self }
}

/// The top row of a digit, moved up by at most four rows so that the digit lies in fewer pages.
///
/// Each page that a digit lies in is sent when the digit changes.
private func raised(_ top: Int, rows: Int) -> Int {
  let least = (rows + 7) / 8
  for row in (max(0, top - 4)...max(0, top)).reversed() {
    if (row + rows - 1) / 8 - row / 8 + 1 == least { return row }
  }
  return top
}

import Graphics

extension Bitmap {
  /// A number as large as fits with its unit beside it or, in a narrow place, below it.
  ///
  /// Only a turn that is near has the largest digits. An estimated distance has a tilde before it.
  mutating func drawDistance(
    _ text: Span<UInt8>, isNear: Bool = false, isEstimated: Bool = false, isCentred: Bool = false,
    in area: Rectangle
  ) {
    let distance = Quantity(text)
    let sign = isEstimated && !distance.unit.isEmpty ? "~".utf8 : "".utf8
    var candidate: Font? = isNear && !distance.unit.isEmpty ? .bold48 : .bold34
    while let font = candidate {
      let large: Font = font.rawValue > Font.bold14.rawValue ? .bold14 : .bold12
      if draw(sign.span, distance, font, large, isCentred: isCentred, in: area) { return }
      if large != .bold12,
        draw(sign.span, distance, font, .bold12, isCentred: isCentred, in: area)
      {
        return
      }
      candidate = font.smaller
    }
    let baseline = area.origin.y + (area.size.height + Font.bold12.capHeight) / 2
    // The last column of a letter is blank, and one of the gap can be spared: `Jetzt` is as wide.
    let isTight =
      !Font.bold12.fits(text, in: area.size.width)
      && Font.bold12.fits(text, in: area.size.width + 2)
    let x = draw(
      sign.span, font: .bold12, at: Point(area.origin.x - (isTight ? 1 : 0), baseline))
    draw(
      text, font: .bold12, at: Point(x, baseline),
      width: area.origin.x + area.size.width - x + (isTight ? 1 : 0))
  }

  /// Draws a sign and a distance in these fonts in the middle of the rows, or returns `false` if they
  /// do not fit.
  private mutating func draw(
    _ sign: Span<UInt8>, _ distance: Quantity, _ font: Font, _ unitFont: Font, isCentred: Bool,
    in area: Rectangle
  ) -> Bool {
    let height = distance.unit.isEmpty ? font.capHeight : font.digitHeight
    // The largest digits have no other sign.
    let signFont = font == .bold48 ? .bold34 : font
    let signWidth = signFont.width(of: sign)
    let width = signWidth + font.width(of: distance.number)
    let unitWidth = unitFont.width(of: distance.unit)
    guard width <= area.size.width, height <= area.size.height else { return false }
    let gap = distance.unit.isEmpty ? 0 : font.capHeight / 8
    // The blank column behind the last letter may be beyond the edge, where each one counts.
    let spare = sign.isEmpty ? 0 : 1
    if width + gap + unitWidth <= area.size.width + spare {
      let middle = area.origin.y + (area.size.height - height) / 2
      let baseline = (isCentred ? middle : raised(middle, rows: height)) + height
      let x = area.origin.x + (isCentred ? (area.size.width - width - gap - unitWidth) / 2 : 0)
      let raise = (font.digitHeight - signFont.digitHeight) / 2
      draw(sign, font: signFont, at: Point(x, baseline - raise))
      draw(distance.number, font: font, at: Point(x + signWidth, baseline), clip: bounds)
      draw(distance.unit, font: unitFont, at: Point(x + width + gap, baseline))
      return true
    }
    let both = height + 3 + unitFont.capHeight
    guard unitWidth <= area.size.width, both <= area.size.height else { return false }
    let top = area.origin.y + (area.size.height - both) / 2
    let (x, unitX) =
      isCentred ? ((area.size.width - width) / 2, (area.size.width - unitWidth) / 2) : (0, 0)
    draw(sign, font: signFont, at: Point(area.origin.x + x, top + height))
    draw(distance.number, font: font, at: Point(area.origin.x + x + signWidth, top + height))
    draw(distance.unit, font: unitFont, at: Point(area.origin.x + unitX, top + both))
    return true
  }
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

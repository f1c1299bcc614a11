import Graphics

/// Rows of a square panel of 128 × 128 pixels.
private enum SquareRows {
  /// The bar of a turn that is near: a page of the RAM, with a dark row above and below.
  static var bar: Range<Int> { 66..<71 }
  /// Where the street begins.
  static var street: Int { 74 }
  /// Where the last line begins, which an age, a word for the turn or a figure has.
  static var caption: Int { 110 }
}

extension NavigationLayout {
  /// Lays out a square panel: the arrow with distance and bar beside it, and below them the street.
  ///
  /// The street has up to three lines of the whole width. The last of them is that of an age; a word for the
  /// turn or an extra figure has it where the street leaves it. Digits lie in five pages of the RAM.
  init(square size: Size, for turn: ShownTurn) {
    let isOld = turn.age != nil
    let free = (isOld ? SquareRows.caption : size.height) - SquareRows.street
    fit = StreetFit(square: turn.street, width: size.width, rows: free)
    let lines = SquareLines(fit, of: turn.street)
    streetFont = lines.font
    linePitch = lines.pitch
    // One that scrolls lies in the last two pages.
    let runs = fit.isScrolled && !isOld
    streetBaseline = runs ? size.height - 3 : SquareRows.street + lines.above
    let end = streetBaseline + lines.below
    let isSpare = isOld || turn.street.isEmpty || end <= SquareRows.caption
    let hasCaption = isOld || isSpare && (turn.hasCaption || turn.extra != nil && !turn.isOffRoute)
    caption =
      hasCaption
      ? Rectangle(
        x: 0, y: SquareRows.caption, width: size.width, height: size.height - SquareRows.caption)
      : nil
    // Without anything below it the turn is in the middle.
    let isAlone = !turn.needsLine && !hasCaption
    let top = isAlone ? 32 : 0
    arrow = Arrow.largest
    arrowOrigin = Point(0, top)
    column = Rectangle(x: arrow + 4, y: top, width: size.width - arrow - 4, height: arrow - 2)
    // Below the distance: the whole width would cost twice as much on the bus.
    let rows = SquareRows.bar
    nearBar =
      turn.nearness == nil
      ? nil
      : Rectangle(
        x: column.origin.x, y: top + rows.lowerBound, width: column.size.width, height: rows.count)
    street =
      runs
      ? Rectangle(x: 0, y: size.height - 16, width: size.width, height: 16)
      : Rectangle(x: 0, y: SquareRows.street, width: size.width, height: free)
    isUpright = false
  }
}

/// The rows of a name on a square panel.
private struct SquareLines {
  let font: Font
  let pitch: Int
  /// Rows from the top to the last baseline, and those that letters reach below it.
  let above, below: Int

  init(_ fit: StreetFit, of street: Span<UInt8>) {
    let count: Int
    switch fit.way {
    case .one(let font): (count, self.font) = (1, font)
    case .several(let lines, let font): (count, self.font) = (lines, font)
    case .two, .scrolled: (count, font) = (1, street.isEmpty ? .bold18 : .bold14)
    }
    let extent = font.extent(of: street)
    pitch = font.pitch(of: street)
    above = max(font.capHeight, extent.above) + (count - 1) * pitch
    below = extent.below
  }
}

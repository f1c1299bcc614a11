import Bytes
import Graphics

/// Where the parts of the navigation screen go on a panel of any size.
///
/// On a panel that is wider than high the arrow is on the left and the distance to its right. The
/// street has the whole width below them, or the place below the distance if no arrow of a useful
/// size would be left. A name in two lines takes rows of the arrow. A street that scrolls lies in the
/// last two pages, so that a step of it is 256 bytes. With nothing in the line of the street, arrow
/// and distance have the whole height.
struct NavigationLayout {
  /// Side of the arrow's square; its top left is `arrowOrigin`.
  let arrow: Int
  let arrowOrigin: Point
  /// The place of the distance: right of the arrow or below it, and above the street.
  let column: Rectangle
  /// The line of an age, a word for the turn or an extra figure, where there is room for it.
  let caption: Rectangle?
  let nearBar: Rectangle?
  let street: Rectangle
  let fit: StreetFit
  let streetFont: Font

  let streetBaseline: Int
  let linePitch: Int
  /// Whether all parts stand one below the other, in the middle of the columns.
  let isUpright: Bool

  init(_ size: Size, for turn: ShownTurn) {
    if size.isSquare {
      self.init(square: size, for: turn)
    } else if size.isUpright {
      self.init(upright: size, for: turn)
    } else {
      self.init(wide: size, for: turn)
    }
  }

  /// Lays out a panel that is wider than high.
  ///
  /// A low panel keeps 13 rows for the street, and more only if it has tall letters: Chinese, or
  /// capitals with accents.
  private init(wide size: Size, for turn: ShownTurn) {
    let isLarge = size.height >= 60 && size.width >= 100
    streetFont = size.height >= 60 ? .bold14 : .bold12
    var lines = StreetLines(height: turn.needsLine ? 16 : 0, descent: 3)
    if turn.needsLine, size.height < 60 { lines = StreetLines(low: turn.street) }
    let isStacked = size.height - lines.height >= Arrow.size(fitting: 0)
    let gap = size.width >= 100 ? 4 : 2
    let half = size.width / 2
    let beside = isStacked ? 0 : Arrow.size(fitting: min(size.height, half)) + gap
    fit = StreetFit(
      turn.street, streetFont, width: size.width - beside,
      mayTakeTwo: isLarge && !turn.isOffRoute)
    if case .two(let place) = fit.way {
      lines =
        fit.isShortened
        ? StreetLines(ShortenedStreet(turn.street).name.bytes, place)
        : StreetLines(turn.street, place)
    }
    let above = size.height - lines.height
    arrow = Arrow.size(fitting: min(isStacked ? above : size.height, half))
    arrowOrigin = Point(0, ((isStacked ? above : size.height) - arrow) / 2)
    var column = Rectangle(
      x: arrow + gap, y: 0, width: size.width - arrow - gap, height: isStacked ? above : above - 1)
    let barWidth = 5
    let hasBar = turn.figures.nearness != nil && isLarge
    nearBar =
      hasBar
      ? Rectangle(x: size.width - barWidth, y: 0, width: barWidth, height: column.size.height) : nil
    // A further line of small text must leave room for a distance in the largest font. An age takes two
    // lines and makes the distance smaller, as that is old.
    let isOld = turn.figures.age != nil
    let captionRows = Font.bold12.capHeight + (isOld ? Font.bold12.capHeight + 6 : 4)
    let digits: Font = isOld ? .bold18 : .bold34
    let isSpare = column.size.height - captionRows >= digits.capHeight + 2
    let hasCaption = turn.hasLineAbove && isSpare && (turn.hasCaption || isLarge)
    if hasBar { column.size.width -= barWidth + 2 }
    caption =
      hasCaption
      ? Rectangle(column.origin, Size(column.size.width, captionRows)) : nil
    if hasCaption {
      // The block of an age touches no digit.
      let rows = captionRows + (isOld ? 1 : 0)
      column.origin.y += rows
      column.size.height -= rows
    }
    self.column = column
    street = Rectangle(x: beside, y: above, width: size.width - beside, height: lines.height)
    streetBaseline = size.height - lines.descent
    linePitch = lines.pitch
    isUpright = false
  }
}

private struct StreetLines {
  /// Rows of all lines.
  var height: Int
  /// Rows below the last baseline.
  var descent: Int
  /// Rows from one baseline to the next.
  var pitch = 12

  init(height: Int, descent: Int) { (self.height, self.descent) = (height, descent) }

  /// One line of the small font, as low as it may be.
  init(low street: Span<UInt8>) {
    let extent = Font.bold12.extent(of: street)
    height = max(13, extent.above + extent.below)
    descent = min(3, height - extent.above)
  }

  /// Two lines of the small font, which may touch but not overlap.
  init(_ street: Span<UInt8>, _ place: StreetBreak) {
    let first = Font.bold12.extent(of: street.extracting(first: place.end))
    let second = Font.bold12.extent(of: place.rest(of: street))
    pitch = max(pitch, first.below + second.above)
    height = max(24, first.above + pitch + second.below)
    descent = min(3, height - first.above - pitch)
  }
}

/// Rows of a square panel of 128 × 128 pixels.
private enum SquareRows {
  /// The bar of a turn that is near: a page of the RAM, with a dark row above and below.
  static var bar: Range<Int> { 66..<71 }
  /// Where the street begins.
  static var street: Int { 74 }
  /// Where the last line begins, which shows an age, a word for the turn or a figure.
  static var caption: Int { 110 }
}

extension NavigationLayout {
  /// Lays out a square panel: the arrow with distance and bar beside it, and below them the street.
  ///
  /// The street has up to three lines of the whole width. An age takes the last of them; a word for the turn
  /// or an extra figure takes it if the street leaves it free. Digits lie in five pages of the RAM.
  init(square size: Size, for turn: ShownTurn) {
    let isOld = turn.figures.age != nil
    let free = (isOld ? SquareRows.caption : size.height) - SquareRows.street
    fit = StreetFit(square: turn.street, width: size.width, rows: free)
    let lines = SquareLines(fit, of: turn.street)
    streetFont = lines.font
    linePitch = lines.pitch
    // A street that scrolls lies in the last two pages.
    let runs = fit.isScrolled && !isOld
    streetBaseline = runs ? size.height - 3 : SquareRows.street + lines.above
    let end = streetBaseline + lines.below
    let isSpare = isOld || turn.street.isEmpty || end <= SquareRows.caption
    let hasCaption =
      isOld || isSpare && (turn.hasCaption || turn.figures.extra != nil && !turn.isOffRoute)
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
    // The bar is below the distance: the whole width would cost twice as much on the bus.
    let rows = SquareRows.bar
    nearBar =
      turn.figures.nearness == nil
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
  /// Rows from the top to the last baseline, and rows of letters below it.
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

extension NavigationLayout {
  /// Lays out a panel that stands upright: the arrow on top, below it the distance, and the street.
  ///
  /// The distance keeps enough rows to be read at a glance, and the arrow those that it needs. The
  /// street has the rows that are left.
  init(upright size: Size, for turn: ShownTurn) {
    var room = UprightRoom(size, for: turn, hasCaption: true)
    if !turn.hasCaption, room.captionRows > 0 {
      // An extra figure takes no line from the street.
      let without = UprightRoom(size, for: turn, hasCaption: false)
      if room.fit.showsLess(than: without.fit) { room = without }
    }
    let (isTall, isWide, captionRows) = (room.isTall, room.isWide, room.captionRows)
    streetFont = room.font
    fit = room.fit
    let lines = UprightLines(fit, for: turn, streetFont)
    // Words instead of a street wrap, too; an age is one line.
    let isAge = turn.figures.age != nil && captionRows == 0
    let hasWords = turn.isOffRoute || !isWide && turn.street.isEmpty && turn.word != nil
    let streetRows =
      isAge ? 15 : hasWords ? (isTall ? 39 : 26) : turn.needsLine ? lines.height : 0
    arrow = Arrow.size(fitting: min(size.width, room.rest - streetRows))
    arrowOrigin = Point((size.width - arrow) / 2, 0)
    let gap = isTall ? 2 : 1
    var top = arrow + gap
    caption =
      captionRows > 0 ? Rectangle(x: 0, y: top, width: size.width, height: captionRows - gap) : nil
    top += captionRows
    nearBar = room.barRows == 0 ? nil : Rectangle(x: 0, y: top, width: size.width, height: 5)
    top += room.barRows
    let bottom = size.height - streetRows
    column = Rectangle(x: 0, y: top, width: size.width, height: bottom - top - (hasWords ? 0 : 1))
    street = Rectangle(x: 0, y: bottom, width: size.width, height: streetRows)
    streetBaseline = size.height - lines.descent
    linePitch = lines.pitch
    isUpright = true
  }
}

/// The rows of an upright panel, before the arrow takes its own.
private struct UprightRoom {
  let isTall, isWide: Bool
  /// Rows of the line above the distance, and of the bar of a turn that is near.
  let captionRows, barRows: Int
  /// Rows of arrow and street.
  let rest: Int
  let font: Font
  let fit: StreetFit

  /// The room with a line above the distance, if there is something to say in it, or without one.
  init(_ size: Size, for turn: ShownTurn, hasCaption: Bool) {
    isTall = size.height >= 100
    isWide = size.width >= 56
    // On the narrowest panel an age takes two lines, and there is no room for words.
    let isSpare = isTall && (isWide || turn.figures.age != nil || !turn.hasCaption)
    captionRows = hasCaption && turn.hasLineAbove && isSpare ? (isWide ? 17 : 28) : 0
    barRows = turn.figures.nearness != nil && isTall ? 8 : 0
    rest = size.height - (isWide ? 40 : isTall ? 30 : 15) - captionRows - barRows
    let leastArrow = isWide ? (captionRows > 0 ? 32 : 40) : 27
    font = isWide ? .bold14 : .bold12
    fit = StreetFit(upright: turn.street, font, width: size.width, rows: rest - leastArrow)
  }
}

/// The rows of a name on a panel that stands upright.
private struct UprightLines {
  var height: Int
  var descent = 3
  var pitch: Int

  init(_ fit: StreetFit, for turn: ShownTurn, _ font: Font) {
    let extent = font.extent(of: turn.street)
    switch fit.way {
    case .several(let count, let font):
      pitch = font.pitch(of: turn.street)
      descent = max(2, font.extent(of: turn.street).below)
      height = count * pitch + max(0, font.extent(of: turn.street).above - font.capHeight)
    case .one, .two, .scrolled:
      pitch = 0
      height = max(font.capHeight + 4, extent.above + extent.below)
    }
  }
}

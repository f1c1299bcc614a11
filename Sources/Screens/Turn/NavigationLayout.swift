import Graphics

/// Where the parts of the navigation screen go on a panel of any size.
///
/// On one that is wider than high the arrow is on the left and the distance to its right. The street
/// has the whole width below them, or, where that would leave no arrow of a useful size, the place
/// below the distance. A name in two lines takes rows of the arrow. A street that scrolls lies in the
/// last two pages, so that a step of it is 256 bytes. Where there is nothing to write in it, arrow
/// and distance have the whole height.
struct NavigationLayout {
  /// Side of the arrow's square; its top left is `arrowOrigin`.
  let arrow: Int
  /// Top left of the arrow.
  let arrowOrigin: Point
  /// The place of the distance: right of the arrow or below it, and above the street.
  let column: Rectangle
  /// The line of an age, a word for the turn or an extra figure, where there is room for it.
  let caption: Rectangle?
  /// The bar of a turn that is near.
  let nearBar: Rectangle?
  /// The lines of the street.
  let street: Rectangle
  /// How its name fits in them.
  let fit: StreetFit
  /// The largest font of the street.
  let streetFont: Font

  /// Where the letters of the street stand, those of its last line.
  let streetBaseline: Int
  /// Rows from its first line to a second one.
  let linePitch: Int
  /// Whether all stands one below the other, in the middle of the columns.
  let isUpright: Bool

  /// Lays out a panel of `size` for a turn.
  init(_ size: Size, for turn: ShownTurn) {
    if size.isSquare {
      self.init(square: size, for: turn)
    } else if size.isUpright {
      self.init(upright: size, for: turn)
    } else {
      self.init(wide: size, for: turn)
    }
  }

  /// Lays out one that is wider than high.
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
        ? StreetLines(ShortenedStreet(turn.street).bytes, place) : StreetLines(turn.street, place)
    }
    let above = size.height - lines.height
    arrow = Arrow.size(fitting: min(isStacked ? above : size.height, half))
    arrowOrigin = Point(0, ((isStacked ? above : size.height) - arrow) / 2)
    var column = Rectangle(
      x: arrow + gap, y: 0, width: size.width - arrow - gap, height: isStacked ? above : above - 1)
    let barWidth = 5
    let hasBar = turn.nearness != nil && isLarge
    nearBar =
      hasBar
      ? Rectangle(x: size.width - barWidth, y: 0, width: barWidth, height: column.size.height) : nil
    // A further line of small text must leave room for a distance in the largest font. An age takes two, and
    // room from a distance that is old.
    let isOld = turn.age != nil
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

/// The rows of a street's name.
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

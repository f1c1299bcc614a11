import Graphics

/// Where the parts of the navigation screen go on a panel of any size.
///
/// The arrow is on the left and the distance to its right. The street has the whole width below
/// them, or, where that would leave no arrow of a useful size, the place below the distance. On
/// every panel it lies in the last two pages, so that a step of a scrolling street is 256 bytes.
/// Where there is nothing to write in it, arrow and distance have the whole height.
struct NavigationLayout {
  /// Side of the arrow's square; its top left is `arrowOrigin`.
  let arrow: Int
  /// Top left of the arrow.
  let arrowOrigin: Point
  /// What is right of the arrow and above the street.
  let column: Rectangle
  /// The line of the street.
  let street: Rectangle
  /// The largest font of the street.
  let streetFont: Font

  /// Rows of the street's line below the baseline.
  private let descent: Int

  /// Lays out a panel of `size` for a turn.
  ///
  /// A low panel keeps 13 rows for the street, and more only if it has tall letters: Chinese, or
  /// capitals with accents.
  init(_ size: Size, for turn: ShownTurn) {
    streetFont = size.height >= 60 ? .bold14 : .bold12
    var (line, descent) = (16, 3)
    if !turn.needsLine {
      line = 0
    } else if size.height < 60 {
      let extent = Font.bold12.extent(of: turn.street)
      line = max(13, extent.above + extent.below)
      descent = min(3, line - extent.above)
    }
    self.descent = descent
    let above = size.height - line
    let isStacked = above >= Arrow.size(fitting: 0)
    arrow = Arrow.size(fitting: min(isStacked ? above : size.height, size.width / 2))
    arrowOrigin = Point(0, ((isStacked ? above : size.height) - arrow) / 2)
    let x = arrow + (size.width >= 100 ? 4 : 2)
    column = Rectangle(
      x: x, y: 0, width: size.width - x, height: isStacked ? above : above - 1)
    let streetX = isStacked ? 0 : x
    street = Rectangle(x: streetX, y: above, width: size.width - streetX, height: line)
  }

  /// Where the letters of the street stand.
  var streetBaseline: Int { street.origin.y + street.size.height - descent }

  /// Rows from the first line of a street to the second one, which may have tall letters.
  func lineHeight(above second: Span<UInt8>) -> Int {
    Font.bold12.extent(of: second).above > 10 ? 16 : Font.bold12.capHeight + 4
  }

  /// Whether a further line of small text leaves room for a distance of the largest font.
  var hasSpareLine: Bool {
    column.size.height - Font.bold12.capHeight - 4 >= Font.bold34.capHeight + 2
  }
}

/// How a street is fitted in.
enum StreetFit {
  /// In one line of a font.
  case one(Font)
  /// In two lines of the small font, the first of this many bytes beside the arrow.
  case two(Int)
  /// Not at all: it scrolls.
  case none

  /// Tries one line in the large and in the small font, then two lines.
  init(_ street: Span<UInt8>, in layout: NavigationLayout, mayTakeTwo: Bool) {
    let width = layout.street.size.width
    if layout.streetFont.fits(street, in: width) {
      self = .one(layout.streetFont)
    } else if Font.bold12.fits(street, in: width) {
      self = .one(.bold12)
    } else if mayTakeTwo {
      let first = Font.bold12.line(of: street, fitting: layout.column.size.width)
      let rest = street.extracting(droppingFirst: first).droppingBlanks()
      self = first > 0 && Font.bold12.fits(rest, in: width) ? .two(first) : .none
    } else {
      self = .none
    }
  }
}

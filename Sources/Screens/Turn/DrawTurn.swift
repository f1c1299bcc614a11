import Bytes
public import Graphics
import Navigation
import Turns

extension Bitmap {
  /// The arrow, the distance and the street; a stale turn has a dim arrow and says how old it is.
  mutating func draw(_ turn: ShownTurn) {
    let layout = NavigationLayout(size, for: turn)
    draw(
      Arrow(turn.maneuver), fitting: layout.arrow, at: layout.arrowOrigin,
      isDim: turn.age != nil)
    if turn.isOffRoute {
      drawOffRoute(turn, in: layout)
    } else {
      drawWay(turn, in: layout)
    }
    if turn.isInverted { invert(bounds) }
  }

  private mutating func drawWay(_ turn: ShownTurn, in layout: NavigationLayout) {
    var column = layout.column
    if turn.hasCaption, layout.hasSpareLine {
      drawCaption(of: turn, in: Rectangle(column.origin, Size(column.size.width, lineHeight)))
      column.origin.y += lineHeight
      column.size.height -= lineHeight
    }
    if let age = turn.age, !layout.hasSpareLine {
      drawAge(of: turn, age, in: layout.street)
    } else if turn.street.isEmpty {
      drawName(turn.word.utf8.span, in: layout)
    } else {
      column.size.height -= drawStreet(of: turn, in: layout)
    }
    drawDistance(turn.distance, in: column)
  }

  /// The age of a stale turn, or what is special about this one.
  private mutating func drawCaption(of turn: ShownTurn, in area: Rectangle) {
    if let age = turn.age {
      drawAge(of: turn, age, in: area)
    } else {
      let baseline = area.origin.y + Font.bold14.capHeight + 1
      draw(turn.word.utf8.span, font: .bold14, at: Point(area.origin.x, baseline))
    }
  }

  // MARK: - The street

  /// Draws the street and returns how many rows of the column it covers as well.
  private mutating func drawStreet(of turn: ShownTurn, in layout: NavigationLayout) -> Int {
    let isFromRight = isRightToLeft(turn.street)
    switch fit(of: turn, in: layout) {
    case .one(let font):
      draw(turn.street, font, in: layout.street, layout, isFromRight)
    case .two(let first):
      let rest = turn.street.extracting(droppingFirst: first).droppingBlanks()
      let rows = layout.lineHeight(above: rest)
      var line = layout.column
      line.origin.y = layout.street.origin.y - rows
      line.size.height = layout.street.size.height
      draw(turn.street.extracting(first: first), .bold12, in: line, layout, isFromRight)
      draw(rest, .bold12, in: layout.street, layout, isFromRight)
      return rows
    case .none where turn.streetOffset > 0:
      drawScrolled(turn, in: layout, isFromRight)
    case .none:
      let origin = Point(layout.street.origin.x, layout.streetBaseline)
      if isFromRight {
        drawScrolled(turn, in: layout, isFromRight)
      } else {
        draw(turn.street, font: layout.streetFont, at: origin, width: layout.street.size.width)
      }
    }
    return 0
  }

  /// Draws a line that fits in an area of the street's height, at the side where it begins.
  private mutating func draw(
    _ text: Span<UInt8>, _ font: Font, in area: Rectangle, _ layout: NavigationLayout,
    _ isFromRight: Bool
  ) {
    let spare = isFromRight ? area.size.width - font.width(of: text) : 0
    let baseline = area.origin.y + layout.streetBaseline - layout.street.origin.y
    draw(text, font: font, at: Point(area.origin.x + spare, baseline))
  }

  /// Draws what of a long street is to be seen now.
  private mutating func drawScrolled(
    _ turn: ShownTurn, in layout: NavigationLayout, _ isFromRight: Bool
  ) {
    let area = layout.street
    let offset = max(0, min(turn.streetOffset, 0x1_0000))
    let start =
      isFromRight ? area.size.width - layout.streetFont.width(of: turn.street) + offset : -offset
    let origin = Point(area.origin.x + start, layout.streetBaseline)
    draw(turn.street, font: layout.streetFont, at: origin, clip: area)
  }

  /// How many columns of the street do not fit on this panel in any way and have to scroll.
  ///
  /// 0 if it stands still. `ShownTurn.streetOffset` from 1 up to this number shows all of it.
  public func streetOverflow(of turn: ShownTurn) -> Int {
    let layout = NavigationLayout(size, for: turn)
    guard !turn.isOffRoute, case .none = fit(of: turn, in: layout) else { return 0 }
    return layout.streetFont.width(of: turn.street) - layout.street.size.width
  }

  private func fit(of turn: ShownTurn, in layout: NavigationLayout) -> StreetFit {
    StreetFit(turn.street, in: layout, mayTakeTwo: layout.hasSpareLine && !turn.hasCaption)
  }

  /// A word in the place of a street that has no name.
  private mutating func drawName(_ word: Span<UInt8>, in layout: NavigationLayout) {
    draw(
      word, font: layout.streetFont, at: Point(layout.street.origin.x, layout.streetBaseline),
      width: layout.street.size.width)
  }

  // MARK: - Age

  /// `12 s ago` in an inverted bar, or what of it there is room for, and at its end a mark.
  mutating func drawAge(of turn: ShownTurn, _ age: Age, in area: Rectangle) {
    var text = FixedBuffer<32>()
    age.append(to: &text)
    let short = text.count
    text.append(" ago")
    let large: Font = area.size.height >= 16 ? .bold14 : .bold12
    let mark = turn.isPhoneInDoubt ? "!".utf8 : "".utf8
    let markWidth = large.width(of: mark.span)
    let room = area.size.width - 4 - markWidth
    if !large.fits(text.bytes, in: room) { text.truncate(to: short) }
    let baseline = area.origin.y + (area.size.height + large.capHeight) / 2
    draw(text.bytes, font: large, at: Point(area.origin.x + 2, baseline), width: room)
    let markX = area.origin.x + area.size.width - 1 - markWidth
    draw(mark.span, font: large, at: Point(markX, baseline))
    invert(area)
  }
}

extension ShownTurn {
  /// Whether it is no turn but the warning that the rider has left the route.
  var isOffRoute: Bool { maneuver == .offRoute }

  /// What is special about this turn beside its arrow, empty for most.
  var word: String {
    switch maneuver {
    case .start: "Start"
    case .finish: "Finish"
    default: ""
    }
  }

  /// Whether something stands below arrow and distance, or may.
  var needsLine: Bool { !street.isEmpty || !word.isEmpty || age != nil || isOffRoute }

  /// Whether something stands above the distance where there is room.
  var hasCaption: Bool { age != nil || !word.isEmpty && !street.isEmpty }
}

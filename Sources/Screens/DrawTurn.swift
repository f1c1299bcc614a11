import Bytes
public import Graphics

extension Bitmap {
  /// The arrow, the distance and the street; a stale turn has a dim arrow and says how old it is.
  mutating func draw(_ turn: Turn) {
    let layout = NavigationLayout(size, for: turn.street)
    draw(
      Arrow(direction: turn.direction), fitting: layout.arrow, at: layout.arrowOrigin,
      isDim: turn.age != nil)
    var column = layout.column
    if let age = turn.age, layout.hasSpareLine {
      drawAge(age, in: Rectangle(column.origin, Size(column.size.width, layout.lineHeight)))
      column.origin.y += layout.lineHeight
      column.size.height -= layout.lineHeight
    }
    if let age = turn.age, !layout.hasSpareLine {
      drawAge(age, in: layout.street)
    } else if drawStreet(of: turn, in: layout) {
      column.size.height -= layout.lineHeight(of: turn.street)
    }
    drawDistance(turn.distance, in: column)
    if turn.isInverted { invert(bounds) }
  }

  /// Draws the street and returns whether it took the last line of the column as well.
  private mutating func drawStreet(of turn: Turn, in layout: NavigationLayout) -> Bool {
    let origin = Point(layout.street.origin.x, layout.streetBaseline)
    let width = layout.street.size.width
    switch fit(of: turn, in: layout) {
    case .one(let font):
      draw(turn.street, font: font, at: origin)
    case .none where turn.streetOffset > 0:
      let start = Point(origin.x - min(turn.streetOffset, 0x1_0000), origin.y)
      draw(turn.street, font: layout.streetFont, at: start, clip: layout.street)
    case .two(let first):
      draw(drawFirstLine(first, of: turn.street, in: layout), font: .bold12, at: origin)
      return true
    case .none(let first):
      let rest = drawFirstLine(first, of: turn.street, in: layout)
      draw(rest, font: .bold12, at: origin, width: width)
      return first > 0
    }
    return false
  }

  /// Draws the first bytes of a street in the column and returns the rest.
  @_lifetime(copy street)
  private mutating func drawFirstLine(
    _ count: Int, of street: Span<UInt8>, in layout: NavigationLayout
  ) -> Span<UInt8> {
    let origin = Point(
      layout.column.origin.x, layout.streetBaseline - layout.lineHeight(of: street))
    draw(street.extracting(first: count), font: .bold12, at: origin)
    return street.extracting(droppingFirst: count).droppingBlanks()
  }

  /// How many columns of the street do not fit on this panel in any way and would have to scroll.
  ///
  /// 0 if it stands still. `Turn.streetOffset` from 1 up to this number shows all of it.
  public func streetOverflow(of turn: Turn) -> Int {
    let layout = NavigationLayout(size, for: turn.street)
    guard case .none = fit(of: turn, in: layout) else { return 0 }
    return layout.streetFont.width(of: turn.street) - layout.street.size.width
  }

  private func fit(of turn: Turn, in layout: NavigationLayout) -> StreetFit {
    StreetFit(turn.street, in: layout, mayTakeTwo: layout.hasSpareLine && turn.age == nil)
  }

  /// `12 s ago` in an inverted bar, or what of it there is room for.
  private mutating func drawAge(_ seconds: Int, in area: Rectangle) {
    let seconds = max(0, seconds)
    var text = FixedBuffer<32>()
    if seconds < 60 {
      text.append(decimal: Int64(widening: seconds))
      text.append(" s")
    } else if seconds < 3600 {
      text.append(decimal: Int64(widening: seconds / 60))
      text.append(" min")
    } else {
      text.append(decimal: Int64(widening: seconds / 3600))
      text.append(" h")
    }
    let short = text.count
    text.append(" ago")
    let room = area.size.width - 4
    if !Font.bold12.fits(text.bytes, in: room) { text.truncate(to: short) }
    let baseline = area.origin.y + (area.size.height + Font.bold12.capHeight) / 2 - 1
    draw(text.bytes, font: .bold12, at: Point(area.origin.x + 2, baseline), width: room)
    invert(area)
  }
}

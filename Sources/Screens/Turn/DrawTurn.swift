import Bytes
public import Graphics
import Navigation
import Turns
import Words

extension Bitmap {
  /// The arrow, the distance and the street; a stale turn has a dim arrow and says how old it is.
  mutating func draw(_ turn: ShownTurn, in language: Language) {
    let layout = NavigationLayout(size, for: turn)
    draw(
      Arrow(turn.maneuver), fitting: layout.arrow, at: layout.arrowOrigin,
      isDim: turn.age != nil)
    if turn.isOffRoute {
      drawOffRoute(turn, in: layout, language)
    } else {
      drawWay(turn, in: layout, language)
    }
    if turn.isInverted {
      invert(bounds)
    } else if turn.isMarked {
      invert(Rectangle(layout.arrowOrigin, Size(layout.arrow, layout.arrow)))
    }
  }

  private mutating func drawWay(
    _ turn: ShownTurn, in layout: NavigationLayout, _ language: Language
  ) {
    var column = layout.column
    if turn.hasCaption, layout.hasSpareLine {
      drawCaption(
        of: turn, in: Rectangle(column.origin, Size(column.size.width, lineHeight)), language)
      column.origin.y += lineHeight
      column.size.height -= lineHeight
    }
    if let age = turn.age, !layout.hasSpareLine {
      drawAge(of: turn, age, in: layout.street, language)
    } else if turn.street.isEmpty {
      if let word = turn.word { drawName(word, in: layout, language) }
    } else {
      drawStreet(of: turn, in: layout)
    }
    if let metres = turn.nearness, size.height >= 60, size.width >= 100 {
      column.size.width -= nearBarWidth + 2
      drawNearBar(metres, height: layout.column.size.height)
    }
    drawDistance(turn.distance, isNear: turn.nearness != nil, in: column)
  }

  /// The age of a stale turn, or what is special about this one.
  private mutating func drawCaption(
    of turn: ShownTurn, in area: Rectangle, _ language: Language
  ) {
    if let age = turn.age {
      drawAge(of: turn, age, in: area, language)
    } else if let word = turn.word {
      let baseline = area.origin.y + Font.bold14.capHeight + 1
      let name = language[word]
      draw(name.bytes, font: .bold14, at: Point(area.origin.x, baseline))
    }
  }

  // MARK: - The way that is left

  /// Columns of the bar at the right edge.
  private var nearBarWidth: Int { 5 }

  /// A bar of 100 m that shrinks to the turn, in a frame.
  private mutating func drawNearBar(_ metres: Int, height: Int) {
    let x = size.width - nearBarWidth
    fill(Point(x, 0), Size(nearBarWidth, height))
    let free = (height - 2) * (100 - max(0, min(100, metres))) / 100
    fill(Point(x + 1, 1), Size(nearBarWidth - 2, free), lit: false)
  }

  // MARK: - The street

  private mutating func drawStreet(of turn: ShownTurn, in layout: NavigationLayout) {
    let isFromRight = isRightToLeft(turn.street)
    switch layout.fit.way {
    case .scrolled where turn.streetOffset > 0 || isFromRight:
      drawScrolled(turn, in: layout, isFromRight)
    case .scrolled:
      let origin = Point(layout.street.origin.x, layout.streetBaseline)
      draw(turn.street, font: layout.streetFont, at: origin, width: layout.street.size.width)
    case .one, .two:
      guard layout.fit.isShortened else { return draw(whole: turn.street, in: layout, isFromRight) }
      let short = ShortenedStreet(turn.street)
      draw(whole: short.bytes, in: layout, isFromRight)
    }
  }

  /// Draws a name that fits, in one line or two.
  private mutating func draw(
    whole street: Span<UInt8>, in layout: NavigationLayout, _ isFromRight: Bool
  ) {
    switch layout.fit.way {
    case .one(let font): draw(street, font, at: layout.streetBaseline, in: layout, isFromRight)
    case .two(let place):
      let first = street.extracting(first: place.end)
      let top = layout.streetBaseline - layout.linePitch
      let end = draw(first, .bold12, at: top, in: layout, isFromRight)
      if place.isHyphenated { draw("-".utf8.span, font: .bold12, at: Point(end, top)) }
      draw(place.rest(of: street), .bold12, at: layout.streetBaseline, in: layout, isFromRight)
    case .scrolled: break
    }
  }

  /// Draws a line that fits, at the side where it begins; returns the column behind it.
  @discardableResult
  private mutating func draw(
    _ text: Span<UInt8>, _ font: Font, at baseline: Int, in layout: NavigationLayout,
    _ isFromRight: Bool
  ) -> Int {
    let spare = isFromRight ? layout.street.size.width - font.width(of: text) : 0
    return draw(text, font: font, at: Point(layout.street.origin.x + spare, baseline))
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
    guard !turn.isOffRoute, case .scrolled = layout.fit.way else { return 0 }
    return layout.streetFont.width(of: turn.street) - layout.street.size.width
  }

  /// A word in the place of a street that has no name.
  private mutating func drawName(
    _ word: Phrase, in layout: NavigationLayout, _ language: Language
  ) {
    let name = language[word]
    draw(
      name.bytes, font: layout.streetFont, at: Point(layout.street.origin.x, layout.streetBaseline),
      width: layout.street.size.width)
  }

  // MARK: - Age

  /// `No link 12 s` in an inverted bar, or what of it there is room for, and at its end a mark.
  mutating func drawAge(
    of turn: ShownTurn, _ age: Age, in area: Rectangle, _ language: Language
  ) {
    let words = language[turn.isLinkLost ? .noLink : .noNews]
    let large: Font = area.size.height >= 16 ? .bold14 : .bold12
    let mark = turn.isPhoneInDoubt ? "!".utf8 : "".utf8
    let markWidth = large.width(of: mark.span)
    let room = area.size.width - 4 - markWidth
    let baseline = area.origin.y + (area.size.height + large.capHeight) / 2
    var text = FixedBuffer<32>()
    var (form, isLarge, isSmall) = (0, false, false)
    while !isLarge, !isSmall {
      let word = words.bytes.form(form)
      text.removeAll()
      text.append(word)
      if !word.isEmpty { text.append(" ") }
      age.append(to: &text, in: language)
      // Behind the last form comes an empty one, and the age stands alone.
      isLarge = large.fits(text.bytes, in: room) || word.isEmpty
      isSmall = Font.bold12.fits(text.bytes, in: room)
      form += 1
    }
    draw(
      text.bytes, font: isLarge ? large : .bold12, at: Point(area.origin.x + 2, baseline),
      width: room)
    let markX = area.origin.x + area.size.width - 1 - markWidth
    draw(mark.span, font: large, at: Point(markX, baseline))
    invert(area)
  }
}

extension ShownTurn {
  /// Whether it is no turn but the warning that the rider has left the route.
  var isOffRoute: Bool { maneuver == .offRoute }

  /// What is special about this turn beside its arrow, nothing for most.
  var word: Phrase? {
    switch maneuver {
    case .start: .start
    case .finish: .finish
    default: nil
    }
  }

  /// Whether something stands below arrow and distance, or may.
  var needsLine: Bool { !street.isEmpty || word != nil || age != nil || isOffRoute }

  /// Whether something stands above the distance where there is room.
  var hasCaption: Bool { age != nil || word != nil && !street.isEmpty }
}

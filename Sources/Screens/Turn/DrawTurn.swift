import Bytes
package import Graphics
import Messages
import Turns
import Words

extension Bitmap {
  /// The arrow, the distance and the street; a stale turn has a dim arrow and says how old it is.
  mutating func draw(_ turn: ShownTurn, in language: Language) {
    let layout = NavigationLayout(size, for: turn)
    draw(
      Arrow(turn.figures.maneuver), fitting: layout.arrow, at: layout.arrowOrigin,
      isDim: turn.figures.age != nil)
    if turn.isOffRoute {
      drawOffRoute(turn, in: layout, language)
    } else {
      drawWay(turn, in: layout, language)
    }
    if turn.figures.isInverted {
      invert(bounds)
    } else if turn.figures.isMarked {
      invert(Rectangle(layout.arrowOrigin, Size(layout.arrow, layout.arrow)))
    }
  }

  private mutating func drawWay(
    _ turn: ShownTurn, in layout: NavigationLayout, _ language: Language
  ) {
    if let caption = layout.caption { drawCaption(of: turn, in: caption, language) }
    if let age = turn.figures.age, layout.caption == nil {
      drawAge(of: turn, age, in: layout.street, language)
    } else if turn.street.isEmpty {
      if let word = turn.word { drawName(word, in: layout, language) }
    } else {
      drawStreet(of: turn, in: layout)
    }
    if let metres = turn.figures.nearness, let bar = layout.nearBar { drawNearBar(metres, in: bar) }
    drawDistance(
      turn.distance, isNear: turn.figures.nearness != nil, isEstimated: turn.figures.isEstimated,
      isCentred: layout.isUpright, in: layout.column)
  }

  /// The age of a stale turn, else what is special about this turn, else the figure that the rider chose.
  private mutating func drawCaption(
    of turn: ShownTurn, in area: Rectangle, _ language: Language
  ) {
    if let age = turn.figures.age {
      drawAge(of: turn, age, in: area, language)
    } else if turn.hasCaption, let word = turn.word {
      let name = language[word]
      drawCaption(name.bytes, in: area)
    } else if let extra = turn.figures.extra {
      var text = FixedBuffer<24>()
      extra.append(to: &text, in: language)
      drawCaption(text.bytes, in: area)
    }
  }

  private mutating func drawCaption(_ text: Span<UInt8>, in area: Rectangle) {
    let width = area.size.width + 1
    if isUpright, !Font.bold12.fits(text, in: width) {
      return drawLinesInTheMiddle(of: text, in: area)
    }
    let font: Font = .largest(from: size.isSquare ? .bold18 : .bold14) { $0.fits(text, in: width) }
    let baseline = area.origin.y + font.capHeight + (size.isSquare ? 0 : 1)
    let spare = isUpright ? max(0, area.size.width - font.width(of: text)) / 2 : 0
    draw(text, font: font, at: Point(area.origin.x + spare, baseline), width: width)
  }

  // MARK: - The bar of a near turn

  /// A bar of 100 m in a frame, which shrinks downwards, or to the left if it lies flat.
  private mutating func drawNearBar(_ metres: Int, in bar: Rectangle) {
    fill(bar.origin, bar.size)
    let (width, height) = (bar.size.width - 2, bar.size.height - 2)
    let left = max(0, min(100, metres))
    let inside = Point(bar.origin.x + 1, bar.origin.y + 1)
    if width > height {
      let lit = width * left / 100
      fill(Point(inside.x + lit, inside.y), Size(width - lit, height), lit: false)
    } else {
      fill(inside, Size(width, height * (100 - left) / 100), lit: false)
    }
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
    case .one, .two, .several:
      guard layout.fit.isShortened else { return draw(whole: turn.street, in: layout, isFromRight) }
      let short = ShortenedStreet(turn.street)
      draw(whole: short.name.bytes, in: layout, isFromRight)
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
    case .several(let count, let font):
      drawLines(of: street, count, font, in: layout)
    case .scrolled: break
    }
  }

  /// Draws a name in lines, the last of them on the baseline.
  private mutating func drawLines(
    of street: Span<UInt8>, _ count: Int, _ font: Font, in layout: NavigationLayout
  ) {
    var rest = street
    var baseline = layout.streetBaseline - (count - 1) * layout.linePitch
    while !rest.isEmpty, baseline <= layout.streetBaseline {
      let origin = Point(layout.street.origin.x, baseline)
      rest = drawLine(of: rest, font, at: origin, width: layout.street.size.width)
      baseline += layout.linePitch
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

  /// Draws the part of a long street that is visible now.
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

  /// How many columns of the street do not fit on this panel, so that it must scroll; 0 if all fit.
  ///
  /// `ShownTurn.streetOffset` from 1 up to this number shows all of the street.
  package func streetOverflow(of turn: ShownTurn) -> Int {
    var room = size
    if turn.figures.radar != nil { room.width -= ShownRadar.width(on: size) }
    let layout = NavigationLayout(room, for: turn)
    guard !turn.isOffRoute, case .scrolled = layout.fit.way else { return 0 }
    return layout.streetFont.width(of: turn.street) - layout.street.size.width
  }

  /// A word instead of a street without a name.
  private mutating func drawName(
    _ word: Phrase, in layout: NavigationLayout, _ language: Language
  ) {
    let name = language[word]
    if isUpright, !layout.streetFont.fits(name.bytes, in: size.width) {
      return drawLinesInTheMiddle(of: name.bytes, in: layout.street)
    }
    draw(
      name.bytes, font: layout.streetFont, at: Point(layout.street.origin.x, layout.streetBaseline),
      width: layout.street.size.width)
  }
}

extension ShownTurn {
  /// Whether this is the warning that the rider has left the route instead of a turn.
  var isOffRoute: Bool { figures.maneuver == .offRoute }

  /// A word for a turn that is a start or a finish.
  var word: Phrase? {
    switch figures.maneuver {
    case .start: .start
    case .finish: .finish
    default: nil
    }
  }

  /// Whether something stands below arrow and distance, or may stand there.
  var needsLine: Bool { !street.isEmpty || word != nil || figures.age != nil || isOffRoute }

  /// Whether something about this turn stands above the distance where there is room.
  var hasCaption: Bool { figures.age != nil || word != nil && !street.isEmpty }

  /// Whether anything stands above the distance where there is room.
  var hasLineAbove: Bool { (hasCaption || figures.extra != nil) && !isOffRoute }
}

extension Arrow {
  /// The sign of a maneuver; a neutral one where a wrong arrow could lead astray.
  init(_ maneuver: Maneuver) {
    self =
      switch maneuver {
      case .none: .none
      case .straight: .straight
      case .start: .start
      case .finish: .finish
      case .slightLeft: .slightLeft
      case .left: .left
      case .sharpLeft: .sharpLeft
      case .sharpRight: .sharpRight
      case .right: .right
      case .slightRight: .slightRight
      case .forkLeft: .forkLeft
      case .forkRight: .forkRight
      case .uTurn: .uTurn
      case .pointOfInterest: .pointOfInterest
      case .roundabout(let exit, .clockwise): Arrow(exit, isClockwise: true)
      case .roundabout(let exit, .counterclockwise): Arrow(exit, isClockwise: false)
      case .roundabout(.unsaid, nil): .roundabout
      case .roundabout(_, nil): .exitUnknown
      case .offRoute: .offRoute
      case .unknown: .unknown
      }
  }

  private init(_ exit: Maneuver.Exit, isClockwise: Bool) {
    self =
      switch exit {
      case .left where isClockwise: .exitLeftClockwise
      case .right where !isClockwise: .exitRightCounterclockwise
      case .number(1, of: 1): isClockwise ? .exit1Of1Clockwise : .exit1Of1Counterclockwise
      case .number(1, of: 2): isClockwise ? .exit1Of2Clockwise : .exit1Of2Counterclockwise
      case .number(2, of: 2): isClockwise ? .exit2Of2Clockwise : .exit2Of2Counterclockwise
      case .number(1, of: 3): isClockwise ? .exit1Of3Clockwise : .exit1Of3Counterclockwise
      case .number(2, of: 3): isClockwise ? .exit2Of3Clockwise : .exit2Of3Counterclockwise
      case .number(3, of: 3): isClockwise ? .exit3Of3Clockwise : .exit3Of3Counterclockwise
      case .unsaid: .roundabout
      case .unknown, .left, .right, .number: .exitUnknown
      }
  }
}

/// A sign that shows what to do at a turn.
///
/// Its drawing is in `Fonts/arrows/` under the same name.
package enum Arrow: Equatable, Sendable {
  /// Dots: the phone says nothing.
  case none
  case straight
  /// By 45, 90 and 135 degrees.
  case slightLeft, left, sharpLeft
  /// By 45, 90 and 135 degrees.
  case slightRight, right, sharpRight
  /// The branches of a fork.
  case forkLeft, forkRight
  case uTurn
  /// Where a route starts, and a flag where it ends.
  case start, finish
  /// A pin.
  case pointOfInterest
  /// An octagon, which points nowhere.
  case offRoute
  /// A question mark: no arrow, since a wrong one leads astray.
  case unknown
  /// A roundabout with its ways out, and one with a question mark.
  case roundabout, exitUnknown
  /// Out of a clockwise roundabout: to the left, or by one of at most three exits.
  case exitLeftClockwise
  case exit1Of1Clockwise, exit1Of2Clockwise, exit2Of2Clockwise
  case exit1Of3Clockwise, exit2Of3Clockwise, exit3Of3Clockwise
  /// Out of a counterclockwise roundabout: to the right, or by one of at most three exits.
  case exitRightCounterclockwise
  case exit1Of1Counterclockwise, exit1Of2Counterclockwise, exit2Of2Counterclockwise
  case exit1Of3Counterclockwise, exit2Of3Counterclockwise, exit3Of3Counterclockwise

  /// The side in pixels of the drawing for a square panel, beside which there is no room on others.
  package static var largest: Int { 64 }

  /// The side in pixels of the largest other drawing that fits in `limit`.
  package static func size(fitting limit: Int) -> Int {
    if limit >= 56 { return 56 }
    if limit >= 48 { return 48 }
    if limit >= 40 { return 40 }
    return limit >= 32 ? 32 : 27
  }

  static func table(_ size: Int) -> GlyphTable {
    switch size {
    case 64: GlyphTable(Tables.arrows64)
    case 56: GlyphTable(Tables.arrows56)
    case 48: GlyphTable(Tables.arrows48)
    case 40: GlyphTable(Tables.arrows40)
    case 32: GlyphTable(Tables.arrows32)
    default: GlyphTable(Tables.arrows27)
    }
  }
}

extension Bitmap {
  /// Lights the largest drawing of an arrow that fits in `limit` rows, its top left at `origin`.
  ///
  /// Returns its size, a square's side. Where `isDim`, only every second pixel is lit.
  @discardableResult
  package mutating func draw(
    _ arrow: Arrow, fitting limit: Int, at origin: Point, isDim: Bool = false
  ) -> Int {
    #if arch(wasm32)
      words.appendArrow()
    #endif
    let size = limit >= Arrow.largest ? Arrow.largest : Arrow.size(fitting: limit)
    let table = Arrow.table(size)
    guard isNear(origin), let glyph = table.glyph(arrow.code) else { return size }
    let corner = Point(origin.x + glyph.left, origin.y - glyph.top)
    draw(glyph, of: table.reader, at: corner, in: bounds, isDim: isDim)
    return size
  }
}

/// A sign that says what to do, drawn in `Fonts/arrows/` under the same name.
package enum Arrow: Equatable, Sendable {
  /// Dots: nothing is said.
  case none
  /// Straight on.
  case straight
  /// To the left by 45 degrees.
  case slightLeft
  /// To the left by 90 degrees.
  case left
  /// To the left by 135 degrees.
  case sharpLeft
  /// To the right by 45 degrees.
  case slightRight
  /// To the right by 90 degrees.
  case right
  /// To the right by 135 degrees.
  case sharpRight
  /// The left branch of a fork.
  case forkLeft
  /// The right branch of a fork.
  case forkRight
  /// Back.
  case uTurn
  /// Off: where a route starts.
  case start
  /// A flag: where a route ends.
  case finish
  /// A pin.
  case pointOfInterest
  /// An octagon, which points nowhere.
  case offRoute
  /// A question mark: no arrow, since a wrong one leads astray.
  case unknown
  /// A roundabout with its ways out.
  case roundabout
  /// A roundabout with a question mark.
  case exitUnknown
  /// Out of a clockwise roundabout to the left.
  case exitLeftClockwise
  /// Out of a clockwise roundabout with one exit.
  case exit1Of1Clockwise
  /// Out of a clockwise roundabout by the first exit of two.
  case exit1Of2Clockwise
  /// Out of a clockwise roundabout by the second exit of two.
  case exit2Of2Clockwise
  /// Out of a clockwise roundabout by the first exit of three.
  case exit1Of3Clockwise
  /// Out of a clockwise roundabout by the second exit of three.
  case exit2Of3Clockwise
  /// Out of a clockwise roundabout by the third exit of three.
  case exit3Of3Clockwise
  /// Out of a counterclockwise roundabout to the right.
  case exitRightCounterclockwise
  /// Out of a counterclockwise roundabout with one exit.
  case exit1Of1Counterclockwise
  /// Out of a counterclockwise roundabout by the first exit of two.
  case exit1Of2Counterclockwise
  /// Out of a counterclockwise roundabout by the second exit of two.
  case exit2Of2Counterclockwise
  /// Out of a counterclockwise roundabout by the first exit of three.
  case exit1Of3Counterclockwise
  /// Out of a counterclockwise roundabout by the second exit of three.
  case exit2Of3Counterclockwise
  /// Out of a counterclockwise roundabout by the third exit of three.
  case exit3Of3Counterclockwise

  /// The largest size in pixels, a square's side, that there is a drawing of and that fits in `limit`.
  package static func size(fitting limit: Int) -> Int {
    if limit >= 56 { return 56 }
    if limit >= 48 { return 48 }
    if limit >= 40 { return 40 }
    return limit >= 32 ? 32 : 27
  }

  /// The drawings of one of the sizes.
  static func table(_ size: Int) -> GlyphTable {
    switch size {
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
    let size = Arrow.size(fitting: limit)
    let table = Arrow.table(size)
    guard isNear(origin), let glyph = table.glyph(arrow.code) else { return size }
    let corner = Point(origin.x + glyph.left, origin.y - glyph.top)
    draw(glyph, of: table, at: corner, in: bounds, isDim: isDim)
    return size
  }
}

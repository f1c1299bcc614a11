/// The sign of one direction, as komoot numbers them; a number that it does not know has a neutral one.
public struct Arrow: Equatable, Sendable {
  /// The direction's number.
  public let direction: UInt8

  /// The sign of a direction.
  public init(direction: UInt8) { self.direction = direction }

  /// The largest size in pixels, a square's side, that there is a drawing of and that fits in `limit`.
  public static func size(fitting limit: Int) -> Int {
    if limit >= 56 { return 56 }
    if limit >= 48 { return 48 }
    return limit >= 32 ? 32 : 27
  }

  /// The drawings of one of the sizes.
  static func table(_ size: Int) -> GlyphTable {
    switch size {
    case 56: GlyphTable(Tables.arrows56)
    case 48: GlyphTable(Tables.arrows48)
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
  public mutating func draw(
    _ arrow: Arrow, fitting limit: Int, at origin: Point, isDim: Bool = false
  ) -> Int {
    let size = Arrow.size(fitting: limit)
    let table = Arrow.table(size)
    guard let glyph = table.glyph(UInt32(arrow.direction)) ?? table.glyph(255) else { return size }
    guard isNear(origin) else { return size }
    let corner = Point(origin.x + glyph.left, origin.y - glyph.top)
    draw(glyph, of: table, at: corner, in: bounds, isDim: isDim)
    return size
  }
}

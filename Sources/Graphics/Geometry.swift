/// A point on the panel; the origin is its top left, `y` grows downwards.
public struct Point: Equatable, Sendable {
  /// Columns from the left edge.
  public var x: Int
  /// Rows from the top edge.
  public var y: Int

  /// The point in column `x` and row `y`.
  public init(_ x: Int, _ y: Int) { (self.x, self.y) = (x, y) }
}

/// A width and a height in pixels.
public struct Size: Equatable, Sendable {
  /// Columns.
  public var width: Int
  /// Rows.
  public var height: Int

  /// The size of `width` columns and `height` rows.
  public init(_ width: Int, _ height: Int) { (self.width, self.height) = (width, height) }
}

/// A rectangle of pixels: `size` columns and rows from `origin` on.
public struct Rectangle: Equatable, Sendable {
  /// Its top left pixel.
  public var origin: Point
  /// How far it reaches.
  public var size: Size

  /// The rectangle of `size` at `origin`.
  public init(_ origin: Point, _ size: Size) { (self.origin, self.size) = (origin, size) }

  /// The rectangle of `width` columns and `height` rows at column `x` and row `y`.
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.init(Point(x, y), Size(width, height))
  }

  /// The columns that it covers; none if its width is not positive.
  var columns: Range<Int> { origin.x..<origin.x + max(0, size.width) }

  /// The rows that it covers; none if its height is not positive.
  var rows: Range<Int> { origin.y..<origin.y + max(0, size.height) }
}

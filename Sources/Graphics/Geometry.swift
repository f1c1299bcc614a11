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

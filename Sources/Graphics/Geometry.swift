/// A point on the panel; the origin is its top left, `y` grows downwards.
package struct Point: Equatable, Sendable {
  /// Columns from the left edge.
  package var x: Int
  /// Rows from the top edge.
  package var y: Int

  package init(_ x: Int, _ y: Int) { (self.x, self.y) = (x, y) }
}

/// A width and a height in pixels.
package struct Size: Equatable, Sendable {
  package var width: Int
  package var height: Int

  package init(_ width: Int, _ height: Int) { (self.width, self.height) = (width, height) }

  /// Whether there is much room in both directions, also beside the strip of a radar.
  package var isSquare: Bool { width >= 100 && height >= 100 }

  /// Whether a panel of this size stands upright, where it is often too narrow for a whole word.
  package var isUpright: Bool { height > width && !isSquare }
}

/// A rectangle of pixels: `size` columns and rows from `origin` on.
package struct Rectangle: Equatable, Sendable {
  /// Its top left pixel.
  package var origin: Point
  /// How far it reaches.
  package var size: Size

  package init(_ origin: Point, _ size: Size) { (self.origin, self.size) = (origin, size) }

  /// The rectangle of `width` columns and `height` rows at column `x` and row `y`.
  package init(x: Int, y: Int, width: Int, height: Int) {
    self.init(Point(x, y), Size(width, height))
  }

  /// The columns that it covers; none if its width is not positive.
  var columns: Range<Int> { origin.x..<origin.x + max(0, size.width) }

  /// The rows that it covers; none if its height is not positive.
  var rows: Range<Int> { origin.y..<origin.y + max(0, size.height) }
}

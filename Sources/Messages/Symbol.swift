package import Graphics

/// A sign that says what a screen of words is about before one word is read.
///
/// The source is the picture: a lit pixel is `#`.
package struct Symbol: ExpressibleByStringLiteral {
  /// Rows of dots and number signs, each ending with a line feed but the last.
  let art: String

  package init(stringLiteral art: String) { self.art = art }

  /// Width and height in pixels.
  package var size: Size {
    let pixels = art.utf8
    var width = 0
    while width < pixels.span.count, pixels.span[width] != 0x0A { width += 1 }
    return Size(width, (pixels.span.count + 1) / (width + 1))
  }
}

extension Bitmap {
  /// Lights a symbol, its top left at `origin`; each of its pixels is a square of `scale` rows.
  package mutating func draw(_ symbol: Symbol, at origin: Point, scale: Int = 1) {
    let pixels = symbol.art.utf8
    var point = origin
    for index in pixels.span.indices {
      switch pixels.span[index] {
      case 0x0A: point = Point(origin.x, point.y + scale)
      case 0x23:
        if scale == 1 {
          self[point.x, point.y] = true
        } else {
          fill(point, Size(scale, scale))
        }
        point.x += scale
      default: point.x += scale
      }
    }
  }
}

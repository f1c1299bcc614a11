import Foundation

/// One arrow: what is lit, or darkened again, one after the other, in a grid of 56 units.
struct Drawing {
  /// Units on each side of the grid; `y` grows downwards.
  static let grid = 56.0

  /// A point of the grid.
  struct Point {
    var x: Double
    var y: Double
  }

  /// Bearings are degrees clockwise from the top.
  enum Shape {
    case stroke(width: Double, points: [Point])
    case arc(width: Double, center: Point, radius: Double, from: Double, to: Double)
    case head(tip: Point, bearing: Double, length: Double, halfWidth: Double)
    case fill(points: [Point])
    case disc(center: Point, radius: Double)
  }

  /// What the panel knows it by: komoot's number of a direction.
  var code: UInt32
  var name: String
  var steps: [(shape: Shape, lights: Bool)] = []
  /// The drawing that this one is the mirror image of.
  var mirrored: UInt32?
}

/// A drawing of one size.
///
/// A pixel is lit if its centre is in a shape. So that strokes keep one width and both halves of a
/// symmetric arrow are the same, widths are rounded to the parity of the size, and the middles of
/// strokes and tips of heads to whole pixels from the middle of the picture.
struct Raster {
  let size: Int
  private(set) var pixels: [Bool]

  init(_ drawing: Drawing, size: Int) {
    self.size = size
    pixels = Array(repeating: false, count: size * size)
    for step in drawing.steps {
      let contains = containment(of: step.shape)
      for index in pixels.indices {
        let center = Drawing.Point(
          x: Double(index % size) + 0.5, y: Double(index / size) + 0.5)
        if contains(center) { pixels[index] = step.lights }
      }
    }
  }

  /// Swaps left and right.
  mutating func mirror() {
    pixels = pixels.indices.map { pixels[$0 / size * size + size - 1 - $0 % size] }
  }

  private var scale: Double { Double(size) / Drawing.grid }

  /// Whether a pixel's centre is in the shape.
  private func containment(of shape: Drawing.Shape) -> (Drawing.Point) -> Bool {
    switch shape {
    case .stroke(let width, let points):
      let reach = self.width(width) / 2
      let points = points.map(snapped)
      let segments = zip(points, points.dropFirst())
      return { point in segments.contains { point.distance(to: $0, $1) <= reach } }
    case .arc(let width, let center, let radius, let from, let to):
      let reach = self.width(width) / 2
      let center = snapped(center)
      let radius = (radius * scale).rounded()
      return { point in
        abs(point.distance(to: center) - radius) <= reach
          && center.bearing(of: point, isIn: from...to)
      }
    case .head(let tip, let bearing, let length, let halfWidth):
      return head(snapped(tip), bearing, (length * scale).rounded(), (halfWidth * scale).rounded())
    case .fill(let points):
      let points = points.map(snapped)
      return { $0.isInside(points) }
    case .disc(let center, let radius):
      let center = snapped(center)
      let radius = max(1, radius * scale)
      return { $0.distance(to: center) <= radius }
    }
  }

  private func head(
    _ tip: Drawing.Point, _ bearing: Double, _ length: Double, _ halfWidth: Double
  ) -> (Drawing.Point) -> Bool {
    let back = Drawing.Point(bearing: bearing + 180)
    let base = tip + back * length
    let side = Drawing.Point(x: -back.y, y: back.x) * halfWidth
    let corners = [tip, base + side, base + side * -1]
    return { $0.isInside(corners) }
  }

  private func width(_ units: Double) -> Double {
    let parity = Double(size % 2)
    return max(2 - parity, ((units * scale - parity) / 2).rounded() * 2 + parity)
  }

  private func snapped(_ point: Drawing.Point) -> Drawing.Point {
    let middle = Double(size) / 2
    return Drawing.Point(
      x: (point.x * scale - middle).rounded() + middle,
      y: (point.y * scale - middle).rounded() + middle)
  }
}

extension Drawing.Point {
  /// What lies closer to an edge than this is on it, so that rounding decides nothing.
  private static let tolerance = 1.0 / 256

  /// One unit away in a direction.
  init(bearing: Double) {
    let angle = bearing * .pi / 180
    (x, y) = (sin(angle), -cos(angle))
  }

  static func + (a: Self, b: Self) -> Self { Self(x: a.x + b.x, y: a.y + b.y) }
  static func * (a: Self, factor: Double) -> Self { Self(x: a.x * factor, y: a.y * factor) }

  func distance(to other: Self) -> Double {
    let (dx, dy) = (x - other.x, y - other.y)
    return (dx * dx + dy * dy).squareRoot() - Self.tolerance
  }

  /// To the nearest point of a segment, so that its ends are round.
  func distance(to start: Self, _ end: Self) -> Double {
    let along = end + start * -1
    let length = along.x * along.x + along.y * along.y
    let from = self + start * -1
    let part = length == 0 ? 0 : (from.x * along.x + from.y * along.y) / length
    return distance(to: start + along * min(1, max(0, part)))
  }

  /// Whether `point` is seen from here in a sector; a full turn is everything.
  func bearing(of point: Self, isIn sector: ClosedRange<Double>) -> Bool {
    let bearing = atan2(point.x - x, y - point.y) * 180 / .pi
    return stride(from: -720.0, through: 720, by: 360).contains {
      sector.contains(bearing + $0 - Self.tolerance)
        || sector.contains(bearing + $0 + Self.tolerance)
    }
  }

  /// Whether the polygon holds this point, its edges included.
  func isInside(_ corners: [Self]) -> Bool {
    var isInside = false
    var previous = corners.count - 1
    for index in corners.indices {
      let (a, b) = (corners[index], corners[previous])
      if distance(to: a, b) <= 0 { return true }
      if (a.y > y) != (b.y > y), x < (b.x - a.x) * (y - a.y) / (b.y - a.y) + a.x {
        isInside.toggle()
      }
      previous = index
    }
    return isInside
  }
}

extension GlyphSet {
  /// The arrows of one size, their top left as origin.
  init(_ drawings: [UInt32: Drawing], size: Int) throws {
    self.init(ascent: 0, descent: size, capHeight: size, glyphs: [:])
    for drawing in drawings.values {
      var raster: Raster
      if let code = drawing.mirrored {
        guard let other = drawings[code], other.mirrored == nil else {
          throw ToolError("arrow \(drawing.code) mirrors \(code), which has no drawing of its own")
        }
        raster = Raster(other, size: size)
        raster.mirror()
      } else {
        raster = Raster(drawing, size: size)
      }
      glyphs[drawing.code] = Glyph(
        advance: size, left: 0, top: 0, width: size, height: size
      ) { raster.pixels[$1 * size + $0] }
    }
  }
}

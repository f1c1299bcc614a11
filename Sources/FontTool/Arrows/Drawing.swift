/// One arrow: the shapes that light or darken it, one after the other, in a grid of 56 units.
struct Drawing {
  /// Units on each side of the grid; `y` grows downwards.
  static let grid = 56.0

  /// What a drawing consists of; bearings are degrees clockwise from the top.
  enum Shape {
    case stroke(width: Double, points: [Vector])
    case path(width: Double, bend: Double, head: Double, points: [Vector])
    case arc(width: Double, center: Vector, radius: Double, from: Double, to: Double)
    case fill(points: [Vector])
    case checks(corner: Vector, columns: Int, rows: Int, side: Double)
    case disc(center: Vector, radius: Double)
  }

  /// The name of its case of `Arrow`.
  var name: String
  var steps: [(shape: Shape, lights: Bool)] = []
  /// A digit, and where its middle is; it is never mirrored.
  var number: (code: UInt32, middle: Vector)?
  /// The drawing that this one is the mirror image of.
  var mirrored: String?
}

/// A drawing of one size.
///
/// A pixel is lit if its centre is in a shape. Widths are rounded to the parity of the size, so that
/// strokes keep one width. The first point of each shape is rounded to whole pixels from the middle,
/// so that symmetric arrows stay so. Further points keep whole pixels from the point before.
struct Raster {
  let size: Int
  private(set) var pixels: [Bool]

  init(_ drawing: Drawing, size: Int) {
    self.size = size
    pixels = Array(repeating: false, count: size * size)
    for step in drawing.steps {
      let contains = containment(of: step.shape)
      for index in pixels.indices {
        let center = Vector(x: Double(index % size) + 0.5, y: Double(index / size) + 0.5)
        if contains(center) { pixels[index] = step.lights }
      }
    }
  }

  /// Lights a digit around a point of the drawing, or of its mirror image.
  mutating func stamp(_ digit: Glyph, at middle: Vector, isMirrored: Bool) {
    let x = isMirrored ? Drawing.grid - middle.x : middle.x
    let place = snapped(Vector(x: x, y: middle.y))
    let left = Int((place.x - Double(digit.columns.count) / 2).rounded(.down))
    let top = Int((place.y - Double(digit.rows) / 2).rounded(.down))
    for (column, bits) in digit.columns.enumerated() {
      for row in 0..<digit.rows where bits >> UInt64(row) & 1 == 1 {
        pixels[(top + row) * size + left + column] = true
      }
    }
  }

  mutating func mirror() {
    pixels = pixels.indices.map { pixels[$0 / size * size + size - 1 - $0 % size] }
  }

  private var scale: Double { Double(size) / Drawing.grid }

  private func containment(of shape: Drawing.Shape) -> (Vector) -> Bool {
    switch shape {
    case .stroke(let width, let points):
      let reach = self.width(width) / 2
      let line = RoundedLine(visible(snapped(points), reach), bend: 0)
      return { line.distance(to: $0) <= reach }
    case .path(let width, let bend, let head, let points):
      return path(self.width(width) / 2, pixels(bend), pixels(head), snapped(points))
    case .arc(let width, let center, let radius, let from, let to):
      let arc = Arc(center: snapped(center), radius: pixels(radius), from: from, to: to)
      let reach = self.width(width) / 2
      return { arc.distance(to: $0) <= reach }
    case .fill(let points):
      let points = points.map(snapped)
      return { $0.isInside(points) }
    case .checks(let corner, let columns, let rows, let side):
      let (corner, side) = (snapped(corner), max(1, pixels(side)))
      return { point in
        let (x, y) = ((point.x - corner.x) / side, (point.y - corner.y) / side)
        return x >= 0 && x < Double(columns) && y >= 0 && y < Double(rows)
          && (Int(x) + Int(y)) % 2 == 0
      }
    case .disc(let center, let radius):
      let center = snapped(center)
      let radius = max(1, radius * scale)
      return { $0.distance(to: center) <= radius }
    }
  }

  /// A rounded line to the base of a head, and the head.
  private func path(
    _ reach: Double, _ bend: Double, _ head: Double, _ points: [Vector]
  ) -> (Vector) -> Bool {
    guard let tip = points.last, let start = points.dropLast().last, start.distance(to: tip) > 0
    else { return { _ in false } }
    let back = (start - tip) * (1 / (start - tip).length)
    let side = Vector(x: -back.y, y: back.x) * head
    let base = tip + back * head
    let corners = [tip, base + side, base - side]
    let line = RoundedLine(points.dropLast() + [base], bend: bend)
    return { line.distance(to: $0) <= reach || $0.isInside(corners) }
  }

  /// Moves a diagonal of one pixel between the pixels: two pixels in each row make it as bright as an
  /// upright line.
  private func visible(_ points: [Vector], _ reach: Double) -> [Vector] {
    let isSlanted = zip(points, points.dropFirst()).contains { $0.x != $1.x && $0.y != $1.y }
    return reach > 0.5 || !isSlanted ? points : points.map { $0 + Vector(x: 0.5, y: 0) }
  }

  private func pixels(_ units: Double) -> Double { (units * scale).rounded() }

  private func width(_ units: Double) -> Double {
    let parity = Double(size % 2)
    return max(2 - parity, ((units * scale - parity) / 2).rounded() * 2 + parity)
  }

  private func snapped(_ point: Vector) -> Vector {
    let middle = Double(size) / 2
    return Vector(
      x: (point.x * scale - middle).rounded() + middle,
      y: (point.y * scale - middle).rounded() + middle)
  }

  private func snapped(_ points: [Vector]) -> [Vector] {
    var snapped: [Vector] = []
    for (index, point) in points.enumerated() {
      if let last = snapped.last {
        let step = point - points[index - 1]
        snapped.append(last + Vector(x: pixels(step.x), y: pixels(step.y)))
      } else {
        snapped.append(self.snapped(point))
      }
    }
    return snapped
  }
}

extension GlyphSet {
  /// The arrows of one size, their top left as origin; the code of each is its place in the list.
  ///
  /// Their numbers are in the letters of `digits`, or left out without them.
  init(_ drawings: [Drawing], size: Int, digits: GlyphSet? = nil) throws {
    self.init(ascent: 0, descent: size, capHeight: size, glyphs: [:])
    for (code, drawing) in drawings.enumerated() {
      var raster: Raster
      var number = drawing.number
      if let name = drawing.mirrored {
        guard let other = drawings.first(where: { $0.name == name }), other.mirrored == nil else {
          throw ToolError("arrow \(drawing.name) mirrors \(name), which has no drawing of its own")
        }
        raster = Raster(other, size: size)
        raster.mirror()
        number = other.number
      } else {
        raster = Raster(drawing, size: size)
      }
      if let number, let digit = digits?.glyphs[number.code] {
        raster.stamp(digit, at: number.middle, isMirrored: drawing.mirrored != nil)
      }
      glyphs[UInt32(code)] = Glyph(
        advance: size, left: 0, top: 0, width: size, height: size
      ) { raster.pixels[$1 * size + $0] }
    }
  }
}

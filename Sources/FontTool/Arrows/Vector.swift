import Foundation

/// A point, or the way from one to another; `y` grows downwards.
struct Vector: Equatable {
  var x: Double
  var y: Double

  /// A point closer to an edge than this is on the edge, so that rounding decides nothing.
  private static let tolerance = 1.0 / 256

  static func + (a: Self, b: Self) -> Self { Self(x: a.x + b.x, y: a.y + b.y) }
  static func - (a: Self, b: Self) -> Self { Self(x: a.x - b.x, y: a.y - b.y) }
  static func * (a: Self, factor: Double) -> Self { Self(x: a.x * factor, y: a.y * factor) }

  var length: Double { (x * x + y * y).squareRoot() }

  /// Degrees clockwise from the top.
  var bearing: Double { atan2(x, -y) * 180 / .pi }

  func distance(to other: Self) -> Double { (other - self).length - Self.tolerance }

  /// The distance to the nearest point of a segment, so that its ends are round.
  func distance(to start: Self, _ end: Self) -> Double {
    let along = end - start
    let length = along.x * along.x + along.y * along.y
    let from = self - start
    let part = length == 0 ? 0 : (from.x * along.x + from.y * along.y) / length
    return distance(to: start + along * min(1, max(0, part)))
  }

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

/// A part of a circle, clockwise from one bearing to the other.
struct Arc {
  var center: Vector
  var radius: Double
  var from: Double
  var to: Double

  /// The distance to the nearest point of the arc, seen from its centre; infinite beside the arc.
  func distance(to point: Vector) -> Double {
    var turn = ((point - center).bearing - from).truncatingRemainder(dividingBy: 360)
    if turn < 0 { turn += 360 }
    guard turn <= to - from || to - from >= 360 else { return .infinity }
    return abs(point.distance(to: center) - radius)
  }
}

/// A line through points whose corners are arcs.
struct RoundedLine {
  private var segments: [(Vector, Vector)] = []
  private var arcs: [Arc] = []

  /// Each corner gets the radius `bend`, or the largest that half of its shorter side has room for.
  init(_ points: [Vector], bend: Double) {
    guard var start = points.first else { return }
    for index in points.indices.dropFirst() {
      let corner = points[index]
      guard index + 1 < points.count, bend > 0,
        let arc = Self.arc(points[index - 1], corner, points[index + 1], bend)
      else {
        segments.append((start, corner))
        start = corner
        continue
      }
      segments.append((start, arc.start))
      arcs.append(arc.arc)
      start = arc.end
    }
  }

  func distance(to point: Vector) -> Double {
    var nearest = Double.infinity
    for segment in segments { nearest = min(nearest, point.distance(to: segment.0, segment.1)) }
    for arc in arcs { nearest = min(nearest, arc.distance(to: point)) }
    return nearest
  }

  /// The arc that touches both sides of a corner; `nil` where the line goes straight on or turns back.
  private static func arc(
    _ before: Vector, _ corner: Vector, _ after: Vector, _ bend: Double
  ) -> (start: Vector, arc: Arc, end: Vector)? {
    let (ahead, beyond) = (corner - before, after - corner)
    guard ahead.length > 0, beyond.length > 0 else { return nil }
    let cross = ahead.x * beyond.y - ahead.y * beyond.x
    let dot = ahead.x * beyond.x + ahead.y * beyond.y
    let turn = atan2(cross, dot)
    guard abs(turn) > 0.01, abs(turn) < 3.1 else { return nil }
    let room = min(ahead.length, beyond.length) / 2
    let reach = min(bend * tan(abs(turn) / 2), room)
    let radius = reach / tan(abs(turn) / 2)
    let start = corner - ahead * (reach / ahead.length)
    let end = corner + beyond * (reach / beyond.length)
    let inward = Vector(x: -ahead.y, y: ahead.x) * ((turn > 0 ? 1 : -1) / ahead.length)
    let center = start + inward * radius
    let from = ((turn > 0 ? start : end) - center).bearing
    let arc = Arc(center: center, radius: radius, from: from, to: from + abs(turn) * 180 / .pi)
    return (start, arc, end)
  }
}

@testable import Graphics

/// The pixels of one drawing.
struct Sign {
  let size: Int
  /// From the top; bit 0 is the leftmost pixel.
  private(set) var rows: [UInt64]

  init(_ arrow: Arrow, _ size: Int) {
    var bitmap = Bitmap(Size(64, 64))
    bitmap.draw(arrow, fitting: size, at: Point(0, 0))
    var rows: [UInt64] = []
    for y in 0..<size {
      rows.append((0..<size).reduce(0) { bitmap[$1, y] ? $0 | 1 << UInt64($1) : $0 })
    }
    (self.size, self.rows) = (size, rows)
  }

  /// From the left; bit 0 is the topmost pixel.
  var columns: [UInt64] {
    (0..<size).map { x in
      (0..<size).reduce(0) { $0 | (rows[$1] >> UInt64(x) & 1) << UInt64($1) }
    }
  }

  func isLit(_ x: Int, _ y: Int) -> Bool {
    (0..<size).contains(x) && (0..<size).contains(y) && rows[y] >> UInt64(x) & 1 == 1
  }

  struct Pixel: Hashable {
    let x: Int
    let y: Int
  }

  var pixels: Set<Pixel> {
    Set(
      (0..<size).flatMap { y in (0..<size).map { Pixel(x: $0, y: y) } }.filter { isLit($0.x, $0.y) }
    )
  }

  /// Darkens the middle of a ring, where the number of its exit is: 8 columns and 11 rows.
  mutating func clearNumber(of arrow: Arrow) {
    guard size >= 40 else { return }
    for number in Self.numbers where [number.counterclockwise, number.clockwise].contains(arrow) {
      let x = arrow == number.clockwise ? 56 - number.x : number.x
      let (columns, rows) = size < 64 ? (8, 12) : (12, 16)
      let left = (x * size + 28) / 56 - columns / 2
      let top = (number.y * size + 28) / 56 - rows / 2
      let mask = (UInt64(1) << UInt64(columns) - 1) << UInt64(left)
      for y in top..<top + rows { self.rows[y] &= ~mask }
    }
  }

  /// The exits with a number, and the middles of their rings in units of the drawing.
  static let numbers: [(digit: Int, counterclockwise: Arrow, clockwise: Arrow, x: Int, y: Int)] = [
    (1, .exit1Of1Counterclockwise, .exit1Of1Clockwise, 28, 33),
    (1, .exit1Of2Counterclockwise, .exit1Of2Clockwise, 26, 31),
    (2, .exit2Of2Counterclockwise, .exit2Of2Clockwise, 30, 31),
    (1, .exit1Of3Counterclockwise, .exit1Of3Clockwise, 22, 28),
    (2, .exit2Of3Counterclockwise, .exit2Of3Clockwise, 28, 33),
    (3, .exit3Of3Counterclockwise, .exit3Of3Clockwise, 34, 28),
  ]

  /// In how many pixels another sign differs, wherever a jolt of up to a pixel moves it.
  func distance(to other: Sign) -> Int {
    var least = Int.max
    for dy in -1...1 {
      for shift in 0...2 {
        let differing = (-1...size).reduce(0) { count, y in
          let mine = rows.indices.contains(y) ? rows[y] << 1 : 0
          let theirs = rows.indices.contains(y + dy) ? other.rows[y + dy] << UInt64(shift) : 0
          return count + (mine ^ theirs).nonzeroBitCount
        }
        least = min(least, differing)
      }
    }
    return least
  }

  /// Pixels that no pen would leave: alone, missing, or alone in front of or behind a straight edge.
  var flaws: [String] {
    var flaws: [String] = []
    for y in -1...size {
      for x in -1...size {
        let isLit = isLit(x, y)
        let beside = [(1, 0), (-1, 0), (0, 1), (0, -1)]
        let around = beside + [(1, 1), (1, -1), (-1, 1), (-1, -1)]
        if isLit, around.allSatisfy({ !self.isLit(x + $0, y + $1) }) {
          flaws.append("speck at \(x), \(y)")
        }
        if !isLit, beside.allSatisfy({ self.isLit(x + $0, y + $1) }) {
          flaws.append("hole at \(x), \(y)")
        }
        for (dx, dy) in beside where isBump(x, y, outward: (dx, dy)) {
          flaws.append("\(isLit ? "spur" : "dent") at \(x), \(y)")
        }
      }
    }
    return flaws
  }

  /// Whether a pixel alone stands out from the straight edge of its colour, five pixels long.
  private func isBump(_ x: Int, _ y: Int, outward: (dx: Int, dy: Int)) -> Bool {
    let own = isLit(x, y)
    return (-2...2).allSatisfy { step in
      let (px, py) = (x + step * outward.dy, y + step * outward.dx)
      return (step == 0 || isLit(px, py) != own)
        && isLit(px - outward.dx, py - outward.dy) == own
        && isLit(px + outward.dx, py + outward.dy) != own
    }
  }
}

extension Arrow {
  /// Every sign that there is.
  static let all: [Arrow] = [
    .none, .straight, .slightLeft, .left, .sharpLeft, .slightRight, .right, .sharpRight,
    .forkLeft, .forkRight, .uTurn, .start, .finish, .pointOfInterest, .offRoute, .unknown,
    .roundabout, .exitUnknown, .exitLeftClockwise, .exit1Of1Clockwise, .exit1Of2Clockwise,
    .exit2Of2Clockwise, .exit1Of3Clockwise, .exit2Of3Clockwise, .exit3Of3Clockwise,
    .exitRightCounterclockwise, .exit1Of1Counterclockwise, .exit1Of2Counterclockwise,
    .exit2Of2Counterclockwise, .exit1Of3Counterclockwise, .exit2Of3Counterclockwise,
    .exit3Of3Counterclockwise,
  ]
}

import Expecting

@testable import Graphics

/// The drawings seen as a rider sees them: as pixels, without knowing how they were made.
struct ArrowShapeTests {
  static let sizes = [27, 32, 40, 48, 56, 64]

  // MARK: Weight

  /// What a stroke measures across in each size, as Fonts/README.md declares it.
  static let weights: [Int: (bold: Int, thin: Int)] = [
    27: (3, 1), 32: (4, 2), 40: (4, 2), 48: (6, 2), 56: (6, 2), 64: (6, 2),
  ]

  @Test(arguments: sizes) func theWayInHasOneWeightInAllSigns(_ size: Int) throws {
    let bold = try #require(Self.weights[size]).bold
    let signs: [Arrow] = [
      .none, .start, .finish, .uTurn, .pointOfInterest, .offRoute, .unknown,
    ]
    for arrow in Arrow.all where !signs.contains(arrow) {
      let row = Sign(arrow, size).rows[size - size / 7]
      expect(lengths(ofRuns: row), [bold], "\(arrow)")
    }
    // The U-turn ends beside its way in.
    expect(lengths(ofRuns: Sign(.uTurn, size).rows[size / 2]), [bold, bold])
  }

  @Test(arguments: sizes) func levelStrokesAreAsWideAsUprightOnes(_ size: Int) throws {
    let weight = try #require(Self.weights[size])
    expect(lengths(ofRuns: Sign(.right, size).columns[size / 2]), [weight.bold])
    expect(
      lengths(ofRuns: Sign(.exitRightCounterclockwise, size).columns[size * 5 / 8]), [weight.bold]
    )
    for arrow in [.roundabout, .exit2Of3Counterclockwise] as [Arrow] {
      expect(lengths(ofRuns: Sign(arrow, size).columns[size / 8]), [weight.thin])
    }
    expect(lengths(ofRuns: Sign(.exit1Of3Counterclockwise, size).rows[size / 8]), [weight.thin])
    expect(lengths(ofRuns: Sign(.exit3Of3Counterclockwise, size).rows[size / 8]), [weight.thin])
  }

  /// A row cuts a diagonal of width w in a run of w√2.
  @Test(arguments: sizes) func diagonalsHaveTheSameWeightEverywhere(_ size: Int) throws {
    let bold = Double(try #require(Self.weights[size]).bold)
    let slight = (size * 28 / 56..<size * 32 / 56).map { Sign(.slightRight, size).rows[$0] }
    let sharp = (size * 15 / 56..<size * 21 / 56).map { Sign(.sharpRight, size).rows[$0] }
    let runs = Set((slight + sharp).map { lengths(ofRuns: $0).last ?? 0 })
    let run = try #require(runs.first)
    expect(runs.count == 1 && abs(Double(run) - bold * 2.0.squareRoot()) < 1, "\(runs)")
  }

  @Test(arguments: sizes) func theRingIsRound(_ size: Int) {
    let sign = Sign(.roundabout, size)
    let middle = size / 4..<size - size / 4
    let mask: UInt64 = (1 << UInt64(middle.count)) - 1
    let half = middle.prefix(middle.count / 2)
    let rows = half.map { sign.rows[$0] >> UInt64(size / 4) & mask }
    let columns = half.map { sign.columns[$0] >> UInt64(size / 4) & mask }
    expect(lengths(ofRuns: sign.rows[size / 2]).count, 2, "the ring has a hole")
    expect(rows, columns)
  }

  // MARK: Telling signs apart

  @Test(arguments: sizes) func anyTwoSignsDifferEvenShaken(_ size: Int) {
    for (a, b) in pairs(Arrow.all.map { (arrow: $0, sign: Sign($0, size)) }) {
      let distance = a.sign.distance(to: b.sign)
      #expect(distance >= size / 3, "\(a.arrow) and \(b.arrow) differ by \(distance) pixels")
    }
  }

  /// Straight on, slight, normal, sharp and back.
  @Test(arguments: sizes) func turnsDifferMuchMore(_ size: Int) {
    let turns: [Arrow] = [
      .straight, .slightLeft, .left, .sharpLeft, .slightRight, .right, .sharpRight, .uTurn,
    ]
    for (a, b) in pairs(turns) {
      let distance = Sign(a, size).distance(to: Sign(b, size))
      #expect(distance >= 5 * size, "\(a) and \(b) differ by \(distance) pixels")
    }
  }

  /// Ways out of a roundabout whose exits are spread evenly: to the right, half right, ahead, half left, to the left.
  @Test(arguments: sizes) func waysOutOfARoundaboutDifferMuch(_ size: Int) {
    let ways: [[Arrow]] = [
      [
        .exitRightCounterclockwise, .exit1Of3Counterclockwise, .exit3Of3Clockwise,
      ],
      [.exit1Of2Counterclockwise, .exit2Of2Clockwise],
      [
        .exit1Of1Counterclockwise, .exit2Of3Counterclockwise, .exit1Of1Clockwise,
        .exit2Of3Clockwise,
      ],
      [.exit2Of2Counterclockwise, .exit1Of2Clockwise],
      [
        .exitLeftClockwise, .exit3Of3Counterclockwise, .exit1Of3Clockwise,
      ],
    ]
    for (a, b) in pairs(ways) {
      for (a, b) in a.flatMap({ a in b.map { (a, $0) } }) {
        let distance = Sign(a, size).distance(to: Sign(b, size))
        #expect(distance >= 3 * size, "\(a) and \(b) differ by \(distance) pixels")
      }
    }
  }

  /// Its outline is the same seen from above, below, the left and the right.
  @Test(arguments: sizes) func offTheRoutePointsNowhere(_ size: Int) {
    let sign = Sign(.offRoute, size)
    let outlines = [sign.rows, sign.columns].flatMap { lines in
      [lines.map(\.filled), lines.reversed().map(\.filled)]
    }
    expect(Set(outlines).count, 1)
    let turns: [Arrow] = [
      .straight, .slightLeft, .left, .sharpLeft, .slightRight, .right, .sharpRight, .forkLeft,
      .forkRight, .uTurn,
    ]
    for turn in turns {
      let distance = sign.distance(to: Sign(turn, size))
      #expect(distance >= 10 * size, "\(turn) differs by \(distance) pixels")
    }
  }

  @Test(arguments: sizes) func aForkShowsBothBranches(_ size: Int) throws {
    // Above the parting: the thin one on the left, the head on the right.
    let runs = lengths(ofRuns: Sign(.forkRight, size).rows[size * 14 / 56])
    try #require(runs.count == 2)
    #expect(2 * runs[0] < runs[1])
  }

  @Test(arguments: sizes) func theFlagIsChequered(_ size: Int) {
    let sign = Sign(.finish, size)
    let runs = (0..<3).map { lengths(ofRuns: sign.rows[size * (8 + 11 * $0) / 56]).count }
    // Two lit squares a row; the pole is one with the first or stands before two of them.
    expect(runs, [2, 3, 2])
  }

  // MARK: Place and edges

  @Test(arguments: sizes) func everySignIsInTheMiddleOfItsSquare(_ size: Int) {
    for arrow in Arrow.all {
      let sign = Sign(arrow, size)
      let (left, right) = sign.columns.margins
      let (top, bottom) = sign.rows.margins
      #expect(min(left, right, top, bottom) >= 1, "\(arrow) touches an edge")
      // The squares of the flag are whole pixels.
      let most = size < 64 ? 3 : 5
      #expect(abs(left - right) <= most, "\(arrow): \(left) and \(right) at the sides")
      #expect(abs(top - bottom) <= size / 6, "\(arrow): \(top) above, \(bottom) below")
    }
  }

  /// Exits straight ahead, whose ring is entered and left in the middle.
  private static let straightOn: [Arrow] = [
    .exit1Of1Clockwise, .exit1Of1Counterclockwise, .exit2Of3Clockwise, .exit2Of3Counterclockwise,
  ]

  @Test(arguments: sizes) func edgesHaveNoSpursDentsSpecksOrHoles(_ size: Int) {
    for arrow in Arrow.all {
      var sign = Sign(arrow, size)
      // A digit's stem has a dent below its flag.
      sign.clearNumber(of: arrow)
      // At 64 pixels the way straight on leaves the ring beside its middle: one pixel is set back.
      let isKnown = size == 64 && Self.straightOn.contains(arrow)
      #expect(sign.flaws.count <= (isKnown ? 1 : 0), "\(arrow): \(sign.flaws)")
    }
  }

  /// Where there is room for it; it is that of the font, whole, and touches nothing.
  @Test(arguments: [(40, Font.bold12), (48, .bold12), (56, .bold14), (64, .bold18)])
  func theNumberOfTheExitIsInItsRing(_ size: Int, _ font: Font) {
    for number in Sign.numbers {
      let digit = Array("\(number.digit)".utf8)
      var bitmap = Bitmap(Size(32, 32))
      bitmap.draw(digit.span, font: font, at: Point(8, 20))
      let ink = (0..<32).map { y in (0..<32).map { bitmap[$0, y] } }
      let rows = ink.indices.filter { ink[$0].contains(true) }
      let columns = (0..<32).filter { x in ink.contains { $0[x] } }
      let expected = rows.map { y in columns.map { ink[y][$0] } }
      for arrow in [number.counterclockwise, number.clockwise] {
        var rest = Sign(arrow, size)
        let whole = rest
        rest.clearNumber(of: arrow)
        let lit = whole.pixels.subtracting(rest.pixels)
        let (xs, ys) = (lit.map(\.x), lit.map(\.y))
        let box = (
          x: xs.min() ?? 0, y: ys.min() ?? 0, width: (xs.max() ?? 0) - (xs.min() ?? 0) + 1,
          height: (ys.max() ?? 0) - (ys.min() ?? 0) + 1
        )
        let seen = (0..<box.height).map { y in
          (0..<box.width).map { whole.isLit(box.x + $0, box.y + y) }
        }
        expect(seen, expected, "\(arrow)")
        let around = rest.pixels.filter {
          (box.x - 1...box.x + box.width).contains($0.x)
            && (box.y - 1...box.y + box.height).contains($0.y)
        }
        let isApart = around.allSatisfy { near in
          lit.allSatisfy { abs($0.x - near.x) > 1 || abs($0.y - near.y) > 1 }
        }
        expect(isApart, "the number of \(arrow) touches its ring")
      }
    }
  }

  @Test func theTablesAreSmall() {
    let tables = [
      Tables.arrows64, Tables.arrows56, Tables.arrows48, Tables.arrows40, Tables.arrows32,
      Tables.arrows27,
    ]
    #expect(tables.reduce(0) { $0 + $1.utf8.count } < 48_000)
  }
}

private func pairs<T>(_ list: [T]) -> [(T, T)] {
  list.indices.flatMap { i in list[(i + 1)...].map { (list[i], $0) } }
}

/// How long the runs of lit pixels are, from the left.
private func lengths(ofRuns row: UInt64) -> [Int] {
  var runs: [Int] = []
  var rest = row
  while rest != 0 {
    rest >>= UInt64(rest.trailingZeroBitCount)
    runs.append((~rest).trailingZeroBitCount)
    rest >>= UInt64((~rest).trailingZeroBitCount)
  }
  return runs
}

extension UInt64 {
  /// Lit from the first to the last lit pixel.
  fileprivate var filled: UInt64 {
    self == 0 ? 0 : (.max >> UInt64(leadingZeroBitCount)) & (.max << UInt64(trailingZeroBitCount))
  }
}

extension [UInt64] {
  /// Dark lines before the first and after the last lit one.
  fileprivate var margins: (Int, Int) {
    (firstIndex { $0 != 0 } ?? count, count - 1 - (lastIndex { $0 != 0 } ?? -1))
  }
}

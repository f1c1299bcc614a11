import Expecting
import Foundation
import TestSupport
import Testing

@testable import Graphics

struct ArrowTests {
  static let sizes = [27, 32, 40, 48, 56]

  @Test(arguments: sizes) func everyArrowDrawsSomethingInItsSquare(_ size: Int) {
    for arrow in Arrow.all {
      var bitmap = Bitmap(Size(64, 64))
      let side = bitmap.draw(arrow, fitting: size, at: Point(0, 0))
      let outside = litPixels(bitmap, outside: Rectangle(x: 0, y: 0, width: size, height: size))
      expect(side == size && outside == 0 && litPixels(bitmap) > size, "\(arrow)")
    }
  }

  @Test(arguments: sizes) func everyDrawingIsAnArrowOfItsOwn(_ size: Int) {
    expect(Set(Arrow.all.map(\.code)).count, Arrow.table(size).count)
  }

  /// Left and right, and driving on the left and on the right.
  @Test(
    arguments: [
      (.slightLeft, .slightRight),
      (.left, .right),
      (.sharpLeft, .sharpRight),
      (.forkLeft, .forkRight),
      (.exitLeftClockwise, .exitRightCounterclockwise),
      (.exit1Of1Clockwise, .exit1Of1Counterclockwise),
      (.exit1Of2Clockwise, .exit1Of2Counterclockwise),
      (.exit1Of3Clockwise, .exit1Of3Counterclockwise),
      (.exit2Of2Clockwise, .exit2Of2Counterclockwise),
      (.exit2Of3Clockwise, .exit2Of3Counterclockwise),
      (.exit3Of3Clockwise, .exit3Of3Counterclockwise),
    ] as [(Arrow, Arrow)], sizes)
  func theOtherSideIsTheMirrorImage(_ pair: (Arrow, Arrow), _ size: Int) {
    let signs = [pair.0, pair.1].map { arrow in
      var sign = Sign(arrow, size)
      sign.clearNumber(of: arrow)  // which can be read in both
      return sign.pixels
    }
    expect(Set(signs[0].map { Sign.Pixel(x: size - 1 - $0.x, y: $0.y) }), signs[1])
  }

  @Test(arguments: [
    (0, 27), (31, 27), (32, 32), (39, 32), (40, 40), (47, 40), (48, 48), (55, 48), (56, 56),
    (.max, 56),
  ])
  func theLargestDrawingThatFitsIsTaken(_ limit: Int, _ size: Int) {
    expect(Arrow.size(fitting: limit), size)
  }
}

/// All signs of one size side by side, for each size, on a sheet that was reviewed by eye.
///
/// `LENKER_RECORD=1 swift test --filter PictureTests` writes what is drawn now instead of comparing;
/// look at it before it is committed. What mirrors another sign is left out.
struct ArrowPictureTests {
  private static let order: [[Arrow]] = [
    [.none, .straight, .start, .finish, .pointOfInterest, .offRoute, .unknown],
    [.slightRight, .right, .sharpRight, .forkRight, .uTurn, .roundabout, .exitUnknown],
    [
      .exitRightCounterclockwise, .exit1Of1Counterclockwise, .exit1Of2Counterclockwise,
      .exit2Of2Counterclockwise, .exit1Of3Counterclockwise, .exit2Of3Counterclockwise,
      .exit3Of3Counterclockwise,
    ],
  ]

  @Test func signsLookAsReviewed() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Pictures/arrows.txt")
    var sheet = PictureSheet()
    for size in ArrowTests.sizes { sheet.add("size \(size)", signs(size)) }
    for difference in try differences(of: sheet, from: file) { Issue.record("\(difference)") }
  }

  /// The signs in lines, one pixel apart.
  private func signs(_ size: Int) -> Pixels {
    let lines = Self.order.map { line in line.map { Sign($0, size) } }
    let pitch = size + 1
    return Pixels(width: pitch * lines[0].count, height: pitch * lines.count) { x, y in
      lines[y / pitch][x / pitch].isLit(x % pitch, y % pitch)
    }
  }
}

import Expecting

@testable import Graphics

@Suite struct ArrowTests {
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

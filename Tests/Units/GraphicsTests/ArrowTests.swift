import TestSupport
import Testing

@testable import Graphics

@Suite struct ArrowTests {
  static let sizes = [27, 32, 48, 56]

  private func drawn(_ direction: Int, _ size: Int) -> String {
    var bitmap = Bitmap(Size(64, 64))
    bitmap.draw(Arrow(direction: UInt8(direction)), fitting: size, at: Point(0, 0))
    return picture(bitmap)
  }

  private func mirrored(_ text: String, _ size: Int) -> String {
    text.split(separator: "\n").map {
      String($0.prefix(size).reversed()) + String($0.dropFirst(size))
    }.joined(separator: "\n") + "\n"
  }

  @Test(arguments: sizes) func everyDirectionDrawsSomethingInItsSquare(_ size: Int) {
    for direction in 0...255 {
      var bitmap = Bitmap(Size(64, 64))
      let side = bitmap.draw(
        Arrow(direction: UInt8(direction)), fitting: size, at: Point(0, 0))
      let outside = litPixels(bitmap, outside: Rectangle(x: 0, y: 0, width: size, height: size))
      let lit = litPixels(bitmap)
      #expect(side == size && outside == 0 && lit > size, "direction \(direction)")
    }
  }

  @Test(arguments: sizes) func noTwoDirectionsLookTheSame(_ size: Int) {
    #expect(Set((0...31).map { drawn($0, size) }).count == 32)
  }

  @Test(arguments: sizes) func whatIsUnknownHasTheNeutralSign(_ size: Int) {
    #expect(Set((31...255).map { drawn($0, size) }).count == 1)
  }

  /// Left and right, and driving on the left and on the right: komoot.md's table of directions.
  @Test(
    arguments: [
      (4, 9), (5, 8), (6, 7), (11, 10), (15, 16), (23, 17), (24, 18), (25, 19), (26, 20), (27, 21),
      (28, 22),
    ], sizes)
  func theOtherSideIsTheMirrorImage(_ pair: (Int, Int), _ size: Int) {
    #expect(mirrored(drawn(pair.0, size), size) == drawn(pair.1, size))
  }

  @Test(arguments: sizes) func straightIsSymmetric(_ size: Int) {
    for direction in [1, 2, 30, 14] {
      #expect(mirrored(drawn(direction, size), size) == drawn(direction, size))
    }
  }

  @Test(arguments: [
    (0, 27), (31, 27), (32, 32), (47, 32), (48, 48), (55, 48), (56, 56), (.max, 56),
  ])
  func theLargestDrawingThatFitsIsTaken(_ limit: Int, _ size: Int) {
    #expect(Arrow.size(fitting: limit) == size)
  }

  @Test func aDimArrowHasHalfOfThePixels() {
    var full = Bitmap(Size(64, 64))
    var dim = Bitmap(Size(64, 64))
    full.draw(Arrow(direction: 8), fitting: 48, at: Point(0, 0))
    dim.draw(Arrow(direction: 8), fitting: 48, at: Point(0, 0), isDim: true)
    let (all, some) = (litPixels(full), litPixels(dim))
    #expect(abs(all - 2 * some) < 24)
  }
}

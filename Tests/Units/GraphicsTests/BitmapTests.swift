import Testing

@testable import Graphics

@Suite struct BitmapTests {
  @Test func aFilledRectangleIsLitAndNothingElse() {
    var bitmap = Bitmap(Size(20, 20))
    bitmap.fill(Point(3, 6), Size(4, 9))
    let inside = Rectangle(x: 3, y: 6, width: 4, height: 9)
    let (lit, outside) = (litPixels(bitmap), litPixels(bitmap, outside: inside))
    #expect(lit == 4 * 9)
    #expect(outside == 0)
    bitmap.fill(Point(0, 0), Size(20, 7), lit: false)
    let left = litPixels(bitmap)
    #expect(left == 4 * 8)
  }

  @Test func invertingSwapsOnlyTheRectangle() {
    var bitmap = Bitmap(Size(16, 16))
    bitmap[2, 7] = true
    bitmap.invert(Rectangle(x: 1, y: 7, width: 3, height: 2))
    let part = rows(bitmap)[6..<10].map { $0.prefix(5) }
    #expect(part == [".....", ".#.#.", ".###.", "....."])
  }

  @Test func bitZeroOfAColumnIsRowZero() {
    var bitmap = Bitmap(Size(2, 64))
    bitmap.set(1 | 1 << 9 | 1 << 63, column: 1)
    let lit = (0..<64).filter { bitmap[1, $0] }
    #expect(lit == [0, 9, 63])
    bitmap.set(1 << 9, column: 1, lit: false)
    let left = litPixels(bitmap)
    #expect(left == 2)
  }

  @Test(
    arguments: [(0, 8, 0, 8), (-4, 8, 0, 4), (14, 8, 14, 2), (16, 8, 0, 0), (-9, 8, 0, 0)]
      + [(0, -1, 0, 0), (3, .max, 3, 13), (.min, .max, 0, 0), (.max, .max, 0, 0)]
      as [(Int, Int, Int, Int)])
  func aRectangleIsCutToTheBitmap(_ start: Int, _ length: Int, _ first: Int, _ rest: Int) {
    let bitmap = Bitmap(Size(16, 16))
    let wide = bitmap.clipped(Rectangle(x: start, y: 2, width: length, height: 3))
    let high = bitmap.clipped(Rectangle(x: 2, y: start, width: 3, height: length))
    #expect(wide.size.width == rest && high.size.height == rest)
    #expect(rest == 0 || (wide.origin.x == first && high.origin.y == first))
  }

  @Test(arguments: [-200, -7, -1, 0, 1, 13, 47, 48, 200]) func drawingStaysOnALowPanel(_ y: Int) {
    var bitmap = Bitmap(Size(40, 44))
    bitmap.draw(.offRoute, fitting: 56, at: Point(-5, y))
    bitmap.draw("Ägypten".utf8.span, font: .bold34, at: Point(-3, y))
    var hidden = 0
    for column in 0..<40 { hidden += Int(bitmap[page: 5, column: column] >> 4) }
    #expect(hidden == 0, "rows 44 to 47 of the last page are not on the panel")
  }
}

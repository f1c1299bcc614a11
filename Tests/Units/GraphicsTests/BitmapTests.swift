import Expecting
import Seeded

@testable import Graphics

struct BitmapTests {
  @Test func aFilledRectangleIsLitAndNothingElse() {
    var bitmap = Bitmap(Size(20, 20))
    bitmap.fill(Point(3, 6), Size(4, 9))
    let inside = Rectangle(x: 3, y: 6, width: 4, height: 9)
    let (lit, outside) = (litPixels(bitmap), litPixels(bitmap, outside: inside))
    expect(lit, 4 * 9)
    expect(outside, 0)
    bitmap.fill(Point(0, 0), Size(20, 7), lit: false)
    expect(litPixels(bitmap), 4 * 8)
  }

  @Test(arguments: [64, 128]) func columnsThatAreSetAsideStayAsTheyAre(_ height: Int) {
    var bitmap = Bitmap(Size(40, height))
    bitmap.fill(Point(30, 0), Size(10, 1))
    bitmap.narrow(by: 8)
    let narrow = bitmap.size
    bitmap.invert(bitmap.bounds)
    bitmap.draw("Ägypten".utf8.span, font: .bold34, at: Point(20, 30))
    bitmap.widen()
    let (wide, aside) = (
      bitmap.size, litPixels(bitmap, outside: Rectangle(x: 0, y: 0, width: 32, height: height))
    )
    expect(narrow == Size(32, height) && wide == Size(40, height))
    expect(aside, 8)
  }

  @Test func invertingSwapsOnlyTheRectangle() {
    var bitmap = Bitmap(Size(16, 16))
    bitmap[2, 7] = true
    bitmap.invert(Rectangle(x: 1, y: 7, width: 3, height: 2))
    let part = rows(bitmap)[6..<10].map { $0.prefix(5) }
    expect(part, [".....", ".#.#.", ".###.", "....."])
  }

  @Test(arguments: [64, 128]) func bitZeroOfAByteIsTheTopRowOfItsPage(_ height: Int) {
    var bitmap = Bitmap(Size(64, height))
    let last = height / 8 - 1
    bitmap[page: 0, column: 1] = 1
    bitmap[page: 1, column: 1] = 1 << 1
    bitmap[page: last, column: 63] = 1 << 7
    let lit = (0..<height).filter { bitmap[1, $0] }
    expect(lit, [0, 9])
    let corner = bitmap[63, height - 1]
    expect(corner && litPixels(bitmap) == 3)
  }

  @Test func aBitmapMayBeAsHighAsAPanelIsWide() {
    var bitmap = Bitmap(Size(64, 128))
    bitmap.fill(Point(10, 50), Size(3, 70))
    let inside = Rectangle(x: 10, y: 50, width: 3, height: 70)
    let (lit, outside) = (litPixels(bitmap), litPixels(bitmap, outside: inside))
    expect(lit == 210 && outside == 0)
    bitmap.invert(Rectangle(x: 0, y: 60, width: 64, height: 68))
    expect(litPixels(bitmap), 30 + 64 * 68 - 180)
    expect(Bitmap(Size(200, 200)).size, Size(128, 128), "what is larger is cut")
  }

  @Test func drawingIsTheSameOnEachRowOfATallBitmap() {
    var top = Bitmap(Size(64, 128))
    top.draw("Ägypten \u{E000}".utf8.span, font: .bold14, at: Point(2, 20))
    top.draw(.right, fitting: 40, at: Point(0, 10))
    for shift in [1, 40, 63, 64, 77] {
      var low = Bitmap(Size(64, 128))
      low.draw("Ägypten \u{E000}".utf8.span, font: .bold14, at: Point(2, 20 + shift))
      low.draw(.right, fitting: 40, at: Point(0, 10 + shift))
      #expect(rows(low).dropFirst(shift).elementsEqual(rows(top).dropLast(shift)), "by \(shift)")
    }
  }

  /// The picture's top left is the glass's top right.
  @Test(arguments: [
    Size(64, 128), Size(32, 128), Size(48, 64), Size(40, 72), Size(5, 11), Size(128, 128),
  ])
  func aCopyThatIsTurnedHasEachPixelAQuarterClockwise(_ size: Size) {
    var random = SeededGenerator(state: 90)
    var bitmap = Bitmap(size)
    for y in 0..<size.height {
      for x in 0..<size.width { bitmap[x, y] = Bool.random(using: &random) }
    }
    var copy = InlineArray<2048, UInt8>(repeating: 0xFF)
    bitmap.copyTurned(to: &copy)
    var wrong = 0
    for y in 0..<128 {
      for x in 0..<128 {
        let isLit = copy[y / 8 * 128 + x] >> UInt8(y % 8) & 1 == 1
        if isLit != bitmap[y, size.height - 1 - x] { wrong += 1 }
      }
    }
    expect(wrong, 0)
  }

  @Test(
    arguments: [(0, 8, 0, 8), (-4, 8, 0, 4), (14, 8, 14, 2), (16, 8, 0, 0), (-9, 8, 0, 0)]
      + [(0, -1, 0, 0), (3, .max, 3, 13), (.min, .max, 0, 0), (.max, .max, 0, 0)]
      as [(Int, Int, Int, Int)])
  func aRectangleIsCutToTheBitmap(_ start: Int, _ length: Int, _ first: Int, _ rest: Int) {
    let bitmap = Bitmap(Size(16, 16))
    let wide = bitmap.clipped(Rectangle(x: start, y: 2, width: length, height: 3))
    let high = bitmap.clipped(Rectangle(x: 2, y: start, width: 3, height: length))
    expect(wide.size.width == rest && high.size.height == rest)
    expect(rest == 0 || (wide.origin.x == first && high.origin.y == first))
  }

  @Test(arguments: [-200, -7, -1, 0, 1, 13, 47, 48, 200]) func drawingStaysOnALowPanel(_ y: Int) {
    var bitmap = Bitmap(Size(40, 44))
    bitmap.draw(.offRoute, fitting: 56, at: Point(-5, y))
    bitmap.draw("Ägypten".utf8.span, font: .bold34, at: Point(-3, y))
    var hidden = 0
    for column in 0..<40 { hidden += Int(bitmap[page: 5, column: column] >> 4) }
    expect(hidden, 0, "rows 44 to 47 of the last page are not on the panel")
  }
}

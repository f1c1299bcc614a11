package import Graphics
import Messages

/// The picture that shows the builder of a device whether its panel is wired and set up right.
extension Bitmap {
  /// Clears this bitmap and draws the test picture on it, laid out for its size.
  ///
  /// The frame and a block in each corner show the offset and the size. The arrow to the right and
  /// the words show the rotation. The chequered area shows lines that are swapped, doubled or dead.
  /// The caption is the version, or says which of several test pictures this is.
  package mutating func drawTestPicture(caption: Span<UInt8>) {
    clear()
    drawFrame()
    if isUpright || size.isSquare {
      drawUprightTest(caption)
    } else if size.width >= 100 {
      drawWideTest(caption)
    } else {
      drawNarrowTest(caption)
    }
  }

  private var block: Int { 4 }

  private mutating func drawFrame() {
    fill(Point(0, 0), size)
    fill(Point(1, 1), Size(size.width - 2, size.height - 2), lit: false)
    let (right, bottom) = (size.width - block, size.height - block)
    fill(Point(0, 0), Size(block, block))
    fill(Point(right, 0), Size(block, block))
    fill(Point(0, bottom), Size(block, block))
    fill(Point(right, bottom), Size(block, block))
  }

  /// The arrow on the left; beside it the words, and the chequered area below or beside these.
  private mutating func drawWideTest(_ caption: Span<UInt8>) {
    let name = "Lenker".utf8
    let margin = block + 2
    let isTall = size.height >= 60
    let arrow = Arrow.size(fitting: isTall ? 48 : 27)
    draw(.test, fitting: arrow, at: Point(margin, (size.height - arrow) / 2))
    let x = margin + arrow + 4
    let right = size.width - margin
    let (first, second) = isTall ? (18, 32) : (15, 28)
    draw(name.span, font: .bold14, at: Point(x, first), width: right - x)
    draw(caption, font: .bold12, at: Point(x, second), width: right - x)
    if isTall {
      drawChequers(x: x, y: second + 6, right: right, bottom: size.height - margin)
    } else {
      let width = max(Font.bold14.width(of: name.span), Font.bold12.width(of: caption))
      drawChequers(x: x + width + 4, y: 5, right: right, bottom: size.height - 5)
    }
  }

  /// The arrow on the left, the name below it, the caption and the chequered area beside it.
  private mutating func drawNarrowTest(_ caption: Span<UInt8>) {
    let name = "Lenker".utf8
    let arrow = Arrow.size(fitting: 27)
    let top = max(1, (size.height - arrow - 9) / 2 - 1)
    draw(.test, fitting: arrow, at: Point(3, top))
    let x = arrow + 5
    let baseline = block + 11
    draw(caption, font: .bold12, at: Point(x, baseline), width: size.width - x - 2)
    drawChequers(x: x, y: baseline + 3, right: size.width - 3, bottom: top + arrow)
    draw(
      name.span, font: .bold12, at: Point(block + 2, size.height - 2),
      width: size.width - 2 * block - 4)
  }

  /// The arrow on top, below it the words, and the chequered area at the bottom.
  private mutating func drawUprightTest(_ caption: Span<UInt8>) {
    let name = "Lenker".utf8
    let margin = size.width < 40 ? 2 : block + 2
    let arrow =
      size.isSquare ? Arrow.largest : Arrow.size(fitting: min(size.width - 4, size.height / 3))
    draw(.test, fitting: arrow, at: Point((size.width - arrow) / 2, block))
    let (x, width) = (margin, size.width - 2 * margin)
    let first = block + arrow + 11
    // The narrowest panels have no room for the name.
    let isNamed = Font.bold12.inkFits(name.span, in: width)
    if isNamed { draw(name.span, font: .bold12, at: Point(x, first)) }
    let second = isNamed ? first + 12 : first
    draw(caption, font: .bold12, at: Point(x, second), width: width + 1)
    drawChequers(x: x, y: second + 4, right: size.width - margin, bottom: size.height - margin)
  }

  private mutating func drawChequers(x: Int, y: Int, right: Int, bottom: Int) {
    for row in y..<max(y, bottom) {
      for column in x..<max(x, right) where (row + column) & 1 == 0 { self[column, row] = true }
    }
  }
}

extension Arrow {
  /// To the right: an arrow that looks different in every other rotation and in a mirror.
  fileprivate static var test: Arrow { .right }
}

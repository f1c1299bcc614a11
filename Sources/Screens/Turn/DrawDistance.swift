import Graphics
import Messages

extension Bitmap {
  /// A number with its unit beside it, as large as fits, or, in a narrow place, below it.
  ///
  /// Only a turn that is near has the largest digits. An estimated distance has a tilde before it.
  mutating func drawDistance(
    _ text: Span<UInt8>, isNear: Bool = false, isEstimated: Bool = false, isCentred: Bool = false,
    in area: Rectangle
  ) {
    var distance = Quantity(text)
    distance.isEstimated = isEstimated && !distance.unit.isEmpty
    let isNumber = !distance.unit.isEmpty
    let largest: Font =
      isNumber && size.isSquare ? .bold56 : isNumber && isNear ? .bold48 : .bold34
    // A smaller number beside its unit is read more quickly than a large one above its unit. The large one is
    // better below an arrow in the middle of a narrow panel, and where there are rows enough for it.
    var candidate: Font? = isUpright || size.isSquare ? nil : largest
    while let font = candidate, font.rawValue >= Font.bold18.rawValue {
      if drawBeside(distance, font, isCentred: isCentred, in: area) { return }
      candidate = font.smaller
    }
    candidate = largest
    while let font = candidate {
      if (!size.isSquare || distance.unit.isEmpty)
        && drawBeside(distance, font, isCentred: isCentred, in: area)
        || drawStacked(distance, font, isCentred: isCentred, in: area)
      {
        return
      }
      candidate = font.smaller
    }
    drawCut(text, isEstimated: distance.isEstimated, in: area)
  }

  /// A word such as `Now` in small letters, or as much of a distance as there is room for.
  private mutating func drawCut(_ text: Span<UInt8>, isEstimated: Bool, in area: Rectangle) {
    let sign = isEstimated ? "~".utf8 : "".utf8
    let baseline = area.origin.y + (area.size.height + Font.bold12.capHeight) / 2
    // The last column of a letter is blank, and the gap can spare one: `Jetzt` is as wide.
    let isTight =
      !Font.bold12.fits(text, in: area.size.width)
      && Font.bold12.fits(text, in: area.size.width + 2)
    let x = draw(sign.span, font: .bold12, at: Point(area.origin.x - (isTight ? 1 : 0), baseline))
    draw(
      text, font: .bold12, at: Point(x, baseline),
      width: area.origin.x + area.size.width - x + (isTight ? 1 : 0))
  }

  /// Draws a number and its unit in a row in the middle of the rows, or returns `false` if they do not fit.
  private mutating func drawBeside(
    _ distance: borrowing Quantity, _ font: Font, isCentred: Bool, in area: Rectangle
  ) -> Bool {
    let (width, height) = (distance.width(in: font), distance.height(in: font))
    let gap = distance.unit.isEmpty ? 0 : font.capHeight / 8
    // The blank column behind the last letter may be beyond the edge, where each column counts.
    let room = area.size.width + (distance.isEstimated ? 1 : 0) - width - gap
    let unitFont = distance.unitFont(for: font, in: Size(room, area.size.height))
    let unitWidth = unitFont.width(of: distance.unit)
    guard unitWidth <= room, height <= area.size.height else { return false }
    let middle = area.origin.y + (area.size.height - height) / 2
    let baseline = (isCentred ? middle : raised(middle, rows: height)) + height
    let x = area.origin.x + (isCentred ? (area.size.width - width - gap - unitWidth) / 2 : 0)
    draw(numberOf: distance, font, at: Point(x, baseline))
    draw(distance.unit, font: unitFont, at: Point(x + width + gap, baseline))
    return true
  }

  /// Draws a number, and its unit below it, or returns `false` if they do not fit.
  private mutating func drawStacked(
    _ distance: borrowing Quantity, _ font: Font, isCentred: Bool, in area: Rectangle
  ) -> Bool {
    let (width, height) = (distance.width(in: font), distance.height(in: font))
    let gap = font == .bold56 ? 4 : 3
    let rows = area.size.height - height - gap
    let unitFont = distance.unitFont(for: font, in: Size(area.size.width, rows))
    let unitWidth = unitFont.width(of: distance.unit)
    guard max(width, unitWidth) <= area.size.width, unitFont.capHeight <= rows else { return false }
    let both = height + gap + unitFont.capHeight
    // On a square panel a digit begins with a page of the RAM.
    let top = area.origin.y + (size.isSquare ? 0 : (area.size.height - both) / 2)
    let (x, unitX) =
      isCentred ? ((area.size.width - width) / 2, (area.size.width - unitWidth) / 2) : (0, 0)
    draw(numberOf: distance, font, at: Point(area.origin.x + x, top + height))
    draw(distance.unit, font: unitFont, at: Point(area.origin.x + unitX, top + both))
    return true
  }

  /// Draws the number, with a tilde before an estimated one.
  private mutating func draw(numberOf distance: borrowing Quantity, _ font: Font, at origin: Point)
  {
    let raise = (font.digitHeight - font.forSign.digitHeight) / 2
    let sign = distance.isEstimated ? "~".utf8 : "".utf8
    let x = draw(sign.span, font: font.forSign, at: Point(origin.x, origin.y - raise))
    draw(distance.number, font: font, at: Point(x, origin.y), clip: bounds)
  }
}

extension Quantity {
  /// Columns of the number, with its tilde.
  fileprivate func width(in font: Font) -> Int {
    let sign = isEstimated ? "~".utf8 : "".utf8
    return font.forSign.width(of: sign.span) + font.width(of: number)
  }

  fileprivate func height(in font: Font) -> Int {
    unit.isEmpty ? font.capHeight : font.digitHeight
  }

  fileprivate func unitFont(for font: Font, in room: Size) -> Font {
    if font == .bold56, Font.bold18.capHeight <= room.height,
      Font.bold18.width(of: unit) <= room.width
    {
      return .bold18
    }
    let isLarge =
      font.rawValue > Font.bold14.rawValue && Font.bold14.capHeight <= room.height
      && Font.bold14.width(of: unit) <= room.width
    return isLarge ? .bold14 : .bold12
  }
}

extension Font {
  /// The font of a tilde before a number: the largest digits have no tilde of their own.
  fileprivate var forSign: Font { rawValue > Font.bold34.rawValue ? .bold34 : self }
}

/// The top row of a digit, moved up by at most four rows so that the digit lies in fewer pages.
///
/// Each page that a digit lies in is sent when the digit changes.
private func raised(_ top: Int, rows: Int) -> Int {
  let least = (rows + 7) / 8
  for row in (max(0, top - 4)...max(0, top)).reversed() {
    if (row + rows - 1) / 8 - row / 8 + 1 == least { return row }
  }
  return top
}

/// A number and its unit, in its parts.
struct Quantity: ~Escapable {
  /// The number, or the whole text if it is a word.
  let number: Span<UInt8>
  /// The word after the last blank; empty if the text has no number.
  let unit: Span<UInt8>
  /// Whether a tilde before the number says that it is estimated.
  var isEstimated = false

  @_lifetime(copy text)
  init(_ text: Span<UInt8>) {
    var blank = text.count
    if !text.isEmpty, text[0] >= 0x30, text[0] <= 0x39 {
      for index in text.indices where text[index] == 0x20 { blank = index }
    }
    number = text.extracting(first: blank)
    unit = text.extracting(droppingFirst: min(text.count, blank + 1))
  }
}

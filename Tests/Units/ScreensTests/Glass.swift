import Graphics

/// A picture in which words are looked for.
struct Glass {
  /// The rows of each column, the topmost in bit 0.
  private let columns: [UInt64]
  private let height: Int

  init(_ bitmap: borrowing Bitmap) {
    var columns = [UInt64](repeating: 0, count: bitmap.size.width)
    for x in 0..<bitmap.size.width {
      for y in 0..<bitmap.size.height where bitmap[x, y] { columns[x] |= 1 << UInt64(y) }
    }
    (self.columns, height) = (columns, bitmap.size.height)
  }

  /// Whether each word stands somewhere, whole, lit or dark, in one of the fonts.
  func says(_ text: String) -> Bool {
    text.split(separator: " ").allSatisfy { word in
      [Font.bold12, .bold14, .bold18, .bold24, .bold34].contains { has(String(word), $0) }
    }
  }

  private func has(_ word: String, _ font: Font) -> Bool {
    let bytes = Array(word.utf8)
    let (above, below) = font.extent(of: bytes.span)
    // Behind the last letter is a column that others need not leave dark.
    let width = font.width(of: bytes.span) - 1
    guard width <= columns.count, above + below <= height else { return false }
    var bitmap = Bitmap(Size(width, above + below))
    bitmap.draw(bytes.span, font: font, at: Point(0, above))
    let wanted = Glass(bitmap).columns
    let mask: UInt64 = .max >> UInt64(64 - above - below)
    return (0...columns.count - width).contains { x in
      (0...height - above - below).contains { y in
        isThere(wanted, x, y, mask, 0) || isThere(wanted, x, y, mask, mask)
      }
    }
  }

  private func isThere(
    _ wanted: [UInt64], _ x: Int, _ y: Int, _ mask: UInt64, _ inversion: UInt64
  ) -> Bool {
    for column in wanted.indices
    where (columns[x + column] >> UInt64(y)) & mask != wanted[column] ^ inversion { return false }
    return true
  }
}

package import Graphics

/// A picture in which words are looked for.
package struct Glass {
  /// The rows of each column, the topmost in bit 0.
  private let columns: [UInt128]
  private let height: Int
  /// Whether only those rows of a word count that a capital has.
  private var hasCapitalRowsOnly = false

  /// The picture in which to look.
  package init(_ bitmap: borrowing Bitmap) {
    var columns = [UInt128](repeating: 0, count: bitmap.size.width)
    for x in 0..<bitmap.size.width {
      for y in 0..<bitmap.size.height where bitmap[x, y] { columns[x] |= 1 << UInt128(y) }
    }
    (self.columns, height) = (columns, bitmap.size.height)
  }

  /// How words may stand on a panel, beside whole and apart from all others.
  package enum Leniency {
    case none
    /// In parts of the small font, a hyphen behind each but the last.
    case partsWords
    /// Likewise, accents and what is below the line being shared with other lines.
    case sharesRows
  }

  /// Whether each word stands somewhere, lit or dark, in one of the fonts.
  package func says(_ text: String, _ leniency: Leniency = .none) -> Bool {
    var glass = self
    glass.hasCapitalRowsOnly = leniency == .sharesRows
    return text.split(separator: " ").allSatisfy { word in
      [Font.bold12, .bold14, .bold18, .bold24, .bold34].contains { glass.has(String(word), $0) }
        || leniency != .none && glass.hasParts(word)
    }
  }

  /// Whether a word stands there in two or more parts of the small font.
  private func hasParts(_ word: Substring) -> Bool {
    word.indices.dropFirst().contains { index in
      let (head, tail) = (String(word[..<index]), word[index...])
      let needsHyphen = head.last?.isLetter == true && tail.first?.isLetter == true
      return has(needsHyphen ? head + "-" : head, .bold12)
        && (has(String(tail), .bold12) || hasParts(tail))
    }
  }

  private func has(_ word: String, _ font: Font) -> Bool {
    let bytes = Array(word.utf8)
    let extent = font.extent(of: bytes.span)
    let (above, below) = hasCapitalRowsOnly ? (font.capHeight, 0) : extent
    // Behind the last letter is a column that others need not leave dark.
    let width = font.width(of: bytes.span) - 1
    guard width <= columns.count, above + below <= height else { return false }
    var bitmap = Bitmap(Size(width, above + below))
    bitmap.draw(bytes.span, font: font, at: Point(0, above))
    let wanted = Glass(bitmap).columns
    let mask: UInt128 = .max >> UInt128(128 - above - below)
    return (0...columns.count - width).contains { x in
      (0...height - above - below).contains { y in
        isThere(wanted, x, y, mask, 0) || isThere(wanted, x, y, mask, mask)
      }
    }
  }

  private func isThere(
    _ wanted: [UInt128], _ x: Int, _ y: Int, _ mask: UInt128, _ inversion: UInt128
  ) -> Bool {
    for column in wanted.indices
    where (columns[x + column] >> UInt128(y)) & mask != wanted[column] ^ inversion { return false }
    return true
  }
}

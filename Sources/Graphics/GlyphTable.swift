import Bytes

/// A packed font, read in place: code points to pictures.
///
/// `Sources/FontTool/GlyphSet.swift` describes the bytes. FontTool makes the tables when the program
/// is built, so their insides are trusted; what is looked up in them is not.
struct GlyphTable {
  private let literal: String.UTF8View
  private let rangeCount: Int
  private let first: UInt32
  private let firstCount: UInt32

  /// Reads a table made by FontTool.
  init(_ literal: String) {
    self.literal = literal.utf8
    let table = self.literal.span
    rangeCount = table.number(at: 0, bytes: 2)
    first = UInt32(truncatingIfNeeded: table.number(at: 8, bytes: 3))
    firstCount = UInt32(truncatingIfNeeded: table.number(at: 11, bytes: 3))
  }

  private var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    borrowing get { literal.span }
  }

  /// Rows above the baseline that most glyphs keep to.
  var ascent: Int { bytes.number(at: 5, bytes: 1) }
  /// Rows below the baseline that most glyphs keep to.
  var descent: Int { bytes.number(at: 6, bytes: 1) }
  /// Rows of a capital letter.
  var capHeight: Int { bytes.number(at: 7, bytes: 1) }

  /// How many codes have a glyph.
  var count: Int { bytes.number(at: 2, bytes: 3) }

  /// The glyph of a code, found in the logarithm of the number of ranges.
  func glyph(_ code: UInt32) -> Glyph? {
    let table = bytes
    // The first range, mostly ASCII, holds nearly every letter that is asked for.
    if code &- first < firstCount { return glyph(at: Int(code &- first), in: table) }
    var (low, high) = (1, rangeCount)
    while low < high {
      let middle = (low + high) / 2
      let range = 8 + 9 * middle
      let position = Int(code) - table.number(at: range, bytes: 3)
      if position < 0 {
        high = middle
      } else if position >= table.number(at: range + 3, bytes: 3) {
        low = middle + 1
      } else {
        return glyph(at: table.number(at: range + 6, bytes: 3) + position, in: table)
      }
    }
    return nil
  }

  @inline(__always)
  private func glyph(at index: Int, in table: Span<UInt8>) -> Glyph {
    Glyph(table, at: table.number(at: 8 + 9 * rangeCount + 4 * index, bytes: 4))
  }

  /// The code in the `index`th place of all, or `nil` beyond the last.
  func code(at index: Int) -> UInt32? {
    var index = index
    for range in 0..<rangeCount where index >= 0 {
      let count = bytes.number(at: 11 + 9 * range, bytes: 3)
      if index < count { return UInt32(bytes.number(at: 8 + 9 * range, bytes: 3) + index) }
      index -= count
    }
    return nil
  }

  /// Hands the glyph's columns to `body` from left to right; bit 0 is the topmost row.
  @inline(__always)
  func forEachColumn(of glyph: Glyph, _ body: (_ column: Int, _ rows: UInt64) -> Void) {
    let table = bytes
    let height = UInt64(widening: UInt(bitPattern: glyph.height))
    let mask: UInt64 = (1 &<< height) &- 1
    var position = glyph.pixels
    var pending: UInt64 = 0
    var count: UInt64 = 0
    for column in 0..<glyph.width {
      while count < height {
        pending |= UInt64(widening: UInt32(table[position])) &<< count
        position += 1
        count += 7
      }
      body(column, pending & mask)
      pending &>>= height
      count -= height
    }
  }
}

/// Where a picture lies and how it is placed, in pixels.
struct Glyph {
  /// From this glyph's origin to the next one's.
  let advance: Int
  /// From the origin to the leftmost column.
  let left: Int
  /// From the baseline up to the topmost row.
  let top: Int
  /// Columns.
  let width: Int
  /// Rows, at most 56.
  let height: Int
  /// Position of the pixels in the table.
  fileprivate let pixels: Int

  @inline(__always)
  fileprivate init(_ table: Span<UInt8>, at position: Int) {
    advance = Int(table[position])
    left = Int(table[position + 1]) - 64
    top = Int(table[position + 2]) - 64
    width = Int(table[position + 3])
    height = Int(table[position + 4])
    pixels = position + 5
  }
}

extension Span<UInt8> {
  /// A number of seven bits a byte, the highest first.
  @inline(__always)
  func number(at position: Int, bytes count: Int) -> Int {
    var number = 0
    for index in position..<position &+ count { number = number &<< 7 | Int(self[index]) }
    return number
  }
}

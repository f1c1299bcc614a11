import Bytes

/// A packed font: code points to pictures.
///
/// `Sources/FontTool/Fonts/GlyphSet.swift` describes the bytes. FontTool makes the tables when the program
/// is built, so their insides are trusted; what is looked up in them is not.
struct GlyphTable {
  private let literal: String.UTF8View

  init(_ literal: String) { self.literal = literal.utf8 }

  /// The table, to be read in place.
  var reader: GlyphReader {
    @_lifetime(borrow self)
    borrowing get { GlyphReader(literal.span) }
  }

  /// Rows below the baseline that most glyphs keep to.
  var descent: Int { literal.span.number(at: 6, bytes: 1) }
  var capHeight: Int { literal.span.number(at: 7, bytes: 1) }
  var count: Int { literal.span.number(at: 2, bytes: 3) }

  func glyph(_ code: UInt32) -> Glyph? {
    let position = reader.position(of: code)
    return position < 0 ? nil : reader.glyph(at: position)
  }

  /// The code in the `index`th place of all, or `nil` beyond the last.
  func code(at index: Int) -> UInt32? {
    let bytes = literal.span
    var index = index
    for range in 0..<bytes.number(at: 0, bytes: 2) where index >= 0 {
      let count = bytes.number(at: 11 + 9 * range, bytes: 3)
      if index < count { return UInt32(bytes.number(at: 8 + 9 * range, bytes: 3) + index) }
      index -= count
    }
    return nil
  }
}

/// Reads a packed font in place: only the pages that are looked at are ever loaded.
struct GlyphReader: ~Escapable {
  private let bytes: Span<UInt8>
  private let rangeCount: Int
  private let first: UInt32
  private let firstCount: UInt32

  @_lifetime(copy bytes)
  fileprivate init(_ bytes: Span<UInt8>) {
    self.bytes = bytes
    rangeCount = bytes.number(at: 0, bytes: 2)
    first = UInt32(truncatingIfNeeded: bytes.number(at: 8, bytes: 3))
    firstCount = UInt32(truncatingIfNeeded: bytes.number(at: 11, bytes: 3))
  }

  /// Where the glyph of a code lies, -1 if there is none.
  func position(of code: UInt32) -> Int {
    let run = run(of: code)
    return run.index < 0 ? -1 : position(of: code, in: run)
  }

  /// Where the glyph of a code of the first range lies; -1 for other codes.
  ///
  /// The first range is mostly ASCII and holds nearly every letter that is drawn.
  @inline(__always)
  func quickPosition(of code: UInt32) -> Int {
    let index = code &- first
    return index < firstCount ? position(at: Int(index)) : -1
  }

  /// Neighbouring codes that all have a glyph, or all have none.
  struct Run {
    var first: UInt32
    var last: UInt32
    /// The place of the first code's glyph, -1 if there is none.
    var index: Int

    @inline(__always)
    func contains(_ code: UInt32) -> Bool { code >= first && code <= last }

    func narrowed(to other: Run) -> Run {
      let start = max(first, other.first)
      return Run(
        first: start, last: min(last, other.last),
        index: index < 0 ? -1 : index + Int(start - first))
    }
  }

  /// Finds a code's run in the logarithm of the number of ranges.
  func run(of code: UInt32) -> Run {
    var (low, high) = (0, rangeCount)
    var gap = Run(first: 0, last: .max, index: -1)
    while low < high {
      let middle = (low &+ high) / 2
      let range = 8 &+ 9 &* middle
      let first = UInt32(truncatingIfNeeded: bytes.number(at: range, bytes: 3))
      if code < first {
        high = middle
        gap.last = first &- 1
        continue
      }
      let end = first &+ UInt32(truncatingIfNeeded: bytes.number(at: range &+ 3, bytes: 3))
      if code < end {
        return Run(first: first, last: end &- 1, index: bytes.number(at: range &+ 6, bytes: 3))
      }
      low = middle &+ 1
      gap.first = end
    }
    return gap
  }

  func position(of code: UInt32, in run: Run) -> Int {
    position(at: run.index &+ Int(code &- run.first))
  }

  @inline(__always)
  private func position(at index: Int) -> Int {
    bytes.number(at: 8 &+ 9 &* rangeCount &+ 3 &* index, bytes: 3)
  }

  @inline(__always)
  func advance(at position: Int) -> Int { Int(bytes[position]) }

  @inline(__always)
  func glyph(at position: Int) -> Glyph { Glyph(bytes, at: position) }

  /// Hands the glyph's columns to `body` from left to right; bit 0 is the topmost row.
  @inline(__always)
  func forEachColumn(of glyph: Glyph, _ body: (_ column: Int, _ rows: UInt64) -> Void) {
    let height = UInt64(widening: UInt(bitPattern: glyph.height))
    let mask: UInt64 = (1 &<< height) &- 1
    var position = glyph.pixels
    var pending: UInt64 = 0
    var last: UInt64 = 0
    var count: UInt64 = 0
    for column in 0..<glyph.width {
      while count < height {
        last = UInt64(widening: UInt32(bytes[position]))
        pending |= last &<< count
        position &+= 1
        count &+= 7
      }
      body(column, pending & mask)
      // The rest is the end of the last byte; for the highest glyphs `pending` had no room for all of it.
      count &-= height
      pending = last &>> (7 &- count)
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
  let width: Int
  /// Rows, at most 62.
  let height: Int
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
    for index in 0..<count { number = number &<< 7 | Int(self[position &+ index]) }
    return number
  }
}

import Bytes

/// Pixels in the panel's own order: pages of eight rows, bit 0 of a byte on top.
///
/// SSD1306 data sheet, 8.7. A bitmap has at most 128 × 128 pixels. What is drawn outside is
/// dropped.
package struct Bitmap: ~Copyable {
  /// The largest width of a panel, and the distance between two pages of its RAM.
  package static var maxWidth: Int { 128 }
  /// The largest height of a panel.
  package static var maxHeight: Int { 128 }

  /// Width and height of this bitmap.
  package private(set) var size: Size
  private var storage = InlineArray<2048, UInt8>(repeating: 0)
  /// The width with all columns.
  private let fullWidth: Int
  private let inPlace = InPlace()
  #if arch(wasm32)
    /// The words that were written since the bitmap was cleared.
    package internal(set) var words = DrawnWords()
  #endif

  /// A dark bitmap; sizes beyond the largest are cut to it.
  package init(_ size: Size) {
    fullWidth = max(0, min(size.width, Self.maxWidth))
    self.size = Size(fullWidth, max(0, min(size.height, Self.maxHeight)))
  }

  /// Reserves columns at the right edge: later drawings are laid out without them.
  package mutating func narrow(by columns: Int) {
    size.width = max(0, min(fullWidth, fullWidth - columns))
  }

  /// Takes the reserved columns back.
  package mutating func widen() { size.width = fullWidth }

  /// How many pages of eight rows there are.
  package var pageCount: Int { (size.height + 7) / 8 }

  /// Whether the pixel is lit; pixels outside the bitmap are dark and stay so.
  package subscript(x: Int, y: Int) -> Bool {
    get {
      guard contains(x, y) else { return false }
      return storage[(y >> 3) * Self.maxWidth + x] & (1 << UInt8(y & 7)) != 0
    }
    set {
      guard contains(x, y) else { return }
      let index = (y >> 3) * Self.maxWidth + x
      let bit: UInt8 = 1 << UInt8(y & 7)
      if newValue { storage[index] |= bit } else { storage[index] &= ~bit }
    }
  }

  /// Eight pixels of one column, the topmost in bit 0; 0 outside.
  package subscript(page page: Int, column column: Int) -> UInt8 {
    get {
      guard contains(column, page * 8) else { return 0 }
      return storage[page * Self.maxWidth + column]
    }
    set {
      guard contains(column, page * 8) else { return }
      storage[page * Self.maxWidth + column] = newValue
    }
  }

  /// Turns all pixels dark.
  package mutating func clear() {
    storage = InlineArray(repeating: 0)
    #if arch(wasm32)
      words.removeAll()
    #endif
  }

  /// Copies all pixels: eight rows of a column in a byte, 128 columns in a page, 16 pages.
  ///
  /// Bytes outside the bitmap are 0.
  package func copy(to bytes: inout InlineArray<2048, UInt8>) { bytes = storage }

  /// Copies all pixels for a glass that is mounted upright, turned clockwise by a quarter.
  ///
  /// The glass is as wide as the bitmap is high; the order is that of `copy(to:)`.
  package func copyTurned(to bytes: inout InlineArray<2048, UInt8>) {
    bytes = InlineArray(repeating: 0)
    for page in 0..<pageCount {
      for glassPage in 0..<min(Self.maxHeight, size.width + 7) / 8 {
        var square: UInt64 = 0
        for column in (8 * glassPage..<8 * glassPage + 8).reversed() {
          square = square &<< 8 | UInt64(widening: UInt32(self[page: page, column: column]))
        }
        square = square.transposed
        var column = size.height - 1 - 8 * page
        while square != 0, column >= 0 {
          bytes[glassPage * Self.maxWidth + column] = UInt8(truncatingIfNeeded: square)
          square &>>= 8
          column -= 1
        }
      }
    }
  }

  /// Lights or darkens a rectangle.
  @inline(never)  // one copy
  package mutating func fill(_ origin: Point, _ size: Size, lit: Bool = true) {
    let area = clipped(Rectangle(origin, size))
    for page in area.pages {
      let rows = area.rows(in: page)
      for column in area.columns {
        if lit {
          storage[page &* Self.maxWidth &+ column] |= rows
        } else {
          storage[page &* Self.maxWidth &+ column] &= ~rows
        }
      }
    }
  }

  /// Swaps lit and dark in a rectangle.
  @inline(never)
  package mutating func invert(_ rectangle: Rectangle) {
    let area = clipped(rectangle)
    for page in area.pages {
      let rows = area.rows(in: page)
      for column in area.columns { storage[page &* Self.maxWidth &+ column] ^= rows }
    }
  }

  /// Everything that can be drawn on.
  package var bounds: Rectangle { Rectangle(Point(0, 0), size) }

  /// Lights a glyph, its top left pixel at `origin`, within a rectangle of this bitmap.
  ///
  /// Where `isDim`, only every second pixel is lit.
  mutating func draw(
    _ glyph: Glyph, of reader: borrowing GlyphReader, at origin: Point, in area: Rectangle,
    isDim: Bool = false
  ) {
    guard origin.y > -64, origin.y < size.height else { return }
    let columns = area.columns
    guard origin.x < columns.upperBound, origin.x &+ glyph.width > columns.lowerBound else {
      return
    }
    let mask = bits(from: area.origin.y - origin.y, count: area.size.height)
    let above = UInt64(widening: UInt(bitPattern: max(0, -origin.y)))
    let top = max(0, origin.y)
    let below = UInt64(widening: UInt(bitPattern: top & 7))
    let firstByte = (top >> 3) * Self.maxWidth
    reader.forEachColumn(of: glyph) { column, rows in
      let x = origin.x &+ column
      guard columns.contains(x) else { return }
      let lit = (rows & mask) &>> above
      var bits = lit &<< below
      if isDim { bits &= x & 1 == 0 ? 0x5555_5555_5555_5555 : 0xAAAA_AAAA_AAAA_AAAA }
      var index = firstByte &+ x
      while bits != 0 {
        storage[index] |= UInt8(truncatingIfNeeded: bits)
        bits &>>= 8
        index &+= Self.maxWidth
      }
      guard glyph.height > 57, below > 0 else { return }
      // The rows for which 64 bits have no room.
      let rest = UInt8(truncatingIfNeeded: lit &>> (64 &- below))
      let dots: UInt8 = isDim ? x & 1 == 0 ? 0x55 : 0xAA : 0xFF
      if rest & dots != 0 { storage[firstByte &+ 8 &* Self.maxWidth &+ x] |= rest & dots }
    }
  }

  /// The part of `rectangle` that lies on this bitmap, empty if none does.
  func clipped(_ rectangle: Rectangle) -> Rectangle {
    let (x, width) = overlap(rectangle.origin.x, rectangle.size.width, size.width)
    let (y, height) = overlap(rectangle.origin.y, rectangle.size.height, size.height)
    return Rectangle(x: x, y: y, width: width, height: height)
  }

  /// The part of `start..<start + length` within `0..<limit`; numbers of any size are harmless.
  private func overlap(_ start: Int, _ length: Int, _ limit: Int) -> (start: Int, length: Int) {
    guard length > 0, start < limit else { return (0, 0) }
    let (sum, overflows) = start.addingReportingOverflow(length)
    let end = overflows ? limit : min(limit, sum)
    let first = max(0, start)
    return (first, max(0, end - first))
  }

  private func contains(_ x: Int, _ y: Int) -> Bool {
    x >= 0 && x < size.width && y >= 0 && y < size.height
  }
}

extension Rectangle {
  /// The pages that a rectangle within a bitmap lies in.
  fileprivate var pages: Range<Int> { origin.y / 8..<(origin.y + size.height + 7) / 8 }

  /// Its rows in one of them, bit 0 on top.
  fileprivate func rows(in page: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: bits(from: origin.y - 8 * page, count: size.height))
  }
}

/// A mask of `count` bits from the bit `first`; bits beyond 64 are left out.
private func bits(from first: Int, count: Int) -> UInt64 {
  let (start, end) = (max(0, first), min(64, first + count))
  guard start < end else { return 0 }
  let ones = UInt64.max &>> UInt64(widening: UInt32(64 - (end - start)))
  return ones &<< UInt64(widening: UInt32(start))
}

extension UInt64 {
  /// A square of eight bytes in which bit and byte have changed places.
  ///
  /// Warren, Hacker's Delight, 7-3.
  fileprivate var transposed: UInt64 {
    var square = self
    var swapped = (square ^ square &>> 7) & 0x00AA_00AA_00AA_00AA
    square ^= swapped ^ swapped &<< 7
    swapped = (square ^ square &>> 14) & 0x0000_CCCC_0000_CCCC
    square ^= swapped ^ swapped &<< 14
    swapped = (square ^ square &>> 28) & 0x0000_0000_F0F0_F0F0
    return square ^ swapped ^ swapped &<< 28
  }
}

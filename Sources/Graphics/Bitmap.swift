import Bytes

/// Pixels in the panel's own order: pages of eight rows, bit 0 of a byte on top.
///
/// SSD1306 data sheet, 8.7. At most 128 × 64; drawing outside is dropped.
public struct Bitmap: ~Copyable {
  /// The largest width of a panel, and the distance between two pages in `storage`.
  public static var maxWidth: Int { 128 }
  /// The largest height of a panel.
  public static var maxHeight: Int { 64 }

  /// Width and height of this bitmap.
  public let size: Size
  private var storage = InlineArray<1024, UInt8>(repeating: 0)

  /// A dark bitmap; sizes beyond the largest are cut to it.
  public init(_ size: Size) {
    self.size = Size(
      max(0, min(size.width, Self.maxWidth)), max(0, min(size.height, Self.maxHeight)))
  }

  /// How many pages of eight rows there are.
  public var pageCount: Int { (size.height + 7) / 8 }

  /// Whether the pixel is lit; outside nothing is, and nothing can be.
  public subscript(x: Int, y: Int) -> Bool {
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
  public subscript(page page: Int, column column: Int) -> UInt8 {
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
  public mutating func clear() { storage = InlineArray(repeating: 0) }

  /// Copies all pixels: eight rows of a column in a byte, 128 columns in a page, eight pages.
  ///
  /// Bytes outside the bitmap are 0.
  public func copy(to bytes: inout InlineArray<1024, UInt8>) { bytes = storage }

  /// Lights or darkens a rectangle.
  public mutating func fill(_ origin: Point, _ size: Size, lit: Bool = true) {
    let area = clipped(Rectangle(origin, size))
    for column in area.columns { set(rows(of: area), column: column, lit: lit) }
  }

  /// Swaps lit and dark in a rectangle.
  public mutating func invert(_ rectangle: Rectangle) {
    let area = clipped(rectangle)
    let mask = rows(of: area)
    for column in area.columns {
      for page in 0..<pageCount {
        let bits = UInt8(truncatingIfNeeded: mask.movedDown(-8 * page))
        storage[page * Self.maxWidth + column] ^= bits
      }
    }
  }

  /// Everything that can be drawn on.
  public var bounds: Rectangle { Rectangle(Point(0, 0), size) }

  /// Lights or darkens those pixels of a column whose bit is set; bit 0 is row 0.
  mutating func set(_ rows: UInt64, column: Int, lit: Bool = true) {
    guard column >= 0, column < size.width else { return }
    var rest = rows & self.rows(of: bounds)
    var index = column
    while rest != 0 {
      let bits = UInt8(truncatingIfNeeded: rest)
      if lit { storage[index] |= bits } else { storage[index] &= ~bits }
      rest &>>= 8
      index += Self.maxWidth
    }
  }

  /// Lights a glyph, its top left pixel at `origin`, within a rectangle of this bitmap.
  ///
  /// Where `isDim`, only every second pixel is lit.
  mutating func draw(
    _ glyph: Glyph, of table: GlyphTable, at origin: Point, in area: Rectangle, isDim: Bool = false
  ) {
    draw(glyph, of: table.reader, at: origin, in: area, isDim: isDim)
  }

  /// Lights a glyph, likewise.
  mutating func draw(
    _ glyph: Glyph, of reader: borrowing GlyphReader, at origin: Point, in area: Rectangle,
    isDim: Bool = false
  ) {
    guard origin.y > -64, origin.y < 64 else { return }
    let columns = area.columns
    guard origin.x < columns.upperBound, origin.x &+ glyph.width > columns.lowerBound else {
      return
    }
    let mask = rows(of: area).movedDown(-origin.y)
    let above = UInt64(widening: UInt(bitPattern: max(0, -origin.y)))
    let top = max(0, origin.y)
    let below = UInt64(widening: UInt(bitPattern: top & 7))
    let firstByte = (top >> 3) * Self.maxWidth
    reader.forEachColumn(of: glyph) { column, rows in
      let x = origin.x &+ column
      guard columns.contains(x) else { return }
      var bits = ((rows & mask) &>> above) &<< below
      if isDim { bits &= x & 1 == 0 ? 0x5555_5555_5555_5555 : 0xAAAA_AAAA_AAAA_AAAA }
      var index = firstByte &+ x
      while bits != 0 {
        storage[index] |= UInt8(truncatingIfNeeded: bits)
        bits &>>= 8
        index &+= Self.maxWidth
      }
    }
  }

  /// The part of `rectangle` that lies on this bitmap, empty if none does.
  func clipped(_ rectangle: Rectangle) -> Rectangle {
    let (x, width) = overlap(rectangle.origin.x, rectangle.size.width, size.width)
    let (y, height) = overlap(rectangle.origin.y, rectangle.size.height, size.height)
    return Rectangle(x: x, y: y, width: width, height: height)
  }

  /// The rows of a rectangle within the bounds as bits; bit 0 is row 0.
  func rows(of area: Rectangle) -> UInt64 {
    guard area.size.height > 0 else { return 0 }
    return UInt64.max.movedDown(area.size.height - 64).movedDown(area.origin.y)
  }

  /// What `start..<start + length` and `0..<limit` share; numbers of any size are harmless.
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

extension UInt64 {
  /// The rows of a column, moved down by `count` rows or up if it is negative.
  func movedDown(_ count: Int) -> UInt64 {
    guard count > -64, count < 64 else { return 0 }
    let distance = UInt64(widening: count.magnitude)
    return count < 0 ? self &>> distance : self &<< distance
  }
}

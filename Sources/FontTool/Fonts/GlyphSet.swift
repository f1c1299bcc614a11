/// One picture of a font or of an arrow, trimmed to its lit pixels.
struct Glyph: Equatable {
  /// The tallest glyph: an arrow of 64 rows, of which one on each side is free.
  static let maxRows = 62

  /// From this glyph's origin to the next one's, in pixels.
  var advance: Int
  /// From the origin to the leftmost column, in pixels.
  var left: Int
  /// From the baseline up to the topmost row, in pixels.
  var top: Int
  /// The columns from left to right; bit 0 is the topmost row.
  var columns: [UInt64]
  var rows: Int

  /// Trims the picture whose lit pixels `isLit` knows.
  init(
    advance: Int, left: Int, top: Int, width: Int, height: Int, isLit: (Int, Int) -> Bool
  ) {
    let columns = (0..<width).map { x in
      (0..<height).reduce(UInt64(0)) { bits, y in isLit(x, y) ? bits | 1 << UInt64(y) : bits }
    }
    self.init(advance: advance, left: left, top: top, columns: columns)
  }

  /// Trims the picture of these columns.
  init(advance: Int, left: Int, top: Int, columns: [UInt64]) {
    var columns = columns
    let lit = columns.reduce(0, |)
    let firstRow = lit == 0 ? 0 : lit.trailingZeroBitCount
    let firstColumn = columns.firstIndex { $0 != 0 } ?? 0
    columns.removeFirst(firstColumn)
    while columns.last == 0 { columns.removeLast() }
    self.advance = advance
    self.left = left + firstColumn
    self.top = top - firstRow
    self.columns = columns.map { $0 >> UInt64(firstRow) }
    rows = lit == 0 ? 0 : 64 - lit.leadingZeroBitCount - firstRow
  }
}

/// The glyphs of one table by their code.
struct GlyphSet {
  var ascent: Int
  var descent: Int
  var capHeight: Int
  var glyphs: [UInt32: Glyph]

  /// The table: header, ranges, offsets, glyphs.
  ///
  /// A glyph whose advance is 0 is a mark, to be drawn over the glyph before it.
  ///
  /// Everything is in numbers of seven bits a byte, the highest first, so that the whole is ASCII
  /// and can be a string literal.
  ///
  /// | part | bytes |
  /// |---|---|
  /// | header | ranges (2), glyphs (3), ascent (1), descent (1), height of H (1) |
  /// | each range, sorted | first code (3), how many codes (3), index of the first one's glyph (3) |
  /// | each glyph's offset | from the start of the table (3) |
  /// | each glyph | advance, left + 64, top + 64, columns, rows (1 each), then its pixels |
  ///
  /// Pixels are a stream of bits, seven a byte from bit 0 up: column after column from the left,
  /// each from the top. Equal glyphs share one place.
  var table: [UInt8] {
    let codes = glyphs.keys.sorted()
    var ranges: [(first: UInt32, count: Int, glyph: Int)] = []
    for (index, code) in codes.enumerated() {
      if let last = ranges.last, code == last.first + UInt32(last.count) {
        ranges[ranges.count - 1].count += 1
      } else {
        ranges.append((code, 1, index))
      }
    }
    var table = Septets()
    table.append(ranges.count, bytes: 2)
    table.append(codes.count, bytes: 3)
    for metric in [ascent, descent, capHeight] { table.append(metric, bytes: 1) }
    let head = table.bytes.count + 9 * ranges.count
    let start = head + 3 * codes.count
    var pictures: [UInt8] = []
    var places: [[UInt8]: Int] = [:]
    var offsets = Septets()
    for code in codes {
      let picture = glyphs[code]?.picture ?? []
      let place = places[picture] ?? start + pictures.count
      if places.updateValue(place, forKey: picture) == nil { pictures += picture }
      offsets.append(place, bytes: 3)
    }
    for range in ranges {
      table.append(Int(range.first), bytes: 3)
      table.append(range.count, bytes: 3)
      table.append(range.glyph, bytes: 3)
    }
    return table.bytes + offsets.bytes + pictures
  }
}

extension Glyph {
  fileprivate var picture: [UInt8] {
    var bytes = Septets()
    for number in [advance, left + 64, top + 64, columns.count, rows] {
      bytes.append(number, bytes: 1)
    }
    var pending: UInt128 = 0
    var count = 0
    for column in columns {
      pending |= UInt128(column) << UInt128(count)
      count += rows
      while count >= 7 {
        bytes.append(Int(pending & 0x7F), bytes: 1)
        pending >>= 7
        count -= 7
      }
    }
    if count > 0 { bytes.append(Int(pending), bytes: 1) }
    return bytes.bytes
  }
}

/// Numbers of seven bits a byte.
struct Septets {
  private(set) var bytes: [UInt8] = []

  mutating func append(_ number: Int, bytes count: Int) {
    precondition(number >= 0 && number < 1 << (7 * count), "\(number) does not fit")
    var place = 7 * count
    while place > 0 {
      place -= 7
      bytes.append(UInt8(number >> place & 0x7F))
    }
  }
}

extension Glyph {
  /// The same picture with its columns within the advance and a dark one at the right, so that it
  /// touches neither neighbour.
  func spaced() -> Glyph {
    var glyph = self
    guard !columns.isEmpty else { return glyph }
    glyph.left = max(0, left)
    glyph.advance = max(advance + glyph.left - left, glyph.left + columns.count + 1)
    return glyph
  }
}

extension [UInt32: Glyph] {
  /// Spaces all letters except marks and the `joined` ones, whose neighbours touch.
  func spaced(besides joined: [ClosedRange<UInt32>]) -> [UInt32: Glyph] {
    var glyphs = self
    for (code, glyph) in self where glyph.advance > 0 && !isMark(code) {
      if !joined.contains(where: { $0.contains(code) }) { glyphs[code] = glyph.spaced() }
    }
    return glyphs
  }

  private func isMark(_ code: UInt32) -> Bool {
    switch Unicode.Scalar(code)?.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: true
    default: false
    }
  }
}

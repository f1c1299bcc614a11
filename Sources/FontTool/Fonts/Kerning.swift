/// By how many columns the second letter of a pair moves towards the first.
///
/// Two letters are as near to each other as two stems are, but never nearer: the distance is that of
/// the nearest pixels in the same row or in rows that touch.
struct Kerning {
  /// The codes that are in the table.
  static let codes: Range<UInt32> = 0x20..<0x180

  /// The columns of each pair, left letter first.
  private var rows: [[UInt8]]

  /// Finds the pairs of a font that may move by up to `limit` columns.
  init(of glyphs: [UInt32: Glyph], limit: Int) {
    let edges = Self.codes.map { code -> Edges? in
      guard let scalar = Unicode.Scalar(code), let glyph = glyphs[code],
        scalar.properties.isAlphabetic || "'.,-".unicodeScalars.contains(scalar)
      else { return nil }
      return Edges(glyph)
    }
    let stem = glyphs[0x48].map(Edges.init)
    let usual = stem.flatMap { $0.distance(to: $0) } ?? 0
    rows = edges.map { left in
      edges.map { right in
        guard let left, let right else { return 0 }
        return UInt8(max(0, min(limit, (left.distance(to: right) ?? .max) - usual)))
      }
    }
  }

  /// Right classes (1), the class of each code as the left and as the right letter (1 each), then the
  /// columns for each pair of classes (1).
  var table: [UInt8] {
    let columns = rows.indices.map { column in rows.map { $0[column] } }
    // The class of letters that move nothing comes first.
    let none = [UInt8](repeating: 0, count: rows.count)
    let left = Classes(of: [none] + rows)
    let right = Classes(of: [none] + columns)
    var table = Septets()
    table.append(right.members.count, bytes: 1)
    for number in left.numbers.dropFirst() + right.numbers.dropFirst() {
      table.append(number, bytes: 1)
    }
    for row in left.members {
      for column in right.members {
        let pair = (
          left.numbers.firstIndex(of: row) ?? 0, right.numbers.firstIndex(of: column) ?? 0
        )
        table.append(pair.0 == 0 || pair.1 == 0 ? 0 : Int(rows[pair.0 - 1][pair.1 - 1]), bytes: 1)
      }
    }
    return table.bytes
  }

  /// Equal things under one number, in the order in which they come.
  private struct Classes {
    var numbers: [Int] = []
    var members: Range<Int>

    init(of things: [[UInt8]]) {
      var known: [[UInt8]: Int] = [:]
      for thing in things {
        let number = known[thing] ?? known.count
        known[thing] = number
        numbers.append(number)
      }
      members = 0..<known.count
    }
  }

  /// How far each row of a letter is from its sides, by the row's height above the baseline.
  private struct Edges {
    var left: [Int: Int] = [:]
    var right: [Int: Int] = [:]

    init(_ glyph: Glyph) {
      for (index, column) in glyph.columns.enumerated() {
        for row in 0..<glyph.rows where column >> UInt64(row) & 1 == 1 {
          let y = glyph.top - row
          left[y] = min(left[y] ?? .max, glyph.left + index)
          right[y] = glyph.advance - 1 - glyph.left - index
        }
      }
    }

    /// The free columns to a letter that follows, or `nil` if it has no row beside one of this.
    func distance(to next: Edges) -> Int? {
      right.flatMap { y, columns in
        (y - 1...y + 1).compactMap { next.left[$0].map { columns + $0 } }
      }.min()
    }
  }
}

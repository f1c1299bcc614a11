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

  /// How far each row of a letter is from its sides.
  private struct Edges {
    /// More columns than there are.
    static let none = 1000
    /// The free columns at the right of each row from the top, or `none` where nothing is lit.
    private let right: [Int]
    /// Those at the left, in each row or in one beside it, from the row above the top.
    private let left: [Int]
    /// The height of the first row above the baseline.
    private let top: Int

    init(_ glyph: Glyph) {
      var right = [Int](repeating: Self.none, count: glyph.rows)
      var left = [Int](repeating: Self.none, count: glyph.rows + 2)
      for (index, column) in glyph.columns.enumerated() {
        for row in 0..<glyph.rows where column >> UInt64(row) & 1 == 1 {
          right[row] = glyph.advance - 1 - glyph.left - index
          for near in row..<row + 3 { left[near] = min(left[near], glyph.left + index) }
        }
      }
      (self.right, self.left, top) = (right, left, glyph.top)
    }

    /// The free columns to a letter that follows, or `nil` if it has no row beside one of this.
    func distance(to next: Edges) -> Int? {
      let lower = next.top - top + 1
      var least = Self.none
      for row in max(0, -lower)..<max(0, -lower, min(right.count, next.left.count - lower)) {
        least = min(least, right[row] + next.left[row + lower])
      }
      return least < Self.none / 2 ? least : nil
    }
  }
}

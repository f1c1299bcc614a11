/// A terminal that does not break lines, as far as the table needs one.
struct Terminal {
  let columns: Int
  private var lines: [[Character]]
  private(set) var isOverrun = false

  init(rows: Int, columns: Int) {
    self.columns = columns
    lines = Array(repeating: Array(repeating: " ", count: columns), count: rows)
  }

  /// Shows a text from the first place on; what is beyond the last column is lost.
  mutating func show(_ text: String) {
    var (row, column) = (0, 0)
    var rest = Array(text)[...]
    while let next = rest.popFirst() {
      switch next {
      case "\r\n": (row, column) = (row + 1, 0)
      case "\u{1B}":
        let number = Int(String(rest.dropFirst().prefix { $0.isNumber })) ?? 0
        rest = rest.drop { !$0.isLetter }
        erase(rest.removeFirst(), number, row, &column)
      default:
        if column < columns { lines[row][column] = next } else { isOverrun = true }
        column += 1
      }
    }
  }

  /// Cursor Character Absolute and Erase in Line: ECMA-48.
  private mutating func erase(_ what: Character, _ number: Int, _ row: Int, _ column: inout Int) {
    switch what {
    case "G": column = number - 1
    case "K": for place in min(columns, column)..<columns { lines[row][place] = " " }
    default: preconditionFailure("\(what) is not known")
    }
  }

  var text: [String] {
    lines.map { line in
      String(line.reversed().drop { $0 == " " }.reversed())
    }
  }
}

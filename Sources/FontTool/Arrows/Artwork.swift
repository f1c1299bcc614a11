/// The drawings in one file of `Fonts/arrows/`; `Fonts/README.md` describes the lines.
struct Artwork {
  private(set) var drawings: [String: Drawing] = [:]
  private var current: String?

  /// Reads the drawings; `file` is the file's name in errors.
  init(parsing text: String, file: String) throws {
    try forEachLine(of: text, file: file) { try add($0, $1) }
  }

  private mutating func add(_ keyword: String, _ words: [String]) throws {
    switch keyword {
    case "arrow": try begin(words)
    case "mirror":
      guard words.count == 1 else { throw ToolError("'mirror' wants the name of another arrow") }
      try change { $0.mirrored = words[0] }
    case "number":
      guard words.count == 3, let code = words[0].unicodeScalars.first, words[0].count == 1,
        ("0"..."9").contains(code), let x = Double(words[1]), let y = Double(words[2])
      else { throw ToolError("'number' wants a digit and the units of its middle") }
      try change { $0.number = (code.value, Vector(x: x, y: y)) }
    case "clear":
      guard let keyword = words.first else { throw ToolError("'clear' wants a shape") }
      let shape = try Self.shape(keyword, Array(words.dropFirst()))
      try change { $0.steps.append((shape, false)) }
    default:
      let shape = try Self.shape(keyword, words)
      try change { $0.steps.append((shape, true)) }
    }
  }

  private mutating func begin(_ words: [String]) throws {
    guard words.count == 1, words[0].wholeMatch(of: /[a-z][a-z0-9]*(?:-[a-z0-9]+)*/) != nil else {
      throw ToolError("'arrow' wants a name of small letters, digits and hyphens")
    }
    let name = words[0]
    guard drawings[name] == nil else { throw ToolError("arrow \(name) is there already") }
    drawings[name] = Drawing(name: name)
    current = name
  }

  private mutating func change(_ body: (inout Drawing) -> Void) throws {
    guard let current, var drawing = drawings[current] else {
      throw ToolError("a line 'arrow NAME' must come first")
    }
    body(&drawing)
    drawings[current] = drawing
  }

  private static func shape(_ keyword: String, _ words: [String]) throws -> Drawing.Shape {
    let numbers = try words.map { word in
      guard let number = Double(word), abs(number) < 1000 else {
        throw ToolError("'\(word)' is not a number of units or degrees")
      }
      return number
    }
    switch (keyword, numbers.count) {
    case ("stroke", 5...) where numbers.count % 2 == 1:
      return .stroke(width: numbers[0], points: points(numbers.dropFirst()))
    case ("path", 7...) where numbers.count % 2 == 1:
      return .path(
        width: numbers[0], bend: numbers[1], head: numbers[2], points: points(numbers.dropFirst(3)))
    case ("arc", 6):
      guard numbers[4] <= numbers[5] else {
        throw ToolError("an arc goes clockwise: '\(words[5])' must not be below '\(words[4])'")
      }
      return .arc(
        width: numbers[0], center: .init(x: numbers[1], y: numbers[2]), radius: numbers[3],
        from: numbers[4], to: numbers[5])
    case ("fill", 6...) where numbers.count % 2 == 0: return .fill(points: points(numbers[...]))
    case ("checks", 5):
      guard let columns = Int(words[2]), let rows = Int(words[3]) else {
        throw ToolError("'checks' wants whole numbers of columns and rows")
      }
      return .checks(
        corner: .init(x: numbers[0], y: numbers[1]), columns: columns, rows: rows,
        side: numbers[4])
    case ("disc", 3):
      return .disc(center: .init(x: numbers[0], y: numbers[1]), radius: numbers[2])
    default:
      throw ToolError(
        """
        '\(keyword)' with \(words.count) numbers is not understood; allowed are \
        'stroke WIDTH X Y X Y…', 'path WIDTH BEND HEAD X Y X Y…', 'arc WIDTH X Y RADIUS FROM TO', \
        'fill X Y X Y X Y…', 'checks X Y COLUMNS ROWS SIDE', 'disc X Y RADIUS', each also after \
        'clear', 'number DIGIT X Y' and 'mirror NAME'
        """)
    }
  }

  private static func points(_ numbers: ArraySlice<Double>) -> [Vector] {
    stride(from: numbers.startIndex, to: numbers.endIndex - 1, by: 2).map {
      Vector(x: numbers[$0], y: numbers[$0 + 1])
    }
  }
}

/// The content of `Fonts/fonts.conf`.
struct Recipe {
  struct Font {
    var name: String
    var file: String
    var package: String
    var ranges: [ClosedRange<UInt32>]
    /// Rows above and below the baseline that no glyph may exceed.
    var limit = (above: Glyph.maxRows, below: Glyph.maxRows)
    /// The width and height in pixels of a font of outlines; `nil` for a font of pictures.
    var em: (width: Int, height: Int)?
    /// Rows that every glyph is moved down.
    var lowered = 0
    /// Where marks stand: a file with the columns from the pen to the origin of each.
    var overlay: String?
    /// Pictures of marks, for letters that the file has only without a mark.
    var marks: [UInt32: [String]] = [:]
    /// Pictures of characters that no file has, which stand on the baseline.
    var pictures: [UInt32: [String]] = [:]
  }

  private(set) var folder = "/usr/share/fonts/X11"
  private(set) var fonts: [Font] = []
  private(set) var aliases: [UInt32: UInt32] = [:]
  /// Letters whose neighbours may touch them.
  private(set) var joined: [ClosedRange<UInt32>] = []
  /// The sizes of the arrows, and the font of the numbers in each.
  private(set) var arrows: [(size: Int, digits: String?)] = []
  /// Where the Unicode Character Database is, and the package with it.
  private(set) var unicode = (folder: "/usr/share/unicode", package: "unicode-data")

  init(parsing text: String, file: String) throws {
    try forEachLine(of: text, file: file) { try add($0, $1) }
  }

  private mutating func add(_ keyword: String, _ words: [String]) throws {
    switch (keyword, words.count) {
    case ("fonts", 1): folder = words[0]
    case ("unicode", 2): unicode = (words[0], words[1])
    case ("font", 4...):
      guard !fonts.contains(where: { $0.name == words[0] }) else {
        throw ToolError("font \(words[0]) is there already; choose another name")
      }
      let ranges = try words.dropFirst(3).map(Self.range)
      fonts.append(Font(name: words[0], file: words[1], package: words[2], ranges: ranges))
    case ("limit", 3):
      fonts[try font(words[0])].limit = (try Self.rows(words[1]), try Self.rows(words[2]))
    case ("em", 3):
      fonts[try font(words[0])].em = (try Self.rows(words[1]), try Self.rows(words[2]))
    case ("lower", 2): fonts[try font(words[0])].lowered = try Self.rows(words[1])
    case ("overlay", 2): fonts[try font(words[0])].overlay = words[1]
    case ("mark", 3...):
      fonts[try font(words[0])].marks[try Self.code(words[1])] = try Self.picture(words)
    case ("picture", 3...):
      fonts[try font(words[0])].pictures[try Self.code(words[1])] = try Self.picture(words)
    case ("joined", 1...): joined += try words.map(Self.range)
    case ("alias", 2): aliases[try Self.code(words[0])] = try Self.code(words[1])
    case ("arrow", 1...2):
      if words.count == 2 { _ = try self.font(words[1]) }
      arrows.append((try Self.size(words[0]), words.dropFirst().first))
    default:
      throw ToolError(
        """
        '\(keyword)' with \(words.count) words is not understood; allowed are 'fonts DIR', \
        'unicode DIR PACKAGE', 'font NAME FILE PACKAGE RANGE…', 'limit NAME ABOVE BELOW', \
        'em NAME WIDTH HEIGHT', 'lower NAME ROWS', 'overlay NAME FILE', 'mark NAME CODE ROW…', \
        'picture NAME CODE ROW…', 'alias CODE AS', \
        'joined RANGE…' and 'arrow SIZE [FONT]'
        """)
    }
  }

  /// The place of a font that the recipe has named before.
  private func font(_ name: String) throws -> Int {
    guard let index = fonts.firstIndex(where: { $0.name == name }) else {
      throw ToolError("there is no font \(name) above this line")
    }
    return index
  }

  /// The rows behind a name and a code.
  private static func picture(_ words: [String]) throws -> [String] {
    let picture = Array(words.dropFirst(2))
    guard picture.allSatisfy({ $0.count == picture[0].count && $0.allSatisfy("o.".contains) })
    else { throw ToolError("'\(picture.joined(separator: " "))' is not a picture such as o. .o") }
    return picture
  }

  private static func range(_ word: String) throws -> ClosedRange<UInt32> {
    let ends = try word.split(separator: "-").map { try code(String($0)) }
    guard let first = ends.first, let last = ends.last, ends.count <= 2, first <= last else {
      throw ToolError("'\(word)' is not a range such as 20-7E")
    }
    return first...last
  }

  private static func code(_ word: String) throws -> UInt32 {
    guard let code = UInt32(word, radix: 16), code <= 0x10FFFF else {
      throw ToolError("'\(word)' is not a hexadecimal code point up to 10FFFF")
    }
    return code
  }

  private static func rows(_ word: String) throws -> Int {
    guard let rows = Int(word), (0...Glyph.maxRows).contains(rows) else {
      throw ToolError("'\(word)' is not a number of pixels up to \(Glyph.maxRows)")
    }
    return rows
  }

  private static func size(_ word: String) throws -> Int {
    guard let size = Int(word), (8...Glyph.maxRows + 2).contains(size) else {
      throw ToolError("'\(word)' is not a size from 8 to \(Glyph.maxRows + 2) pixels")
    }
    return size
  }
}

/// Hands the first word of each line and the words after it to `body`; `#` starts a comment.
///
/// Puts the name of the file and the number of the line before an error.
func forEachLine(
  of text: String, file: String, _ body: (_ keyword: String, _ words: [String]) throws -> Void
) throws {
  for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
    let words = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace).map(String.init)
    guard let keyword = words.first else { continue }
    do {
      try body(keyword, Array(words.dropFirst()))
    } catch let error as ToolError {
      throw ToolError("\(file):\(number + 1): \(error)")
    }
  }
}

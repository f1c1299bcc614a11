/// Pictures that can be read in a text: a character is two pixels, one above the other.
///
/// The frame shows where the panel ends, and lets no line end in a blank that an editor removes.
/// `Boards/bench/lenker_bench/view/sheet.py` reads the same.
extension Pixels {
  /// By the upper pixel and twice the lower one.
  private static let characters: [Unicode.Scalar] = [" ", "▀", "▄", "█"]
  private static let side: Unicode.Scalar = "│"

  private static func top(_ width: Int) -> String {
    "┌" + String(repeating: "─", count: width) + "┐"
  }
  private static func bottom(_ width: Int) -> String {
    "└" + String(repeating: "─", count: width) + "┘"
  }

  /// How many lines a picture takes with its frame.
  static func lineCount(height: Int) -> Int { (height + 1) / 2 + 2 }

  /// The picture in its frame.
  package var halfBlocks: String {
    let cells = Self.characters.map { Array(String($0).utf8) }
    let side = String(Self.side).utf8
    var text = Array(Self.top(width).utf8)
    for y in stride(from: 0, to: height, by: 2) {
      text.append(UInt8(ascii: "\n"))
      text += side
      for x in 0..<width { text += cells[(self[x, y] ? 1 : 0) + (self[x, y + 1] ? 2 : 0)] }
      text += side
    }
    return String(decoding: text, as: UTF8.self) + "\n" + Self.bottom(width) + "\n"
  }

  /// Reads a picture in its frame, or returns `nil` for anything that is none of this size.
  init?(halfBlocks lines: some Collection<Substring>, width: Int, height: Int) {
    let lines = Array(lines)
    guard lines.count == Self.lineCount(height: height), lines[0] == Self.top(width),
      lines[lines.count - 1] == Self.bottom(width)
    else { return nil }
    var rows: [[Int]] = []
    for line in lines.dropFirst().dropLast() {
      let scalars = Array(line.unicodeScalars)
      let cells = scalars.dropFirst().dropLast().compactMap(Self.characters.firstIndex)
      guard scalars.first == Self.side, scalars.last == Self.side, cells.count == width,
        scalars.count == width + 2
      else { return nil }
      rows.append(cells)
    }
    // Of an odd number of rows, the last has nothing below it.
    if height % 2 == 1, rows.last?.contains(where: { $0 > 1 }) == true { return nil }
    self.init(width: width, height: height) { x, y in rows[y / 2][x] >> (y % 2) & 1 == 1 }
  }
}

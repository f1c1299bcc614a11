import Expecting
import Foundation
import Graphics

@testable import TestSupport

/// Pictures as text are the pixels that they were written of, and nothing else is read as one.
struct PictureSheetTests {
  static let text = """
    # 4x3, en
    ┌────┐
    │▀▄█ │
    │▀  ▀│
    └────┘

    # 2x2, de
    ┌──┐
    │ █│
    └──┘

    """
  static let pixels = [["#.#.", ".##.", "#..#"], [".#", ".#"]].map { rows in
    let rows = rows.map(Array.init)
    return Pixels(width: rows[0].count, height: rows.count) { rows[$1][$0] == "#" }
  }

  @Test func aSheetIsWrittenInHalfBlocks() {
    var sheet = PictureSheet()
    sheet.add("en", Self.pixels[0])
    sheet.add("de", Self.pixels[1])
    expect(sheet.text, Self.text)
  }

  @Test func aSheetIsReadAsItsPixels() throws {
    let sheet = try PictureSheet(text: Self.text)
    expect(sheet.entries.map(\.pixels), Self.pixels)
    expect(sheet.entries.map(\.title), ["en", "de"])
  }

  /// Each takes something away from the sheet, or puts something in, at a line that is named.
  @Test(arguments: [
    ("# 4x3, en", "4x3, en", 1), ("# 4x3, en", "# 4x3", 1), ("# 4x3, en", "# 5x3, en", 1),
    ("# 4x3, en", "# 4x5, en", 1), ("│▀▄█ │", "│▀▄█│", 1), ("│▀▄█ │", "│▀▄█ ", 1),
    ("│▀▄█ │", "│▀▄█X│", 1), ("┌────┐", "┌───┐", 1), ("└────┘", "", 1), ("│▀  ▀│", "│▀  █│", 1),
    ("# 2x2, de", "# a note\n# 2x2, de", 7), ("│ █│", "│ █ │", 7),
  ])
  func whatIsNoSheetIsNotRead(_ part: String, _ other: String, _ line: Int) {
    let text = Self.text.replacing(part, with: other)
    #expect(throws: NoPictureSheet(line: line)) { try PictureSheet(text: text) }
  }

  @Test func whatDiffersIsNamedAndMarked() throws {
    var drawn = PictureSheet()
    drawn.add(
      "en", Pixels(width: 4, height: 3) { x, y in Self.pixels[0][x, y] != (x == 3 && y < 2) })
    drawn.add("fr", Self.pixels[1])
    let differences = drawn.differences(from: try PictureSheet(text: Self.text))
    expect(
      differences,
      [
        """
        4x3, en: 2 pixels differ. Expected:
        ┌────┐
        │▀▄█ │
        │▀  ▀│
        └────┘
        Drawn:
        ┌────┐
        │▀▄██│
        │▀  ▀│
        └────┘
        The pixels that differ:
        ┌────┐
        │   █│
        │    │
        └────┘

        """,
        "2x2, fr: is not on the sheet. Drawn:\n┌──┐\n│ █│\n└──┘\n", "2x2, de: no test draws it",
      ])
  }

  @Test func anotherOrderIsADifference() throws {
    let sheet = try PictureSheet(text: Self.text)
    var other = PictureSheet()
    for entry in sheet.entries.reversed() { other.add(entry.title, entry.pixels) }
    expect(other.differences(from: sheet).count, 1)
    #expect(sheet.differences(from: sheet).isEmpty)
  }

  @Test func aSheetThatIsMissingIsADifferenceUntilItIsRecorded() throws {
    let scratch = try Scratch()
    let sheet = try PictureSheet(text: Self.text)
    let file = URL(filePath: scratch("none.txt"))
    func found(records: Bool = false) throws -> [String] {
      try differences(of: sheet, from: file, records: records)
    }
    expect(try found().map { $0.prefix(19) }, ["none.txt is missing"])
    try scratch.write("none.txt", Self.text.replacing("█", with: "?"))
    expect(try found().map { $0.prefix(16) }, ["none.txt, line 1"])
    #expect(try found(records: true).isEmpty)
    expect(try String(contentsOf: file, encoding: .utf8), sheet.text)
    #expect(try found().isEmpty)
  }
}

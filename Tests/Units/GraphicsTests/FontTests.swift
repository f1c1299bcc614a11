import Expecting

@testable import Graphics

struct FontTests {
  /// Every table of letters, with the font whose it is.
  private static func tables() -> [GlyphTable] {
    fonts.map(\.table) + fonts.map(\.fallback) + [.unifont]
  }

  @Test func digitsAreAsTallAsTheLookDemands() {
    expect(Font.bold34.digitHeight, 24)
    expect(Font.bold34.capHeight, 25)
    expect(Font.bold24.digitHeight, 18)
    expect(Font.bold14.capHeight, 11)
    expect(Font.bold12.capHeight, 9)
  }

  @Test func codesAreSortedAndFound() throws {
    for table in Self.tables() {
      var last: UInt32?
      for index in 0..<table.count {
        let code = try #require(table.code(at: index))
        expect(last.map { $0 < code } ?? true)
        #expect(table.glyph(code) != nil)
        last = code
      }
      expect(table.code(at: table.count), nil)
    }
  }

  @Test func codesBesideTheRangesAreNotFound() {
    for table in Self.tables() {
      let codes = Set((0..<table.count).compactMap { table.code(at: $0) })
      for code in codes {
        expect(codes.contains(code + 1) || table.glyph(code + 1) == nil)
        expect(code == 0 || codes.contains(code - 1) || table.glyph(code - 1) == nil)
      }
      for code in [0, 0x10FFFF, .max] as [UInt32] { expect(table.glyph(code) == nil) }
    }
  }

  @Test func glyphsAreTrimmedAndWithinThePanel() throws {
    for table in Self.tables() {
      for index in 0..<table.count {
        let code = try #require(table.code(at: index))
        let glyph = try #require(table.glyph(code))
        expect(glyph.width <= 48 && glyph.height <= 48 && glyph.advance <= 48)
        var (columns, rows): ([UInt64], UInt64) = ([], 0)
        table.reader.forEachColumn(of: glyph) { _, column in
          columns.append(column)
          rows |= column
        }
        expect(columns.count, glyph.width)
        guard glyph.width > 0 else { continue }
        expect(columns.first != 0 && columns.last != 0)
        expect(rows & 1 == 1 && rows >> UInt64(glyph.height - 1) == 1)
      }
    }
  }

  @Test(arguments: ["bold12", "bold14"]) func everyLetterOfEuropeIsThere(_ name: String) {
    let font: Font = name == "bold12" ? .bold12 : .bold14
    let latin: [ClosedRange<UInt32>] = [0x20...0x7E, 0xA0...0x17E]
    let other: [ClosedRange<UInt32>] = [0x391...0x3A1, 0x3B1...0x3C9, 0x401...0x40C, 0x410...0x44F]
    for code in latin.joined() {
      #expect(font.table.glyph(code) != nil, "U+\(String(code, radix: 16))")
    }
    for code in other.joined() {
      #expect(font.fallback.glyph(code) != nil, "U+\(String(code, radix: 16))")
    }
  }
}

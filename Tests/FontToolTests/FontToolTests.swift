import Testing

@testable import FontTool

/// What is wrong with a recipe, an artwork or the machine is said with place and remedy.
@Suite struct FontToolTests {
  private func complaint(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "nothing"
    } catch {
      return "\(error)"
    }
  }

  @Test(
    arguments: [
      ("\nfont a b", "f:2: 'font' with 2 words is not understood"),
      ("font a b c 7E-20", "f:1: '7E-20' is not a range such as 20-7E"),
      ("font a b c 20\nfont a b c 20", "f:2: font a is there already"),
      ("alias 110000 20", "f:1: '110000' is not a hexadecimal code point"),
      ("arrows 57", "f:1: '57' is not a size from 8 to 56 pixels"),
    ])
  func aBadRecipeIsRefused(_ text: String, _ start: String) {
    #expect(complaint { _ = try Recipe(parsing: text, file: "f") }.hasPrefix(start))
  }

  @Test(
    arguments: [
      ("stroke 6 1 1 2 2", "f:1: a line 'arrow NUMBER NAME' must come first"),
      ("arrow 256 a", "f:1: 'arrow' wants a number up to 255 and a name"),
      ("arrow 1 a\n# more\narrow 1 b", "f:3: arrow 1 is there already"),
      ("arrow 1 a\n  stroke 6 1 1 2", "f:2: 'stroke' with 4 numbers is not understood"),
      ("arrow 1 a\n  disc 1 1 x", "f:2: 'x' is not a number of units or degrees"),
      ("arrow 1 a\n  path 6 0 9 1 1", "f:2: 'path' with 5 numbers is not understood"),
      ("arrow 1 a\n  clear", "f:2: 'clear' wants a shape"),
      ("arrow 1 a\n  arc 2 9 9 5 90 0", "f:2: an arc goes clockwise: '0' must not be below '90'"),
      ("arrow 1 a\n  checks 1 1 2.5 2 9", "f:2: 'checks' wants whole numbers of columns and rows"),
      ("arrow 1 a\n  mirror", "f:2: 'mirror' wants the number of another arrow"),
    ])
  func badArtworkIsRefused(_ text: String, _ start: String) {
    #expect(complaint { _ = try Artwork(parsing: text, file: "f") }.hasPrefix(start))
  }

  @Test func aMissingFontNamesItsPackage() throws {
    let recipe = try Recipe(parsing: "font a none.pcf.gz xfonts-none 20", file: "f")
    let text = complaint { _ = try BitmapFont(recipe.fonts[0], in: "/nowhere") }
    #expect(text.hasSuffix("install it with: apt-get install xfonts-none"))
  }

  @Test func aMirrorOfNothingIsRefused() throws {
    let drawings = try Artwork(parsing: "arrow 4 a\nmirror 9", file: "f").drawings
    #expect(complaint { _ = try GlyphSet(drawings, size: 48) }.hasPrefix("arrow 4 mirrors 9"))
  }

  @Test func tablesAreSevenBitText() throws {
    let drawings = try Artwork(parsing: "arrow 1 a\nfill 0 0 56 0 56 56 0 56", file: "f").drawings
    let table = try GlyphSet(drawings, size: 56).table
    #expect(table.allSatisfy { $0 < 0x80 })
    // Header, one range and one offset; five numbers; 56 × 56 pixels, seven a byte.
    #expect(table.count == 8 + 9 + 3 + 5 + 56 * 56 / 7)
  }
}

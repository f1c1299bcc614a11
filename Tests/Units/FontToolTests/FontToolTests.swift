import Expecting

@testable import FontTool

/// What is wrong with a recipe, an artwork or the machine is said with place and remedy.
struct FontToolTests {
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
      ("limit a 13 3", "f:1: there is no font a above this line"),
      ("font a b c 20\nmark a 309 oo .", "f:2: 'oo .' is not a picture such as o. .o"),
      ("font a b c 20\npicture a E041 oo .", "f:2: 'oo .' is not a picture such as o. .o"),
      ("font a b c 20\nlower a 63", "f:2: '63' is not a number of pixels up to 62"),
      ("arrow 65", "f:1: '65' is not a size from 8 to 64 pixels"),
    ])
  func aBadRecipeIsRefused(_ text: String, _ start: String) {
    #expect(complaint { _ = try Recipe(parsing: text, file: "f") }.hasPrefix(start))
  }

  @Test(
    arguments: [
      ("stroke 6 1 1 2 2", "f:1: a line 'arrow NAME' must come first"),
      ("arrow", "f:1: 'arrow' wants a name of small letters, digits and hyphens"),
      ("arrow 1 a", "f:1: 'arrow' wants a name of small letters, digits and hyphens"),
      ("arrow 1a", "f:1: 'arrow' wants a name of small letters, digits and hyphens"),
      ("arrow a-", "f:1: 'arrow' wants a name of small letters, digits and hyphens"),
      ("arrow a\n# more\narrow a", "f:3: arrow a is there already"),
      ("arrow a\n  stroke 6 1 1 2", "f:2: 'stroke' with 4 numbers is not understood"),
      ("arrow a\n  disc 1 1 x", "f:2: 'x' is not a number of units or degrees"),
      ("arrow a\n  path 6 0 9 1 1", "f:2: 'path' with 5 numbers is not understood"),
      ("arrow a\n  clear", "f:2: 'clear' wants a shape"),
      ("arrow a\n  arc 2 9 9 5 90 0", "f:2: an arc goes clockwise: '0' must not be below '90'"),
      ("arrow a\n  checks 1 1 2.5 2 9", "f:2: 'checks' wants whole numbers of columns and rows"),
      ("arrow a\n  mirror", "f:2: 'mirror' wants the name of another arrow"),
    ])
  func badArtworkIsRefused(_ text: String, _ start: String) {
    #expect(complaint { _ = try Artwork(parsing: text, file: "f") }.hasPrefix(start))
  }

  @Test func whatIsMissingNamesItsPackage() throws {
    let recipe = try Recipe(parsing: "font a none.pcf.gz xfonts-none 20", file: "f")
    let text = complaint { _ = try BitmapFont(recipe.fonts[0], in: "/nowhere") }
    #expect(text.hasSuffix("install it with: apt-get install xfonts-none"))
    let database = complaint { _ = try CharacterDatabase(in: "/none", package: "uni").properties() }
    #expect(
      database.hasSuffix(
        "DerivedBidiClass.txt: cannot be read; install it with: apt-get install uni"))
  }

  @Test func aMirrorOfNothingIsRefused() throws {
    let drawings = try Artwork(parsing: "arrow a\nmirror b", file: "f").drawings.values
    #expect(
      complaint { _ = try GlyphSet(Array(drawings), size: 48) }.hasPrefix("arrow a mirrors b"))
  }

  @Test func anArrowHasItsPlaceByTheNameThatSwiftGivesIt() throws {
    let text = "arrow u-turn\narrow exit-1-of-3-clockwise\narrow none"
    let drawings = try Artwork(parsing: text, file: "f").drawings
    var source = SwiftSource()
    source.add(codesOf: drawings.values.sorted { $0.name < $1.name })
    let cases = source.text.split(separator: "\n").filter { $0.contains("case") }
    expect(
      cases,
      [
        "    case .exit1Of3Clockwise: 0", "    case .none: 1", "    case .uTurn: 2",
      ])
  }

  @Test func tablesAreSevenBitText() throws {
    let drawings = try Artwork(parsing: "arrow a\nfill 0 0 56 0 56 56 0 56", file: "f").drawings
    let table = try GlyphSet(Array(drawings.values), size: 56).table
    #expect(table.allSatisfy { $0 < 0x80 })
    // Header, one range and one offset; five numbers; 56 × 56 pixels, seven a byte.
    expect(table.count, 8 + 9 + 3 + 5 + 56 * 56 / 7)
  }

  /// A letter with an accent, of `height` rows: a frame with a dot above it.
  private func letter(height: Int, gap: Int) -> Glyph {
    Glyph(advance: 5, left: 0, top: height, width: 4, height: height) { x, y in
      y == 0 ? x == 1 : y > gap && (x == 0 || x == 3 || y == gap + 1 || y == height - 1)
    }
  }

  @Test func aSqueezedLetterKeepsItsAccentAndItsShape() {
    let squeezed = letter(height: 12, gap: 2).squeezed(above: 9, below: 3)
    expect(squeezed, letter(height: 9, gap: 2))
    let fitting = letter(height: 9, gap: 1)
    expect(fitting.squeezed(above: 9, below: 0), fitting)
  }

  @Test func aMarkBelowIsSqueezedToItsRows() {
    // A bar on the baseline, a gap of two rows, and a comma of three.
    let glyph = Glyph(advance: 5, left: 0, top: 1, width: 4, height: 6) { x, y in
      y == 0 || y >= 3 && x == 1
    }
    let squeezed = glyph.squeezed(above: 9, below: 3)
    expect(squeezed.columns == [0b1, 0b1101, 0b1, 0b1] && squeezed.top == 1)
  }

  /// A picture of so many columns that begins so far from the pen, one row high.
  private func bar(advance: Int, left: Int, width: Int) -> Glyph {
    Glyph(advance: advance, left: left, top: 1, width: width, height: 1) { _, _ in true }
  }

  @Test(arguments: [
    (advance: 6, left: 0, width: 6, spaced: (7, 0)),  // fills its cell
    (6, 1, 4, (6, 1)),  // has its column
    (6, 1, 5, (7, 1)),  // ends at the next pen
    (4, -1, 4, (5, 0)),  // begins in the one before, and so pushes the next one
    (3, 0, 5, (6, 0)),  // hangs over
    (4, 0, 0, (4, 0)),  // is a blank
  ])
  func aLetterEndsAColumnBeforeTheNextBegins(
    advance: Int, left: Int, width: Int, spaced: (advance: Int, left: Int)
  ) {
    let glyph = bar(advance: advance, left: left, width: width).spaced()
    expect(glyph, bar(advance: spaced.advance, left: spaced.left, width: width))
  }

  @Test func lettersThatJoinAndMarksAreNotSpaced() {
    let full = bar(advance: 6, left: 0, width: 6)
    let mark = bar(advance: 0, left: -4, width: 4)
    let glyphs: [UInt32: Glyph] = [0x41: full, 0x628: full, 0x483: full, 0x301: mark]
    let spaced = glyphs.spaced(besides: [0x600...0x6FF])
    expect(spaced[0x41], full.spaced())
    expect(spaced[0x628] == full && spaced[0x483] == full && spaced[0x301] == mark)
  }
}

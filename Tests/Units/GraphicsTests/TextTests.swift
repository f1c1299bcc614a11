import Expecting
import Graphics

struct TextTests {
  @Test func aCapitalLetterIsTheOneOfTheFontFile() {
    let drawn = line("H")[..<21].map { String($0.prefix(10)) }
    expect(
      drawn[8...],
      [
        "..........", ".##....##.", ".##....##.", ".##....##.", ".##....##.", ".##....##.",
        ".########.", ".##....##.", ".##....##.", ".##....##.", ".##....##.", ".##....##.",
        "..........",
      ])
  }

  @Test func greekAndCyrillicComeFromTheFixedFont() {
    let drawn = line("Ж")[..<21].map { String($0.prefix(8)) }
    expect(
      drawn[10...],
      [
        "........", "##.##.##", "##.##.##", "##.##.##", ".######.", "..####..", ".######.",
        "##.##.##", "##.##.##", "##.##.##", "........",
      ])
    // The narrow font is a column wider than its file, so that no two letters touch.
    expect(width("Ω"), 8)
    expect(width("Ω", .bold12), 7)
  }

  @Test(
    arguments: [
      [0xFF], [0xE2, 0x82], [0xF0, 0x9F, 0x9A, 0xB2], [0xEE, 0x80, 0x80], [0xEF, 0xBF, 0xBD],
    ] as [[UInt8]])
  func whatIsCutOrUnknownIsABox(_ bytes: [UInt8]) {
    let drawn = line(bytes, .bold12)[..<21].map { String($0.prefix(8)) }
    expect(
      drawn[10...],
      [
        "........", ".######.", ".#....#.", ".#....#.", ".#....#.", ".#....#.", ".#....#.",
        ".#....#.", ".#....#.", ".######.", "........",
      ])
  }

  @Test func aStreetThatIsCutInsideALetterKeepsTheOthers() {
    expect(line(Array("Lenné".utf8.dropLast())), line("Lenn\u{FFFD}"))
  }

  @Test(
    arguments: [
      ("e\u{301}", "é"), ("U\u{308}", "Ü"), ("e\u{323}\u{302}", "ệ"), ("e\u{302}\u{323}", "ệ"),
      ("и\u{306}", "й"), ("ε\u{301}", "έ"), ("A\u{30A}", "Å"),
    ] as [(String, String)])
  func aLetterAndItsMarksAreDrawnAsOne(_ parts: String, _ letter: String) {
    expect(line(parts), line(letter))
    expect(width(parts), width(letter))
  }

  @Test func aMarkWithoutALetterOfItsOwnIsDrawnOverTheBase() {
    expect(width("x\u{301}"), width("x"))
    #expect(litPixels(line("x\u{301}")) > litPixels(line("x")))
    expect(width("x\u{20DD}"), width("x"), "a mark that no font has is left out")
  }

  @Test func whatIsInvisibleTakesNoRoom() {
    let noise = "\u{0}L\u{200F}e\u{AD}n\u{7}n\u{FE0F}é\u{1B}\u{202E}\u{FEFF}"
    expect(line(noise), line("Lenné"))
  }

  @Test(arguments: ["\t", "\n", "\r", "\u{A0}", "\u{202F}", "\u{2028}", "\u{3000}"])
  func everyBlankIsASpace(_ blank: String) {
    expect(width("a\(blank)b"), width("a b"))
  }

  @Test func theHyphenThatDoesNotBreakLooksLikeTheOther() {
    expect(line("A\u{2011}Z"), line("A-Z"))
  }

  @Test func emptyTextDrawsNothing() {
    expect(litPixels(line("")), 0)
    expect(width(""), 0)
  }

  @Test func widthsAddUp() {
    for font in fonts { expect(width("24", font) + width("0 m", font), width("240 m", font)) }
  }
}

import Expecting
import Foundation
import Graphics

/// What the scripts of the world ask of a line of text.
struct ScriptTests {
  /// Pairs of what a phone sends and the forms of the letters in the order of writing, taken by hand
  /// from the charts of Arabic Presentation Forms-B; an override keeps the second as it is.
  @Test(
    arguments: [
      ("بيت", "\u{FE96}\u{FEF4}\u{FE91}"),  // beh initial, yeh medial, teh final
      ("دار", "\u{FEAD}\u{FE8D}\u{FEA9}"),  // dal, alef and reh join nothing that follows
      ("سلام", "\u{FEE1}\u{FEFC}\u{FEB3}"),  // lam and alef are one letter
      ("لا", "\u{FEFB}"), ("ب\u{200C}ب", "\u{FE8F}\u{FE8F}"), ("ب\u{200D}", "\u{FE91}"),
      ("بـ", "\u{640}\u{FE91}"), ("پل", "\u{FEDE}\u{FB58}"), ("ب1", "1\u{FE8F}"),
      ("ب ت", "\u{FE95} \u{FE8F}"), ("بء", "\u{FE80}\u{FE8F}"),
    ] as [(String, String)])
  func arabicLettersJoinTheirNeighbours(_ text: String, _ written: String) {
    expect(line(text), line("\u{202D}" + written))
    expect(width(text), width(written))
  }

  @Test func aMarkDoesNotPartLettersThatJoin() {
    expect(width("ب\u{64E}ي\u{650}ت"), width("بيت"))
    #expect(litPixels(line("ب\u{64E}يت")) > litPixels(line("بيت")))
  }

  /// Written by hand from the rules of UAX #9: what is Latin or a number goes from left to right.
  @Test(
    arguments: [
      ("אבג", "גבא"), ("אב 12", "12 בא"), ("רחוב 4A", "4A בוחר"), ("א (ב)", "(ב) א"),
      ("A אב B", "A בא B"), ("A (אב)", "A (בא)"), ("אב, גד", "דג ,בא"), ("א-1", "1-א"),
    ] as [(String, String)])
  func hebrewGoesFromRightToLeft(_ text: String, _ written: String) {
    expect(line(text), line("\u{202D}" + written))
  }

  @Test(
    arguments: [
      ("שלום", true), ("12 שלום", true), ("شارع", true), ("A שלום", false), ("", false),
      ("12", false), ("\u{200F}12", true), ("\u{2067}ש\u{2069}A", false), ("Straße", false),
      ("渋谷", false),
    ] as [(String, Bool)])
  func theFirstLetterTellsTheDirection(_ text: String, _ isLeft: Bool) {
    expect(isRightToLeft(Array(text.utf8).span), isLeft)
  }

  @Test func cutTextFromRightToLeftEndsInAnEllipsisOnItsLeft() {
    let (text, start) = (Array("שדרות רוטשילד".utf8), Array("שדרות".utf8))
    let room = width("שדרות…")
    var cut = Bitmap(Size(128, 64))
    cut.draw(text.span, font: .bold14, at: Point(0, 20), width: room)
    var shown = Bitmap(Size(128, 64))
    let x = shown.draw("…".utf8.span, font: .bold14, at: Point(0, 20))
    shown.draw(start.span, font: .bold14, at: Point(x, 20))
    expect(rows(cut), rows(shown))
  }

  @Test(
    arguments: [
      ("\u{1112}\u{1161}\u{11AB}", "한"), ("\u{1100}\u{1173}\u{11AF}", "글"),
      ("\u{1106}\u{116E}", "무"),
      ("무\u{11AB}", "문"),
    ] as [(String, String)])
  func partsOfHangulAreOneSyllable(_ parts: String, _ syllable: String) {
    expect(line(parts), line(syllable))
  }

  @Test(
    arguments: [
      ("東京都新宿区", "東京都"), ("センター街道", "セン"), ("中山路。中山", "中山"),
      ("G4 京港", "G4 京"),
    ] as [(String, String)])
  func aLineOfIdeographsEndsAnywhereButBeforeAClosingSign(_ text: String, _ first: String) {
    let bytes = Array(text.utf8)
    let count = Font.bold14.line(of: bytes.span, fitting: 3 * 16)
    expect(String(decoding: bytes[..<count], as: UTF8.self), first)
  }

  @Test func aLetterKeepsTheRowsOfItsLine() {
    for font in [Font.bold12, .bold14] {
      for text in ["Ấ", "Ṻ", "Ǖ", "Ģ", "ģ", "Ỵ", "漢", "ཧྐྵ", "שׂ", "اٰ", "x\u{301}\u{323}"] {
        let bytes = Array(text.utf8)
        let extent = font.extent(of: bytes.span)
        expect(extent.above <= 13 && extent.below <= 3, "\(text)")
      }
    }
  }

  @Test func theLettersWithAHookAreAllThere() {
    for letter in "ảẩẳẻểỉỏổởủửỷẢẨẲẺỂỈỎỔỞỦỬỶŠ" {
      let plain = String(letter).unicodeScalars.first.map { String($0) } ?? ""
      let base = String(letter).withoutMarks
      #expect(litPixels(line(plain, .bold12)) > litPixels(line(base, .bold12)), "\(letter)")
      #expect(width(plain, .bold12) - width(base, .bold12) < 4, "\(letter)")
    }
  }
}

extension String {
  /// The letter without its marks.
  fileprivate var withoutMarks: String {
    decomposedStringWithCanonicalMapping.unicodeScalars.first.map { String($0) } ?? ""
  }
}

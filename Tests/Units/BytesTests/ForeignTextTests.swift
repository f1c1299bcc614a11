import Bytes
import Expecting
import TestSupport

/// Where texts from outside are cut.
struct ForeignTextTests {
  /// What is left of a text where there is room for `limit` bytes.
  private func cut(_ text: String, _ limit: Int) -> String {
    let bytes = Array(text.utf8)
    return String(decoding: bytes[..<textEnd(bytes.span, upTo: limit)], as: UTF8.self)
  }

  @Test(arguments: ["", "a", "aü", "日本"])
  func aTextThatFitsIsNotCut(_ text: String) {
    expect(cut(text, text.utf8.count), text)
    expect(cut(text, 100), text)
  }

  /// As Swift itself parts them into characters.
  @Test(arguments: [
    "Straße", "Lenne\u{301}straße", "日本橋", "👩\u{200D}🔧👍🏽🇩🇪🇫🇷", "❤\u{FE0F}x", "নদীরপাড়", "நெடுஞ்சாலை",
    "ถนนสุขุมวิท", "हिन्दी", "مُحَمَّد", "שָׁלוֹם", "e\u{301}\u{327}\u{323}x", "한\u{1112}\u{1161}\u{11AB}",
  ])
  func centralBehaviour76_aTextIsCutBetweenTwoLetters(_ text: String) {
    let whole = Array(text)
    for limit in 0...text.utf8.count {
      let kept = cut(text, limit)
      expect(kept.utf8.count <= limit && text.utf8.starts(with: kept.utf8), "\(limit)")
      guard whole.first.map({ $0.utf8.count <= limit }) ?? false else { continue }
      expect(whole.starts(with: Array(kept)) && !kept.isEmpty, "\(limit): \(kept)")
    }
  }

  /// One letter that is longer than all the room: some of it is better than nothing.
  @Test func centralBehaviour76_aLetterWithTooManyMarksLosesSome() {
    expect(cut("e" + String(repeating: "\u{301}", count: 40), 20).unicodeScalars.count, 10)
  }

  @Test(arguments: [
    ("Straß", 6, "Straß"), ("Straß", 5, "Stra"), ("aü von Anna", 2, "a"), ("👩\u{200D}🔧", 8, "👩"),
  ])
  func centralBehaviour76_aBufferKeepsWholeLetters(_ text: String, _ count: Int, _ kept: String) {
    // What is missing at the end was cut off by its sender.
    var buffer = FixedBuffer<64>()
    let bytes = Array(text.utf8.prefix(count))
    buffer.assign(text: bytes.span)
    expect(string(buffer.bytes), kept)
  }

  /// The beginnings of letters, one behind the other: else each copy of a name would lose another byte.
  @Test func centralBehaviour76_whatWasCutOnceIsNotCutAgain() {
    let torn: [UInt8] = [0x61, 0xF1, 0xF1, 0xE2, 0x82, 0xC3]
    expect(wholeEnd(of: torn.span), 1)
  }

  @Test(arguments: [
    ("a\u{202E}b", false), ("a\u{2028}b", false), ("a\u{9B}b", false), ("Zoë 🚲", true),
    // The signs of Lenker's buttons, and of a phone in doubt; another private character is nobody's.
    ("\u{E041} Yes", false), ("\u{E042} No", false), ("\u{E043}", false), ("\u{E044}", true),
  ])
  func centralBehaviour76_aTextWithControlsIsNotPlain(_ text: String, _ isPlain: Bool) {
    expect(isPlainText(Array(text.utf8).span), isPlain)
  }
}

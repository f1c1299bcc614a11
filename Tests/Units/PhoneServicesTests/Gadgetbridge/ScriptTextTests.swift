import Bytes
import Expecting
import TestSupport

@testable import PhoneServices

/// Texts in lines of JavaScript: the characters that Gadgetbridge writes, and how.
struct ScriptTextTests {
  /// The text of a literal, given in ISO 8859-1; `nil` if the line is not whole.
  private func text(_ literal: String) -> String? {
    switch Heard("GB({\"t\":\"nav\",\"instr\":\(literal)})") {
    case .turn(_, _, let text): text
    default: nil
    }
  }

  @Test(arguments: [
    // V23
    ("\"M\u{FC}hlenweg\"", "Mühlenweg"),
    (#"atob("U3RyYd9lIOR132VyZSBHcvbfZQ==")"#, "Straße äußere Größe"),
    // V24
    (#"atob("5Pb83w==")"#, "äöüß"),
    // V25
    (#""\u0141\xf3d\u017a""#, "Łódź"),
    ("\"\\u0141\u{C3}\u{B3}d\\u017a\"", "Łódź"),
    // V26
    (#""\ud83d\udeb2""#, "🚲"), (#""\ud83d""#, "\u{FFFD}"), (#""\udeb2a""#, "\u{FFFD}a"),
    (#""\ud83dx\udeb2""#, "\u{FFFD}x\u{FFFD}"), (#""\udeb2\ud83d""#, "\u{FFFD}\u{FFFD}"),
    (#""\ud83d\ud83d\udeb2""#, "\u{FFFD}🚲"),
    (#""\udbff\udfff\ud800\udc00""#, "\u{10FFFF}\u{10000}"),
    // V27
    (#""a\20b\x001\0c\v""#, "a\u{10}b\01\0c\u{B}"),
    (#"atob("YRBiADEAYws=")"#, "a\u{10}b\01\0c\u{B}"),
    // V28
    (#""\"\\""#, "\"\\"),
    // Padding may be missing.
    (#"atob("YQ")"#, "a"), (#"atob("")"#, ""), (#"atob("YWI")"#, "ab"), (#"atob("YWJj")"#, "abc"),
    // Two bytes of ISO 8859-1 that would be a letter in UTF-8 are two, as escapes and in `atob`.
    (#""\xc3\xb3""#, "Ã³"), (#"atob("w7M=")"#, "Ã³"),
  ])
  func aTextOfTheVectorsIsRead(_ literal: String, _ expected: String) {
    expect(text(literal), expected)
  }

  /// ECMA-262, 12.9.4 and B.1.2.
  @Test(arguments: [
    (#"\0\1\2\3\4\5\6\7"#, "\0\u{1}\u{2}\u{3}\u{4}\u{5}\u{6}\u{7}"),
    (#"\b\t\n\v\f\r"#, "\u{8}\t\n\u{B}\u{C}\r"), (#"\x07\x7f\xad\xC2\xf4"#, "\u{7}\u{7F}\u{AD}Âô"),
    (#"\20\377\0018\08\47\400"#, "\u{10}ÿ\u{1}8\08' 0"), (#"\q\'\/\é"#, "q'/é"),
    (#"\u0000\uFFFF\u20ac"#, "\0\u{FFFF}€"), ("", ""),
  ])
  func everyEscapeIsRead(_ body: String, _ expected: String) {
    expect(text("\"\(body)\""), expected)
  }

  @Test(arguments: [
    #""\x""#, #""\x1""#, #""\xg0""#, #""\u123""#, #""\u12g4""#, #""a\""#, #""a"#, #""a\x"#, "\"",
    #"'a'"#, "atob", "atob(", #"atob("YQ==""#, #"atob("Y")"#, #"atob("YQ=")"#, #"atob("YQ===")"#,
    #"atob("Y=Q=")"#, #"atob("Y-Q_")"#, "atob(1)", #"btoa("a")"#, "alert(1)", "a", "`a`", "/a/",
    "1+1",
    "()=>1",
  ])
  func whatIsNoLiteralMakesTheLineUnreadable(_ literal: String) {
    expect(Heard("GB({\"t\":\"nav\",\"instr\":\(literal)})"), .unreadable)
  }

  /// RFC 4648, table 1.
  @Test func allDigitsOfBase64AreRead() {
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    let expected = bytes(
      """
      00 10 83 10 51 87 20 92 8B 30 D3 8F 41 14 93 51 55 97 61 96 9B 71 D7 9F
      82 18 A3 92 59 A7 A2 9A AB B2 DB AF C3 1C B3 D3 5D B7 E3 9E BB F3 DF BF
      """)
    expect(text("atob(\"\(alphabet)\")").map(latin1), expected)
  }

  /// Of another sender: The Unicode Standard, table 3-7.
  @Test(arguments: [
    ("\u{C3}\u{B3}", "ó"), ("\u{E2}\u{82}\u{AC}", "€"), ("\u{F0}\u{9F}\u{9A}\u{B2}", "🚲"),
    ("\u{EF}\u{BF}\u{BD}", "\u{FFFD}"), ("\u{C3}", "Ã"), ("\u{C3}a", "Ãa"),
    ("\u{E2}\u{82}", "â\u{82}"),
    ("\u{C0}\u{80}", "À\u{80}"), ("\u{ED}\u{A0}\u{80}", "í\u{A0}\u{80}"),
    ("\u{F5}\u{80}", "õ\u{80}"),
    ("\u{B3}", "³"), ("\u{FC}\u{F6}", "üö"), ("\u{EF}\u{BF}x", "ï¿x"),
  ])
  func aRawByteIsOfUTF8WhereItBeginsAWholeLetterElseOfLatin1(_ raw: String, _ expected: String) {
    expect(text("\"\(raw)\""), expected)
  }

  static let scripts = [
    "Hauptstraße", "Łódź, ul. Żółkiewskiego", "Οδός Ερμού", "улица Ленина", "רחוב הרצל",
    "شارع الملك",
    "महात्मा गांधी मार्ग", "ถนนสุขุมวิท", "日本橋", "세종대로", "Նալբանդյան", "რუსთაველის", "ቸርችል ጎዳና", "🚲🏳️‍🌈",
  ]

  /// As Gadgetbridge writes them, and as another sender does.
  @Test(arguments: scripts) func aNameInEveryScriptIsRead(_ name: String) {
    let escaped = name.utf16.map { "\\u" + ("000" + String($0, radix: 16)).suffix(4) }.joined()
    expect(text("\"\(escaped)\""), name)
    let raw = String(String.UnicodeScalarView(name.utf8.map { Unicode.Scalar($0) }))
    expect(text("\"\(raw)\""), name)
  }

  /// 503 bytes of a street.
  @Test(arguments: ["a", "ö", "さ", "🎵"])
  func aTextIsCutBehindTheLastLetterThatFits(_ letter: String) {
    let bytes = letter.utf8.count
    let long = String(repeating: letter, count: 1_000 / bytes - 20)
    let raw = String(String.UnicodeScalarView(long.utf8.map { Unicode.Scalar($0) }))
    expect(text("\"\(raw)\""), String(repeating: letter, count: 503 / bytes))
    // All of a line in bytes that take two in UTF-8.
    let latin = String(repeating: "\u{FC}", count: 1_000)
    expect(text("\"\(latin)\""), String(repeating: "ü", count: 251))
  }
}

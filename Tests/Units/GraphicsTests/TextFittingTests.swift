import Expecting
import Graphics

struct TextFittingTests {
  /// Texts that a phone could send, and what no phone should.
  static let texts: [[UInt8]] = [
    [], Array("Lennéstraße".utf8), Array("Lennéstraße".utf8.dropLast(1)),
    Array("שדרות רוטשילד".utf8),
    Array("شارع الملك فهد".utf8), Array("渋谷区 🚲".utf8), Array("e\u{301}\u{302}\u{323}\u{345}".utf8),
    Array("\u{301}x".utf8), Array(0...255), Array((0...255).reversed()),
    [UInt8](repeating: 0x57, count: 503), [UInt8](repeating: 0xF0, count: 503),
    Array(String(repeating: "ẞ\u{323}", count: 84).utf8.prefix(503)),
  ]

  @Test(arguments: texts.indices, fonts) func nothingIsDrawnOutsideTheClip(
    _ text: Int, _ font: Font
  ) {
    let bytes = Self.texts[text]
    let clip = Rectangle(x: 30, y: 17, width: 41, height: 20)
    for (x, y) in [(30, 37), (-200, 30), (60, 17), (127, 70), (.max, .min), (.min, .max)] {
      var bitmap = Bitmap(Size(128, 64))
      bitmap.draw(bytes.span, font: font, at: Point(x, y), clip: clip)
      expect(litPixels(bitmap, outside: clip), 0)
    }
  }

  @Test(arguments: texts.indices, fonts) func cutTextStaysInItsWidth(_ text: Int, _ font: Font) {
    let bytes = Self.texts[text]
    for width in [0, 1, 9, 50, 128] {
      var bitmap = Bitmap(Size(128, 64))
      bitmap.draw(bytes.span, font: font, at: Point(0, 40), width: width)
      expect(litPixels(bitmap, outside: Rectangle(x: 0, y: 0, width: width, height: 64)), 0)
    }
  }

  @Test(arguments: texts.indices) func whatFitsIsNeverWiderThanAsked(_ text: Int) {
    let bytes = Self.texts[text]
    for limit in stride(from: -1, through: 200, by: 3) {
      for count in [
        Font.bold14.prefix(of: bytes.span, fitting: limit),
        Font.bold14.line(of: bytes.span, fitting: limit),
      ] {
        #expect((0...bytes.count).contains(count))
        #expect(Font.bold14.width(of: bytes.span.extracting(first: count)) <= max(0, limit))
      }
    }
  }

  @Test func cutTextEndsInAnEllipsisWithoutABlankBeforeIt() {
    let (text, shown) = (Array("Am Neuen Palais".utf8), Array("Am…".utf8))
    let limit = width("Am N…") - 1
    var cut = Bitmap(Size(128, 64))
    cut.draw(text.span, font: .bold14, at: Point(0, 20), width: limit)
    expect(rows(cut), line(shown))
  }

  @Test(
    arguments: [
      ("Große Weinmeisterstraße", "Große"), ("Friedrich-Ebert-Straße", "Friedrich-"),
      ("B1/B2 Zeppelinstraße", "B1/B2"), ("Weinmeisterstraße", ""), ("Am Neuen", "Am Neuen"),
    ] as [(String, String)])
  func aLineEndsAtABlankOrBehindAHyphen(_ text: String, _ first: String) {
    let bytes = Array(text.utf8)
    let count = Font.bold14.line(of: bytes.span, fitting: 80)
    expect(String(decoding: bytes[..<count], as: UTF8.self), first)
  }
}

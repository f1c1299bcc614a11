import Graphics
import Screens
import Testing

@Suite struct RobustnessTests {
  /// A bitmap that was scribbled on is drawn like a fresh one, so nothing of it is left.
  @Test(arguments: Panel.allCases) func drawingClearsFirst(_ panel: Panel) {
    let version = Array("0.1.0".utf8)
    var bitmap = Bitmap(panel.size)
    bitmap.fill(Point(0, 0), panel.size)
    bitmap.draw(.starting(version: version.span))
    #expect(Pictures.text(bitmap) == Pictures.text(panel.bitmap(.starting(version: version.span))))
  }

  @Test(arguments: Panel.allCases) func everyDirectionShowsDistanceAndStreet(_ panel: Panel) {
    let (far, street) = (Array("240 m".utf8), Array("Lennéstraße".utf8))
    var pictures: Set<String> = []
    for direction in 0...255 as ClosedRange<UInt8> {
      let turn = Turn(direction: direction, distance: far.span, street: street.span)
      pictures.insert(Pictures.text(panel.bitmap(.navigation(turn))))
    }
    #expect(pictures.count == 32)
  }

  @Test(
    arguments: Panel.allCases,
    [
      [], [0xC3], Array(0...255), [UInt8](repeating: 0x57, count: 503),
      [UInt8](repeating: 0xE2, count: 503),
      Array(repeating: [0x41, 0x20], count: 251).flatMap { $0 },
      Array("שדרות רוטשילד 🚲 \u{202E}x".utf8), [UInt8](repeating: 0x20, count: 503),
    ] as [[UInt8]])
  func anyTextIsDrawnWithoutATrap(_ panel: Panel, _ text: [UInt8]) {
    var bitmap = Bitmap(panel.size)
    bitmap.draw(.starting(version: text.span))
    bitmap.draw(.connecting(name: text.span))
    bitmap.draw(.ready(name: text.span))
    bitmap.draw(.noRadio(advice: text.span))
    bitmap.draw(.message(title: text.span, text: text.span))
    for age in [nil, 0, -5, .max] as [Int?] {
      var turn = Turn(direction: 8, distance: text.span, street: text.span, age: age)
      for offset in [0, 1, 5000, .max] {
        turn.streetOffset = offset
        bitmap.draw(.navigation(turn))
      }
    }
    bitmap.draw(.searching(name: text.span, secondsLeft: .max, phase: .min))
    #expect(Pictures.text(bitmap).contains("1"))
    bitmap.draw(.found(phone: text.span, rssi: .min))
    bitmap.draw(.comparison(number: .max, name: text.span, phone: text.span))
    bitmap.draw(.waiting(phone: text.span, .ride))
    bitmap.draw(.phone(text.span, .paired))
    bitmap.draw(.forgotten(phone: text.span))
    for permille in [.min, -1, 1_001, .max] {
      bitmap.draw(.unpairing(phone: text.span, permille: permille))
    }
    #expect(Pictures.text(bitmap).contains("1"))
  }

  /// The column below the arrow's middle must stay free of the street and the distance.
  @Test func nothingOverlapsTheArrow() {
    let (far, street) = (Array("88888888 km".utf8), [UInt8](repeating: 0x57, count: 503))
    for panel in Panel.allCases {
      let with = panel.bitmap(
        .navigation(Turn(direction: 5, distance: far.span, street: street.span)))
      let empty = Array("".utf8)
      let arrow = panel.bitmap(
        .navigation(Turn(direction: 5, distance: empty.span, street: empty.span)))
      let side = Arrow.size(fitting: panel == .large ? 48 : panel == .tiny ? 27 : 32)
      for y in 0..<side {
        for x in 0..<side { #expect(with[x, y] == arrow[x, y]) }
      }
    }
  }

  @Test func aStreetThatFitsDoesNotScroll() {
    let bitmap = Bitmap(Panel.large.size)
    for (street, isLong) in [
      ("", false), ("Lennéstraße", false), ("Große Weinmeisterstraße", false),
      ("Radweg an der Bundesstraße 273 nach Marquardt", true),
    ] {
      let (far, bytes) = (Array("240 m".utf8), Array(street.utf8))
      let turn = Turn(direction: 5, distance: far.span, street: bytes.span)
      #expect((bitmap.streetOverflow(of: turn) > 0) == isLong)
      let all = Font.bold14.width(of: bytes.span)
      #expect(bitmap.streetOverflow(of: turn) == (isLong ? all - 128 : 0))
    }
  }

  @Test func aScrolledStreetEndsWithItsLastLetter() {
    let (far, street) = (
      Array("240 m".utf8), Array("Radweg an der Bundesstraße 273 nach Werder".utf8)
    )
    var turn = Turn(direction: 5, distance: far.span, street: street.span)
    turn.streetOffset = Bitmap(Panel.large.size).streetOverflow(of: turn)
    let scrolled = Panel.large.bitmap(.navigation(turn))
    var end = Bitmap(Panel.large.size)
    end.draw(street.span, font: .bold14, at: Point(128 - Font.bold14.width(of: street.span), 61))
    for y in 48..<64 {
      for x in 0..<128 { #expect(scrolled[x, y] == end[x, y]) }
    }
  }

  @Test func aWordThatIsTooLongForALineGoesOnInTheNext() {
    let (title, text) = (Array("Title".utf8), Array(String(repeating: "H", count: 30).utf8))
    let bitmap = Panel.large.bitmap(.message(title: title.span, text: text.span))
    let litRows = (20..<64).filter { y in (0..<128).contains { bitmap[$0, y] } }
    // 14 letters of 9 columns fit in 128, so 30 take three lines of letters 9 rows tall.
    #expect(litRows.count == 3 * 9)
  }
}

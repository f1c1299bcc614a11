import Graphics
import Screens
import Testing

/// A panel by its name in the board file.
enum Panel: String, CaseIterable {
  case large = "128x64"
  case flat = "128x32"
  case small = "64x48"
  case tiny = "72x40"

  var size: Size {
    switch self {
    case .large: Size(128, 64)
    case .flat: Size(128, 32)
    case .small: Size(64, 48)
    case .tiny: Size(72, 40)
    }
  }

  func bitmap(_ screen: Screen) -> Bitmap {
    var bitmap = Bitmap(size)
    bitmap.draw(screen)
    return bitmap
  }
}

/// Every screen on every panel looks as in the folder `Pictures`.
@Suite struct ScreenPictureTests {
  @Test(arguments: Panel.allCases) func starting(_ panel: Panel) throws {
    let version = Array("0.1.0".utf8)
    let picture = panel.bitmap(.starting(version: version.span))
    try Pictures.expect(picture, "starting-\(panel.rawValue)")
  }

  @Test(arguments: Panel.allCases) func searching(_ panel: Panel) throws {
    let name = Array("Lenker".utf8)
    let endless = panel.bitmap(.searching(name: name.span, secondsLeft: nil, phase: 0))
    try Pictures.expect(endless, "searching-\(panel.rawValue)")
    let limited = panel.bitmap(.searching(name: name.span, secondsLeft: 27, phase: 5))
    try Pictures.expect(limited, "searching-27s-\(panel.rawValue)")
  }

  @Test(arguments: Panel.allCases) func connecting(_ panel: Panel) throws {
    let name = Array("Annas iPhone".utf8)
    let picture = panel.bitmap(.connecting(name: name.span))
    try Pictures.expect(picture, "connecting-\(panel.rawValue)")
  }

  @Test(arguments: Panel.allCases) func ready(_ panel: Panel) throws {
    let name = Array("Annas iPhone".utf8)
    let picture = panel.bitmap(.ready(name: name.span))
    try Pictures.expect(picture, "ready-\(panel.rawValue)")
  }

  @Test(arguments: Panel.allCases) func noRadio(_ panel: Panel) throws {
    let advice = Array("hci0 is in use: stop bluetoothd, then wait".utf8)
    let picture = panel.bitmap(.noRadio(advice: advice.span))
    try Pictures.expect(picture, "no-radio-\(panel.rawValue)")
  }

  @Test(arguments: Panel.allCases) func message(_ panel: Panel) throws {
    let title = Array("Disconnected".utf8)
    let text = Array("The phone was let go. Searching anew.".utf8)
    let picture = panel.bitmap(.message(title: title.span, text: text.span))
    try Pictures.expect(picture, "message-\(panel.rawValue)")
  }

  @Test(
    arguments: Panel.allCases,
    [
      ("short", 8, "240 m", "Lennéstraße"), ("twelve", 16, "1.2 km", "Schopenhauerstraße"),
      ("two-lines", 4, "10 km", "Große Weinmeisterstraße"),
      ("cut", 20, "990 m", "Radweg an der Bundesstraße 273 nach Marquardt"),
      ("now", 6, "Now", "Am Neuen Palais"), ("far", 1, "4294967 km", "Οδός Ερμού / улица Мира"),
      ("no-street", 30, "50 ft", ""),
    ] as [(String, UInt8, String, String)])
  func navigation(_ panel: Panel, _ turn: (String, UInt8, String, String)) throws {
    let (name, direction, distance, street) = turn
    let (far, road) = (Array(distance.utf8), Array(street.utf8))
    let picture = panel.bitmap(
      .navigation(Turn(direction: direction, distance: far.span, street: road.span)))
    try Pictures.expect(picture, "turn-\(name)-\(panel.rawValue)")
  }

  @Test(arguments: Panel.allCases, [8, 75, 7300]) func stale(_ panel: Panel, _ age: Int) throws {
    let (far, street) = (Array("240 m".utf8), Array("Große Weinmeisterstraße".utf8))
    let picture = panel.bitmap(
      .navigation(Turn(direction: 9, distance: far.span, street: street.span, age: age)))
    try Pictures.expect(picture, "stale-\(age)s-\(panel.rawValue)")
  }

  @Test(arguments: Panel.allCases) func inverted(_ panel: Panel) throws {
    let (far, street) = (Array("30 m".utf8), Array("Lennéstraße".utf8))
    var turn = Turn(direction: 22, distance: far.span, street: street.span)
    turn.isInverted = true
    let picture = panel.bitmap(.navigation(turn))
    try Pictures.expect(picture, "inverted-\(panel.rawValue)")
  }
}

import Expecting
import Graphics
import Navigation
import Screens
import TestSupport
import Turns

struct RobustnessTests {
  /// A bitmap that was scribbled on is drawn like a fresh one, so nothing of it is left.
  @Test(arguments: Panel.allCases) func drawingClearsFirst(_ panel: Panel) {
    let version = Array("0.2.0".utf8)
    var bitmap = Bitmap(panel.size)
    bitmap.fill(Point(0, 0), panel.size)
    bitmap.draw(.starting(version: version.span))
    expect(
      Pixels(bitmap), Pixels(panel.bitmap(.starting(version: version.span))))
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
    bitmap.drawTestPicture(caption: text.span)
    bitmap.draw(.starting(version: text.span))
    bitmap.draw(.connecting(name: text.span))
    bitmap.draw(.ready(name: text.span))
    bitmap.draw(.noRadio(advice: text.span))
    bitmap.draw(.wrongSettings(mistake: text.span))
    var trip = TripFigures(units: .imperial, isUnderWay: true)
    for number in [nil, 0, 7, 5_999, .max, .min] as [Int?] {
      (trip.speed, trip.minutes, trip.tenths, trip.average) = (number, number, number, number)
      bitmap.draw(.arrived(Arrival(trip, street: text.span)))
      for isConnected in [false, true] {
        bitmap.draw(
          .ride(
            RidePage(
              RideFigures(trip, isConnected: isConnected, rssi: -67, battery: .max),
              phone: text.span)))
      }
    }
    for age in [nil, 0, -5_000, .max] as [Int64?] {
      for maneuver in [.finish, .right, .offRoute] as [Maneuver] {
        var turn = ShownTurn(
          TurnFigures(maneuver, age: age.map(Age.init(milliseconds:))), distance: text.span,
          street: text.span)
        #expect(bitmap.streetOverflow(of: turn) >= 0)
        for offset in [.min, -1, 0, 1, 5000, .max] as [Int] {
          turn.streetOffset = offset
          bitmap.draw(.navigation(turn))
        }
      }
    }
    for state in [.looking, .changesAddress, .ready(battery: .max)] as [SensorState] {
      let row = SensorRow(text.span, state)
      bitmap.draw(
        .sensors(SensorsPage(heart: row, cadence: row, speed: row, power: row, radar: row)))
    }
    for number in [nil, 0, .max, .min] as [Int?] {
      for figure in [.speed(number, .imperial), .power(number), .clock(minutes: number)]
        as [ShownFigure]
      {
        bitmap.draw(.sensorCandidate(SensorCandidate(.power, text.span, .figure(figure))))
      }
    }
    bitmap.draw(.sensorCandidate(SensorCandidate(.radar, text.span, .vehicles(.min))))
    let choice = SensorCandidate(.speed, text.span, .figure(.speed(.max, .imperial)))
    for (count, mark) in [(0, 0), (1, 5), (4, 3), (.max, .min)] {
      bitmap.draw(
        .sensorChoice(SensorChoice(choice, choice, choice, choice, count: count, mark: mark)))
    }
    bitmap.draw(.sensorSaved(.speed, name: text.span))
    bitmap.draw(.sensorBattery(.speed, percent: .max))
    bitmap.draw(.ownBattery(percent: .max))
    bitmap.draw(.searching(name: text.span, secondsLeft: .max))
    #expect(Pixels(bitmap).litCount > 0)
    bitmap.draw(.found(phone: text.span, rssi: .min))
    bitmap.draw(.comparison(number: .max, name: text.span, phone: text.span))
    bitmap.draw(.waiting(phone: text.span))
    bitmap.draw(.phone(text.span, .paired))
    bitmap.draw(.forgotten(phone: text.span))
    bitmap.draw(.codeMissing)
    for seconds in [.min, 0, .max] { bitmap.draw(.pairingDelayed(secondsLeft: seconds)) }
    for permille in [.min, -1, 1_001, .max] {
      bitmap.draw(.unpairing(phone: text.span, permille: permille))
    }
    #expect(Pixels(bitmap).litCount > 0)
  }

  /// Streets of every kind: short, of two lines, that scroll, from right to left, and of nothing.
  private static let streets = [
    "", "Weg", "Große Weinmeisterstraße", String(repeating: "W", count: 503),
    "Radweg an der Bundesstraße 273 nach Marquardt", "רחוב יפו",
    "שדרות דוד בן גוריון פינת רחוב דיזנגוף בתל אביב",
  ]

  /// What the street lights it lights with a distance too, and the rest is the whole distance.
  @Test(arguments: Panel.wide, streets)
  func nothingOverlapsTheDistance(_ panel: Panel, _ street: String) {
    for distance in ["Now", "990 m", "10.0 km", "88888888 km"] {
      for offset in [0, 1, 77] {
        let both = panel.turn(street, distance, offset: offset)
        let empty = withoutText(panel, street)
        let street = panel.turn(street, "", offset: offset)
        let size = panel.size
        var (hidden, distanceEnd, streetTop) = (0, 0, size.height)
        for y in 0..<size.height {
          for x in 0..<size.width {
            if street[x, y], !both[x, y] { hidden += 1 }
            if both[x, y], !street[x, y] { distanceEnd = y + 1 }
            if street[x, y], !empty[x, y], x >= size.width / 2 { streetTop = min(streetTop, y) }
          }
        }
        expect(hidden, 0)
        #expect(distanceEnd <= streetTop)
      }
    }
  }

  /// The arrow alone, as large as it is with this street.
  private func withoutText(_ panel: Panel, _ street: String) -> Bitmap {
    let line = String(repeating: "\u{A0}", count: 25)
    let isInTwoLines = panel == .large && street.hasPrefix("Große")
    return panel.turn(isInTwoLines ? line + " " + line : street.isEmpty ? "" : " ", "")
  }

  @Test func aStreetThatFitsDoesNotScroll() {
    for (street, isLong) in [
      ("", false), ("Lennéstraße", false), ("Große Weinmeisterstraße", false),
      ("Radweg an der Bundesstraße 273 nach Marquardt", true),
    ] {
      let bytes = Array(street.utf8)
      let all = Font.bold14.width(of: bytes.span)
      expect(Panel.large.overflow(street), isLong ? all - 128 : 0)
    }
  }

  @Test func aWordThatIsTooLongForALineGoesOnInTheNext() {
    let text = Array(String(repeating: "H", count: 30).utf8)
    let bitmap = Panel.large.bitmap(.noRadio(advice: text.span))
    // Right of the symbol and below the title.
    let litRows = (20..<64).filter { y in (32..<128).contains { bitmap[$0, y] } }
    // 10 letters of 9 columns fit in 96, so 30 take three lines of letters 9 rows tall.
    expect(litRows.count, 3 * 9)
  }
}

import Expecting
import Graphics
import Navigation
import Screens

/// Whatever a ride amounts to, its figures are whole and apart from each other on every panel.
struct RidePageTests {
  static let panels = Panel.allCases.map { [$0.size.width, $0.size.height] }
  static let sizes = panels + [[40, 64], [32, 64]]

  static let values: [[Int]] = [
    [0, 0, 0, 0], [7, 9, 4, 5], [18, 42, 93, 14], [88, 5_999, 999, 88], [100, 600, 1_000, 100],
    [199, 5_999, 99_999, 199], [999, 5_999, 99_999, 999],
  ]

  private func trip(
    _ values: [Int], _ units: Units, isUnderWay: Bool
  ) -> TripFigures {
    var trip = TripFigures(units: units, isUnderWay: isUnderWay)
    trip.speed = isUnderWay ? values[0] : nil
    (trip.minutes, trip.tenths, trip.average) = (values[1], values[2], values[3])
    return trip
  }

  @Test(arguments: sizes, values)
  func noFigureTouchesAnotherOneOrThePhone(_ size: [Int], _ values: [Int]) {
    // The phone's name, the frame of its battery and what fills it.
    expectApart(size, values, [0, Parts.count(in: "Al") + 2]) { _ in }
  }

  @Test(arguments: panels, values)
  func noFigureTouchesTheWordsThatItIsAtHome(_ size: [Int], _ values: [Int]) {
    expectApart(size, values, ["At home", "Home"].map(Parts.count)) { $0.isAtHome = true }
  }

  /// Beside the phone or instead of its name, or else in that of the average.
  @Test(arguments: sizes, values)
  func noFigureTouchesTheTimeOfTheDay(_ size: [Int], _ values: [Int]) {
    let clock = Parts.count(in: "20:48")
    let below = [0, clock, 2 + clock, 2 + clock + Parts.count(in: "Al")]
    expectApart(size, values, below, last: [.average, .clock]) { $0.trip.clock = 20 * 60 + 48 }
  }

  /// Below the figures, the last of which is one of those named, is something of so many parts.
  private func expectApart(
    _ size: [Int], _ values: [Int], _ below: [Int], last: [TripFigures.Figure] = [.average],
    _ change: (inout RideFigures) -> Void
  ) {
    for (units, isUnderWay) in [
      (.metric, true), (.metric, false), (.imperial, true), (.imperial, false),
    ] as [(Units, Bool)] {
      let trip = trip(values, units, isUnderWay: isUnderWay)
      var bitmap = Bitmap(Size(size[0], size[1]))
      let name = Array("Al".utf8)
      var page = RidePage(RideFigures(trip, isConnected: true, battery: 50), phone: name.span)
      change(&page.figures)
      bitmap.draw(.ride(page))
      let parts = Parts(of: bitmap)
      let shownTrip = page.figures.trip
      let figures: [TripFigures.Figure] =
        isUnderWay ? [.speed, .time, .distance] : [.distance, .time]
      let expected = last.flatMap { last in
        (1...figures.count + 1).flatMap { shown in
          below.map {
            (figures + [last]).prefix(shown).reduce($0) {
              $0 + Parts.count(in: text($1, shownTrip))
            }
          }
        }
      }
      #expect(expected.contains(parts.count), "\(size), \(trip)")
      #expect(parts.digits >= text(figures[0], trip).count { $0.isNumber }, "\(size), \(trip)")
    }
  }

  @Test(arguments: sizes, values)
  func nothingOfAnArrivalTouches(_ size: [Int], _ values: [Int]) {
    for units in [.metric, .imperial] as [Units] {
      let trip = trip(values, units, isUnderWay: false)
      var bitmap = Bitmap(Size(size[0], size[1]))
      let street = Array("Allee".utf8)
      bitmap.draw(.arrived(Arrival(trip, street: street.span)))
      let count = Parts(of: bitmap).count
      // The flag's pole with its squares is a part; with small squares there are more.
      let expected = [0, 1].flatMap { flag in
        ["", "Arrived"].flatMap { title in
          ["", "Allee"].flatMap { street in
            [[], [.distance], [.distance, .time]].map { (figures: [TripFigures.Figure]) in
              figures.reduce(flag + Parts.count(in: title + street)) {
                $0 + Parts.count(in: text($1, trip))
              }
            }
          }
        }
      }
      #expect(expected.contains(count), "\(size), \(trip)")
    }
  }

  /// The least that each panel has: the speed with its unit, the time and the way.
  ///
  /// On the two smallest that stand upright four digits and a unit are too wide.
  @Test(arguments: Panel.wide + [.tall, .narrow], values)
  func speedTimeAndWayAreOnEveryPanel(_ panel: Panel, _ values: [Int]) {
    let trip = trip(values, .metric, isUnderWay: true)
    let nobody: [UInt8] = []
    let bitmap = panel.bitmap(
      .ride(RidePage(RideFigures(trip, isConnected: true), phone: nobody.span)))
    let wanted = [.speed, .time, .distance].reduce(0) { $0 + Parts.count(in: text($1, trip)) }
    #expect(Parts(of: bitmap).count >= wanted)
  }

  private func text(_ figure: TripFigures.Figure, _ trip: TripFigures) -> String {
    let text = trip.text(of: figure)
    return String(decoding: (0..<text.count).map { text[$0] }, as: UTF8.self)
  }
}

/// The lit areas of a picture that are dark all around, diagonally too: a letter is one or two.
private struct Parts {
  private(set) var count = 0
  /// How many are as tall as a digit.
  private(set) var digits = 0

  init(of bitmap: borrowing Bitmap) {
    let (width, height) = (bitmap.size.width, bitmap.size.height)
    var lit = (0..<height).map { y in (0..<width).map { x in bitmap[x, y] } }
    for y in 0..<height {
      for x in 0..<width where lit[y][x] {
        var (todo, top, bottom) = ([(x, y)], y, y)
        lit[y][x] = false
        while let (column, row) = todo.popLast() {
          (top, bottom) = (min(top, row), max(bottom, row))
          for near in max(0, row - 1)...min(height - 1, row + 1) {
            for beside in max(0, column - 1)...min(width - 1, column + 1) where lit[near][beside] {
              lit[near][beside] = false
              todo.append((beside, near))
            }
          }
        }
        count += 1
        if bottom - top >= 8 { digits += 1 }
      }
    }
  }

  /// How many a text has by itself.
  static func count(in text: String) -> Int { text.reduce(0) { $0 + (letters[$1] ?? 0) } }

  /// How many each letter has, in any font.
  private static let letters = Dictionary(
    uniqueKeysWithValues: "0123456789.:/ AHadeghiklmoprtvZ".map { letter in
      var bitmap = Bitmap(Size(32, 16))
      let bytes = Array(String(letter).utf8)
      bitmap.draw(bytes.span, font: .bold12, at: Point(0, 12))
      return (letter, Parts(of: bitmap).count)
    })
}

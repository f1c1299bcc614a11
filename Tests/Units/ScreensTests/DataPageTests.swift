import Expecting
import Graphics
import Navigation
import Screens
import TestSupport
import Words

/// What the sensors say is drawn again only if a digit changes, and whole on every panel.
@Suite struct DataPageTests {
  private func figures(
    _ speed: DataFigures.Reading, _ heart: DataFigures.Reading = .absent,
    _ cadence: DataFigures.Reading = .absent, _ power: DataFigures.Reading = .absent,
    _ units: Units = .metric
  ) -> DataFigures {
    DataFigures(speed: speed, heart: heart, cadence: cadence, power: power, units: units)
  }

  /// In millimetres a second; by hand: 1 m/s is 3.6 km/h or 2.23694 mph, from 100 on without tenths.
  @Test(
    arguments: [
      (6_750, 6_763, .metric, true), (6_737, 6_750, .metric, true), (27_778, 27_900, .metric, true),
      (30_000, 30_010, .imperial, true), (-5, 0, .metric, true), (250_000, .max, .metric, true),
      (6_750, 6_764, .metric, false), (6_750, 6_736, .metric, false), (0, 14, .metric, false),
      (27_750, 27_778, .metric, false),
    ] as [(Int, Int, Units, Bool)])
  func speedsAreTheSameIfTheyLookTheSame(_ a: Int, _ b: Int, _ units: Units, _ isSame: Bool) {
    let speeds = [a, b].map { figures(.value($0), .absent, .absent, .absent, units) }
    expect((speeds[0] == speeds[1]), isSame)
  }

  @Test(arguments: Panel.allCases) func twoAreTheSameIfTheirPicturesAre(_ panel: Panel) {
    let readings: [DataFigures.Reading] = [.absent, .unknown, .value(0), .value(142), .value(999)]
    for a in readings {
      for b in readings {
        let (first, second) = (figures(.absent, a), figures(.absent, b))
        let isSame =
          Pixels(panel.bitmap(.data(first, radar: nil)))
          == Pixels(panel.bitmap(.data(second, radar: nil)))
        expect(isSame, (first == second), "\(a), \(b) on \(panel)")
      }
    }
  }

  /// Where a unit is wider than the panel its short form is drawn.
  @Test(arguments: Panel.allCases, languages)
  func noLanguageLeavesThePageBlank(_ panel: Panel, _ language: Language) {
    for cadence in [DataFigures.Reading.value(88), .unknown] {
      var bitmap = Bitmap(panel.size)
      bitmap.draw(
        .data(figures(.value(6_750), .value(142), cadence, .value(230)), radar: nil), in: language)
      #expect(Pixels(bitmap) != Pixels(Bitmap(panel.size)), "\(language) on \(panel)")
    }
  }

  /// The most wanted first: speed, heart, cadence, power.
  @Test(arguments: [
    (Panel.large, 4), (.flat, 2), (.small, 1), (.tiny, 1), (.tall, 4), (.narrow, 4),
    (.smallUpright, 2), (.tinyUpright, 2),
  ])
  func aPanelShowsAsManyAsItHasRoomFor(_ panel: Panel, _ count: Int) {
    let values: [DataFigures.Reading] = (0..<4).map { .value(100 + $0) }
    let all = picture(values, panel)
    for number in 0..<4 {
      var others = values
      others[number] = .value(200)
      expect((picture(others, panel) != all), (number < count), "\(number) on \(panel)")
    }
  }

  /// Speeds and pulses of up to 500 keep the width of three digits.
  private func picture(_ values: [DataFigures.Reading], _ panel: Panel) -> Pixels {
    var speed = values[0]
    if case .value(let number) = speed { speed = .value(number * 10) }
    return Pixels(
      panel.bitmap(.data(figures(speed, values[1], values[2], values[3]), radar: nil)))
  }

  /// While nothing is wider than usual, digits change in place: nothing else moves.
  @Test(arguments: Panel.allCases) func unitsStayWhereTheyAre(_ panel: Panel) {
    let unit = panel.bitmap(.data(figures(.absent, .unknown), radar: nil))
    let rows = (0..<panel.size.height).filter { y in
      (0..<panel.size.width).contains { unit[$0, y] }
    }
    // The unit is right of the dash in the same rows, or below it.
    let last = rows.last ?? 0
    for beats in [7, 72, 188] {
      let bitmap = panel.bitmap(.data(figures(.absent, .value(beats)), radar: nil))
      for x in 0..<panel.size.width { expect(bitmap[x, last], unit[x, last]) }
    }
  }
}

import Expecting
import Graphics
import Navigation
import Screens
import TestSupport
import Turns
import Words

/// What the sensors say is drawn again only if a digit changes, and whole on every panel.
struct DataPageTests {
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

/// What comes from behind, at the right edge: the rider is at the bottom.
struct RadarStripTests {
  static let panels = nonEmpty(Panel.allCases.filter { $0 != .narrow })

  private func radar(_ metres: UInt8...) -> ShownRadar {
    var radar = ShownRadar(isSilent: false)
    for metres in metres { radar.add(metres: metres) }
    return radar
  }

  private func turn(
    _ panel: Panel, _ radar: ShownRadar?, _ change: (inout TurnFigures) -> Void = { _ in }
  ) -> Bitmap {
    panel.turn("Lennéstraße") {
      $0.radar = radar
      change(&$0)
    }
  }

  /// The columns of the strip, one string for each row.
  private func strip(_ bitmap: borrowing Bitmap) -> [String] {
    let (width, height) = (bitmap.size.width, bitmap.size.height)
    return (0..<height).map { y in
      (width - columns(width)..<width).map { x in bitmap[x, y] ? "#" : "." }.joined()
    }
  }

  /// On a large panel a block is 2 mm wide, and is seen from 60 cm.
  private func columns(_ width: Int) -> Int { width < 100 ? 8 : 14 }

  /// A row with the line of the road, or with a vehicle on it.
  private func row(_ panel: Panel, isVehicle: Bool) -> String {
    ".#" + String(repeating: isVehicle ? "#" : ".", count: columns(panel.size.width) - 2)
  }

  @Test(arguments: panels) func aClearRoadIsAWholeLine(_ panel: Panel) {
    #expect(strip(turn(panel, radar())).allSatisfy { $0 == row(panel, isVehicle: false) })
  }

  @Test(arguments: panels) func aSilentRadarIsDotsAndNoClearRoad(_ panel: Panel) {
    let rows = strip(turn(panel, ShownRadar(isSilent: true)))
    let line = row(panel, isVehicle: false)
    expect(Set(rows), [line, String(repeating: ".", count: line.count)])
    // Far more dark than lit, so that nobody takes it for the line.
    #expect(rows.count { $0 == line } * 2 < rows.count)
  }

  @Test(arguments: panels) func theNearerAVehicleTheLowerItsBlock(_ panel: Panel) throws {
    var last = -1
    for metres in [140, 105, 70, 35, 0] as [UInt8] {
      let rows = strip(turn(panel, radar(metres))).enumerated().filter {
        $0.element == row(panel, isVehicle: true)
      }
      let (first, end) = (try #require(rows.first?.offset), try #require(rows.last?.offset))
      expect(first > last && end - first + 1 == rows.count && rows.count >= 5)
      last = first
      if metres == 140 { expect(first, 0) }
      if metres == 0 { expect(end, panel.size.height - 1) }
    }
  }

  @Test func twoVehiclesCloseToEachOtherAreTwoBlocks() {
    let rows = strip(turn(.large, radar(60, 68)))
    let vehicle = row(.large, isVehicle: true)
    let edges = zip(rows, rows.dropFirst()).count { $0 != vehicle && $1 == vehicle }
    expect(edges, 2)
  }

  @Test func whatIsFartherThanTheRadarSeesIsAtTheEndAndTheNarrowestPanelHasNoStrip() {
    expect(radar(140), radar(255))
    #expect(radar(0) != radar(5))
    expect(radar(100), radar(100, 100))
    expect(Pixels(turn(.narrow, radar(22))), Pixels(turn(.narrow, nil)))
  }

  /// Turn, ride and data have the same strip, and nothing of theirs in it, nor the other way round.
  @Test(arguments: panels) func theStripIsTheSameOnEachPage(_ panel: Panel) {
    let (seen, nobody) = (radar(22, 90), [UInt8]())
    let expected = strip(turn(panel, seen))
    expect(strip(turn(panel, seen) { $0.isInverted = true }), expected)
    let trip = TripFigures(units: .metric, isUnderWay: true)
    var page = RidePage(RideFigures(trip, isConnected: true), phone: nobody.span)
    page.figures.radar = seen
    expect(strip(panel.bitmap(.ride(page))), expected)
    let data = DataFigures(
      speed: .value(6_750), heart: .value(142), cadence: .value(88), power: .value(231),
      units: .metric)
    expect(strip(panel.bitmap(.data(data, radar: seen))), expected)
  }

  @Test func aStreetScrollsInWhatIsLeft() {
    let street = "Radweg an der Bundesstraße 273 nach Marquardt"
    let more = Panel.large.overflow(street) { $0.radar = radar() }
    expect(more, Panel.large.overflow(street) + 14)
  }
}

/// The figure above the distance.
struct ExtraFigureTests {
  private func picture(
    _ panel: Panel, _ street: String, _ change: (inout TurnFigures) -> Void
  ) -> Pixels {
    Pixels(panel.turn(street, "350 m", change))
  }

  @Test(arguments: Panel.allCases.filter { $0 != .square }) func itHasTheSpareLineOrNone(
    _ panel: Panel
  ) {
    let hasLine = [Panel.large, .tall, .narrow].contains(panel)
    for street in hasLine ? ["Weg"] : ["Weg", ""] {
      let isSeen =
        picture(panel, street) { $0.extra = .heart(142) } != picture(panel, street) { _ in }
      expect(isSeen, hasLine)
    }
  }

  /// An age, and what is special about a turn.
  @Test(arguments: Panel.allCases) func theCaptionComesFirst(_ panel: Panel) {
    func both(_ change: @escaping (inout TurnFigures) -> Void) -> Bool {
      picture(panel, "Weg") {
        change(&$0)
        $0.extra = .heart(142)
      } == picture(panel, "Weg", change)
    }
    expect(both { $0.age = Age(milliseconds: 9_000) })
    if panel != .narrow { expect(both { $0.maneuver = .finish }) }
    expect(both { $0.maneuver = .offRoute })
  }

  /// On a panel that stands upright a long name has more lines than are left above an extra figure.
  @Test func aStreetOfManyLinesComesBeforeTheFigure() {
    let streets = ["Große Weinmeisterstraße und weiter", "Weg"]
    let isLeftOut = streets.map { street in
      picture(.tall, street) { $0.extra = .heart(142) } == picture(.tall, street) { _ in }
    }
    expect(isLeftOut, [true, false])
  }

  @Test func twoThatLookTheSameAreTheSame() {
    expect(ShownFigure.speed(6_700, .metric), .speed(6_750, .metric))
    #expect(ShownFigure.speed(6_700, .metric) != .speed(7_000, .metric))
    #expect(ShownFigure.heart(nil) != .heart(0))
    #expect(ShownFigure.power(-10) != .power(10))
  }

  @Test func onlyANumberIsEstimated() {
    func picture(_ distance: String, _ isEstimated: Bool) -> Pixels {
      Pixels(Panel.large.turn("Weg", distance) { $0.isEstimated = isEstimated })
    }
    #expect(picture("350 m", true) != picture("350 m", false))
    expect(picture("Now", true), picture("Now", false))
  }
}

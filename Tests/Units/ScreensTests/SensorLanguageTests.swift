import Expecting
import Graphics
import Screens
import Sensors
import TestSupport
import Words

/// No panel is too small for what it says of sensors, in any language: as in `LanguageTests`.
struct SensorLanguageTests {
  @Test(arguments: Panel.allCases.filter { $0 != .narrow }, languages)
  func eachWordIsSeenWhole(_ panel: Panel, _ language: Language) {
    for saying in sayings(on: panel) {
      var bitmap = Bitmap(panel.size)
      saying.screen(&bitmap, language)
      let glass = Glass(bitmap)
      let isSaid = saying.wanted.contains { texts in
        texts.allSatisfy { text in
          text.forms(in: language).contains { glass.says($0, panel.leniency) }
        }
      }
      expect(isSaid, "\(saying.wanted) on \(panel.rawValue) in \(language)")
    }
  }

  /// All but two: `centralBehaviour97_allFiveKindsAreNamedOnTheLargePanel` finds the hint, and several vehicles are
  /// laid out as one is.
  @Test func everyPhraseIsSaidOnTheLargePanel() {
    let said = Set(sayings(on: .large).flatMap { $0.wanted.flatMap { $0 } }.map(\.description))
    let all = (0...UInt8.max).compactMap(SensorPhrase.init)
    expect(all.filter { !said.contains("\($0)") }, [.holdDelete, .vehicles])
  }

  /// On a panel that has room for three, the pulse is worth least.
  @Test func whereNotAllFitTheLastKindsAreSeen() {
    func picture(_ changed: Int) -> Pixels {
      func state(_ number: Int) -> SensorState { number == changed ? .away : .looking }
      return Pixels(
        Panel.tiny.bitmap(
          .sensors(
            SensorsPage(
              heart: SensorRow(ada.span, state(0)), cadence: SensorRow(ada.span, state(1)),
              speed: SensorRow(ada.span, state(2)), power: SensorRow(ada.span, state(3)),
              radar: SensorRow(ada.span, state(4))))))
    }
    expect((0..<5).map { picture($0) != picture(5) }, [false, false, true, true, true])
  }

  /// The list gives way to the screen of the sensor that is offered.
  @Test(arguments: Panel.allCases) func whereTheOfferedOneIsStillItIsAlone(_ panel: Panel) {
    let (heart, still) = (
      SensorCandidate(.heart, ada.span, .figure(.heart(72))),
      SensorCandidate(.speed, ada.span, .still)
    )
    let list = panel.bitmap(
      .sensorChoice(SensorChoice(heart, still, heart, heart, count: 2, mark: 1)))
    expect(Pixels(list), Pixels(panel.bitmap(.sensorCandidate(still))))
  }

  /// All five take the room of the hints; four with their longest words leave it to what can be done with them.
  @Test(arguments: languages)
  func centralBehaviour97_allFiveKindsAreNamedOnTheLargePanel(_ language: Language) {
    for state in states {
      for count in 4...5 {
        let glass = Glass(page(count: count, state, on: .large, language))
        for word in kinds.prefix(count) + (count == 4 ? [.bAdd, .holdDelete] : []) {
          let words = Text.sensor(word).forms(in: language)
          expect(words.contains { glass.says($0) }, "\(word) in \(language)")
        }
      }
    }
  }
}

/// A text that is to be seen.
private enum Text: CustomStringConvertible {
  case phone(Phrase)
  case sensor(SensorPhrase)
  case exactly(String)

  var description: String {
    switch self {
    case .phone(let phrase): "\(phrase)"
    case .sensor(let phrase): "\(phrase)"
    case .exactly(let text): text
    }
  }

  /// With `%` a name that takes little room.
  func forms(in language: Language) -> [String] {
    let text =
      switch self {
      case .phone(let phrase): language.text(of: phrase)
      case .sensor(let phrase): language.text(of: phrase)
      case .exactly(let text): text
      }
    return text.split(separator: "|").map { String($0).replacing("%", with: "Ada") }
  }
}

/// A screen, and what it says: all of one of these.
private struct Saying {
  let screen: (inout Bitmap, Language) -> Void
  let wanted: [[Text]]

  init(_ wanted: [Text]..., by screen: @escaping (inout Bitmap, Language) -> Void) {
    (self.screen, self.wanted) = (screen, wanted)
  }
}

private let kinds: [SensorPhrase] = [.heart, .cadence, .speed, .power, .radar]
private let states: [SensorState] = [
  .looking, .away, .ready(battery: nil), .ready(battery: 100), .changesAddress, .noLinkFree,
]
private let ada = Array("Ada".utf8)

private func sayings(on panel: Panel) -> [Saying] {
  pages(on: panel) + figures(on: panel) + adding(on: panel) + news(on: panel)
}

/// The units of the data.
private func figures(on panel: Panel) -> [Saying] {
  func data(_ unit: SensorPhrase, _ figures: DataFigures) -> Saying {
    Saying(panel == .large ? [.sensor(unit)] : []) { $0.draw(.data(figures, radar: nil), in: $1) }
  }
  func figures(_ heart: DataFigures.Reading, _ cadence: DataFigures.Reading) -> DataFigures {
    DataFigures(speed: .absent, heart: heart, cadence: cadence, power: .absent, units: .metric)
  }
  return [
    data(.beats, figures(.value(142), .absent)), data(.turns, figures(.absent, .value(88))),
  ]
}

private func pages(on panel: Panel) -> [Saying] {
  let words: [(SensorState, Text)] = [
    (.looking, .sensor(.looking)), (.away, .exactly("–")),
    (.ready(battery: nil), .sensor(.isReady)), (.ready(battery: 100), .exactly("100%|100")),
    (.changesAddress, .sensor(.changesAddress)), (.noLinkFree, .sensor(.noLinkFree)),
  ]
  let empty = Saying(
    [.sensor(.sensors), .sensor(.bAddSensor)], [.sensor(.sensors), .sensor(.bAdd)]
  ) { $0 = page(count: 0, .absent, on: panel, $1) }
  return [empty]
    + words.flatMap { state, word in
      [
        Saying([word, .sensor(.bAdd)]) { $0 = page(count: 1, state, on: panel, $1) },
        Saying([word]) { $0 = page(count: 4, state, on: panel, $1) },
        Saying([word]) { $0 = page(count: 5, state, on: panel, $1) },
      ]
    }
}

/// A page with the first kinds, all in one state.
private func page(
  count: Int, _ state: SensorState, on panel: Panel, _ language: Language
) -> Bitmap {
  func row(_ number: Int) -> SensorState { number < count ? state : .absent }
  var bitmap = Bitmap(panel.size)
  bitmap.draw(
    .sensors(
      SensorsPage(
        heart: SensorRow(ada.span, row(0)), cadence: SensorRow(ada.span, row(1)),
        speed: SensorRow(ada.span, row(2)), power: SensorRow(ada.span, row(3)),
        radar: SensorRow(ada.span, row(4)))),
    in: language)
  return bitmap
}

private func adding(on panel: Panel) -> [Saying] {
  // The smallest have room for one answer, as with phones.
  let isSmall = panel == .smallUpright || panel == .tinyUpright
  let answers: [Text] = [.phone(.aYes)] + (isSmall ? [] : [.phone(.bNo)])
  let isLarge = panel == .large || panel == .tall || panel == .narrow
  let next: [Text] = isLarge ? [.sensor(.bNext)] : []
  func still(_ kind: SensorKind, _ text: Text) -> Saying {
    Saying([.sensor(kinds[kind.worth]), text] + next) {
      $0.draw(.sensorCandidate(SensorCandidate(kind, ada.span, .still)), in: $1)
    }
  }
  func question(_ texts: [Text], _ reading: SensorCandidate.Reading) -> Saying {
    // Where there is no room for the question, a mark behind the value is all of it.
    Saying([.sensor(.isYours)] + texts + answers, texts + answers) {
      $0.draw(.sensorCandidate(SensorCandidate(.radar, ada.span, reading)), in: $1)
    }
  }
  return [
    Saying([.sensor(.wantsToPairAgain)] + answers) {
      $0.draw(.sensorPairing(.heart, name: ada.span), in: $1)
    },
    Saying(
      [.phone(.searching), .sensor(.wearAndSpin)], [.phone(.searching), .sensor(.wakeSensor)]
    ) {
      $0.draw(.sensorSearch(secondsLeft: 27), in: $1)
    },
    still(.heart, .sensor(.putStrapOn)), still(.speed, .sensor(.spinWheel)),
    still(.power, .sensor(.turnCrank)), still(.cadence, .sensor(.turnCrank)),
    still(.radar, .phone(.oneMoment)),
    question([.exactly("72")], .figure(.heart(72))),
    question([.exactly("24")], .figure(.speed(6_750, .metric))),
    question([.sensor(.oneVehicle)], .vehicles(1)),
    question([.sensor(.noVehicles)], .vehicles(0)),
    // Where a line alone has room, it is the question.
    Saying(
      [.exactly("72"), .exactly("141")] + (isLarge ? [.sensor(.aKeep), .sensor(.bNext)] : []),
      [.exactly("141")] + answers
    ) {
      let (own, other) = (
        SensorCandidate(.heart, ada.span, .figure(.heart(72))),
        SensorCandidate(.heart, ada.span, .figure(.heart(141)))
      )
      $0.draw(.sensorChoice(SensorChoice(own, other, own, own, count: 2, mark: 1)), in: $1)
    },
    Saying(
      [.sensor(.nothingFound), .sensor(.howToWake)], [.sensor(.nothingFound), .sensor(.wakeSensor)]
    ) { $0.draw(.noSensorFound, in: $1) },
  ]
}

private func news(on panel: Panel) -> [Saying] {
  let all = [SensorKind.heart, .cadence, .speed, .power, .radar]
  return zip(all, kinds).flatMap { kind, word in
    [
      Saying([.sensor(word), .phone(.saved)]) {
        $0.draw(.sensorSaved(kind, name: ada.span), in: $1)
      },
      Saying([.phone(.notSaved)]) { $0.draw(.sensorNotSaved(kind), in: $1) },
      Saying([.sensor(word), .exactly("9")] + (panel == .large ? [.sensor(.battery)] : [])) {
        $0.draw(.sensorBattery(kind, percent: 9), in: $1)
      },
    ]
  } + [
    Saying([.phone(.notSaved)]) { $0.draw(.sensorNotSaved(nil), in: $1) },
    Saying([.phone(.forget), .sensor(.keepHoldingToForgetAll)]) {
      $0.draw(.forgettingSensors(permille: 500), in: $1)
    },
    Saying([.sensor(.sensors), .sensor(.areForgotten)]) { $0.draw(.sensorsForgotten, in: $1) },
  ]
}

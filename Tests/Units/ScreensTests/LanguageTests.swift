import Expecting
import Graphics
import Messages
import Navigation
import Screens
import TestSupport
import Turns
import Words

let languages = nonEmpty((0...UInt8.max).compactMap(Language.init))

/// No panel is too small for what it says, in any language.
///
/// A text may be shown in any of its forms, and broken between its words; but each word of that form
/// stands on the glass, whole and apart from all others. On a panel that stands upright a word may be
/// parted, and on the narrow ones the lines are so close that they share rows. The narrowest shows symbols
/// where a word has no room.
struct LanguageTests {
  @Test(arguments: Panel.allCases.filter { $0 != .narrow }, languages)
  func eachWordIsSeenWhole(_ panel: Panel, _ language: Language) {
    for saying in sayings(on: panel) {
      let glass = Glass(saying.draw(Bitmap(panel.size), language))
      let isSaid = saying.wanted.contains { phrases in
        phrases.allSatisfy { phrase in
          forms(of: phrase, in: language, on: panel).contains {
            glass.says($0, saying.isAtTop ? .sharesRows : panel.leniency)
          }
        }
      }
      expect(isSaid, "\(saying.wanted) on \(panel.rawValue) in \(language)")
    }
  }

  /// But the colon, which is no word, a reason that gives way to what there is to do, and an advice.
  @Test func everyPhraseIsSaidOnTheLargePanel() {
    let said = sayings(on: .large).flatMap { $0.wanted.flatMap { $0 } }
    let all = (0...UInt8.max).compactMap(Phrase.init)
    expect(
      all.filter { !said.contains($0) },
      [
        .colon, .memoryCannotBeWritten, .bluetoothReconnects,
      ])
  }

  @Test func aWordThatIsCutOrCoveredIsNotSeen() {
    let words = Array("Kein Handy".utf8)
    var bitmap = Bitmap(Size(64, 48))
    bitmap.draw(words.span, font: .bold12, at: Point(0, 20))
    expect(!Glass(bitmap).says("Kein Handy"))
    expect(Glass(bitmap).says("Kein"))
    bitmap[3, 12].toggle()
    expect(!Glass(bitmap).says("Kein"))
  }

  /// The blank column behind its last letter may be beyond the edge.
  @Test func aCaptionThatFillsItsLineKeepsItsLargeLetters() {
    let (far, road) = (Array("350 m".utf8), Array("Weg".utf8))
    let rows = [Language.english, .italian].map { language in
      var bitmap = Bitmap(Panel.tall.size)
      let turn = ShownTurn(TurnFigures(.start), distance: far.span, street: road.span)
      bitmap.draw(.navigation(turn), in: language)
      return Pixels(bitmap).litRows()
    }
    expect(rows[0], rows[1])
  }

  /// With `%` a name that takes little room.
  ///
  /// The large panel has room for the longest form, but above a distance; the square one where music plays.
  private func forms(of phrase: Phrase, in language: Language, on panel: Panel) -> [String] {
    let forms = language.text(of: phrase).split(separator: "|").map {
      String($0.replacing("%", with: phrase == .line ? "7" : "Ada"))
    }
    let hasRoom = panel == .large || panel == .square && phrase == .nextOrPause
    let isShort = !hasRoom || phrase == .noLink || phrase == .noNews
    return isShort ? forms : [forms[0]]
  }
}

/// A screen, and what it says: all phrases of one of these.
private struct Saying {
  let screen: (inout Bitmap, Language) -> Void
  let wanted: [[Phrase]]
  /// Whether the accent of a capital may be cut by the upper edge.
  var isAtTop = false

  init(_ wanted: [Phrase]..., by screen: @escaping (inout Bitmap, Language) -> Void) {
    self.init(wanted, by: screen)
  }

  init(_ wanted: [[Phrase]], by screen: @escaping (inout Bitmap, Language) -> Void) {
    (self.screen, self.wanted) = (screen, wanted)
  }

  func draw(_ bitmap: consuming Bitmap, _ language: Language) -> Bitmap {
    screen(&bitmap, language)
    return bitmap
  }
}

private let ada = Array("Ada".utf8)
private let nobody: [UInt8] = []
private let advice = Array(
  "hci0: no such controller: see hciconfig -a for those there are, and whether its driver is loaded"
    .utf8)
private let missing = Array("board.conf is missing".utf8)
private let update = Array("lenker-update.bin was not started".utf8)
private let mistake = Array("board.conf:7: unknown key \"b\"".utf8)
private let setbacks: [(PairingSetback, Phrase)] = [
  (.refusedByPhone, .refusedByPhone), (.refusedHere, .refusedHere), (.timeout, .timeout),
  (.noAnswer, .noAnswer),
  (.wrongAnswer, .wrongAnswer), (.insecure, .insecure), (.tooManyAttempts, .tooManyAttempts),
  (.linkLost, .linkLost), (.notSaved, .notSaved),
]

private func sayings(on panel: Panel) -> [Saying] {
  words + names(on: panel) + questions(on: panel) + troubles(on: panel) + turns(on: panel)
    + rides(on: panel)
}

private var words: [Saying] {
  [
    Saying([.noPhone, .aSearch]) { $0.draw(.noPhone, in: $1) },
    Saying([.unpaired, .aSearch]) { $0.draw(.unpaired, in: $1) },
    Saying([.searching, .openKomoot]) {
      $0.draw(.searching(name: ada.span, secondsLeft: 27), in: $1)
    },
    Saying([.searching, .openKomootOrBluetooth]) {
      $0.draw(.searching(name: ada.span, secondsLeft: 27, isListed: true), in: $1)
    },
    Saying([.searching, .openKomoot]) {
      $0.draw(.searching(name: ada.span, secondsLeft: nil), in: $1)
    },
    Saying([.connecting]) { $0.draw(.connecting(name: ada.span), in: $1) },
    Saying([.ready, .startATour]) { $0.draw(.ready(name: ada.span), in: $1) },
    Saying([.ready, .startARoute]) { $0.draw(.ready(name: ada.span, isKomoots: false), in: $1) },
    Saying([.notPaired, .toPair]) { $0.draw(.refused, in: $1) },
    Saying([.noCode, .pairedWithoutCode]) { $0.draw(.codeMissing, in: $1) },
    Saying([.oneMoment, .tooManyAttempts], [.tooManyAttempts]) {
      $0.draw(.pairingDelayed(secondsLeft: 7), in: $1)
    },
    Saying([.updated]) { $0.draw(.updated(version: ada.span), in: $1) },
    Saying([.report, .saved]) { $0.draw(.reportSaved, in: $1) },
    Saying([.call]) { $0.draw(.call(name: nobody.span), in: $1) },
    Saying([.music, .nothingPlays]) {
      $0.draw(.music(title: nobody.span, artist: nobody.span), in: $1)
    },
    Saying([.atHome]) {
      let trip = TripFigures(units: .metric, isUnderWay: true)
      var page = RidePage(RideFigures(trip, isConnected: false), phone: ada.span)
      page.figures.trip.language = $1
      page.figures.isAtHome = true
      $0.draw(.ride(page), in: $1)
    },
  ]
}

private func names(on panel: Panel) -> [Saying] {
  let less: [Phrase] = panel == .large ? [.paired, .knownByAddress] : [.toForget]
  // On the small panel it may end in an ellipsis.
  let title: [Phrase] = panel == .small ? [] : [.yourTurn]
  func phoneAsked(_ wanted: [Phrase], _ phone: [UInt8]) -> Saying {
    var saying = Saying(wanted) {
      $0.draw(.phoneAsked(phone: phone.span, secondsLeft: 22), in: $1)
    }
    saying.isAtTop = true
    return saying
  }
  return [
    Saying([.found]) { $0.draw(.found(phone: ada.span, rssi: -60), in: $1) },
    Saying([.waiting, .openKomootOn]) { $0.draw(.waiting(phone: ada.span), in: $1) },
    Saying([.waiting, .openAppOn]) { $0.draw(.waiting(phone: ada.span, isKomoots: false), in: $1) },
    Saying([.waiting, .openKomoot]) { $0.draw(.waiting(phone: nobody.span), in: $1) },
    Saying([.paired, .toForget], less) { $0.draw(.phone(ada.span, .paired), in: $1) },
    Saying([.knownByAddress, .toForget], less) {
      $0.draw(.phone(ada.span, .address), in: $1)
    },
    Saying([.forThisRide, .toForget], less) { $0.draw(.phone(ada.span, .ride), in: $1) },
    Saying([.aPhone, .toForget]) { $0.draw(.phone(nobody.span, .paired), in: $1) },
    phoneAsked(title + [.tapPairOn], ada), phoneAsked(title + [.tapPair], nobody),
    // On a small panel the name stands for the sentence.
    Saying(panel == .large ? [.isPaired, .withPhone] : [.isPaired]) {
      $0.draw(.paired(phone: ada.span), in: $1)
    },
    Saying([.isPaired, .withThisPhone]) { $0.draw(.paired(phone: nobody.span), in: $1) },
    Saying([.forget, .keepHoldingToForget]) {
      $0.draw(.unpairing(phone: ada.span, permille: 500), in: $1)
    },
    Saying([.forget, .keepHolding]) {
      $0.draw(.unpairing(phone: nobody.span, permille: 500), in: $1)
    },
    Saying([.pairAgain, .forgottenBy]) { $0.draw(.forgotten(phone: ada.span), in: $1) },
    Saying([.pairAgain, .unrecognised]) { $0.draw(.unrecognised, in: $1) },
    Saying([.pairAgain, .forgotten]) { $0.draw(.forgotten(phone: nobody.span), in: $1) },
  ]
}

private func questions(on panel: Panel) -> [Saying] {
  // The smallest have room for one answer.
  let no: [Phrase] = panel == .smallUpright || panel == .tinyUpright ? [] : [.bNo]
  let answers = [.aYes] + no
  // The flat panel has room for its digits alone.
  let question: [[Phrase]] = panel == .flat ? [[]] : [[.sameOn], [.same]]
  let nameless: [[Phrase]] = panel == .flat ? [[]] : [[.same]]
  func comparison(_ phone: [UInt8], _ question: [[Phrase]]) -> Saying {
    // Without room for the question the answer has it.
    Saying([[.aSame] + no] + question.map { $0 + answers }) {
      $0.draw(.comparison(number: 123_456, name: nobody.span, phone: phone.span), in: $1)
    }
  }
  return [
    comparison(ada, question), comparison(nobody, nameless),
    Saying([.noCode, .pairWith] + answers, [.noCodePair] + answers) {
      $0.draw(.noCode(phone: ada.span), in: $1)
    },
    Saying([.noCode, .pair] + answers, [.noCodePair] + answers) {
      $0.draw(.noCode(phone: nobody.span), in: $1)
    },
  ]
}

private func troubles(on panel: Panel) -> [Saying] {
  // So long that no panel has room for it.
  troubles(on: panel, panel == .square ? advice + advice + advice : advice)
}

private func troubles(on panel: Panel, _ advice: [UInt8]) -> [Saying] {
  setbacks.map { setback, phrase in
    Saying(panel == .large ? [phrase, setback.advice] : [phrase]) {
      $0.draw(.pairingFailed(setback), in: $1)
    }
  }
    + machineTroubles.map { trouble, title, sentence in
      // One that passes has no room on each panel for what is done about it.
      let passes = trouble == .radioRestarts || trouble == .restart
      return Saying([[title, sentence]] + (passes ? [[title, .oneMoment]] : [])) {
        $0.draw(.trouble(trouble), in: $1)
      }
    } + [
      Saying([.stillPaired, .switchOffAndOn]) { $0.draw(.unpairFailed, in: $1) },
      Saying([.noReport, .switchOffAndOn]) { $0.draw(.reportFailed(advice: advice.span), in: $1) },
      Saying([.memory, .switchOffAndOn]) { $0.draw(.noStore(advice: advice.span), in: $1) },
      Saying([.noRadio, .switchOffAndOn]) { $0.draw(.noRadio(advice: advice.span), in: $1) },
      Saying([.noLink, .switchBluetooth]) { $0.draw(.switchBluetooth, in: $1) },
      Saying(panel == .large ? [.settings, .seeErrorFile] : []) {
        $0.draw(.wrongSettings(mistake: missing.span), in: $1)
      },
      Saying(panel == .large ? [.settings] : []) {
        $0.draw(.wrongSettings(mistake: update.span), in: $1)
      },
      // The number of the line comes where the name of a phone does.
      Saying([.line]) { $0.draw(.wrongSettings(mistake: mistake.span), in: $1) },
    ]
}

private let machineTroubles: [(MachineTrouble, Phrase, Phrase)] = [
  (.radioRestarts, .noRadio, .bluetoothRestarts),
  (.restart, .noRadio, .boardRestarts), (.radio, .noRadio, .switchOffAndOn),
  (.memory, .memory, .switchOffAndOn), (.unpairing, .stillPaired, .switchOffAndOn),
  (.report, .noReport, .fileIsMissing),
]

private func rides(on panel: Panel) -> [Saying] {
  var over = TripFigures(units: .metric, isUnderWay: false)
  let none = over
  (over.minutes, over.tenths, over.average) = (48, 124, 15)
  let music = Saying([.nextOrPause]) {
    $0.draw(.music(title: ada.span, artist: ada.span), in: $1)
  }
  var paused = TripFigures(units: .metric, isUnderWay: true)
  (paused.speed, paused.isPaused) = (0, true)
  func ride(_ wanted: [Phrase], _ trip: TripFigures) -> Saying {
    Saying(wanted) {
      var trip = trip
      trip.language = $1
      $0.draw(.ride(RidePage(RideFigures(trip, isConnected: true), phone: ada.span)), in: $1)
    }
  }
  func arrival(_ wanted: [Phrase], _ trip: TripFigures) -> Saying {
    Saying(wanted) {
      var trip = trip
      trip.language = $1
      $0.draw(.arrived(Arrival(trip, street: ada.span)), in: $1)
    }
  }
  // The narrow ones have no room for a title above the street.
  let isNarrow = panel.size.width < 64
  return (panel == .large || panel == .square ? [music] : []) + [
    ride([.pause], paused), ride([.noRide], none),
    ride(panel == .large || panel == .square ? [.average] : [], over),
    arrival(isNarrow ? [] : [.arrived], none),
    Saying(isNarrow ? [] : [.ownBattery]) { $0.draw(.ownBattery(percent: 15), in: $1) },
  ]
}

private func turns(on panel: Panel) -> [Saying] {
  let large = panel == .large || panel == .square
  return [
    turn([.start, .now], .start), turn([.finish, .now], .finish),
    turn(large ? [.start, .now] : [.now], .start, "Am Markt"),
    turn(large ? [.finish, .now] : [.now], .finish, "Am Markt"),
    turn([.now], .left, "Am Markt"),
    turn([.now], .left, "Am Markt") { $0.nearness = 0 },
    // Where there is no room for the words, their age stands alone.
    turn(large ? [.noNews] : [], .left, "Am Markt") { $0.age = Age(milliseconds: 9_000) },
    turn(large ? [.noNews, .hours] : [], .left, "Am Markt") {
      $0.age = Age(milliseconds: 7_200_000)
    },
    turn(large ? [.noLink] : [], .left, "Am Markt") {
      $0.age = Age(milliseconds: 9_000)
      $0.isLinkLost = true
    },
    Saying([.offRoute, .goBack], [.offRoute]) {
      let turn = ShownTurn(
        TurnFigures(.offRoute), distance: $1.span(.now).span, street: nobody.span)
      $0.draw(.navigation(turn), in: $1)
    },
  ]
}

private func turn(
  _ wanted: [Phrase], _ maneuver: Maneuver, _ street: String = "",
  _ change: @escaping (inout TurnFigures) -> Void = { _ in }
) -> Saying {
  Saying(wanted) {
    let (street, now) = (Array(street.utf8), $1.span(.now))
    var turn = ShownTurn(TurnFigures(maneuver), distance: now.span, street: street.span)
    change(&turn.figures)
    $0.draw(.navigation(turn), in: $1)
  }
}

extension Panel {
  var leniency: Glass.Leniency {
    switch self {
    case .large, .square, .flat, .small, .tiny: .none
    case .tall: .partsWords
    case .narrow, .smallUpright, .tinyUpright: .sharesRows
    }
  }
}

extension Language {
  fileprivate func span(_ phrase: Phrase) -> [UInt8] { Array(text(of: phrase).utf8) }
}

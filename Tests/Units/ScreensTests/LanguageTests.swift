import Graphics
import Navigation
import Screens
import TestSupport
import Testing
import Turns
import Words

let languages = (0..<Language.count).compactMap(Language.init)

/// No panel is too small for what it says, in any language.
///
/// A text may be shown in any of its forms, and broken between its words; but each word of that form
/// stands on the glass, whole and apart from all others. On a panel that stands upright a word may be
/// parted, and on the narrow ones the lines are so close that they share rows.
@Suite struct LanguageTests {
  @Test(arguments: Panel.allCases, languages)
  func eachWordIsSeenWhole(_ panel: Panel, _ language: Language) {
    for saying in sayings(on: panel) {
      let glass = Glass(saying.draw(Bitmap(panel.size), language))
      let isSaid = saying.wanted.contains { phrases in
        phrases.allSatisfy { phrase in
          forms(of: phrase, in: language, on: panel).contains { glass.says($0, panel.leniency) }
        }
      }
      #expect(isSaid, "\(saying.wanted) on \(panel.rawValue) in \(language)")
    }
  }

  @Test func aWordThatIsCutOrCoveredIsNotSeen() {
    let words = Array("Kein Handy".utf8)
    var bitmap = Bitmap(Size(64, 48))
    bitmap.draw(words.span, font: .bold12, at: Point(0, 20))
    #expect(!Glass(bitmap).says("Kein Handy"))
    #expect(Glass(bitmap).says("Kein"))
    bitmap[3, 12].toggle()
    #expect(!Glass(bitmap).says("Kein"))
  }

  /// With `%` a name that takes little room.
  ///
  /// The large panel has room for the longest form, but above a distance.
  private func forms(of phrase: Phrase, in language: Language, on panel: Panel) -> [String] {
    let forms = language.text(of: phrase).split(separator: "|").map {
      String($0.replacing("%", with: "Ada"))
    }
    let isShort = panel != .large || phrase == .noLink || phrase == .noNews
    return isShort ? forms : [forms[0]]
  }
}

/// A screen, and what it says: all phrases of one of these.
private struct Saying {
  let screen: (inout Bitmap, Language) -> Void
  let wanted: [[Phrase]]

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
private let setbacks: [(PairingSetback, Phrase)] = [
  (.refusedByPhone, .refusedByPhone), (.refusedHere, .refusedHere), (.timeout, .timeout),
  (.wrongAnswer, .wrongAnswer), (.insecure, .insecure), (.tooManyAttempts, .tooManyAttempts),
  (.linkLost, .linkLost), (.notSaved, .notSaved),
]

private func sayings(on panel: Panel) -> [Saying] {
  words + names(on: panel) + questions(on: panel) + troubles + turns(on: panel)
}

private var words: [Saying] {
  [
    Saying([.noPhone, .pressPageToSearch]) { $0.draw(.noPhone, in: $1) },
    Saying([.unpaired, .pressPageToSearch]) { $0.draw(.unpaired, in: $1) },
    Saying([.searching, .openKomoot]) {
      $0.draw(.searching(name: ada.span, secondsLeft: 27), in: $1)
    },
    Saying([.searching, .openKomoot]) {
      $0.draw(.searching(name: ada.span, secondsLeft: nil), in: $1)
    },
    Saying([.connecting]) { $0.draw(.connecting(name: ada.span), in: $1) },
    Saying([.ready, .startATour]) { $0.draw(.ready(name: ada.span), in: $1) },
    Saying([.notPaired, .toPair]) { $0.draw(.refused, in: $1) },
    Saying([.report, .saved]) { $0.draw(.reportSaved, in: $1) },
    Saying([.call]) { $0.draw(.call(name: nobody.span), in: $1) },
    Saying([.music, .nothingPlays]) {
      $0.draw(.music(title: nobody.span, artist: nobody.span), in: $1)
    },
    Saying([.atHome]) {
      let trip = TripFigures(units: .metric, isUnderWay: true)
      var page = RidePage(trip, phone: ada.span, isConnected: false)
      page.trip.language = $1
      page.isAtHome = true
      $0.draw(.ride(page), in: $1)
    },
  ]
}

private func names(on panel: Panel) -> [Saying] {
  let less: [Phrase] = panel == .large ? [.paired, .knownByAddress] : [.toForget]
  return [
    Saying([.found]) { $0.draw(.found(phone: ada.span, rssi: -60), in: $1) },
    Saying([.waiting, .openKomootOn]) { $0.draw(.waiting(phone: ada.span), in: $1) },
    Saying([.waiting, .openKomoot]) { $0.draw(.waiting(phone: nobody.span), in: $1) },
    Saying([.paired, .toForget], less) { $0.draw(.phone(ada.span, .paired), in: $1) },
    Saying([.knownByAddress, .toForget], less) {
      $0.draw(.phone(ada.span, .address), in: $1)
    },
    Saying([.forThisRide, .toForget], less) { $0.draw(.phone(ada.span, .ride), in: $1) },
    Saying([.aPhone, .toForget]) { $0.draw(.phone(nobody.span, .paired), in: $1) },
    Saying([.forget, .keepHoldingToForget]) {
      $0.draw(.unpairing(phone: ada.span, permille: 500), in: $1)
    },
    Saying([.forget, .keepHolding]) {
      $0.draw(.unpairing(phone: nobody.span, permille: 500), in: $1)
    },
    Saying([.pairAgain, .forgottenBy]) { $0.draw(.forgotten(phone: ada.span), in: $1) },
    Saying([.pairAgain, .forgotten]) { $0.draw(.forgotten(phone: nobody.span), in: $1) },
  ]
}

private func questions(on panel: Panel) -> [Saying] {
  // The smallest have room for one answer.
  let no: [Phrase] = panel == .smallUpright || panel == .tinyUpright ? [] : [.unpairNo]
  let answers = [.pageYes] + no
  // The flat panel has room for its digits alone.
  let question: [[Phrase]] = panel == .flat ? [[]] : [[.sameOn], [.same]]
  let nameless: [[Phrase]] = panel == .flat ? [[]] : [[.same]]
  func comparison(_ phone: [UInt8], _ question: [[Phrase]]) -> Saying {
    // Without room for the question the answer has it.
    Saying([[.pageSame] + no] + question.map { $0 + answers }) {
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

private var troubles: [Saying] {
  setbacks.map { setback, phrase in
    Saying([phrase]) { $0.draw(.pairingFailed(setback), in: $1) }
  } + [
    Saying([.stillPaired, .runCheck]) { $0.draw(.unpairFailed, in: $1) },
    Saying([.noReport, .runCheck]) { $0.draw(.reportFailed(advice: advice.span), in: $1) },
    Saying([.memory, .runCheck]) { $0.draw(.noStore(advice: advice.span), in: $1) },
    Saying([.noRadio, .runCheck]) { $0.draw(.noRadio(advice: advice.span), in: $1) },
    Saying([.settings]) { $0.draw(.wrongSettings(mistake: ada.span), in: $1) },
  ]
}

private func turns(on panel: Panel) -> [Saying] {
  let large = panel == .large
  return [
    turn([.start, .now], .start), turn([.finish, .now], .finish),
    turn(large ? [.start, .now] : [.now], .start, "Am Markt"),
    turn(large ? [.finish, .now] : [.now], .finish, "Am Markt"),
    turn([.now], .left, "Am Markt"),
    turn([.now], .left, "Am Markt") { $0.nearness = 0 },
    // Where there is no room for the words, their age stands alone.
    turn(large ? [.noNews] : [], .left, "Am Markt") { $0.age = Age(milliseconds: 9_000) },
    turn(large ? [.noLink] : [], .left, "Am Markt") {
      $0.age = Age(milliseconds: 9_000)
      $0.isLinkLost = true
    },
    Saying([.offRoute, .goBack], [.offRoute, .back]) {
      let turn = ShownTurn(.offRoute, distance: $1.span(.now).span, street: nobody.span)
      $0.draw(.navigation(turn), in: $1)
    },
  ]
}

private func turn(
  _ wanted: [Phrase], _ maneuver: Maneuver, _ street: String = "",
  _ change: @escaping (inout ShownTurn) -> Void = { _ in }
) -> Saying {
  Saying(wanted) {
    let (street, now) = (Array(street.utf8), $1.span(.now))
    var turn = ShownTurn(maneuver, distance: now.span, street: street.span)
    change(&turn)
    $0.draw(.navigation(turn), in: $1)
  }
}

extension Panel {
  var leniency: Glass.Leniency {
    switch self {
    case .large, .flat, .small, .tiny: .none
    case .tall: .partsWords
    case .narrow, .smallUpright, .tinyUpright: .sharesRows
    }
  }
}

extension Language {
  fileprivate func span(_ phrase: Phrase) -> [UInt8] { Array(text(of: phrase).utf8) }
}

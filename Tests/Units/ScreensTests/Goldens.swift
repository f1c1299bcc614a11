import Expecting
import Graphics
import Navigation
import Screens
import TestSupport
import Turns
import Version
import Words

/// One screen that has expected pictures: a sheet of them.
///
/// Each layout has one, not each text: what the other words of a screen are, `LanguageTests` and
/// `SensorLanguageTests` know, and find them whole on every panel.
struct Golden: Sendable {
  /// The name of its sheet.
  let name: String
  /// The panels on which it has a picture: one of each kind.
  private var panels = Panel.kinds
  private let body: @Sendable (inout Canvas) -> Void

  init(_ name: String, _ body: @escaping @Sendable (inout Canvas) -> Void) {
    (self.name, self.body) = (name, body)
  }

  func draw(on panel: Panel, in language: Language = .english) -> Bitmap {
    var canvas = Canvas(bitmap: Bitmap(panel.size), language: language)
    body(&canvas)
    return canvas.bitmap
  }

  /// The same screen, the layout of which branches for panels that are low or narrow: it has a picture on each.
  var onEachPanel: Golden {
    var golden = self
    golden.panels = Panel.allCases
    return golden
  }

  /// Its pictures: in English on its panels, and on the large one in the languages that need it.
  var sheet: PictureSheet {
    var sheet = PictureSheet()
    for panel in panels { sheet.add(Language.english.code, Pixels(draw(on: panel))) }
    for language in languagesLaidOutOtherwise {
      sheet.add(language.code, Pixels(draw(on: .large, in: language)))
    }
    return sheet
  }

  /// All of them, in the order of a ride.
  static var all: [Golden] {
    check + start + pairing + waiting + turns + rides + unpairing + errors + sensors
  }
}

extension Golden {
  private static var check: [Golden] {
    [Golden("check") { $0.drawTestPicture(caption: bytes(lenkerNumber).span) }.onEachPanel]
      + ["1", "2", "3"].map { number in
        Golden("check-\(number)") { $0.drawTestPicture(caption: bytes(number).span) }
      }
  }

  private static var start: [Golden] {
    [
      Golden("start") { $0.draw(.starting(version: bytes(lenkerNumber).span)) }.onEachPanel,
      Golden("updated") { $0.draw(.updated(version: bytes("0.3.0-dev").span)) },
      Golden("no-phone") { $0.draw(.noPhone) },
      Golden("searching") {
        $0.draw(.searching(name: bytes("Lenker").span, secondsLeft: 27))
      },
      Golden("searching-for-ever") {
        $0.draw(.searching(name: bytes("Lenker").span, secondsLeft: nil))
      },
      Golden("searching-long-name") {
        $0.draw(.searching(name: bytes("Mein Fahrraddisplay").span, secondsLeft: 7))
      },
    ]
  }

  private static var pairing: [Golden] {
    [
      Golden("found-60") { $0.draw(.found(phone: phone.span, rssi: -60)) },
      Golden("compare-123456") {
        $0.draw(
          .comparison(number: 123_456, name: bytes("Lenker").span, phone: phone.span))
      }.onEachPanel,
      Golden("compare-long-names") {
        let name = bytes("Mein Fahrraddisplay")
        $0.draw(.comparison(number: 123_456, name: name.span, phone: longPhone.span))
      },
      Golden("phone-asked") { $0.draw(.phoneAsked(phone: phone.span, secondsLeft: 22)) },
      Golden("pairing-delayed") { $0.draw(.pairingDelayed(secondsLeft: 7)) }.onEachPanel,
      Golden("paired") { $0.draw(.paired(phone: phone.span)) },
      Golden("failed-timeout") { $0.draw(.pairingFailed(.timeout)) },
    ]
  }

  private static var waiting: [Golden] {
    [
      Golden("waiting") { $0.draw(.waiting(phone: phone.span)) },
      Golden("waiting-long-name") { $0.draw(.waiting(phone: longPhone.span)) },
      Golden("connecting") { $0.draw(.connecting(name: phone.span)) },
      Golden("connecting-nameless") { $0.draw(.connecting(name: nothing.span)) },
      Golden("ready") { $0.draw(.ready(name: phone.span)) }.onEachPanel,
    ]
  }

  private static var turns: [Golden] {
    [
      turn("departure", .start, "Now", "Lennéstraße"),
      turn("turn", .right, "240 m", "Lennéstraße").onEachPanel,
      turn("turn-small-letters", toTheRight, "1.2 km", "Schopenhauerstraße"),
      turn("turn-two-lines", .slightLeft, "10 km", "Große Weinmeisterstraße"),
      turn("turn-long", secondExit, "990 m", "Radweg an der Bundesstraße 273 nach Marquardt"),
      turn(
        "turn-scrolled", secondExit, "990 m", "Radweg an der Bundesstraße 273 nach Marquardt",
        offset: 40
      ).onEachPanel,
      turn("turn-now", .sharpLeft, "Now", "Am Neuen Palais"),
      turn("turn-far", .straight, "4294967 km", "Οδός Ερμού / улица Мира").onEachPanel,
      turn("turn-nameless", .left, "50 ft", ""),
      turn("turn-hebrew", .left, "120 m", "רחוב יפו").onEachPanel,
      turn("turn-hebrew-long", .left, "120 m", "שדרות דוד בן גוריון פינת רחוב דיזנגוף"),
      turn("turn-hyphenated", .right, "240 m", "Große Weinmeisterstraße und weiter"),
      turn("turn-short-name", .right, "240 m", "Alte Weinmeisterstraße Ecke Bergstraße"),
      turn("turn-near", .right, "90 m", "Lennéstraße") { $0.nearness = 90 },
      turn("turn-near-feet", .right, "300 ft", "Main Street") { $0.nearness = 90 },
      turn("turn-near-two-lines", .left, "50 m", "Große Weinmeisterstraße") { $0.nearness = 50 },
      turn("turn-due", .right, "20 m", "Lennéstraße") {
        $0.nearness = 20
        $0.isMarked = true
      },
      turn("alert", thirdExit, "30 m", "Lennéstraße") {
        $0.nearness = 30
        $0.isInverted = true
      },
      turn("off-route", .offRoute, "Now", ""),
      turn("off-route-told-more", .offRoute, "120 m", "Lennéstraße").onEachPanel,
      turn("off-route-stale", .offRoute, "Now", "") { $0.age = age(75) },
      turn("stale-8s", .slightRight, "240 m", "Große Weinmeisterstraße") { $0.age = age(8) },
      turn("stale-75s", .slightRight, "240 m", "Lennéstraße") { $0.age = age(75) },
      turn("stale-9s-no-link", .slightRight, "50 m", "Große Weinmeisterstraße") {
        $0.age = age(9)
        $0.isLinkLost = true
      },
      turn("stale-75s-in-doubt", .slightRight, "240 m", "Lennéstraße") {
        $0.age = age(75)
        $0.isPhoneInDoubt = true
      }.onEachPanel,
      turn("stale-7300s", .finish, "20 m", "Zielgerade") { $0.age = age(7300) },
      turn("finish", .finish, "80 m", "Am Neuen Palais"),
      turn("finish-now", .finish, "Now", "").onEachPanel,
    ]
  }

  private static func paused(_ trip: TripFigures) -> TripFigures {
    var trip = trip
    trip.isPaused = true
    return trip
  }

  private static var rides: [Golden] {
    let over = trip(isUnderWay: false, 48, 124, average: 15)
    return [
      page("ride", phone, rssi: -67, battery: 80, trip(speed: 18, 42, 93, average: 14)),
      page("ride-begun", longPhone, rssi: nil, trip(0, 0)),
      page(
        "ride-pause", phone, rssi: -67, battery: 80, paused(trip(speed: 0, 42, 93, average: 14))),
      page(
        "ride-long", longPhone, rssi: -80, battery: 50,
        trip(speed: 999, 5_999, 99_999, average: 999)),
      page("ride-no-link", phone, isConnected: false, trip(751, 1_024, average: 22)),
      page("ride-over", phone, rssi: -67, battery: 60, over).onEachPanel,
      page(
        "ride-clock", phone, rssi: -67, battery: 80,
        trip(speed: 18, 42, 93, average: 14, clock: 14 * 60 + 5)),
      page(
        "ride-clock-no-link", longPhone, isConnected: false,
        trip(751, 1_024, average: 22, clock: 23 * 60 + 59)
      ).onEachPanel,
      page(
        "ride-home", phone, isConnected: false, isAtHome: true, trip(751, 1_024, average: 22)),
      page(
        "ride-home-none", phone, isConnected: false, isAtHome: true,
        trip(isUnderWay: false, nil, nil)),
      page("ride-none", phone, rssi: -67, battery: 80, trip(isUnderWay: false, nil, nil)),
      page(
        "ride-nobody", nothing, isConnected: false, trip(isUnderWay: false, nil, nil)),
      page(
        "ride-own", phone, rssi: -67, battery: 80, own: 55, trip(speed: 18, 42, 93, average: 14)),
      page(
        "ride-own-long", phone, rssi: -67, battery: 80, own: 100,
        trip(speed: 28, 751, 1_024, average: 22, clock: 23 * 60 + 59)
      ).onEachPanel,
      page(
        "ride-own-none", phone, rssi: -67, battery: 80, own: 5,
        trip(isUnderWay: false, nil, nil, clock: 8 * 60)
      ).onEachPanel,
      Golden("own-battery") { $0.draw(.ownBattery(percent: 15)) }.onEachPanel,
      music("music", "Wild Theme", "Mark Knopfler").onEachPanel,
      music(
        "music-long", "Die Gedanken sind frei, wer kann sie erraten",
        "Der Chor der Freiwilligen Feuerwehr Marquardt"),
      music("music-artist", "", "Ella"),
      music("music-none", "", ""),
      Golden("call") { $0.draw(.call(name: bytes("Anna Erfunden").span)) },
      Golden("call-long-name") {
        let name = bytes("Dr. Maximiliane von Erfunden-Ausgedacht")
        $0.draw(.call(name: name.span))
      }.onEachPanel,
      Golden("call-nameless") { $0.draw(.call(name: nothing.span)) },
      notification("notification", "Bäckerei", "Das Brot ist fertig"),
      notification(
        "notification-long", "Die erfundene Familiengruppe",
        "Wir sind schon am See und warten auf dich, bring bitte die Decke und den Ball mit!"
      ).onEachPanel,
      arrival("arrived", "Zielgerade", over).onEachPanel,
      arrival("arrived-nameless", "", over).onEachPanel,
      arrival("arrived-at-once", "Zielgerade", trip(isUnderWay: false, nil, nil)).onEachPanel,
      arrival(
        "arrived-far", "Radweg an der Bundesstraße 273 nach Marquardt",
        trip(isUnderWay: false, 5_999, 99_999, average: 999)),
    ]
  }

  private static var unpairing: [Golden] {
    [
      Golden("phone-paired") { $0.draw(.phone(phone.span, .paired)) },
      Golden("phone-long-name") { $0.draw(.phone(longPhone.span, .ride)) },
      Golden("unpairing-500") { $0.draw(.unpairing(phone: phone.span, permille: 500)) },
      Golden("unpairing-long-name") {
        $0.draw(.unpairing(phone: longPhone.span, permille: 500))
      }.onEachPanel,
      Golden("no-code") { $0.draw(.noCode(phone: phone.span)) }.onEachPanel,
      Golden("unpaired") { $0.draw(.unpaired) },
      Golden("unpair-failed") { $0.draw(.unpairFailed) },
      Golden("switch-bluetooth") { $0.draw(.switchBluetooth) },
      Golden("report-saved") { $0.draw(.reportSaved) },
      Golden("report-failed") {
        let advice = bytes("the disk is full: make room")
        $0.draw(.reportFailed(advice: advice.span))
      },
      Golden("forgotten") { $0.draw(.forgotten(phone: phone.span)) },
      Golden("code-missing") { $0.draw(.codeMissing) },
    ]
  }

  private static var errors: [Golden] {
    [
      Golden("refused") { $0.draw(.refused) },
      Golden("wrong-settings") {
        let mistake = bytes("board.conf:12: unknown key \"colour\"")
        $0.draw(.wrongSettings(mistake: mistake.span))
      },
      Golden("no-store") {
        let advice = bytes(
          "/var/lib/lenker/bond: not permitted: correct the file's owner or mode, or run as root")
        $0.draw(.noStore(advice: advice.span))
      },
      Golden("no-radio") {
        let advice = bytes("hci0: the radio is switched off: rfkill unblock bluetooth")
        $0.draw(.noRadio(advice: advice.span))
      },
      Golden("trouble-radio") { $0.draw(.trouble(.radio)) },
    ]
  }

  private static let toTheRight = Maneuver.roundabout(.right, .counterclockwise)
  private static let secondExit = Maneuver.roundabout(.number(2, of: 2), .counterclockwise)
  static let thirdExit = Maneuver.roundabout(.number(3, of: 3), .counterclockwise)

  static func turn(
    _ name: String, _ maneuver: Maneuver, _ distance: String, _ street: String, offset: Int = 0,
    _ change: @escaping @Sendable (inout TurnFigures) -> Void = { _ in }
  ) -> Golden {
    Golden(name) {
      let (far, road) = (bytes($0.translated(distance)), bytes(street))
      var turn = ShownTurn(TurnFigures(maneuver), distance: far.span, street: road.span)
      turn.streetOffset = offset
      change(&turn.figures)
      $0.draw(.navigation(turn))
    }
  }

  static let phone = bytes("iPhone 15")
  private static let longPhone = bytes("iPhone von Anna-Katharina Großmann-Łukasiewicz")
  static let nothing: [UInt8] = []

  static func page(
    _ name: String, _ phone: [UInt8], isConnected: Bool = true, rssi: Int8? = nil,
    battery: UInt8? = nil, own: UInt8? = nil, isAtHome: Bool = false, radar: ShownRadar? = nil,
    _ trip: TripFigures
  ) -> Golden {
    Golden(name) {
      var trip = trip
      trip.language = $0.language
      var page = RidePage(
        RideFigures(trip, isConnected: isConnected, rssi: rssi, battery: battery), phone: phone.span
      )
      page.figures.isAtHome = isAtHome
      page.figures.ownBattery = own
      page.figures.radar = radar
      $0.draw(.ride(page))
    }
  }

  private static func music(_ name: String, _ title: String, _ artist: String) -> Golden {
    Golden(name) {
      let (title, artist) = (bytes(title), bytes(artist))
      $0.draw(.music(title: title.span, artist: artist.span))
    }
  }

  private static func notification(
    _ name: String, _ title: String, _ message: String
  ) -> Golden {
    Golden(name) {
      let (title, message) = (bytes(title), bytes(message))
      $0.draw(.notification(title: title.span, message: message.span))
    }
  }

  private static func arrival(
    _ name: String, _ street: String, _ trip: TripFigures
  ) -> Golden {
    Golden(name) {
      var trip = trip
      trip.language = $0.language
      $0.draw(.arrived(Arrival(trip, street: bytes(street).span)))
    }
  }

  /// A ride under way, or one that is over and has no speed.
  static func trip(
    speed: Int? = nil, isUnderWay: Bool = true, _ minutes: Int?, _ tenths: Int?,
    average: Int? = nil, clock: Int? = nil, units: Units = .metric
  ) -> TripFigures {
    var trip = TripFigures(units: units, isUnderWay: isUnderWay)
    trip.clock = clock
    (trip.speed, trip.minutes, trip.tenths, trip.average) = (speed, minutes, tenths, average)
    return trip
  }

  private static func age(_ seconds: Int64) -> Age { Age(milliseconds: seconds * 1_000) }

  static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
}

extension Golden {
  /// In which languages the large panel has a picture of this screen, too.
  ///
  /// Those of which a text is so much longer or shorter than the English one that it stands there in
  /// another of its forms, in another font, on another number of lines, or not at all. That each word
  /// of each language is seen whole on each panel is what `LanguageTests` and `SensorLanguageTests`
  /// find.
  var languagesLaidOutOtherwise: [Language] {
    let english = draw(on: .large)
    let said = PanelText.said(in: WordGlass(english))
    let pixels = Pixels(english)
    return languages.dropFirst().filter { language in
      let translated = draw(on: .large, in: language)
      let glass = WordGlass(translated)
      let texts = PanelText.all[Int(language.rawValue)]
      return Pixels(translated) != pixels
        && said.contains { number, layout in
          texts[number].hasWords && layout != WordLayout(of: texts[number], in: glass)
        }
    }
  }
}

extension Golden: CustomTestStringConvertible {
  var testDescription: String { name }
}

/// A bitmap on which screens are drawn in one language.
struct Canvas: ~Copyable {
  var bitmap: Bitmap
  let language: Language

  mutating func draw(_ screen: Screen) { bitmap.draw(screen, in: language) }

  mutating func drawTestPicture(caption: Span<UInt8>) { bitmap.drawTestPicture(caption: caption) }

  /// What the device makes of a distance that is given in English.
  func translated(_ distance: String) -> String {
    distance == "Now"
      ? language.text(of: .now)
      : distance.replacing(".", with: String(UnicodeScalar(language.decimalSign)))
  }
}

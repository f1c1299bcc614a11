import Bytes
import Expecting
import Foundation
import PhoneServices
import TestSupport
import VirtualAir

/// The street in what OsmAnd's voice says, and in what other apps write.
struct SpokenStreetTests {
  private struct Spoken: Equatable {
    let kind: Gadgetbridge.SpokenStreet.Kind
    let shown: String

    init(_ text: some Sequence<UInt8>) {
      let bytes = Array(text)
      let street = Gadgetbridge.SpokenStreet(bytes.span)
      (kind, shown) = (street.kind, string(street.shown.bytes))
    }

    init(_ text: String) { self.init(text.utf8) }
  }

  /// A line of the file from which all navigators speak: its sentence, and the street.
  private static let sentences = OsmAndSentences.lines.split(separator: "\n").map {
    let columns = $0.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    return (action: columns[1], sentence: columns[3], street: columns[4])
  }

  private static func singleBlanks(_ text: String) -> String {
    text.split(separator: " ").joined(separator: " ")
  }

  // MARK: - Sentences

  @Test(arguments: sentences.indices) func centralBehaviour117_itIsTheStreet(_ index: Int) {
    let (action, sentence, street) = Self.sentences[index]
    let spoken = Spoken(sentence)
    expect(spoken.shown, street)
    if street.isEmpty {
      expect(spoken.kind, .aside, "\(sentence)")
    } else {
      expect(spoken.kind == .sentence && action != "offroute", "\(sentence)")
    }
  }

  /// A line of what OsmAnd's scripts say in six languages.
  private struct Given: Decodable { let lang, text: String, street: String? }

  @Test(
    .enabled(
      if: Recordings.has("osmand/given.jsonl"), "OsmAnd's sentences are not among the recordings"))
  func centralBehaviour117_itIsTheStreetOfAThousandOfItsSentences() throws {
    let data = try Data(contentsOf: Recordings.folder("osmand/given.jsonl"))
    var (exact, all) = (0, 0)
    for line in data.split(separator: 0x0A) {
      let given = try JSONDecoder().decode(Given.self, from: line)
      let spoken = Spoken(given.text)
      #expect(spoken.kind != .street, "\(given)")
      let isWhole = Self.singleBlanks(given.text).hasSuffix(spoken.shown)
      guard let street = given.street else {
        expect(spoken.shown.isEmpty || isWhole, "\(given)")
        continue
      }
      (exact, all) = (exact + (spoken.shown == street ? 1 : 0), all + 1)
      expect(spoken.shown == street || isWhole && spoken.shown.contains(street), "\(given)")
    }
    expect(all, 676)
    #expect(exact * 100 >= all * 99)
  }

  /// As of any other app, and as OsmAnd says them.
  @Test(arguments: [
    "Achtung", "Left Bank", "Auf der Höhe", "Rue du Pont sur Sambre", "De weg naar Zee",
    "Da Costastraat",
    "Na de Brug", "Links van de Dijk", "in der Aue", "Ruta de la Plata", "Ziel",
    "High St towards Blah",
    "Main St toward Oxford", "Continue", "Weiter", "Si", "Exit Road", "Die Breite",
    "To  the  Lighthouse", "日本橋",
    "turnpike left", "za 200 metrów skręć w lewo na  Długa", "Kreisverkehr", "en", "",
  ])
  func centralBehaviour117_aStreetAloneIsTheStreet(_ name: String) {
    expect(Spoken(name).kind == .street && Spoken(name).shown == name)
    expect(Spoken(name + ".ogg").kind == .aside, "a recorded voice's file")
    guard !name.isEmpty, !name.contains("  ") else { return }
    for sentence in [
      "turn left onto  ", "nach 60 Metern links abbiegen auf die  ", "tournez à droite sur  ",
      "en 60 metros, gira a la derecha en  ", "prendete la prima uscita in  ",
      "Na 60 meter rechts afslaan naar  ",
    ] {
      expect(Spoken(sentence + name).shown, name)
    }
  }

  /// Numbers of roads, and one blank where a place may follow.
  @Test(arguments: [
    ("turn left onto Mill Lane", "Mill Lane"),
    ("turn right onto A 3;  Quarry Hill", "A 3 Quarry Hill"),
    ("turn left onto 3 Oaks Road,  Old Town", "3 Oaks Road, Old Town"),
    ("turn left onto B4,b Old Mill", "B4,b Old Mill"),
    ("turn left onto  Old Mill  ", "Old Mill"),
    ("Na 60 meter links afslaan naar N201 naar Elshout", "N201"),
    ("Continue for 60 meters to A 99", "A 99"),
    ("Continue for 60 meters to Mill Lane toward Ely", "Mill Lane"),
    (
      "Continue for 60 meters to The Way toward Ely toward March",
      "Continue for 60 meters to The Way toward Ely toward March"
    ),
  ])
  func centralBehaviour117_aRoadHasANumberANameOrBoth(_ sentence: String, _ shown: String) {
    expect(Spoken(sentence).kind, .sentence)
    expect(Spoken(sentence).shown, shown)
  }

  /// What is not sure, and an exit that no arrow shows, is the whole sentence without its distance.
  @Test(arguments: [
    (
      "in 60 meters, turn left onto The Way toward Ely toward March",
      "turn left onto The Way toward Ely toward March"
    ),
    (
      "in 60 meters, left onto The Way toward Ely toward March",
      "in 60 meters, left onto The Way toward Ely toward March"
    ),
    ("turn left onto The  Mill toward Ely", "turn left onto The Mill toward Ely"),
    ("turn left onto toward Ely", "turn left onto toward Ely"),
    ("gira a la derecha en dirección a Toledo", "gira a la derecha en dirección a Toledo"),
    ("turn left onto  Old  Mill", "turn left onto Old Mill"),
    ("nach 60 Metern rechts abbiegen auf die Ausfahrt 3 ", "rechts abbiegen auf die Ausfahrt 3"),
    (
      "Na 300 meter de rotonde oprijden en neem dan de derde afslag ",
      "de rotonde oprijden en neem dan de derde afslag"
    ),
    ("fra 60 metri girate a destra verso Verona", "girate a destra verso Verona"),
    ("à 450 mètres tournez à droite ", ""), ("Continúa recto", ""),
    ("De weg 300 yards volgen ", ""),
    ("Continue for 60 meters to Bristol, Bath", ""), ("turn left onto", ""), ("Da la vuelta ", ""),
  ])
  func centralBehaviour117_inDoubtItIsTheSentenceWithoutItsDistance(
    _ sentence: String, _ shown: String
  ) {
    expect(Spoken(sentence).kind, .sentence)
    expect(Spoken(sentence).shown, shown)
  }

  // MARK: - Bad input

  /// It is the beginning of the street, the sentence or nothing: no word from elsewhere.
  @Test func centralBehaviour117_aSentenceThatIsCutAnywhereGivesNoOtherName() {
    for (_, sentence, street) in Self.sentences {
      let bytes = Array(sentence.utf8)
      for count in bytes.indices {
        let cut = Spoken(bytes[..<count])
        let letters = String(cut.shown.prefix { $0 != "\u{FFFD}" })
        let isStart = street.hasPrefix(letters) || letters.hasPrefix(street)
        let whole = Self.singleBlanks(String(decoding: bytes[..<count], as: UTF8.self))
        expect(
          cut.kind == .street || isStart || whole.hasSuffix(cut.shown),
          "\(sentence) \(count): \(cut.shown)")
      }
    }
  }

  /// The beginning of one in the middle of another, in two languages.
  @Test func centralBehaviour117_sentencesInEachOtherAreReadOrNot() {
    for (_, first, _) in Self.sentences {
      for (_, second, _) in Self.sentences {
        let (a, b) = (Array(first.utf8), Array(second.utf8))
        let mixed = Array(a[..<(a.count / 2)] + b[(b.count / 3)...])
        let spoken = Spoken(mixed)
        let whole = Self.singleBlanks(String(decoding: mixed, as: UTF8.self))
        expect(spoken.kind == .street || spoken.shown.utf8.count <= whole.utf8.count, "\(whole)")
      }
    }
  }
}

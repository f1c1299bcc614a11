import Expecting
import TestSupport
import Words

/// Words that riders misread, and that no text of the panel says any more.
@Suite struct WrongWordsTests {
  /// Words of each language, in lower case, as whole words; the last ones name a button that is a letter now.
  private static let wrong: [Language: [String]] = [
    .english: [
      "radio", "linking", "old 1", "unpair", "page", "anew", "wished", "lenker --check",
      "memory cannot be read",
      "road clear", "annas",
    ],
    .german: [
      "funk", "lösen", "seite", "verfahren", "du bist dran", "jetzt du", "sonst niemand",
      "straße frei", "vor",
      "keine bisher",
    ],
    .french: [
      "radio", "page", "retirer", "vieux", "dévié", "vu", "lui seul", "off",
      "rien ne joue", "à ce jour",
    ],
    .spanish: [
      "radio", "página", "mismo?", "se fue", "respondió", "usa", "desviado", "gira los pedales",
      "¿unir?",
      "todavía", "te toca",
    ],
    .italian: [
      "radio", "pagina", "togli", "togliere", "rimosso", "rimossi", "rimuovere", "scordato",
      "scordare", "no telefono",
      "no tel.", "no codice", "no giro", "no info", "ecco", "collego", "perso", "idem?", "tocca",
    ],
    .dutch: ["radio", "pagina", "weg", "wek", "al", "geen ander", "jouw beurt"],
  ]

  @Test(arguments: languages)
  func noneIsSaid(_ language: Language) throws {
    let words = try #require(Self.wrong[language])
    let ofRides = phrases.map { language.text(of: $0) }
    let ofSensors = sensorPhrases.map { language.text(of: $0) }
    for text in ofRides + ofSensors {
      for form in text.lowercased().split(separator: "|") {
        let found = words.filter { isSaid($0, in: String(form)) }
        #expect(found.isEmpty, "\(form)")
      }
    }
  }

  /// Whether the words stand in a text, with no letter before or behind them.
  private func isSaid(_ words: String, in text: String) -> Bool {
    var rest = text[...]
    while let range = rest.firstRange(of: words) {
      let before = text[..<range.lowerBound].last
      let behind = text[range.upperBound...].first
      if before?.isLetter != true, behind?.isLetter != true { return true }
      rest = rest[range.upperBound...]
    }
    return false
  }

  @Test func aWordWithinAnotherOneIsNone() {
    expect(
      isSaid("vor", in: "vor 1 min") && !isSaid("vor", in: "hervor")
        && !isSaid("off", in: "offline"))
  }
}

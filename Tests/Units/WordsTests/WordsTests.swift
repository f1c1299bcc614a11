import Bytes
import Expecting
import TestSupport
import Words

let languages = nonEmpty((0...UInt8.max).compactMap(Language.init))
let phrases = nonEmpty((0...UInt8.max).compactMap(Phrase.init))
let sensorPhrases = nonEmpty((0...UInt8.max).compactMap(SensorPhrase.init))

/// Each text in a language, by the name of its phrase.
private func texts(in language: Language) -> [(phrase: String, text: String)] {
  phrases.map { ("\($0)", language.text(of: $0)) }
    + sensorPhrases.map { ("\($0)", language.text(of: $0)) }
}

/// What must hold of each text in each language, in every translation.
struct WordsTests {
  @Test(arguments: languages) func eachTextIsWholeWhereItIsDrawnFrom(_ language: Language) {
    let drawn =
      phrases.map { string(language[$0].bytes) } + sensorPhrases.map { string(language[$0].bytes) }
    expect(drawn, texts(in: language).map(\.text))
  }

  @Test(arguments: languages) func eachFormOfEachTextSaysSomething(_ language: Language) {
    for (phrase, text) in texts(in: language) {
      for form in forms(text) { #expect(!form.isEmpty, "\(phrase)") }
    }
  }

  /// A panel may be too narrow for the longest form of a language, whose name must be in it.
  @Test(arguments: languages) func aNameHasItsPlaceInEachLanguage(_ language: Language) {
    for (ours, theirs) in zip(texts(in: language), texts(in: .english)) {
      let signs = [ours, theirs].map { forms($0.text)[0].filter { $0 == "%" } }
      expect(signs[0], signs[1], "\(ours.phrase)")
    }
  }

  @Test(arguments: languages) func theFormsAreOrderedByTheirLength(_ language: Language) {
    for (phrase, text) in texts(in: language) {
      let lengths = forms(text).map(\.count)
      // The sign of a way back is shorter on the panel only.
      #expect(zip(lengths, lengths.dropFirst()).allSatisfy { $0 >= $1 }, "\(phrase)")
    }
  }

  /// Half of the glass is as much as a sentence may have, even with a name of 60 bytes.
  @Test(arguments: languages) func aSentenceWithAnyNameFitsInItsBuffer(_ language: Language) {
    let name = [UInt8](repeating: 0x41, count: 300)
    for (phrase, text) in texts(in: language) {
      let text = Array(text.utf8)
      var sentence = FixedBuffer<128>()
      sentence.append(text.span.form(0), naming: name.span)
      let isCut = sentence.isOverflown
      expect(!isCut, "\(phrase)")
    }
  }

  @Test(arguments: [("a|bc|d", ["a", "bc", "d", "", ""]), ("abc", ["abc", ""]), ("", ["", ""])])
  func aFormIsWhatStandsBetweenTwoBars(_ text: String, _ expected: [String]) {
    let text = Array(text.utf8)
    for (number, form) in expected.enumerated() {
      expect(string(text.span.form(number)), form)
    }
  }

  @Test func aNameIsPutInItsPlaceAndCutBetweenCharacters() {
    expect(sentence("Pair with % anyway?", "Ada"), "Pair with Ada anyway?")
    expect(sentence("no name", "Ada"), "no name")
    expect(sentence("%%", "a%|b"), "a%|ba%|b", "what a name has is no mark")
    let long = String(repeating: "i", count: 59) + "éé"
    expect(sentence("%!", long), String(repeating: "i", count: 59) + "!")
  }

  @Test func englishHasAPointAndTheOthersAComma() {
    let signs = languages.map { Character(UnicodeScalar($0.decimalSign)) }
    expect(signs, [".", ",", ",", ",", ",", ","])
  }

  private func forms(_ text: String) -> [String] {
    text.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
  }

  private func sentence(_ form: String, _ name: String) -> String {
    let (form, name) = (Array(form.utf8), Array(name.utf8))
    var sentence = FixedBuffer<128>()
    sentence.append(form.span, naming: name.span)
    return string(sentence.bytes)
  }

  // MARK: - Words that riders misread

  /// Words that no text of the panel says any more, of each language, in lower case, as whole words; the last ones name a button that is a letter now.
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

  @Test(arguments: languages) func noWrongWordIsSaid(_ language: Language) throws {
    let words = try #require(Self.wrong[language])
    for (_, text) in texts(in: language) {
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

  @Test func aWordWithinAnotherOneIsNoWrongOne() {
    expect(
      isSaid("vor", in: "vor 1 min") && !isSaid("vor", in: "hervor")
        && !isSaid("off", in: "offline"))
  }
}

import Bytes
import Expecting
import TestSupport
import Words

let languages = nonEmpty((0..<Language.count).compactMap(Language.init))
let phrases = nonEmpty((0..<Phrase.count).compactMap(Phrase.init))
let sensorPhrases = nonEmpty((0..<SensorPhrase.count).compactMap(SensorPhrase.init))

/// Each text in a language, by the name of its phrase.
private func texts(in language: Language) -> [(phrase: String, text: String)] {
  phrases.map { ("\($0)", language.text(of: $0)) }
    + sensorPhrases.map { ("\($0)", language.text(of: $0)) }
}

/// What must hold of each text in each language, in every translation.
@Suite struct WordsTests {
  @Test func languagesAndPhrasesAreCounted() {
    expect(languages.count == 6 && Language(rawValue: Language.count) == nil)
    expect(phrases.count == Int(Phrase.count) && Phrase(rawValue: Phrase.count) == nil)
    expect(sensorPhrases.count, Int(SensorPhrase.count))
    expect(SensorPhrase(rawValue: SensorPhrase.count), nil)
  }

  @Test(arguments: languages) func eachTextIsWholeWhereItIsDrawnFrom(_ language: Language) {
    for phrase in phrases {
      let wording = language[phrase]
      let bytes = string(wording.bytes)
      expect(bytes, language.text(of: phrase))
    }
    for phrase in sensorPhrases {
      let wording = language[phrase]
      let bytes = string(wording.bytes)
      expect(bytes, language.text(of: phrase))
    }
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
}

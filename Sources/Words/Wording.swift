package import Bytes

extension ByteWriter where Self: ~Copyable {
  /// A phrase in a language.
  package mutating func append(_ phrase: Phrase, in language: Language) {
    append(language.text(of: phrase))
  }

  /// A phrase about sensors in a language.
  package mutating func append(_ phrase: SensorPhrase, in language: Language) {
    append(language.text(of: phrase))
  }
}

/// A phrase in one language, with all of its forms.
package typealias Wording = FixedBuffer<128>

extension Language {
  /// A phrase in this language, as bytes that can be drawn.
  package subscript(phrase: Phrase) -> Wording {
    @inline(never)  // else a board's file has a copy for each screen
    get {
      var wording = Wording()
      wording.append(text(of: phrase))
      return wording
    }
  }
}

package import Bytes

extension ByteWriter where Self: ~Copyable {
  package mutating func append(_ phrase: Phrase, in language: Language) {
    append(language.text(of: phrase))
  }

  package mutating func append(_ phrase: SensorPhrase, in language: Language) {
    append(language.text(of: phrase))
  }
}

/// A phrase in one language, with all of its forms.
package typealias Wording = FixedBuffer<128>

extension Language {
  /// A phrase in this language, as bytes that can be drawn.
  package subscript(phrase: Phrase) -> Wording {
    @inline(never)  // one copy
    get {
      var wording = Wording()
      wording.append(text(of: phrase))
      return wording
    }
  }
}

extension Span<UInt8> {
  /// The form of a phrase with this number, 0 for the longest; empty if it has no such form.
  @_lifetime(copy self)
  package func form(_ number: Int) -> Span<UInt8> {
    var rest = self
    for _ in 0..<number {
      rest = rest.extracting(droppingFirst: min(rest.count, rest.formEnd + 1))
    }
    return rest.extracting(first: rest.formEnd)
  }

  private var formEnd: Int { firstIndex(of: UInt8(ascii: "|"), in: self) ?? count }
}

extension ByteWriter where Self: ~Copyable {
  /// Appends a form of a phrase, with up to 60 bytes of a name for `%`, cut between characters.
  package mutating func append(_ form: Span<UInt8>, naming name: Span<UInt8>) {
    for index in form.indices {
      if form[index] == UInt8(ascii: "%") { append(beginningOf: name) } else { append(form[index]) }
    }
  }

  /// Appends a name without controls: it must not look like one of Lenker's buttons.
  private mutating func append(beginningOf name: Span<UInt8>) {
    var reader = UTF8Reader(name.extracting(first: textEnd(name, upTo: 60)))
    var start = 0
    while let scalar = reader.next() {
      if !isControl(scalar.value) { append(name.extracting(start..<reader.index)) }
      start = reader.index
    }
  }
}

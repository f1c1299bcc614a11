package import Bytes

extension Gadgetbridge {
  /// The street in an app's text about a turn.
  ///
  /// OsmAnd sends the sentence that it spoke last, in one of its languages: see `SpokenLanguage`. Other apps send
  /// the street alone. The rules, in this order; the blanks are those that OsmAnd's scripts put there:
  ///
  /// 1. A text that does not begin like the sentence of a turn is a known aside, or else the street itself.
  /// 2. The first direction with a preposition behind it ends OsmAnd's own words.
  /// 3. All that follows two blanks is the name. An article comes before the blanks; a missing one leaves a third.
  /// 4. A digit, a comma or semicolon, and two blanks end the number of a road; its name or a place follows.
  /// 5. A blank at the end follows the number of a road without a name.
  /// 6. A word such as "toward" ends the name and begins a place, if it occurs once.
  ///
  /// In doubt the street is the whole sentence without its distance.
  package struct SpokenStreet: ~Copyable {
    /// What kind of text it is.
    package enum Kind: Equatable, Sendable {
      /// It is the street, as all apps but OsmAnd say it.
      case street
      /// It is the sentence of a turn.
      case sentence
      /// It is a sentence that says nothing of a turn's street.
      case aside
    }

    package let kind: Kind
    /// What is to be shown: the street, the sentence, or nothing.
    package private(set) var shown = FixedBuffer<503>()

    /// Nothing new: a sentence that was read before.
    package init() { kind = .aside }

    /// Reads a text in UTF-8.
    package init(_ text: Span<UInt8>) {
      var line = Sentence(text)
      kind = line.read()
      switch line.street {
      case .none: break
      case .whole(let range): shown.append(singleBlanks: text.extracting(range))
      case .name(let range): shown.append(singleBlanks: text.extracting(range))
      case .numberAndName(let number, let name):
        shown.append(singleBlanks: text.extracting(number))
        shown.append(0x20)
        shown.append(singleBlanks: text.extracting(name))
      }
      if kind == .street { shown.assign(text: text) }
    }
  }
}

extension FixedBuffer {
  /// Appends a text without blanks at its ends, and with one blank where it has several.
  fileprivate mutating func append(singleBlanks text: Span<UInt8>) {
    let text = trimmed(text)
    for index in text.indices where text[index] != 0x20 || text[index - 1] != 0x20 {
      append(text[index])
    }
  }
}

/// A text that is read as a sentence of each language in turn.
private struct Sentence: ~Escapable {
  /// What is to be shown, by its place in the text.
  enum Street {
    case none
    case whole(Range<Int>)
    case name(Range<Int>)
    case numberAndName(Range<Int>, Range<Int>)
  }

  private let text: Span<UInt8>
  private(set) var street = Street.none

  @_lifetime(copy text)
  init(_ text: Span<UInt8>) { self.text = text }

  mutating func read() -> Gadgetbridge.SpokenStreet.Kind {
    if isFile { return .aside }
    for index in 0..<SpokenLanguage.count {
      let language = SpokenLanguage[index]
      guard beginsAny(in: language) else { continue }
      // Nothing else begins with a distance.
      if !beginsDistance(in: language), beginsAside(in: language) { return .aside }
      if let kind = readAhead(in: language) ?? readTurn(in: language) { return kind }
    }
    return .street
  }

  // MARK: - Rules 1 and 2

  /// The name of a recorded voice's file.
  private var isFile: Bool {
    text.count >= 4 && isText(text.extracting(droppingFirst: text.count - 4), ".ogg")
  }

  private func beginsAny(in language: SpokenLanguage) -> Bool {
    let utf8 = language.initials.utf8
    let start = skipBlanks(from: 0).end
    return start < text.count && firstIndex(of: text[start], in: utf8.span) != nil
  }

  private func beginsDistance(in language: SpokenLanguage) -> Bool {
    var words = Words(text, from: 0)
    return words.next().map { isWord($0, in: language.distances) } ?? false
  }

  private func beginsAside(in language: SpokenLanguage) -> Bool {
    let utf8 = language.asides.utf8
    let asides = utf8.span
    var index = 0
    while index < asides.count {
      var place = 0
      while index < asides.count, asides[index] != 0x7C, place < text.count,
        matches(text[place], asides[index])
      {
        (index, place) = (index + 1, place + 1)
      }
      if index == asides.count || asides[index] == 0x7C { return true }
      while index < asides.count, asides[index] != 0x7C { index += 1 }
      index += 1
    }
    return false
  }

  private func matches(_ byte: UInt8, _ pattern: UInt8) -> Bool {
    pattern == 0x23 ? isDigit(byte) : byte == pattern
  }

  /// Reads the text as a sentence that says the way to the turn; `nil` if it is another one.
  private mutating func readAhead(
    in language: SpokenLanguage
  ) -> Gadgetbridge.SpokenStreet.Kind? {
    guard hasPrefix(text, language.ahead) else { return nil }
    let utf8 = language.ahead.utf8
    var words = Words(text, from: utf8.span.count)
    var last = 0..<0
    while let word = words.next() {
      let isBehind =
        language.aheadDirections.isEmpty || isWord(last, in: language.aheadDirections)
      if isBehind, isWord(word, in: language.aheadPrepositions) {
        let mayHaveArticle = !isWord(word, in: language.prepositions)
        readStreet(
          from: word.upperBound, in: language, isAhead: true, mayHaveArticle: mayHaveArticle)
        return .sentence
      }
      last = word
    }
    // A street's name may begin like this, too.
    guard language.aheadDirections.isEmpty || isWord(last, in: language.aheadDirections) else {
      return nil
    }
    return .sentence
  }

  /// Reads the text as the sentence of a turn; `nil` if it is another one.
  private mutating func readTurn(
    in language: SpokenLanguage
  ) -> Gadgetbridge.SpokenStreet.Kind? {
    var words = Words(text, from: 0)
    guard let first = words.next(), isWord(first, in: language.beginnings) else { return nil }
    var start: Int? = isWord(first, in: language.distances) ? nil : first.lowerBound
    var (last, direction) = (first, isWord(first, in: language.directions) ? first : 0..<0)
    var isRoundabout = false
    while let word = words.next() {
      if start == nil, begins(word, in: language) { start = word.lowerBound }
      if last == direction, isWord(word, in: language.prepositions) {
        readStreet(from: word.upperBound, in: language, isAhead: false, mayHaveArticle: true)
        if case .whole = street { street = .whole((start ?? 0)..<text.count) }
        return .sentence
      }
      if isWord(word, in: language.directions) { direction = word }
      if isWord(word, in: language.roundabout) { isRoundabout = true }
      last = word
    }
    guard !direction.isEmpty else { return isRoundabout ? .aside : nil }
    let isMore = direction.upperBound < last.upperBound || isWord(direction, in: language.exits)
    if isMore { street = .whole((start ?? 0)..<text.count) }
    return .sentence
  }

  private func begins(_ word: Range<Int>, in language: SpokenLanguage) -> Bool {
    if isWord(word, in: language.actions) { return true }
    return isWord(word, in: language.beginnings) && !isWord(word, in: language.distances)
  }

  // MARK: - Rules 3 to 6

  /// Reads what is behind the preposition that ends at `start`.
  private mutating func readStreet(
    from start: Int, in language: SpokenLanguage, isAhead: Bool, mayHaveArticle: Bool
  ) {
    var (blanks, place) = skipBlanks(from: start)
    var needed = mayHaveArticle && !language.articles.isEmpty ? 3 : 2
    var words = Words(text, from: place)
    var first = words.next()
    if blanks == 1, let article = first, isWord(article, in: language.articles) {
      (blanks, place) = skipBlanks(from: article.upperBound)
      (needed, first) = (2, words.next())
    }
    guard let first else { return }
    let rest = place..<text.count
    if blanks >= needed {
      street = isWhole(rest) ? .name(rest) : .whole(0..<text.count)
    } else if isWord(first, in: language.exits) {
      street = .whole(0..<text.count)
    } else if let number = endOfNumber(in: rest) {
      readBehind(place..<number, in: language)
    } else if text[text.count - 1] == 0x20 {
      street = .name(rest)
    } else {
      readPlace(in: rest, in: language, isAhead: isAhead)
    }
  }

  /// Reads what is behind the number of a road: its name, or a place.
  private mutating func readBehind(_ number: Range<Int>, in language: SpokenLanguage) {
    var words = Words(text, from: number.upperBound + 1)
    guard let first = words.next(),
      !isWord(first, in: language.toward), !isWord(first, in: language.towardBehindNumber)
    else { return street = .name(number) }
    let name = first.lowerBound..<text.count
    street = isWhole(name) ? .numberAndName(number, name) : .whole(0..<text.count)
  }

  /// Reads what follows a single blank: a street or the number of a road, and perhaps a place.
  private mutating func readPlace(
    in rest: Range<Int>, in language: SpokenLanguage, isAhead: Bool
  ) {
    var words = Words(text, from: rest.lowerBound)
    var (end, count, last): (Int?, Int, Range<Int>) = (nil, 0, 0..<0)
    while let word = words.next() {
      let isBehindNumber = end == nil && hasDigit(last)
      if isWord(word, in: language.toward)
        || isBehindNumber && isWord(word, in: language.towardBehindNumber)
      {
        end = end ?? word.lowerBound
        if isWord(word, in: language.toward) { count += 1 }
      }
      last = word
    }
    let name = rest.lowerBound..<(end ?? rest.upperBound)
    if count > 1 || name.isEmpty || !isWhole(name) {
      street = .whole(0..<text.count)
    } else if end != nil || !isAhead || hasDigit(rest) {
      street = .name(name)
    }
  }

  /// The place of the comma or semicolon that ends the number of a road.
  private func endOfNumber(in rest: Range<Int>) -> Int? {
    for index in rest where isSeparator(at: index) {
      var start = index
      while start > rest.lowerBound, text[start - 1] != 0x20 { start -= 1 }
      if hasDigit(start..<index) { return index }
    }
    return nil
  }

  private func isSeparator(at index: Int) -> Bool {
    guard text[index] == 0x2C || text[index] == 0x3B, index + 2 < text.count else { return false }
    return text[index + 1] == 0x20 && text[index + 2] == 0x20
  }

  /// Whether all of it is a name: OsmAnd's words may follow two blanks; three blanks are a dash between blanks.
  private func isWhole(_ range: Range<Int>) -> Bool {
    var index = range.lowerBound
    while index < range.upperBound {
      let (blanks, end) = skipBlanks(from: index)
      if blanks == 2, end < range.upperBound, !isSeparator(at: index - 1) { return false }
      index = end + 1
    }
    return true
  }

  // MARK: - Words

  private func skipBlanks(from start: Int) -> (count: Int, end: Int) {
    var index = start
    while index < text.count, text[index] == 0x20 { index += 1 }
    return (index - start, index)
  }

  private func hasDigit(_ range: Range<Int>) -> Bool {
    for index in range where isDigit(text[index]) { return true }
    return false
  }

  /// Whether a word of the text is in a list, whose words have a blank between them.
  private func isWord(_ word: Range<Int>, in list: String) -> Bool {
    guard !word.isEmpty else { return false }
    let utf8 = list.utf8
    let words = utf8.span
    var index = 0
    while index < words.count {
      var place = word.lowerBound
      while index < words.count, place < word.upperBound, words[index] == text[place] {
        (index, place) = (index + 1, place + 1)
      }
      let isEnd = index == words.count || words[index] == 0x20
      if isEnd, place == word.upperBound { return true }
      while index < words.count, words[index] != 0x20 { index += 1 }
      index += 1
    }
    return false
  }
}

/// The places of a text's words, between blanks.
private struct Words: ~Escapable {
  private let text: Span<UInt8>
  private var index: Int

  @_lifetime(copy text)
  init(_ text: Span<UInt8>, from index: Int) {
    self.text = text
    self.index = index
  }

  mutating func next() -> Range<Int>? {
    while index < text.count, text[index] == 0x20 { index += 1 }
    let start = index
    while index < text.count, text[index] != 0x20 { index += 1 }
    return start < index ? start..<index : nil
  }
}

private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

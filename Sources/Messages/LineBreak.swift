import Bytes
package import Graphics

/// Where a line ends on a panel that is too narrow for whole words.
package struct LineBreak {
  /// Whether words may be parted in lines of `width` columns: with four letters a line, the parts are riddles.
  package static func partsWords(in width: Int) -> Bool { width >= 40 }

  /// How many bytes the line has.
  package let end: Int
  /// Whether a hyphen follows them, as a word is parted.
  package let isHyphenated: Bool

  /// Ends the first line of a text behind a word, or within the first word if that does not fit.
  ///
  /// A word is parted before the kind of a street, else before a syllable, else at the end of the width.
  package init(of text: Span<UInt8>, _ font: Font, width: Int) {
    let end = font.line(of: text, fitting: width + 1)
    if end > 0 {
      (self.end, isHyphenated) = (end, false)
      return
    }
    let hyphen = "-".utf8
    // The blank column behind the last letter may be beyond the edge.
    let limit = font.prefix(of: text, fitting: width + 1 - font.width(of: hyphen.span))
    self.end = text.lastJoint(before: limit)
    isHyphenated = self.end > 0 && text.isLetter(at: self.end - 1) && text.isLetter(at: self.end)
  }
}

extension Span<UInt8> {
  /// Where the first word is best parted, at most `limit` bytes from its start.
  fileprivate func lastJoint(before limit: Int) -> Int {
    var wordEnd = 0
    // The kind of street may end after the line, but must begin in it.
    let wordLimit = limit + longestKindOfStreet
    while wordEnd <= wordLimit, isLetter(at: wordEnd) { wordEnd += 1 }
    // Signs in the name of a file or a command.
    if wordEnd < limit {
      var end = limit
      while end > wordEnd, isLetter(at: end - 1) { end -= 1 }
      return end
    }
    if let joint = joint(ofWordThatEndsAt: wordEnd), joint <= limit { return joint }
    // At least two letters stay on either side.
    let last = Swift.min(limit, wordEnd - 2)
    var index = last
    while index >= 2 {
      if beginsSyllable(at: index) { return index }
      index -= 1
    }
    return last >= 2 && self[last] & 0xC0 != 0x80 ? last : limit
  }

  /// Whether this byte belongs to a letter; ideographs and signs beyond ASCII, such as a hyphen that does
  /// not break, are no letters.
  fileprivate func isLetter(at index: Int) -> Bool {
    guard !isWordEnd(index) else { return false }
    var first = index
    while first > 0, self[first] & 0xC0 == 0x80 { first -= 1 }
    return self[first] < 0xE0
  }

  /// Whether one consonant, or a group that sounds as one, and a vowel follow: mostly a syllable, in each
  /// of the panel's languages.
  private func beginsSyllable(at index: Int) -> Bool {
    if hasPrefix(extracting(droppingFirst: index - 1), "ch")
      || hasPrefix(extracting(droppingFirst: index - 1), "sch")
      || hasPrefix(extracting(droppingFirst: index - 1), "ph")
      || hasPrefix(extracting(droppingFirst: index - 1), "th")
    {
      return false
    }
    let rest = extracting(droppingFirst: index)
    let onset = hasPrefix(rest, "sch") ? 3 : hasPrefix(rest, "ch") || hasPrefix(rest, "ph") ? 2 : 1
    return !isVowel(at: index) && self[index] < 0x80 && isVowel(at: index + onset)
  }

  /// Whether a vowel of ASCII begins here, or a letter with a mark, which mostly is one.
  private func isVowel(at index: Int) -> Bool {
    guard index < count else { return false }
    switch self[index] | 0x20 {
    case 0x61, 0x65, 0x69, 0x6F, 0x75, 0x79: return true
    default: return self[index] == 0xC3
    }
  }
}

/// The kinds of streets that German and Dutch words end in, the longer ones first.
private var kinds: String {
  """
  promenade steenweg chaussee straße strasse straat brücke gracht singel graben allee gasse platz \
  markt steig stieg plein ufer damm ring park laan kade dijk baan weg hof pad 
  """
}

/// Letters of the longest kind, `promenade`.
package var longestKindOfStreet: Int { 9 }

extension Span<UInt8> {
  /// Where the kind of street begins that ends a word, if at least three letters of the word precede it.
  package func joint(ofWordThatEndsAt end: Int) -> Int? {
    let kinds = kinds.utf8
    let list = kinds.span
    var start = 0
    for index in list.indices where list[index] == 0x20 {
      let kind = list.extracting(start..<index)
      start = index + 1
      let joint = end - kind.count
      guard joint > 0, isEqual(extracting(joint..<end), kind), hasLetters(before: joint) else {
        continue
      }
      return joint
    }
    return nil
  }

  private func hasLetters(before end: Int) -> Bool {
    var letters = 0
    var index = end
    while index > 0, letters < 3, !isWordEnd(index - 1) {
      index -= 1
      // Only the first byte of a letter counts.
      if self[index] & 0xC0 != 0x80 { letters += 1 }
    }
    return letters == 3
  }

  /// Whether no letter comes at `index`: the end, a blank or a sign of ASCII.
  package func isWordEnd(_ index: Int) -> Bool {
    index >= count || self[index] < 0x80 && (self[index] | 0x20 < 0x61 || self[index] | 0x20 > 0x7A)
  }
}

import Bytes

/// The kinds of streets that German and Dutch words end in, the longer ones first.
private var kinds: String {
  """
  promenade steenweg chaussee straße strasse straat brücke gracht singel graben allee gasse platz \
  markt steig stieg plein ufer damm ring park laan kade dijk baan weg hof pad 
  """
}

/// Letters of the longest one, `promenade`.
package var longestKindOfStreet: Int { 9 }

extension Span<UInt8> {
  /// Where the kind of street begins that a word ends in, behind three other letters of it at least.
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

  /// Whether three letters of the same word stand there.
  private func hasLetters(before end: Int) -> Bool {
    var letters = 0
    var index = end
    while index > 0, letters < 3, !isWordEnd(index - 1) {
      index -= 1
      // A letter's further bytes are none of their own.
      if self[index] & 0xC0 != 0x80 { letters += 1 }
    }
    return letters == 3
  }

  /// Whether no letter comes at `index`: the end, a blank or a sign of ASCII.
  package func isWordEnd(_ index: Int) -> Bool {
    index >= count || self[index] < 0x80 && (self[index] | 0x20 < 0x61 || self[index] | 0x20 > 0x7A)
  }
}

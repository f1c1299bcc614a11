import Bytes

/// What text shows, one after the other: letters with their marks, nothing for what is invisible.
///
/// Reads UTF-8 from anywhere; what is malformed, and what no table has, becomes a box.
struct TextReader: ~Escapable {
  /// One thing to show.
  enum Element: Equatable {
    /// A character by its code.
    case character(UInt32)
    /// A combining mark that does not make one letter with what stands before it.
    case mark(UInt32)
  }

  private let text: Span<UInt8>
  private var reader: UTF8Reader
  private let compositions = Compositions()

  /// Reads `text` from its first byte on.
  @_lifetime(copy text)
  init(_ text: Span<UInt8>) {
    self.text = text
    reader = UTF8Reader(text)
  }

  /// Index of the first byte that is not read yet.
  var index: Int { reader.index }

  /// The next thing to show, or `nil` at the end.
  @_lifetime(self: copy self)
  mutating func next() -> Element? {
    while let scalar = reader.next() {
      let code = scalar.value
      if code >= 0x20, code <= 0x7E { return .character(composed(code)) }
      if isInvisible(code) { continue }
      if isMark(code) { return .mark(code) }
      return .character(composed(isSpace(code) ? 0x20 : code))
    }
    return nil
  }

  /// The letter that `base` makes with the marks that follow it.
  @_lifetime(self: copy self)
  private mutating func composed(_ base: UInt32) -> UInt32 {
    var letter = base
    // The lead bytes of all marks are above those of Latin letters.
    while reader.index < text.count, text[reader.index] >= 0xCC {
      var ahead = reader
      guard let mark = ahead.next(), isMark(mark.value),
        let whole = compositions.compose(letter, mark.value)
      else { return letter }
      letter = whole
      reader = ahead
    }
    return letter
  }
}

/// Line ends and tabs, which take room but show nothing.
private func isSpace(_ code: UInt32) -> Bool {
  switch code {
  case 0x09...0x0D, 0x85, 0x2028, 0x2029: true
  default: false
  }
}

/// Controls, soft hyphens, joiners, direction marks and selectors, which take no room.
private func isInvisible(_ code: UInt32) -> Bool {
  switch code {
  case 0x20...0x7E: false
  case 0x09...0x0D, 0x85: false
  case 0x00...0x1F, 0x7F...0x9F, 0xAD, 0x61C, 0x180B...0x180E, 0x200B...0x200F, 0x202A...0x202E,
    0x2060...0x206F, 0xFE00...0xFE0F, 0xFEFF, 0xE0000...0xE0FFF:
    true
  default: false
  }
}

/// The blocks of combining marks.
private func isMark(_ code: UInt32) -> Bool {
  switch code {
  case 0x300...0x36F, 0x483...0x489, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF,
    0xFE20...0xFE2F:
    true
  default: false
  }
}

/// Which letter a base letter and a combining mark make together.
///
/// Packed by FontTool: how many (2 bytes), then base, mark and letter (3 each), sorted.
struct Compositions {
  private let literal: String.UTF8View

  /// Never inlined: each file that did it would have the table once more.
  @inline(never)
  init() { literal = Tables.compositions.utf8 }

  /// The one letter, or `nil` if there is none.
  func compose(_ base: UInt32, _ mark: UInt32) -> UInt32? {
    let table = literal.span
    let wanted = UInt64(widening: base) &<< 21 | UInt64(widening: mark)
    var (low, high) = (0, table.number(at: 0, bytes: 2))
    while low < high {
      let middle = (low + high) / 2
      let place = 2 + 9 * middle
      let pair =
        UInt64(widening: UInt(bitPattern: table.number(at: place, bytes: 3))) &<< 21
        | UInt64(widening: UInt(bitPattern: table.number(at: place + 3, bytes: 3)))
      if pair == wanted { return UInt32(table.number(at: place + 6, bytes: 3)) }
      if pair < wanted { low = middle + 1 } else { high = middle }
    }
    return nil
  }
}

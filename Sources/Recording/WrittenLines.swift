import Bytes

/// Which parts of the lines that phones write to our UART may be shown: turns and times, calls and music without
/// their texts, and nothing of any other line.
///
/// Without the calls and the music a press could not be replayed. A line begins after 0x0A and with 0x10, wherever
/// they come, as `Gadgetbridge.LineAssembler` has it: neither byte is in a text. Each link writes a line of its
/// own, which ends with the link.
struct WrittenLines {
  /// A line, as far as it was written.
  ///
  /// | | 0x0A, 0x10 | the next byte of an allowed beginning | its last byte | any other | bytes were lost |
  /// |---|---|---|---|---|---|
  /// | beginning | beginning, at 0 | beginning, at the next place | shown | hidden | hidden |
  /// | shown | beginning, at 0 | shown | shown | shown | hidden |
  /// | hidden | beginning, at 0 | hidden | hidden | hidden | hidden |
  ///
  /// The last byte leads to `word` or `between` in a line of a call or of music. From there it goes on as follows:
  ///
  /// | | `"` | `{`, `,` | `:` | `a` to `z` | digits, `.`, `-`, `(`, `)`, `}` | any other |
  /// |---|---|---|---|---|---|---|
  /// | word | between | hidden | hidden | word | hidden | hidden |
  /// | between, a name is next | word | the same | between | between | between | hidden |
  /// | between | text | between, a name is next | between | between | between | hidden |
  /// | text | between | text | text | text | text | text; behind a backslash that is one byte |
  private enum Line {
    /// The allowed beginnings that are still possible, a bit for each; `place` is that of the next byte.
    case beginning(place: UInt8, of: UInt8)
    case shown
    /// In a member's name, or in a value that says what has happened.
    case word
    case between(isNameNext: Bool)
    /// In a value that is a text.
    case text(isEscaped: Bool)
    case hidden

    static var empty: Line { .beginning(place: 0, of: .max) }
  }

  private struct Link {
    let handle: UInt16
    var line = Line.empty
  }

  /// The beginnings of lines that are shown to their end, then of lines whose texts are hidden.
  private static var beginnings: InlineArray<5, String> {
    [
      "GB({\"t\":\"nav\"", "setTime(", "GB({\"t\":\"call\",\"cmd\":\"",
      "GB({\"t\":\"musicstate\",\"state\":\"", "GB({\"t\":\"musicinfo\"",
    ]
  }

  /// More than a controller has.
  private var links = FixedList<8, Link>(filler: Link(handle: 0))

  /// Receives the next byte that a link has written; returns whether it is hidden.
  mutating func receive(_ byte: UInt8, of handle: UInt16) -> Bool {
    let isLineEnd = byte == 0x0A || byte == 0x10
    // Without a place to keep its line, all of a link's texts are hidden.
    guard let index = place(of: handle) else { return !isLineEnd }
    let last = links[index].line
    links[index].line = isLineEnd ? .empty : Self.next(last, byte)
    switch (last, links[index].line) {
    case (_, .hidden), (.text, .text): return true
    default: return false
    }
  }

  private static func next(_ line: Line, _ byte: UInt8) -> Line {
    switch line {
    case .shown, .hidden: line
    case .beginning(let place, let candidates): begin(at: place, of: candidates, byte)
    case .text(isEscaped: true): .text(isEscaped: false)
    case .text:
      byte == quote ? .between(isNameNext: false) : .text(isEscaped: byte == backslash)
    case .word where byte == quote: .between(isNameNext: false)
    case .word: isLetter(byte) ? .word : .hidden
    case .between(let isNameNext): next(betweenWords: isNameNext, byte)
    }
  }

  private static var quote: UInt8 { 0x22 }
  private static var backslash: UInt8 { 0x5C }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }

  private static func next(betweenWords isNameNext: Bool, _ byte: UInt8) -> Line {
    switch UnicodeScalar(byte) {
    case "\"": isNameNext ? .word : .text(isEscaped: false)
    case "{", ",": .between(isNameNext: true)
    case ":", "0"..."9", ".", "-", "(", ")", "}", "a"..."z": .between(isNameNext: false)
    default: .hidden
    }
  }

  private static func begin(at place: UInt8, of candidates: UInt8, _ byte: UInt8) -> Line {
    let beginnings = beginnings
    var left: UInt8 = 0
    for index in beginnings.indices where candidates & bit(index) != 0 {
      let utf8 = beginnings[index].utf8
      let beginning = utf8.span
      guard beginning[Int(place)] == byte else { continue }
      if Int(place) + 1 == beginning.count { return behind(index) }
      left |= bit(index)
    }
    return left == 0 ? .hidden : .beginning(place: place + 1, of: left)
  }

  private static func behind(_ beginning: Int) -> Line {
    switch beginning {
    case 0, 1: .shown
    case 2, 3: .word
    default: .between(isNameNext: false)
    }
  }

  private static func bit(_ index: Int) -> UInt8 { 1 &<< UInt8(truncatingIfNeeded: index) }

  /// Notes that bytes of a link were lost: up to its next line nobody can say what follows.
  mutating func bytesWereLost(of handle: UInt16) {
    if let index = place(of: handle) { links[index].line = .hidden }
  }

  /// Notes that the link has ended, or that another one has its handle.
  mutating func linkIsOver(_ handle: UInt16) {
    for index in 0..<links.count where links[index].handle == handle {
      return links.remove(at: index)
    }
  }

  /// Notes that all links have ended.
  mutating func removeAll() { links.removeAll() }

  private mutating func place(of handle: UInt16) -> Int? {
    for index in 0..<links.count where links[index].handle == handle { return index }
    guard !links.isFull else { return nil }
    links.append(Link(handle: handle))
    return links.count - 1
  }
}

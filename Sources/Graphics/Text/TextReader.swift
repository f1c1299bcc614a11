import Bytes

/// Reads UTF-8 as the characters that a line shows, one after the other.
///
/// Malformed bytes and characters without a picture become a box. Invisible characters show nothing.
/// Arabic letters come in the form that their neighbours give them.
struct TextReader: ~Escapable {
  enum Element: Equatable {
    /// A character by its code.
    case character(UInt32)
    /// A combining mark that does not make one letter with the character before it.
    case mark(UInt32)
    /// A character that shows nothing, but may decide in which direction others go.
    case invisible(UInt32)

    /// What one character shows by itself.
    init(_ code: UInt32) {
      switch code {  // the letters that most streets have need no search
      case 0x20...0x7E, 0xA0...0xAC, 0xAE...0x2FF, 0x370...0x482, 0x48A...0x590,
        0x5D0...0x5EA, 0x620...0x64A, 0x671...0x6D3, 0xFE80...0xFEFC, 0x3041...0x3096,
        0x4E00...0x9FFF,
        0xAC00...0xD7A3:
        self = .character(code)
      default:
        let properties = CharacterProperties(of: code)
        self =
          properties.isInvisible
          ? .invisible(code) : properties.isMark ? .mark(code) : .character(code)
      }
    }

    var code: UInt32 {
      switch self {
      case .character(let code), .mark(let code), .invisible(let code): code
      }
    }
  }

  private let text: Span<UInt8>
  /// Whether the letter before joins the next one.
  private var isJoining = false

  @_lifetime(copy text)
  init(_ text: Span<UInt8>) { self.text = text }

  /// Index of the first byte that is not read yet.
  private(set) var index = 0

  @inline(__always)
  mutating func next() -> Element? {
    guard index < text.count else { return nil }
    let byte = text[index]
    // The lead bytes of all marks are above those of Latin letters.
    guard byte &- 0x20 < 0x5F, index &+ 1 >= text.count || text[index &+ 1] < 0xCC else {
      return nextOfAny()
    }
    index &+= 1
    isJoining = false
    return .character(UInt32(byte))
  }

  /// The next thing to show, of any script.
  @inline(never)
  private mutating func nextOfAny() -> Element {
    let code = nextCode() ?? 0
    if isLineSpace(code) {
      isJoining = false
      return .character(0x20)
    }
    let element = Element(code)
    if case .character = element { return .character(joined(composed(code))) }
    if code == 0x200C || code == 0x200D { isJoining = code == 0x200D }
    return element
  }

  private mutating func nextCode() -> UInt32? {
    guard index < text.count else { return nil }
    var reader = UTF8Reader(text.extracting(droppingFirst: index))
    let scalar = reader.next()
    index += reader.index
    return scalar?.value
  }

  /// The letter that `base` makes with the marks, or a syllable with the vowel, after it.
  private mutating func composed(_ base: UInt32) -> UInt32 {
    var letter = base
    while index < text.count, mayBeMark(text[index]) {
      let start = index
      guard let next = nextCode(), let whole = compose(letter, next) else {
        index = start
        return letter
      }
      letter = whole
    }
    return letter
  }

  private func compose(_ letter: UInt32, _ next: UInt32) -> UInt32? {
    if let syllable = hangul(letter, next) { return syllable }
    guard case .mark = Element(next) else { return nil }
    return composition(letter, next)
  }

  /// The form of a letter that its neighbours give it.
  private mutating func joined(_ letter: UInt32) -> UInt32 {
    let joinsPrevious = isJoining
    isJoining = false
    guard let joining = Joining(of: letter) else { return letter }
    if letter == 0x644, let ligature = lamAlef() { return ligature + (joinsPrevious ? 1 : 0) }
    isJoining = joining.joinsNext
    return joining.form(joinsPrevious: joinsPrevious, joinsNext: joining.joinsNext && canJoinNext)
  }

  /// Whether the next character, marks aside, is a letter that can join the one before it.
  private var canJoinNext: Bool {
    var ahead = UTF8Reader(text.extracting(droppingFirst: index))
    while let code = ahead.next()?.value {
      if Joining(of: code) != nil { return true }
      if code == 0x200C { return false }
      if case .character = Element(code) { return false }
    }
    return false
  }

  /// The isolated ligature of a lam with the alef after it; the final form is the next code.
  private mutating func lamAlef() -> UInt32? {
    let start = index
    let ligature: UInt32
    switch nextCode() {
    case 0x622: ligature = 0xFEF5
    case 0x623: ligature = 0xFEF7
    case 0x625: ligature = 0xFEF9
    case 0x627: ligature = 0xFEFB
    default:
      index = start
      return nil
    }
    return ligature
  }
}

/// Whether a mark may start with a byte: not Latin, Greek, most Cyrillic, nor Chinese letters.
private func mayBeMark(_ lead: UInt8) -> Bool {
  switch lead {
  case 0...0xCB, 0xCE...0xD1, 0xE4...0xE9: false
  default: true
  }
}

/// The syllable of Hangul that two parts make, or `nil`.
///
/// The Unicode Standard, chapter 3.12.
private func hangul(_ first: UInt32, _ second: UInt32) -> UInt32? {
  let (consonant, vowel) = (first &- 0x1100, second &- 0x1161)
  if consonant < 19, vowel < 21 { return 0xAC00 + (consonant * 21 + vowel) * 28 }
  let (syllable, last) = (first &- 0xAC00, second &- 0x11A7)
  if syllable < 11_172, syllable % 28 == 0, last > 0, last < 28 { return first + last }
  return nil
}

/// The one letter that a base letter and a combining mark make together, or `nil`.
///
/// Packed by FontTool: how many (2 bytes), then base, mark and letter (3 each), sorted.
private func composition(_ base: UInt32, _ mark: UInt32) -> UInt32? {
  let literal = Tables.compositions.utf8
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

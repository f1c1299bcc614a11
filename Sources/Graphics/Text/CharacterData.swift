/// How a character takes part in the Unicode Bidirectional Algorithm.
///
/// UAX #9, table 4, in the order of FontTool's `CharacterDatabase.classes`.
enum BidiClass: UInt8 {
  case left, right, arabicLetter
  case europeanNumber, europeanSeparator, europeanTerminator, arabicNumber, commonSeparator
  case mark, boundaryNeutral
  case paragraphSeparator, segmentSeparator, whitespace, otherNeutral
  case leftEmbedding, leftOverride, rightEmbedding, rightOverride, popEmbedding
  case leftIsolate, rightIsolate, firstStrongIsolate, popIsolate

  /// Whether rule X9 removes the character.
  var isRemoved: Bool {
    switch self {
    case .leftEmbedding, .leftOverride, .rightEmbedding, .rightOverride, .popEmbedding,
      .boundaryNeutral:
      true
    default: false
    }
  }

  var isInitiator: Bool {
    self == .leftIsolate || self == .rightIsolate || self == .firstStrongIsolate
  }

  /// Whether the rules N1 and N2 give it a direction.
  var isNeutral: Bool {
    switch self {
    case .paragraphSeparator, .segmentSeparator, .whitespace, .otherNeutral, .leftIsolate,
      .rightIsolate, .firstStrongIsolate, .popIsolate:
      true
    default: false
    }
  }
}

struct CharacterProperties {
  private let bits: Int

  /// Looks a character up in the table that FontTool made.
  init(of code: UInt32) {
    // Ranges: how many (2), then the first code (3) and the properties (1) of each.
    let literal = Tables.properties.utf8
    let table = literal.span
    var (low, high) = (0, table.number(at: 0, bytes: 2))
    while high &- low > 1 {
      let middle = (low &+ high) / 2
      if table.number(at: 2 &+ 4 &* middle, bytes: 3) <= Int(code) {
        low = middle
      } else {
        high = middle
      }
    }
    bits = Int(table[5 &+ 4 &* low])
  }

  var bidiClass: BidiClass {
    BidiClass(rawValue: UInt8(truncatingIfNeeded: bits & 31)) ?? .otherNeutral
  }
  /// Whether it is a mark on what stands before it.
  var isMark: Bool { bits & 32 != 0 }
  /// Whether it is a control, a joiner, a selector or another one that is never shown.
  var isInvisible: Bool { bits & 64 != 0 }
}

/// The mirror image of a character, and its part in a pair of brackets.
struct Mirror {
  /// The character that replaces it from right to left.
  let image: UInt32
  let isOpening: Bool
  let isClosing: Bool

  /// Looks a character up; `nil` if it looks the same from right to left.
  init?(of code: UInt32) {
    // How many (2), then code (3), image (3) and kind (1) of each.
    let literal = Tables.mirrors.utf8
    guard let place = literal.span.place(of: code, bytes: 7) else { return nil }
    image = UInt32(truncatingIfNeeded: literal.span.number(at: place + 3, bytes: 3))
    let kind = literal.span[place + 6]
    (isOpening, isClosing) = (kind == 1, kind == 2)
  }
}

/// How a letter of the Arabic script joins its neighbours.
struct Joining {
  private let type: UInt8
  private let place: Int

  /// Looks a letter up; `nil` for characters that never join, such as ZERO WIDTH NON-JOINER.
  init?(of code: UInt32) {
    guard code >= 0x600, code < 0x900 || code == 0x200D else { return nil }
    // How many (2), then code (3), type (1) and four forms (3 each) of each.
    guard let place = Self.literal.span.place(of: code, bytes: 16) else { return nil }
    type = Self.literal.span[place + 3]
    guard type != 0 else { return nil }
    self.place = place
  }

  private static var literal: String.UTF8View { Tables.shapes.utf8 }

  var joinsNext: Bool { type >= 2 }

  /// The code of the letter's picture: isolated, final, initial or medial.
  func form(joinsPrevious: Bool, joinsNext: Bool) -> UInt32 {
    let form = (joinsPrevious ? 1 : 0) + (joinsNext ? 2 : 0)
    return UInt32(truncatingIfNeeded: Self.literal.span.number(at: place + 4 + 3 * form, bytes: 3))
  }
}

extension Span<UInt8> {
  /// The place of a code's record in a table: the number of records (2), then the records sorted by code.
  func place(of code: UInt32, bytes size: Int) -> Int? {
    var (low, high) = (0, number(at: 0, bytes: 2))
    while low < high {
      let middle = (low + high) / 2
      let place = 2 + size * middle
      let other = number(at: place, bytes: 3)
      if other == Int(code) { return place }
      if other < Int(code) { low = middle + 1 } else { high = middle }
    }
    return nil
  }
}

import Bytes

/// The characters of a line and the order in which they are written from left to right.
///
/// The Unicode Bidirectional Algorithm, UAX #9 of Unicode 15, for one line that is a paragraph of
/// its own. Characters beyond `capacity` are left out.
struct BidiLine: ~Copyable {
  /// The most characters: more than a value of a phone has bytes.
  static var capacity: Int { 512 }
  static var nowhere: UInt16 { .max }

  private(set) var count = 0
  var codes = InlineArray<512, UInt32>(repeating: 0)
  var classes = InlineArray<512, BidiClass>(repeating: .otherNeutral)
  /// The class of each character after the rules.
  var types = InlineArray<512, BidiClass>(repeating: .otherNeutral)
  /// The level of each character: even from left to right, odd from right to left.
  var levels = InlineArray<512, UInt8>(repeating: 0)
  /// The next character of the same isolating run sequence (BD13).
  var links = InlineArray<512, UInt16>(repeating: .max)
  /// The closing bracket of each opening one (BD16).
  var pairs = InlineArray<512, UInt16>(repeating: .max)
  /// The previous character of the same sequence; at last, the order of writing.
  private var places = InlineArray<512, UInt16>(repeating: .max)
  private(set) var level: UInt8 = 0
  private(set) var orderCount = 0

  /// Adds a character and returns whether there was room.
  mutating func append(_ code: UInt32) -> Bool {
    guard count < Self.capacity else { return false }
    codes[count] = code
    classes[count] = CharacterProperties(of: code).bidiClass
    count += 1
    return true
  }

  /// Finds the levels of all characters and the order in which they are written.
  mutating func resolve() {
    level = direction(from: 0, isWhole: true) ?? 0
    assignExplicitLevels()
    linkSequences()
    for index in 0..<count where !classes[index].isRemoved && places[index] == Self.nowhere {
      resolveSequence(from: index)
    }
    assignImplicitLevels()
    resetWhitespace()
    sortVisually()
  }

  /// The character that is written in a place, counted from the left.
  func order(_ place: Int) -> Int { Int(places[place]) }

  // MARK: Paragraph and explicit levels

  /// The level that the first strong character gives (P2 and P3), or `nil` if there is none.
  ///
  /// Of the whole line or of the isolate that starts at a character.
  private func direction(from start: Int, isWhole: Bool) -> UInt8? {
    var depth = 0
    for index in start..<count {
      switch classes[index] {
      case .left where depth == 0: return 0
      case .right where depth == 0, .arabicLetter where depth == 0: return 1
      case .leftIsolate, .rightIsolate, .firstStrongIsolate: depth += 1
      case .popIsolate:
        if depth == 0, !isWhole { return nil }
        if depth > 0 { depth -= 1 }
      case .paragraphSeparator: return nil
      default: break
      }
    }
    return nil
  }

  /// Rules X1 to X8.
  private mutating func assignExplicitLevels() {
    var stack = DirectionStack(level)
    for index in 0..<count {
      let original = classes[index]
      types[index] = original
      switch original {
      case .rightEmbedding, .leftEmbedding, .rightOverride, .leftOverride:
        levels[index] = stack.top.level
        stack.embed(original)
      case .rightIsolate, .leftIsolate, .firstStrongIsolate:
        levels[index] = stack.top.level
        if let override = stack.top.override { types[index] = override }
        var isRight = original == .rightIsolate
        if original == .firstStrongIsolate {
          isRight = direction(from: index + 1, isWhole: false) == 1
        }
        stack.isolate(isRight: isRight)
      case .popIsolate:
        stack.endIsolate()
        levels[index] = stack.top.level
        if let override = stack.top.override { types[index] = override }
      case .popEmbedding:
        stack.endEmbedding()
        levels[index] = stack.top.level
      case .paragraphSeparator: levels[index] = level
      default:
        levels[index] = stack.top.level
        if original != .boundaryNeutral, let override = stack.top.override {
          types[index] = override
        }
      }
    }
  }

  /// Links the characters of each isolating run sequence (X9, BD13).
  ///
  /// Leaves `nowhere` in `places` of each character that starts a sequence.
  private mutating func linkSequences() {
    var (open, last) = (0, -1)
    var initiators = InlineArray<512, UInt16>(repeating: Self.nowhere)
    for index in 0..<count {
      links[index] = Self.nowhere
      places[index] = Self.nowhere
      guard !classes[index].isRemoved else { continue }
      var previous = last >= 0 && levels[last] == levels[index] ? last : -1
      if classes[index] == .popIsolate, open > 0 {
        open -= 1
        let initiator = Int(initiators[open])
        if previous < 0, links[initiator] == Self.nowhere { previous = initiator }
      }
      if classes[index].isInitiator {
        initiators[open] = UInt16(truncatingIfNeeded: index)
        open += 1
      }
      if previous >= 0 {
        links[previous] = UInt16(truncatingIfNeeded: index)
        places[index] = UInt16(truncatingIfNeeded: previous)
      }
      last = index
    }
  }

  /// Rules I1 and I2.
  private mutating func assignImplicitLevels() {
    for index in 0..<count where !classes[index].isRemoved {
      if levels[index] & 1 == 0 {
        if types[index] == .right { levels[index] += 1 }
        if types[index] == .arabicNumber || types[index] == .europeanNumber { levels[index] += 2 }
      } else if types[index] != .right {
        levels[index] += 1
      }
    }
  }

  // MARK: The order of writing

  /// Rule L1: blanks at the end and before separators have the level of the line.
  private mutating func resetWhitespace() {
    var isTrailing = true
    for index in (0..<count).reversed() {
      switch classes[index] {
      case .paragraphSeparator, .segmentSeparator:
        levels[index] = level
        isTrailing = true
      case .whitespace, .firstStrongIsolate, .leftIsolate, .rightIsolate, .popIsolate,
        .leftEmbedding, .rightEmbedding, .leftOverride, .rightOverride, .popEmbedding,
        .boundaryNeutral:
        if isTrailing { levels[index] = level }
      default: isTrailing = false
      }
    }
  }

  /// Rule L2: reverses what is at each level, from the highest to the lowest odd one.
  private mutating func sortVisually() {
    orderCount = 0
    var (highest, lowestOdd): (UInt8, UInt8) = (0, .max)
    for index in 0..<count where !classes[index].isRemoved {
      places[orderCount] = UInt16(truncatingIfNeeded: index)
      orderCount += 1
      highest = max(highest, levels[index])
      if levels[index] & 1 == 1 { lowestOdd = min(lowestOdd, levels[index]) }
    }
    var threshold = highest
    while threshold >= lowestOdd {
      var start = 0
      while start < orderCount {
        var end = start
        while end < orderCount, levels[order(end)] >= threshold { end += 1 }
        var (left, right) = (start, end - 1)
        while left < right {
          places.swapAt(left, right)
          (left, right) = (left + 1, right - 1)
        }
        start = end + 1
      }
      threshold -= 1
    }
  }
}

/// The embeddings, overrides and isolates that are open at a character.
///
/// The directional status stack of UAX #9, chapter 3.3.2.
struct DirectionStack {
  struct Entry {
    var level: UInt8
    /// The direction that everything inside it takes.
    var override: BidiClass?
    var isIsolate = false
  }

  /// The deepest level (BD2).
  private static var maxDepth: UInt8 { 125 }

  private var entries: InlineArray<128, Entry>
  private var count = 1
  private var overflowIsolates = 0
  private var overflowEmbeddings = 0
  private var validIsolates = 0

  /// Only the paragraph is open.
  init(_ level: UInt8) { entries = InlineArray(repeating: Entry(level: level)) }

  var top: Entry { entries[count - 1] }

  /// Rules X2 to X5.
  mutating func embed(_ initiator: BidiClass) {
    let isRight = initiator == .rightEmbedding || initiator == .rightOverride
    let level = next(isRight: isRight)
    if level <= Self.maxDepth, overflowIsolates == 0, overflowEmbeddings == 0 {
      let override: BidiClass? =
        initiator == .rightOverride ? .right : initiator == .leftOverride ? .left : nil
      push(Entry(level: level, override: override))
    } else if overflowIsolates == 0 {
      overflowEmbeddings += 1
    }
  }

  /// Rules X5a to X5c.
  mutating func isolate(isRight: Bool) {
    let level = next(isRight: isRight)
    if level <= Self.maxDepth, overflowIsolates == 0, overflowEmbeddings == 0 {
      validIsolates += 1
      push(Entry(level: level, isIsolate: true))
    } else {
      overflowIsolates += 1
    }
  }

  /// Rule X6a.
  mutating func endIsolate() {
    if overflowIsolates > 0 {
      overflowIsolates -= 1
    } else if validIsolates > 0 {
      overflowEmbeddings = 0
      while !top.isIsolate { count -= 1 }
      count -= 1
      validIsolates -= 1
    }
  }

  /// Rule X7.
  mutating func endEmbedding() {
    if overflowIsolates > 0 { return }
    if overflowEmbeddings > 0 {
      overflowEmbeddings -= 1
    } else if !top.isIsolate, count >= 2 {
      count -= 1
    }
  }

  /// The least level above the innermost one that goes in a direction.
  private func next(isRight: Bool) -> UInt8 {
    isRight ? (top.level + 1) | 1 : (top.level + 2) & ~1
  }

  private mutating func push(_ entry: Entry) {
    entries[count] = entry
    count += 1
  }
}

/// Whether a line of UTF-8 goes from right to left: whether its first letter does.
///
/// UAX #9, rules P2 and P3. Such a line belongs at the right edge of its place and scrolls to the
/// right. It is drawn from its origin to the right like any other.
package func isRightToLeft(_ text: Span<UInt8>) -> Bool {
  guard mayGoLeft(text) else { return false }
  var reader = UTF8Reader(text)
  var depth = 0
  while let scalar = reader.next() {
    switch CharacterProperties(of: scalar.value).bidiClass {
    case .left where depth == 0: return false
    case .right where depth == 0, .arabicLetter where depth == 0: return true
    case .leftIsolate, .rightIsolate, .firstStrongIsolate: depth += 1
    case .popIsolate: if depth > 0 { depth -= 1 }
    default: break
    }
  }
  return false
}

/// Whether anything in a line of UTF-8 could go from right to left, found without decoding it.
///
/// The blocks from Hebrew (U+0590) to U+08FF, the presentation forms from U+FB00 to U+FEFF, the
/// planes from U+10000 on that have such scripts, and the marks and embeddings RLM, RLE, RLO and RLI.
func mayGoLeft(_ text: Span<UInt8>) -> Bool {
  for index in text.indices where text[index] >= 0xD6 {
    let second = index + 1 < text.count ? text[index + 1] : 0
    switch text[index] {
    case 0xD6: if second >= 0x90 { return true }
    case 0xD7...0xDF: return true
    case 0xE0: if second < 0xA4 { return true }
    case 0xE2:
      let third = index + 2 < text.count ? text[index + 2] : 0
      if second == 0x80, third == 0x8F || third == 0xAB || third == 0xAE { return true }
      if second == 0x81, third == 0xA7 { return true }
    case 0xEF: if second >= 0xAC, second <= 0xBB { return true }
    case 0xF0: if second == 0x90 || second == 0x9E { return true }
    default: break
    }
  }
  return false
}

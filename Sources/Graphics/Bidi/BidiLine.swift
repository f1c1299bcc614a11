/// The characters of a line and the order in which they are written from left to right.
///
/// The Unicode Bidirectional Algorithm, UAX #9 of Unicode 15, for one line that is a paragraph of
/// its own. Characters beyond `capacity` are left out. The line owns its levels and its order; only
/// `append` and `resolve` change them.
struct BidiLine: ~Copyable {
  /// The most characters: more than a value of a phone has bytes.
  static var capacity: Int { 512 }
  /// No place in the line.
  static var nowhere: UInt16 { .max }

  /// How many characters there are.
  private(set) var count = 0
  /// The code of each character.
  var codes = InlineArray<512, UInt32>(repeating: 0)
  /// The class of each character.
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
  /// The level of the line.
  private(set) var level: UInt8 = 0
  /// How many characters `order` has.
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
  /// Leaves `nowhere` in `places` of those characters that start one.
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

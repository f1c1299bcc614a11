/// The embeddings, overrides and isolates that are open at a character.
///
/// The directional status stack of UAX #9, chapter 3.3.2.
struct DirectionStack {
  /// One of them.
  struct Entry {
    /// The level of what is inside.
    var level: UInt8
    /// The direction that everything inside is given.
    var override: BidiClass?
    /// Whether it is an isolate.
    var isIsolate: Bool
  }

  /// The deepest level (BD2).
  private static var maxDepth: UInt8 { 125 }

  private var levels = InlineArray<128, UInt8>(repeating: 0)
  private var overrides = InlineArray<128, BidiClass>(repeating: .otherNeutral)
  private var isolates = InlineArray<128, Bool>(repeating: false)
  private var count = 1
  private var overflowIsolates = 0
  private var overflowEmbeddings = 0
  private var validIsolates = 0

  /// Only the paragraph is open.
  init(_ level: UInt8) { levels[0] = level }

  /// The innermost one.
  var top: Entry {
    let override = overrides[count - 1]
    return Entry(
      level: levels[count - 1], override: override == .otherNeutral ? nil : override,
      isIsolate: isolates[count - 1])
  }

  /// Rules X2 to X5.
  mutating func embed(_ initiator: BidiClass) {
    let isRight = initiator == .rightEmbedding || initiator == .rightOverride
    let level = next(isRight: isRight)
    if level <= Self.maxDepth, overflowIsolates == 0, overflowEmbeddings == 0 {
      let override: BidiClass =
        initiator == .rightOverride ? .right : initiator == .leftOverride ? .left : .otherNeutral
      push(level, override, isIsolate: false)
    } else if overflowIsolates == 0 {
      overflowEmbeddings += 1
    }
  }

  /// Rules X5a to X5c.
  mutating func isolate(isRight: Bool) {
    let level = next(isRight: isRight)
    if level <= Self.maxDepth, overflowIsolates == 0, overflowEmbeddings == 0 {
      validIsolates += 1
      push(level, .otherNeutral, isIsolate: true)
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
      while !isolates[count - 1] { count -= 1 }
      count -= 1
      validIsolates -= 1
    }
  }

  /// Rule X7.
  mutating func endEmbedding() {
    if overflowIsolates > 0 { return }
    if overflowEmbeddings > 0 {
      overflowEmbeddings -= 1
    } else if !isolates[count - 1], count >= 2 {
      count -= 1
    }
  }

  /// The least level above the innermost one that goes in a direction.
  private func next(isRight: Bool) -> UInt8 {
    isRight ? (levels[count - 1] + 1) | 1 : (levels[count - 1] + 2) & ~1
  }

  private mutating func push(_ level: UInt8, _ override: BidiClass, isIsolate: Bool) {
    levels[count] = level
    overrides[count] = override
    isolates[count] = isIsolate
    count += 1
  }
}

/// The embeddings, overrides and isolates that are open at a character.
///
/// The directional status stack of UAX #9, chapter 3.3.2.
struct DirectionStack {
  /// An embedding, override or isolate.
  struct Entry {
    /// The level inside it.
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

  /// The innermost one.
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

/// Notifications whose texts are still to be asked for: calls first, then the oldest.
struct NotificationQueue {
  static var capacity: Int { 16 }

  private var entries = InlineArray<16, SourceEvent>(repeating: .nothing)
  private(set) var count = 0

  subscript(index: Int) -> SourceEvent { entries[index] }

  /// Adds one unless it is there; where all places are taken, the oldest that is no call goes.
  mutating func add(_ entry: SourceEvent) {
    if place(of: entry.uid) != nil { return }
    var place = count
    if entry.isCall {
      place = 0
      while place < count, entries[place].isCall { place += 1 }
    }
    if count == Self.capacity {
      guard let oldest = firstOther else { return }
      remove(at: oldest)
      place = min(place, count)
    }
    for index in stride(from: count, to: place, by: -1) { entries[index] = entries[index - 1] }
    entries[place] = entry
    count += 1
  }

  /// Whether one with this number is there.
  func contains(_ uid: UInt32) -> Bool { place(of: uid) != nil }

  /// Whether somebody who calls is there.
  var hasCall: Bool { count > 0 && entries[0].isCall }

  /// Takes out all who call.
  mutating func removeCalls() { while hasCall { remove(at: 0) } }

  /// Takes over what the phone says anew of one that is there.
  mutating func change(_ entry: SourceEvent) {
    if let place = place(of: entry.uid) { entries[place].take(entry) }
  }

  private func place(of uid: UInt32) -> Int? {
    for index in 0..<count where entries[index].uid == uid { return index }
    return nil
  }

  private var firstOther: Int? {
    for index in 0..<count where !entries[index].isCall { return index }
    return nil
  }

  mutating func remove(_ uid: UInt32) {
    if let place = place(of: uid) { remove(at: place) }
  }

  private mutating func remove(at place: Int) {
    for index in place..<count - 1 { entries[index] = entries[index + 1] }
    count -= 1
  }

  /// Takes the first one out, or the first call; calls come first.
  mutating func take(callsOnly: Bool) -> SourceEvent? {
    guard count > 0, entries[0].isCall || !callsOnly else { return nil }
    let first = entries[0]
    remove(at: 0)
    return first
  }

  mutating func removeAll() { count = 0 }
}

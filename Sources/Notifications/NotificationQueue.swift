/// Notifications whose texts are still to be asked for: calls first, then the oldest.
struct NotificationQueue {
  struct Entry: Equatable {
    var uid: UInt32 = 0
    var isCall = false
  }

  static var capacity: Int { 16 }

  private var entries = InlineArray<16, Entry>(repeating: Entry())
  private(set) var count = 0

  subscript(index: Int) -> Entry { entries[index] }

  /// Adds one unless it is there; where all places are taken, the oldest that is no call goes.
  mutating func add(_ uid: UInt32, isCall: Bool) {
    for index in 0..<count where entries[index].uid == uid { return }
    var place = count
    if isCall {
      place = 0
      while place < count, entries[place].isCall { place += 1 }
    }
    if count == Self.capacity {
      guard let oldest = firstOther else { return }
      remove(at: oldest)
      place = min(place, count)
    }
    for index in stride(from: count, to: place, by: -1) { entries[index] = entries[index - 1] }
    entries[place] = Entry(uid: uid, isCall: isCall)
    count += 1
  }

  private var firstOther: Int? {
    for index in 0..<count where !entries[index].isCall { return index }
    return nil
  }

  mutating func remove(_ uid: UInt32) {
    for index in 0..<count where entries[index].uid == uid { return remove(at: index) }
  }

  private mutating func remove(at place: Int) {
    for index in place..<count - 1 { entries[index] = entries[index + 1] }
    count -= 1
  }

  /// Takes the first one out, or the first call; calls come first.
  mutating func take(callsOnly: Bool) -> Entry? {
    guard count > 0, entries[0].isCall || !callsOnly else { return nil }
    let first = entries[0]
    remove(at: 0)
    return first
  }

  mutating func removeAll() { count = 0 }
}

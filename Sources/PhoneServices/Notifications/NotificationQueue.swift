/// Notifications whose texts must still be requested: calls first, then the oldest.
///
/// Only `NotificationSession` has one and changes it.
struct NotificationQueue {
  static var capacity: Int { 16 }

  private var entries = InlineArray<16, SourceEvent>(repeating: .nothing)
  private(set) var count = 0

  subscript(index: Int) -> SourceEvent { entries[index] }

  /// Adds one unless it is here; if all places are taken, the oldest one that is no call goes.
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

  func contains(_ uid: UInt32) -> Bool { place(of: uid) != nil }

  var hasCall: Bool { count > 0 && entries[0].isCall }

  mutating func removeCalls() { while hasCall { remove(at: 0) } }

  /// Adopts the new flags of one that is here.
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

  /// Removes and returns the first one; with `callsOnly` only if it is a call.
  mutating func take(callsOnly: Bool) -> SourceEvent? {
    guard count > 0, entries[0].isCall || !callsOnly else { return nil }
    let first = entries[0]
    remove(at: 0)
    return first
  }

  mutating func removeAll() { count = 0 }
}

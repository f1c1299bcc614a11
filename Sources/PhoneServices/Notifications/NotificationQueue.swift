import Bytes

/// Notifications whose texts must still be requested: calls first, then the oldest.
///
/// Only `NotificationSession` has one and changes it.
struct NotificationQueue {
  private var entries = FixedList<16, SourceEvent>(filler: .nothing)

  var count: Int { entries.count }

  subscript(index: Int) -> SourceEvent { entries[index] }

  /// Adds a notification unless it is there; a full queue drops the oldest one that is not a call.
  mutating func add(_ entry: SourceEvent) {
    if place(of: entry.uid) != nil { return }
    if entries.isFull {
      guard callCount < count else { return }
      entries.remove(at: callCount)
    }
    entries.insert(entry, at: entry.isCall ? callCount : count)
  }

  func contains(_ uid: UInt32) -> Bool { place(of: uid) != nil }

  var hasCall: Bool { callCount > 0 }

  mutating func removeCalls() { while hasCall { entries.remove(at: 0) } }

  /// Adopts the new flags of a notification in the queue.
  mutating func change(_ entry: SourceEvent) {
    if let place = place(of: entry.uid) { entries[place].adopt(entry) }
  }

  private func place(of uid: UInt32) -> Int? {
    for index in 0..<count where entries[index].uid == uid { return index }
    return nil
  }

  /// How many calls are in front of the others.
  private var callCount: Int {
    for index in 0..<count where !entries[index].isCall { return index }
    return count
  }

  mutating func remove(_ uid: UInt32) {
    if let place = place(of: uid) { entries.remove(at: place) }
  }

  /// Removes and returns the first one; with `callsOnly` only if it is a call.
  mutating func take(callsOnly: Bool) -> SourceEvent? {
    hasCall || !callsOnly ? entries.takeFirst() : nil
  }

  mutating func removeAll() { entries.removeAll() }
}

extension NotificationSession {
  /// Which notifications the rider wants to see.
  package enum Wish: Sendable {
    case calls
    case all
    /// Calls, and the notifications of some apps: the name of the app is requested with each.
    case apps
  }

  /// What the panel must show, or show no longer.
  package enum Outcome: Equatable, Sendable {
    /// A call came in: `title` has the name.
    case call
    /// The call has ended, or was accepted.
    case callEnded
    /// `title` and `message` have another notification.
    case other
    /// The phone does not allow access to its notifications; with its error.
    case forbidden(UInt8)
  }

  /// An action that the phone offers, with its identifier.
  package enum Action: UInt8, Sendable {
    case accept = 0
    case refuse = 1
  }
}

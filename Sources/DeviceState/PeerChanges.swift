import Bytes

/// Changes by the phone and the sensors that are not on disk yet, and when they may be written.
///
/// A peer must not wear out the card: its changes are written once its link is over, and 10 s after any other write at
/// the earliest. The pause doubles with each such write: there are 29 in an hour at most.
struct PeerChanges {
  private static var shortestPause: Int64 { 10_000 }
  private static var longestPause: Int64 { 150_000 }
  /// After this time without such a write the pause is short again.
  private static var calmTime: Int64 { 600_000 }

  /// Whether there are changes of each kind.
  private(set) var hasBond = false
  private(set) var hasApps = false
  private(set) var hasSensors = false
  /// The last pause; at the start half of the first one.
  private var pause = PeerChanges.shortestPause / 2
  private var pauseEnd: Instant?

  var areAny: Bool { hasBond || hasApps || hasSensors }

  mutating func noteBond() { hasBond = true }

  mutating func noteApps() { hasApps = true }

  mutating func noteSensors() { hasSensors = true }

  /// Another phone is remembered now, or none.
  mutating func forgetPhone() { (hasBond, hasApps) = (false, false) }

  /// The disk is read again, or a record with all changes is written.
  mutating func forget() { (hasBond, hasApps, hasSensors) = (false, false, false) }

  /// From when on the changes may be written; `nil` while there are none, or their peer may make more.
  func due(isPhoneLinked: Bool, areSensorsLinked: Bool) -> Instant? {
    let isAny = (hasBond || hasApps) && !isPhoneLinked || hasSensors && !areSensorsLinked
    return isAny ? pauseEnd ?? Instant(milliseconds: 0) : nil
  }

  /// The changes are being written.
  mutating func writeBegins(at now: Instant) {
    let isCalm = pauseEnd.map { now - $0 >= Self.calmTime } ?? true
    pause = isCalm ? Self.shortestPause : min(pause * 2, Self.longestPause)
    pauseEnd = now + pause
    forget()
  }

  /// Something else was written.
  mutating func wasWritten(at now: Instant) {
    let end = now + Self.shortestPause
    pauseEnd = pauseEnd.map { max($0, end) } ?? end
  }
}

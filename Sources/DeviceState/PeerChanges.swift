import Bytes

/// What the phone and the sensors have changed that the disk does not have yet, and when it may be written.
///
/// Nobody but the rider wears the card: what a peer changes is written once its link is over, and 10 s after any
/// other write at the earliest. The more such writes there are, the further they are apart: there are 29 in an hour
/// at most.
struct PeerChanges {
  private static var shortestPause: Int64 { 10_000 }
  private static var longestPause: Int64 { 150_000 }
  /// After so long without one they may be close together again.
  private static var calmTime: Int64 { 600_000 }

  /// Whether there are some of each kind.
  private(set) var hasBond = false
  private(set) var hasApps = false
  private(set) var hasSensors = false
  /// The last one; the first is twice this.
  private var pause = PeerChanges.shortestPause / 2
  private var pauseEnd: Instant?

  var areAny: Bool { hasBond || hasApps || hasSensors }

  mutating func noteBond() { hasBond = true }

  mutating func noteApps() { hasApps = true }

  mutating func noteSensors() { hasSensors = true }

  /// Another phone is remembered now, or none.
  mutating func forgetPhone() { (hasBond, hasApps) = (false, false) }

  /// The disk is read again, or a record is written that has all of it.
  mutating func forget() { (hasBond, hasApps, hasSensors) = (false, false, false) }

  /// From when on they may be written; `nil` while a peer may change more of it, and while there are none.
  func due(isPhoneLinked: Bool, areSensorsLinked: Bool) -> Instant? {
    let isAny = (hasBond || hasApps) && !isPhoneLinked || hasSensors && !areSensorsLinked
    return isAny ? pauseEnd ?? Instant(milliseconds: 0) : nil
  }

  /// They are being written.
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

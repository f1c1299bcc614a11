import ATT
package import Bytes

/// When to read the characteristic.
///
/// A read follows each notification without a whole value, else every 3 s: after 5 s without a read the
/// iPhone app advertises again. The host makes the first read when the link is ready.
///
/// Some Android phones notify only devices that they have registered. There the plan polls the value. After
/// news more news soon follows, as turns are close to each other near a junction. A poll costs little: two
/// short packets in connection events that happen anyway. So after news the next read comes 250 ms later,
/// then 500 ms, then every second until there is news again.
///
/// An app that hangs, or whose tour is over, lets the same value be read again and again. So on a link on which the
/// phone has notified, a value is news only if it was notified, or has another identifier than the one before.
///
/// The plan owns the time of the next read, which only its calls change.
package struct ReadingPlan: Sendable {
  /// Milliseconds between two reads of a phone that notifies.
  private static var notifiedInterval: Int64 { 3_000 }
  /// Milliseconds from news to the next read of a phone that does not notify.
  private static var firstSilentInterval: Int64 { 250 }
  /// Milliseconds between two reads of such a phone without news.
  private static var lastSilentInterval: Int64 { 1_000 }

  /// Whether the phone has notified on this link.
  package private(set) var hasNotified = false
  /// Whether the phone has notified since the last value.
  private var isValueNotified = false
  private var silentInterval = ReadingPlan.lastSilentInterval

  /// When the next read is due; `nil` without a link.
  package private(set) var deadline: Instant?

  package init() {}

  /// The link is ready, and the first value is being read.
  package mutating func begin(at now: Instant) {
    (hasNotified, isValueNotified) = (false, false)
    silentInterval = Self.lastSilentInterval
    deadline = now + silentInterval
  }

  /// The link is gone.
  package mutating func end() { (deadline, hasNotified) = (nil, false) }

  /// The phone has notified.
  package mutating func receive(_ notification: Notification, at now: Instant) {
    guard deadline != nil, notification != .ignore else { return }
    (hasNotified, isValueNotified) = (true, true)
    if notification != .whole { deadline = now }
  }

  /// Receives a value; returns whether it is news, and not just a sign that the link is alive.
  package mutating func receiveValue(_ identifier: UInt32, after last: UInt32) -> Bool {
    defer { isValueNotified = false }
    return !hasNotified || isValueNotified || identifier != last
  }

  /// The value differs from the one before.
  package mutating func receiveNews(at now: Instant) {
    guard deadline != nil, !hasNotified else { return }
    silentInterval = Self.firstSilentInterval
    deadline = now + silentInterval
  }

  /// Whether to read now; if so, the next read is due an interval later.
  package mutating func takeDueRead(at now: Instant) -> Bool {
    guard let due = deadline, now >= due else { return false }
    silentInterval = min(silentInterval * 2, Self.lastSilentInterval)
    deadline = now + (hasNotified ? Self.notifiedInterval : silentInterval)
    return true
  }
}

/// What follows from a notification of the characteristic.
///
/// iOS notifies the identifier alone, and sometimes the whole value. Android notifies the value cut to what
/// fits. So only a value with room to spare is certainly whole.
package enum Notification: Equatable, Sendable {
  /// The identifier of a new value, which the device must read.
  case identifier(UInt32)
  /// A whole value for `Instruction(parsing:)`.
  case whole
  /// A value that may be cut, so that the device must read it.
  case cut
  /// A form that no phone sends.
  case ignore

  /// Judges `value`, notified on a link whose ATT_MTU is `mtu`, 23...517.
  package init(_ value: Span<UInt8>, mtu: Int) {
    // Opcode and handle of a notification are three bytes of the MTU: Vol 3, Part F, 3.4.7.1.
    let room = mtu - 3
    var reader = ByteReader(value)
    if value.count >= Instruction.minimumLength {
      let mayBeCut = value.count >= room || SmallestMTU.mayHaveCut(value.count)
      self = mayBeCut ? .cut : .whole
    } else if value.count == Instruction.identifierCount, let identifier = try? reader.u32() {
      self = .identifier(identifier)
    } else {
      self = .ignore
    }
  }
}

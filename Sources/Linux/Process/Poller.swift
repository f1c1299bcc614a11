package import Bytes
import CLinux

/// What to wait for on a descriptor.
package enum Interest: Sendable {
  case read
  case write
  case readOrWrite
  /// Nothing but the end of a connection, which poll reports in any case.
  case end

  fileprivate var events: Int16 {
    switch self {
    case .read: Int16(LINUX_POLL_READ)
    case .write: Int16(LINUX_POLL_WRITE)
    case .readOrWrite: Int16(LINUX_POLL_READ | LINUX_POLL_WRITE)
    case .end: 0
    }
  }
}

/// The one wait: everything that can wake the program, in one poll(2).
///
///     poller.removeAll()
///     poller.add(radio.descriptor, radio.interest(hasOutput: true))
///     poller.wait(until: deadline, now: Clock.now)
///     if poller.isReadable(radio.descriptor) { … }
public struct Poller: ~Copyable {
  private static var noEntry: linux_poll_entry {
    linux_poll_entry(descriptor: -1, interest: 0, ready: 0)
  }
  private var entries = InlineArray<16, linux_poll_entry>(repeating: Poller.noEntry)
  private var count = 0

  package init() {}

  package mutating func removeAll() {
    entries = InlineArray(repeating: Self.noEntry)
    count = 0
  }

  /// Waits for `descriptor` too, from the next wait on; `Descriptor.none` is passed over.
  package mutating func add(_ descriptor: Descriptor, _ interest: Interest = .read) {
    precondition(count < entries.count, "the program waits for more descriptors than Poller holds")
    guard descriptor.rawValue >= 0 else { return }
    entries[count] = linux_poll_entry(
      descriptor: descriptor.rawValue, interest: interest.events, ready: 0)
    count += 1
  }

  /// Returns when a descriptor is ready, at `deadline` (`nil`: never), or early after a signal.
  package mutating func wait(until deadline: Instant?, now: Instant) {
    var timeout: Int32 = -1
    if let deadline {
      // A longer wait ends early, which costs one turn of the loop in 24 days.
      timeout = Int32(truncatingIfNeeded: max(0, min(deadline - now, 0x7FFF_FFFF)))
    }
    // poll passes over the unused entries, whose descriptor is negative.
    var span = entries.mutableSpan
    guard linux_poll(&span, timeout) < 0 else { return }
    for index in 0..<count { entries[index].ready = 0 }
  }

  /// Whether reading gives bytes, the end or an error at once.
  package func isReadable(_ descriptor: Descriptor) -> Bool {
    readiness(descriptor) & ~Int16(LINUX_POLL_WRITE) != 0
  }

  /// Whether writing takes bytes or gives an error at once.
  package func isWritable(_ descriptor: Descriptor) -> Bool {
    readiness(descriptor) & ~Int16(LINUX_POLL_READ) != 0
  }

  /// Whether the other side of a connection is gone, or there is an error.
  package func hasEnded(_ descriptor: Descriptor) -> Bool {
    readiness(descriptor) & ~Int16(LINUX_POLL_READ | LINUX_POLL_WRITE) != 0
  }

  private func readiness(_ descriptor: Descriptor) -> Int16 {
    for index in 0..<count where entries[index].descriptor == descriptor.rawValue {
      return entries[index].ready
    }
    return 0
  }
}

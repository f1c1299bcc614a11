package import Bytes

/// A way from the device to the outside, which may fail or vanish and is opened again.
package enum Port: Equatable, Sendable {
  /// The Bluetooth controller.
  case hci
  /// The panel on its bus.
  case panel
  /// The line of the panel's reset, which is opened with it, just before its bus.
  case panelReset
  /// The buttons, or what stands in for them.
  case buttons
  /// The line of a buzzer or LED.
  case alert
  /// The file of the bond.
  case store
}

/// The state of a port.
package enum PortState: Equatable, Sendable {
  /// The board has no such port.
  case absent
  /// It failed, or was never opened; its owner closes what is left of it.
  case closed
  /// It is being opened, which takes a while.
  case opening
  case open
}

/// The state of one port, when to open it again, and which of its failures have been reported.
///
/// | state | opened | begins to open | failed | its time comes |
/// |---|---|---|---|---|
/// | absent | – | – | – | – |
/// | closed | open | opening | closed, due after the pause | due: the owner opens it |
/// | opening | open | – | closed, due after the pause | – |
/// | open | – | – | closed, due after the pause | – |
package struct PortKeeper {
  package private(set) var state: PortState
  /// When to open it: never while it is open or being opened.
  package private(set) var retry: Retry

  /// A port that is to be opened at this moment; `nil` for one that the board does not have.
  package init(opening now: Instant?, pause: Int64) {
    state = now == nil ? .absent : .closed
    retry = Retry(at: now, pause: pause)
  }

  package var isOpen: Bool { state == .open }

  package mutating func beginOpening() {
    state = .opening
    retry.stop()
  }

  package mutating func finishOpening() {
    state = .open
    retry.stop()
  }

  /// The port works: later failures are new ones.
  package mutating func succeeded() { retry.succeeded() }

  /// Closes it, to be opened again after its own pause or the given one; returns whether this kind of failure is to be
  /// reported.
  package mutating func failed(_ kind: Int32, at now: Instant, pause: Int64? = nil) -> Bool {
    state = .closed
    return retry.failed(kind, at: now, pause: pause)
  }

  /// Something behind an open port failed, and the port stays open; returns whether to report that.
  mutating func failedBehind(_ kind: Int32, at now: Instant) -> Bool {
    let isNew = retry.failed(kind, at: now)
    retry.stop()
    return isNew
  }

  /// Closes it without a report, to be opened again at `end`.
  package mutating func close(until end: Instant) {
    state = .closed
    retry.again(at: end)
  }
}

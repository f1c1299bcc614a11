import BoardFile
package import Bytes
import Central
import Controller

/// The controller's port: when it is opened, what failed, and what brings it back.
extension Device {
  /// Notes that a connection to the controller is being made, which takes a while.
  package mutating func radioOpeningBegan(at now: Instant) {
    clock = now
    record.note(.radioOpening, at: now)
    ports.hci.beginOpening()
  }

  /// Notes that the transport is open, and brings the controller up from Reset on.
  ///
  /// That waits until the store was read once: a stranger must not take the place of a phone that
  /// cannot be read at the moment.
  package mutating func radioWasOpened(at now: Instant) {
    clock = now
    record.note(.radioOpen, at: now)
    ports.hci.wasOpened()
    if isStoreAwaited { recovery.pause() } else { startHost(at: now) }
  }

  mutating func startHost(at now: Instant) {
    host.step(.start, at: now)
    handleHostEvents(at: now)
  }

  /// Notes that the controller is up.
  mutating func controllerCameUp(at now: Instant) {
    radioTrouble = nil
    hasRadioWorked = true
    ports.hci.succeeded()
    recovery.cameUp(at: now)
  }

  /// Notes that the transport failed, or could not be opened.
  package mutating func radioFailed(_ failure: RadioFailure, at now: Instant) {
    clock = now
    record.note(.radioFailed(failure), at: now)
    host.stop(at: now)
    radioTrouble = .transport(failure)
    scene.isChanged = true
    let step = recovery.failed(
      ports.hci.isOpen ? .transport : .opening, isCurable: failure.isCurable, at: now)
    let pause = RadioPause.after(failure, of: board.hci, isStarting: now < startEnd)
    if isDriverAwaited(after: failure, at: now) {
      ports.hci.close(until: now + pause)
    } else if ports.hci.failed(failure.kind, at: now, pause: pause) {
      tellRadioTrouble(at: now)
    }
    if let step { tell(step, at: now) }
    // The link is lost because of that.
    handleHostEvents(at: now)
  }

  /// Whether the driver may still be being loaded, which is no failure.
  private func isDriverAwaited(after failure: RadioFailure, at now: Instant) -> Bool {
    guard case .errno(let reason) = failure, board.hci.isDevice, !hasRadioWorked, now < startEnd
    else { return false }
    return switch reason {
    case .noSuchFamily, .noSuchDevice, .inProgress: true
    default: false
    }
  }

  /// The controller itself failed: the host goes on from Reset, or the transport is opened anew.
  mutating func controllerFailed(_ failure: HostFailure, at now: Instant) {
    radioTrouble = .controller(failure)
    scene.isChanged = true
    let step = recovery.failed(.controller, isCurable: !failure.lacksLE, at: now) ?? .reopen
    let isNew: Bool
    if step == .reset {
      isNew = ports.hci.failedBehind(failure.kind, at: now)
    } else {
      host.stop(at: now)
      isNew = ports.hci.failed(failure.kind, at: now, pause: RadioPause.after(failure))
    }
    if isNew { tellRadioTrouble(at: now) }
    tell(step, at: now)
  }

  private mutating func tellRadioTrouble(at now: Instant) {
    var message = Explanation()
    radioTrouble?.explain(board.hci, recovery.lastStep, into: &message)
    fail(.hci, message.bytes, at: now)
  }

  // MARK: - The ladder

  /// How long the port stays closed for its driver to let go of the controller, in milliseconds:
  /// while anybody has that open, its number is not given to the next one.
  private static var rebindPause: Int64 { 3_000 }

  /// Takes the step whose time has come.
  mutating func climb(at now: Instant) {
    guard let step = recovery.takeStep(at: now) else { return }
    if step == .rebind {
      host.stop(at: now)
      ports.hci.close(until: now + Self.rebindPause)
      isRebindWished = true
    }
    scene.isChanged = true
    tell(step, at: now)
    handleHostEvents(at: now)
  }

  private mutating func tell(_ step: RecoveryStep, at now: Instant) {
    log.recovery(step, count: recovery.count(step), at: now)
  }

  /// Notes that whoever can do so was asked to unbind the controller's driver and bind it again.
  package mutating func rebindWasAsked() { isRebindWished = false }

  /// Whether the watchdog is to be starved, so that the board is started anew.
  package var isRebootWished: Bool { recovery.isRebooting }
}

/// How long to wait before the transport is opened again after a failure, in milliseconds.
enum RadioPause {
  /// For a stream that is out of step, so that it is back in step within a second.
  private static var resync: Int64 { 250 }
  /// For a controller whose driver may still be loading.
  private static var look: Int64 { 100 }
  private static var usual: Int64 { 1_000 }

  static func after(
    _ failure: RadioFailure, of port: ControllerPort, isStarting: Bool
  ) -> Int64 {
    switch failure {
    case .stream, .stalled: resync
    case .errno where isStarting && port.isDevice: look
    case .errno, .unanswered: usual
    }
  }

  static func after(_ failure: HostFailure) -> Int64 {
    if case .commandTimeout = failure { resync } else { usual }
  }
}

package import BoardFile
package import Bytes
import Central
package import Controller
import Link

/// The ports and the radio: which are open, when to open the others, how the radio is brought back; and the time.
///
/// Only its functions change these values. They return what is to be reported or done.
package struct Upkeep: ~Copyable {
  /// What follows from a failure of the radio.
  package struct Outcome {
    /// Whether to report the failure, as it is another one than before.
    package let isToBeReported: Bool
    /// What is done about it at once.
    package let step: RecoveryStep?
  }

  /// A radio that is missing at the start may still come in this time, as its driver may be loading.
  private static var startTime: Int64 { 5_000 }
  /// How long the port stays closed for its driver to let go of the controller, in milliseconds.
  ///
  /// While a program has the port open, its number is not given to the next controller.
  private static var rebindPause: Int64 { 3_000 }

  /// The firmware's own version, as the events report it.
  package let version: FixedBuffer<32>
  /// How many bytes of it are its number, behind which the commit follows.
  private let numberCount: Int
  /// The time that the device was given last.
  package private(set) var now: Instant
  package private(set) var isLeaving = false
  package private(set) var ports: PortKeepers
  /// What is wrong with the radio, while something is.
  package private(set) var radioTrouble: RadioTrouble?
  package private(set) var recovery: Recovery
  /// Whether the controller's driver is to be unbound and bound again; `rebindRequestWasSent` ends it.
  package private(set) var isRebindRequested = false
  /// Whether a controller has come up since the start.
  package private(set) var hasRadioWorked = false
  /// Whether the machine does nothing but this, so that nobody has a command line on it.
  package let isMachineOurs: Bool
  /// When the radio is missing for good.
  private let startEnd: Instant
  private let controllerPort: ControllerPort
  private let hasPanelReset: Bool

  /// A device that is switched on now, with nothing open; with `radioOnly` it opens nothing but the radio.
  package init(
    _ board: borrowing Board, version: Span<UInt8>, _ means: RecoveryMeans, radioOnly: Bool,
    at now: Instant
  ) {
    var ownVersion = FixedBuffer<32>()
    ownVersion.assign(version)
    var count = 0
    while count < ownVersion.count, ownVersion.bytes[count] != UInt8(ascii: "+") { count += 1 }
    numberCount = count
    self.version = ownVersion
    self.now = now
    ports = PortKeepers(board, radioOnly: radioOnly, at: now)
    recovery = Recovery(board.hci.isDevice ? means : .none)
    isMachineOurs = means.rebootTime != nil
    startEnd = now + Self.startTime
    controllerPort = board.hci
    hasPanelReset = board.panelReset != nil
  }

  /// As much of the version as the panel shows.
  package var number: Span<UInt8> { version.bytes.extracting(first: numberCount) }

  // MARK: - Time

  /// Advances the time to `now`.
  package mutating func advance(to now: Instant) { self.now = now }

  /// From now on nothing is opened.
  package mutating func leave() { isLeaving = true }

  /// When a port is to be opened, or the radio to be brought back by a stronger step.
  package var deadline: Instant? { earlier(ports.deadline, recovery.deadline) }

  // MARK: - Ports

  /// Whether it is time to open a port.
  package func isDue(_ port: Port, at now: Instant) -> Bool {
    guard !isLeaving, port != .panelReset || hasPanelReset else { return false }
    return ports[port].retry.isDue(at: now)
  }

  package mutating func beginOpening(_ port: Port) { ports[port].beginOpening() }

  package mutating func finishOpening(_ port: Port) { ports[port].finishOpening() }

  /// A port works: later failures are new ones.
  package mutating func succeeded(_ port: Port) { ports[port].succeeded() }

  /// A port failed, and is opened again after a while; returns whether this kind of failure is to be reported.
  package mutating func failed(_ port: Port, _ kind: Int32, at now: Instant) -> Bool {
    ports[port].failed(kind, at: now)
  }

  /// Closes a port without a report, to be opened again at `end`.
  package mutating func close(_ port: Port, until end: Instant) { ports[port].close(until: end) }

  /// The GPIO chip is gone; returns whether the panel was closed, too, as its reset line is on that chip.
  ///
  /// The alert line is closed, too: else the next alert would find that out, and be lost. The kernel keeps the name of
  /// a chip while one of its lines is held: a chip that returns would get another name.
  package mutating func lineChipIsGone(at now: Instant) -> Bool {
    let end = now + PortKeepers.usualPause
    if ports[.alert].isOpen { ports[.alert].close(until: end) }
    guard hasPanelReset, ports[.panel].isOpen else { return false }
    ports[.panel].close(until: end)
    return true
  }

  // MARK: - The radio

  /// Whether the radio is coming up for the first time, or its driver may still be loading.
  package var isRadioAwaited: Bool {
    switch radioTrouble {
    case nil: true
    case .transport: !hasRadioWorked && controllerPort.isDevice && now < startEnd
    case .controller: false
    }
  }

  /// The transport is open; unless the controller `isBroughtUp` now, its state is unknown.
  package mutating func radioWasOpened(isBroughtUp: Bool) {
    ports[.hci].finishOpening()
    if !isBroughtUp { recovery.pause() }
  }

  package mutating func controllerCameUp(at now: Instant) {
    radioTrouble = nil
    hasRadioWorked = true
    ports[.hci].succeeded()
    recovery.cameUp(at: now)
  }

  /// The transport failed, or could not be opened.
  package mutating func radioFailed(_ failure: RadioFailure, at now: Instant) -> Outcome {
    radioTrouble = .transport(failure)
    let step = recovery.failed(
      ports[.hci].isOpen ? .transport : .opening, isCurable: failure.isCurable, at: now)
    let pause = RadioPause.after(failure, of: controllerPort, isStarting: now < startEnd)
    guard !isDriverAwaited(after: failure, at: now) else {
      ports[.hci].close(until: now + pause)
      return Outcome(isToBeReported: false, step: step)
    }
    let isNew = ports[.hci].failed(failure.kind, at: now, pause: pause)
    return Outcome(isToBeReported: isNew, step: step)
  }

  /// Whether the driver may still be being loaded, which is no failure.
  private func isDriverAwaited(after failure: RadioFailure, at now: Instant) -> Bool {
    guard case .errno(let reason) = failure, controllerPort.isDevice, !hasRadioWorked,
      now < startEnd
    else { return false }
    return switch reason {
    case .noSuchFamily, .noSuchDevice, .inProgress: true
    default: false
    }
  }

  /// The controller itself failed: it goes on from Reset, or the transport is opened again.
  package mutating func controllerFailed(_ failure: HostFailure, at now: Instant) -> Outcome {
    var what = Recovery.Failure.controller
    if case .noLinks(_, let times) = failure { what = .links(times: times) }
    let step = recovery.failed(what, isCurable: !failure.lacksLE, at: now)
    // Where no device is near, a controller that hears nothing is no trouble.
    if failure == .deaf, step == .reset { return Outcome(isToBeReported: false, step: step) }
    radioTrouble = .controller(failure)
    let isNew =
      step == .reset
      ? ports[.hci].failedBehind(failure.kind, at: now)
      : ports[.hci].failed(failure.kind, at: now, pause: RadioPause.after(failure))
    return Outcome(isToBeReported: isNew, step: step)
  }

  /// The step whose time has come.
  package mutating func takeStep(at now: Instant) -> RecoveryStep? {
    guard let step = recovery.takeStep(at: now) else { return nil }
    if step == .rebind {
      ports[.hci].close(until: now + Self.rebindPause)
      isRebindRequested = true
    }
    return step
  }

  package mutating func rebindRequestWasSent() { isRebindRequested = false }
}

/// The keepers of all ports.
package struct PortKeepers {
  /// From the beginning of one attempt at the panel to the next, in milliseconds.
  private static var panelPause: Int64 { 500 }
  static var usualPause: Int64 { 1_000 }

  private var hci, panel, buttons, alert, store: PortKeeper

  init(_ board: borrowing Board, radioOnly: Bool, at now: Instant) {
    let others: Instant? = radioOnly ? nil : now
    hci = PortKeeper(opening: now, pause: Self.usualPause)
    panel = PortKeeper(opening: others, pause: Self.panelPause)
    buttons = PortKeeper(opening: board.hasButtons ? others : nil, pause: Self.usualPause)
    alert = PortKeeper(opening: board.alert == nil ? nil : others, pause: Self.usualPause)
    store = PortKeeper(opening: board.pairing == .off ? nil : others, pause: Self.usualPause)
  }

  /// The keeper of a port; the panel's reset stands as the panel does.
  package subscript(port: Port) -> PortKeeper {
    get {
      switch port {
      case .hci: hci
      case .panel, .panelReset: panel
      case .buttons: buttons
      case .alert: alert
      case .store: store
      }
    }
    set {
      switch port {
      case .hci: hci = newValue
      case .panel, .panelReset: panel = newValue
      case .buttons: buttons = newValue
      case .alert: alert = newValue
      case .store: store = newValue
      }
    }
  }

  var deadline: Instant? {
    let lines = earlier(buttons.retry.deadline, alert.retry.deadline)
    let radio = earlier(hci.retry.deadline, panel.retry.deadline)
    return earlier(radio, earlier(lines, store.retry.deadline))
  }
}

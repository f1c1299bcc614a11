import BoardFile
package import Bytes
import Central
package import Controller
package import HCI

/// What can be done on this machine for a radio that neither Reset nor a new opening brings back.
package struct RecoveryMeans: Equatable, Sendable {
  /// Whether another program unbinds its driver and binds it again on request, which switches the radio off and on.
  package let canRebind: Bool
  /// From when on the machine may be rebooted; `nil` for never.
  package let rebootTime: Instant?

  /// A machine with these means.
  package init(canRebind: Bool, rebootTime: Instant?) {
    self.canRebind = canRebind
    self.rebootTime = rebootTime
  }

  /// No means.
  package static var none: RecoveryMeans { RecoveryMeans(canRebind: false, rebootTime: nil) }
}

/// The steps that bring a radio back, the weakest first.
package enum RecoveryStep: Int, Sendable {
  /// HCI Reset.
  case reset
  /// The transport is closed and opened again.
  case reopen
  /// The driver is unbound and bound again.
  case rebind
  /// The watchdog is starved.
  case reboot
}

/// The ladder by which a radio that fails is brought back.
///
/// | last step | the controller fails | the transport fails | its time comes | up for 10 s |
/// |---|---|---|---|---|
/// | none | reset | reopen | 10 s after the first failure: rebind | – |
/// | reset, reopen | reopen | reopen | 10 s after the first failure: rebind | none |
/// | rebind | reopen, stays | reopen, stays | after 60 s: reboot if that may be, else rebind | none |
/// | reboot | reopen, stays | reopen, stays | after 60 s: rebind | none |
///
/// A controller that makes no links is up all the time: its first step is `reset`, the second `reopen`, and each later
/// one `rebind`, where that is possible.
///
/// A transport that cannot be opened is opened again, which is no step. No time comes while the controller is up, or
/// where nothing can rebind; a failure that no power cycle cures leads back to its first step.
package struct Recovery {
  /// What can fail.
  package enum Failure {
    /// The transport cannot be opened.
    case opening
    /// The transport was open.
    case transport
    case controller
    /// It answers but makes no links: the first time, or again after steps that have not helped.
    case links(times: UInt8)
  }

  /// From the first failure to `rebind`, in milliseconds.
  private static var rebindTime: Int64 { 10_000 }
  /// From `rebind` or `reboot` to the next of them.
  private static var nextTime: Int64 { 60_000 }
  /// From one `reboot` to the next at least, as the machine may not have been rebooted.
  private static var rebootPause: Int64 { 600_000 }
  /// How long a controller is up until it counts as well, in milliseconds.
  private static var settleTime: Int64 { 10_000 }

  package let means: RecoveryMeans
  /// From when on `reboot` may be the next step; `nil` for never.
  private var rebootTime: Instant?
  /// The strongest step since the radio was well; `nil` while it is.
  package private(set) var lastStep: RecoveryStep?
  /// When it is time for `rebind` or `reboot`.
  private var stepTime: Instant?
  /// When a controller that is up is well.
  private var settleEnd: Instant?
  /// How many steps of each kind were taken.
  private var counts = InlineArray<4, Int64>(repeating: 0)

  /// A radio that is well.
  package init(_ means: RecoveryMeans) {
    self.means = means
    rebootTime = means.rebootTime
  }

  /// When to call `takeStep`, if nothing happens before.
  package var deadline: Instant? { settleEnd ?? stepTime }

  /// Whether the watchdog is to be starved, so that the board is started again.
  package var isRebootRequested: Bool { lastStep == .reboot && settleEnd == nil }

  /// Something failed; returns the step to take at once, if there is one.
  package mutating func failed(_ what: Failure, isCurable: Bool, at now: Instant) -> RecoveryStep? {
    settleEnd = nil
    let step: RecoveryStep? =
      switch what {
      case .opening: nil
      case .transport: .reopen
      case .controller: lastStep == nil ? .reset : .reopen
      case .links(let times): times == 1 ? .reset : .reopen
      }
    if let step { counts[step.rawValue] += 1 }
    guard isCurable, means.canRebind else {
      stepTime = nil
      lastStep = step ?? (lastStep == nil ? nil : .reopen)
      return step
    }
    if let step, lastStep ?? .reset == .reset { lastStep = step }
    if case .links(let times) = what, times > 2 { stepTime = now }
    stepTime = stepTime ?? now + Self.rebindTime
    return step
  }

  /// The controller is up.
  mutating func cameUp(at now: Instant) {
    // A controller that came up without any step had its driver loaded late.
    if lastStep == nil { stepTime = nil } else { settleEnd = now + Self.settleTime }
  }

  /// The transport is open, but nothing is asked of the controller: its state is unknown.
  package mutating func pause() { (lastStep, stepTime, settleEnd) = (nil, nil, nil) }

  /// The step whose time has come.
  package mutating func takeStep(at now: Instant) -> RecoveryStep? {
    if let settleEnd {
      if now >= settleEnd { (lastStep, stepTime, self.settleEnd) = (nil, nil, nil) }
      return nil
    }
    guard let due = stepTime, now >= due else { return nil }
    let mayReboot = rebootTime.map { $0 <= now } ?? false
    let step: RecoveryStep = lastStep == .rebind && mayReboot ? .reboot : .rebind
    if step == .reboot { rebootTime = now + Self.rebootPause }
    lastStep = step
    counts[step.rawValue] += 1
    stepTime = now + Self.nextTime
    return step
  }

  /// How often this step was taken.
  package func count(of step: RecoveryStep) -> Int64 { counts[step.rawValue] }
}

extension RadioFailure {
  /// Whether the chip or its driver is to blame, so that switching it off and on may help.
  var isCurable: Bool {
    guard case .errno(let reason) = self else { return true }
    return switch reason {
    case .inProgress, .noSuchDevice, .peerClosed, .networkDown, .timedOut, .inputOutput: true
    default: false
    }
  }
}

/// Why the transport to the controller is closed.
package enum RadioFailure: Error, Equatable, Sendable {
  case errno(Errno)
  case stream(H4Error)
  /// A packet began and did not end, or a command has no answer.
  case stalled
  /// A connection was not made in time.
  case unanswered

  /// A number for each kind of failure, by which it is reported once.
  package var kind: Int32 {
    switch self {
    case .errno(let reason): reason.rawValue
    case .stream(.unknownIndicator): -1
    case .stream(.oversize): -2
    case .stalled: -3
    case .unanswered: -4
    }
  }
}

/// What is wrong with the radio: the transport to the controller, or the controller itself.
package enum RadioTrouble: Equatable, Sendable {
  case transport(RadioFailure)
  case controller(HostFailure)
}

extension HostFailure {
  /// A number for each kind of failure, by which it is reported once; distinct from those of `RadioFailure`.
  package var kind: Int32 {
    switch self {
    case .commandTimeout(let opcode): 0x1_0000 | Int32(opcode.rawValue)
    case .commandFailed(let opcode, _): 0x2_0000 | Int32(opcode.rawValue)
    case .hardwareError(let code): 0x3_0000 | Int32(code)
    case .linkStuck: 0x4_0000
    case .vendorEventsOnly: 0x5_0000
    case .linkUnknown: 0x6_0000
    case .attemptStuck: 0x7_0000
    case .noLinks: 0x8_0000
    case .deaf: 0x9_0000
    }
  }

  /// Whether the controller knows no command of Low Energy.
  package var lacksLE: Bool {
    if case .commandFailed(let opcode, .unknownCommand) = self { opcode.isLE } else { false }
  }
}

/// How long to wait before the transport is opened again after a failure, in milliseconds.
enum RadioPause {
  /// For a stream that is out of step, so that it is back in step within a second.
  private static var resync: Int64 { 250 }
  /// For a controller whose driver may still be loading.
  private static var look: Int64 { 100 }
  private static var usual: Int64 { 1_000 }

  package static func after(
    _ failure: RadioFailure, of port: ControllerPort, isStarting: Bool
  ) -> Int64 {
    switch failure {
    case .stream, .stalled: resync
    case .errno where isStarting && port.isDevice: look
    case .errno, .unanswered: usual
    }
  }

  package static func after(_ failure: HostFailure) -> Int64 {
    if case .commandTimeout = failure { resync } else { usual }
  }
}

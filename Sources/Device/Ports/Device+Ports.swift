package import Battery
import BoardFile
import Buttons
package import Bytes
import Central
import Controller
package import DeviceState
import HCI
import Link
import Navigation
import Panel
import Recording

/// The ports: when each is to be opened, and what follows when one is open or has failed.
extension Device {
  /// Notes that the bus of the panel is open, and asks for a picture.
  package mutating func panelWasOpened(at now: Instant) {
    note(.panelOpen, at: now)
    upkeep.finishOpening(.panel)
    display.busWasOpened(at: now)
  }

  /// Notes that the buttons, or their stand-in, are open, and which buttons are held already.
  package mutating func buttonsWereOpened(
    isAPressed: Bool, isBPressed: Bool, at now: Instant
  ) {
    note(
      .buttonsOpen(isAPressed: isAPressed, isBPressed: isBPressed), at: now)
    upkeep.finishOpening(.buttons)
    upkeep.succeeded(.buttons)
    expectPresses(isAPressed: isAPressed, isBPressed: isBPressed, at: now)
  }

  /// Notes that the alert line is open and low.
  package mutating func alertWasOpened(at now: Instant) {
    note(.alertOpen, at: now)
    upkeep.finishOpening(.alert)
    upkeep.succeeded(.alert)
    alert.lineIs(.low)
  }

  /// Notes that a port failed, or could not be opened.
  package mutating func failed(_ port: Port, _ reason: Errno, at now: Instant) {
    upkeep.advance(to: now)
    switch port {
    case .hci: radioFailed(.errno(reason), at: now)
    case .panel: panelFailed(reason, at: now)
    case .panelReset: panelResetFailed(reason, at: now)
    case .buttons: buttonsFailed(reason, at: now)
    case .alert: alertFailed(reason, at: now)
    case .store:
      record.note(.storeFailed(reason), at: now)
      storeFailed(.errno(reason), at: now)
    }
  }

  private mutating func panelFailed(_ reason: Errno, at now: Instant) {
    record.note(.panelFailed(reason, sentCount: display.output.flush.messages), at: now)
    guard let reason = display.busFailed(reason) else {
      return upkeep.close(.panel, until: now)
    }
    guard upkeep.failed(.panel, reason.kindOnBus.rawValue, at: now) else { return }
    fail(.i2c, Explanation { reason.explain(display.panelPort, into: &$0) }, at: now)
  }

  /// Without its reset the panel may show nothing: both are opened again.
  private mutating func panelResetFailed(_ reason: Errno, at now: Instant) {
    record.note(.panelResetFailed(reason), at: now)
    display.becameUnknown(after: reason)
    // No error of the bus has a negative number.
    guard upkeep.failed(.panel, -reason.rawValue, at: now) else { return }
    fail(.gpio, Explanation { reason.explainLine(of: .panelReset, on: board, into: &$0) }, at: now)
  }

  /// Reports that the panel works at another address than the board file says, and what to change.
  mutating func reportOtherAddress(at now: Instant) {
    fail(.i2c, Explanation { board.display.explain(display.panelPort, into: &$0) }, at: now)
  }

  private mutating func buttonsFailed(_ reason: Errno, at now: Instant) {
    record.note(.buttonsFailed(reason), at: now)
    if reason == .noSuchDevice, upkeep.lineChipIsGone(at: now) {
      display.becameUnknown(after: reason)
    }
    expectPresses(at: now)
    guard upkeep.failed(.buttons, reason.rawValue, at: now) else { return }
    fail(.gpio, Explanation { reason.explainButtons(board, into: &$0) }, at: now)
  }

  private mutating func alertFailed(_ reason: Errno, at now: Instant) {
    record.note(.alertFailed(reason), at: now)
    guard upkeep.failed(.alert, reason.rawValue, at: now) else { return }
    fail(.gpio, Explanation { reason.explainLine(of: .alert, on: board, into: &$0) }, at: now)
  }
}

extension Board {
  /// Whether the events have a reader from the start.
  var hasEvents: Bool {
    switch events {
    case .none, .unix: false
    case .standardError, .file: true
    }
  }
}

/// The controller's port: when it is opened, what failed, and what brings it back.
extension Device {
  /// Notes that a connection to the controller is being made, which takes a while.
  package mutating func radioOpeningBegan(at now: Instant) {
    note(.radioOpening, at: now)
    upkeep.beginOpening(.hci)
  }

  /// Notes that the transport is open, and brings the controller up from Reset on.
  ///
  /// Bring-up waits until the store was read once: a stranger must not take the place of a phone that cannot be read at
  /// the moment.
  package mutating func radioWasOpened(at now: Instant) {
    note(.radioOpen, at: now)
    upkeep.radioWasOpened(isBroughtUp: !store.isPhoneAwaited)
    if !store.isPhoneAwaited { startHost(at: now) }
  }

  mutating func startHost(at now: Instant) {
    step(.start, at: now)
  }

  /// Notes that the transport failed, or could not be opened.
  package mutating func radioFailed(_ failure: RadioFailure, at now: Instant) {
    note(.radioFailed(failure), at: now)
    report(upkeep.radioFailed(failure, at: now), at: now)
    // The link is lost with the transport.
    withHost(at: now) { $0.stop(at: now) }
  }

  /// The controller itself failed: the host goes on from Reset, or the transport is opened again.
  mutating func controllerFailed(_ failure: HostFailure, at now: Instant) {
    let outcome = upkeep.controllerFailed(failure, at: now)
    if outcome.step != .reset { withHost(at: now) { $0.stop(at: now) } }
    report(outcome, at: now)
  }

  /// Takes the step whose time has come.
  mutating func climb(at now: Instant) {
    guard let step = upkeep.takeStep(at: now) else { return }
    report(step, at: now)
    if step == .rebind { withHost(at: now) { $0.stop(at: now) } }
  }

  private mutating func report(_ outcome: Upkeep.Outcome, at now: Instant) {
    if outcome.isToBeReported {
      fail(
        .hci,
        Explanation {
          upkeep.radioTrouble?.explain(board.hci, upkeep.recovery.lastStep, into: &$0)
        }, at: now)
    }
    if let step = outcome.step { report(step, at: now) }
  }

  private mutating func report(_ step: RecoveryStep, at now: Instant) {
    log.recovery(step, count: upkeep.recovery.count(of: step), at: now)
  }

  /// Notes that another program was asked to unbind the controller's driver and bind it again.
  package mutating func rebindRequestWasSent() { upkeep.rebindRequestWasSent() }

  /// The controller refuses to advertise: no phone can connect by itself, but the search goes on.
  mutating func advertisingRefused(_ code: ErrorCode, at now: Instant) {
    var message = Explanation()
    message.append("the Bluetooth chip refuses to advertise (error ")
    message.append(decimal: Int64(widening: Int(code.rawValue)))
    message.append("): no phone can connect by itself")
    message.append(
      code == .commandDisallowed ? "; Lenker tries again each minute" : "; set advertise = off")
    fail(.hci, message, at: now)
  }
}

/// Lenker's own battery: when its gauge is read, and what follows from it.
extension Device {
  /// The register of the battery's gauge that is to be read now; `nil` for none.
  ///
  /// The bus is used for this only after its first picture, and while no other picture waits.
  package var gaugeRead: GaugeRead? {
    isBusFree && !upkeep.isLeaving ? battery.read(at: upkeep.now) : nil
  }

  /// When the gauge is to be read.
  var gaugeDeadline: Instant? { isBusFree ? battery.deadline : nil }

  private var isBusFree: Bool {
    upkeep.ports[.panel].isOpen && display.output.hasWorked && display.output.batch.bytes.isEmpty
  }

  /// Takes the bytes of the register.
  package mutating func gaugeWasRead(
    _ bytes: Span<UInt8>, of register: UInt8, at now: Instant
  ) {
    upkeep.advance(to: now)
    var value: UInt16 = 0
    for index in bytes.indices { value = value &<< 8 | UInt16(bytes[index]) }
    record.note(.gaugeRead(register: register, value, count: bytes.count), at: now)
    switch battery.receive(bytes, of: register, at: now) {
    case .nothing: break
    case .charge(let charge, hasChanged: let hasChanged):
      if hasChanged {
        log.battery(charge, at: now)
        sayCharge(at: now)
      }
      warnOfOwnBattery(at: now)
    case .fault(let gauge, let fault):
      var message = Explanation()
      gauge.describe(into: &message)
      fault.explain(gauge, into: &message)
      reportGauge(message, at: now)
    }
  }

  /// Notes that the register could not be read: the gauge is asked again in a minute.
  package mutating func gaugeFailed(_ reason: Errno, at now: Instant) {
    note(.gaugeFailed(reason), at: now)
    guard let gauge = battery.failed(at: now) else { return }
    var message = Explanation()
    gauge.describe(into: &message)
    message.append(reason.explanation(for: .gauge))
    reportGauge(message, at: now)
  }

  /// Logs an error without a report, which the panel's own first error of a day may need.
  private mutating func reportGauge(_ message: borrowing Explanation, at now: Instant) {
    log.failed(.i2c, message.bytes, at: now)
    record.noteError(of: .i2c, message.bytes, at: now)
  }

  /// Warns the rider at a quiet moment that Lenker's own battery is nearly empty.
  mutating func warnOfOwnBattery(at now: Instant) {
    guard display.isOn, guidance.isQuiet, scene.notice == nil,
      let percent = battery.takeLow()
    else { return }
    scene.show(.ownBattery(percent: percent), at: now)
  }
}

package import BoardFile
import Buttons
package import Bytes
import Central
package import DeviceState
import Link
import Recording

/// The ports: when each is to be opened, and what follows when one is open or has failed.
extension Device {
  /// How a port stands.
  package func state(of port: Port) -> PortState { upkeep.state(of: port) }

  /// Whether it is time to open a port.
  package func isDue(_ port: Port, at now: Instant) -> Bool { upkeep.isDue(port, at: now) }

  /// Notes that the bus of the panel is open, and asks for a picture.
  package mutating func panelWasOpened(at now: Instant) {
    note(.panelOpen, at: now)
    upkeep.wasOpened(.panel)
    display.busWasOpened(at: now)
  }

  /// Where to open the panel: where the board says, or at the other address of its bus.
  package var panelPort: PanelPort { display.panelPort }

  /// Notes that the buttons are open, or what stands in for them, and which are held already.
  package mutating func buttonsWereOpened(
    isAPressed: Bool, isBPressed: Bool, at now: Instant
  ) {
    note(
      .buttonsOpen(isAPressed: isAPressed, isBPressed: isBPressed), at: now)
    upkeep.wasOpened(.buttons)
    upkeep.succeeded(.buttons)
    expectPresses(isAPressed: isAPressed, isBPressed: isBPressed, at: now)
  }

  /// Notes that the alert line is open and low.
  package mutating func alertWasOpened(at now: Instant) {
    note(.alertOpen, at: now)
    upkeep.wasOpened(.alert)
    upkeep.succeeded(.alert)
    ride.alertLineIs(high: false)
  }

  /// Notes that a port failed, or could not be opened.
  package mutating func failed(_ port: Port, _ reason: Errno, at now: Instant) {
    upkeep.timeIs(now)
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
    guard let reason = display.busFailed(reason) else { return upkeep.close(.panel, until: now) }
    guard upkeep.failed(.panel, reason.kindOnBus.rawValue, at: now) else { return }
    var message = Explanation()
    reason.explain(panelPort, into: &message)
    fail(.i2c, message.bytes, at: now)
  }

  /// Without its reset the panel may show nothing: both are opened again.
  private mutating func panelResetFailed(_ reason: Errno, at now: Instant) {
    record.note(.panelResetFailed(reason), at: now)
    display.becameUnknown(after: reason)
    // No error of the bus has such a number.
    guard upkeep.failed(.panel, -reason.rawValue, at: now) else { return }
    var message = Explanation()
    reason.explainLine(of: .panelReset, on: board, into: &message)
    fail(.gpio, message.bytes, at: now)
  }

  /// Tells that the panel works at another address than the board says, and what to change.
  mutating func tellOtherAddress(at now: Instant) {
    var message = Explanation()
    board.display.explain(panelPort, into: &message)
    fail(.i2c, message.bytes, at: now)
  }

  private mutating func buttonsFailed(_ reason: Errno, at now: Instant) {
    record.note(.buttonsFailed(reason), at: now)
    if reason == .noSuchDevice, upkeep.lineChipIsGone(at: now) {
      display.becameUnknown(after: reason)
    }
    expectPresses(at: now)
    guard upkeep.failed(.buttons, reason.rawValue, at: now) else { return }
    var message = Explanation()
    reason.explainButtons(board, into: &message)
    fail(.gpio, message.bytes, at: now)
  }

  private mutating func alertFailed(_ reason: Errno, at now: Instant) {
    record.note(.alertFailed(reason), at: now)
    guard upkeep.failed(.alert, reason.rawValue, at: now) else { return }
    var message = Explanation()
    reason.explainLine(of: .alert, on: board, into: &message)
    fail(.gpio, message.bytes, at: now)
  }
}

extension Board {
  /// Whether somebody reads the events from the start on.
  var hasEvents: Bool {
    switch events {
    case .none, .unix: false
    case .standardError, .file: true
    }
  }
}

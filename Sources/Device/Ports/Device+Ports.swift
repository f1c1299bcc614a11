package import BoardFile
import Buttons
package import Bytes
import Central
import Link

/// The ports: when each is to be opened, and what follows when one is open or has failed.
extension Device {
  /// How a port stands.
  package func state(of port: Port) -> PortState {
    switch port {
    case .hci: ports.hci.state
    case .panel, .panelReset: ports.panel.state
    case .buttons: ports.buttons.state
    case .alert: ports.alert.state
    case .store: ports.store.state
    }
  }

  /// Whether it is time to open a port.
  package func isDue(_ port: Port, at now: Instant) -> Bool {
    guard !isLeaving else { return false }
    return switch port {
    case .hci: ports.hci.isDue(at: now)
    case .panel: ports.panel.isDue(at: now)
    case .panelReset: board.panelReset != nil && ports.panel.isDue(at: now)
    case .buttons: ports.buttons.isDue(at: now)
    case .alert: ports.alert.isDue(at: now)
    case .store: ports.store.isDue(at: now)
    }
  }

  /// Notes that the bus of the panel is open, and asks for a picture.
  package mutating func panelWasOpened(at now: Instant) {
    clock = now
    record.note(.panelOpen, at: now)
    ports.panel.wasOpened()
    panel.busWasOpened(at: now)
    scene.isChanged = true
  }

  /// Where to open the panel: where the board says, or at the other address of its bus.
  ///
  /// That one is tried when nobody answers and no picture has ever arrived; where it arrives, it stays.
  package var panelPort: PanelPort {
    isPanelElsewhere ? board.display.atOtherAddress ?? board.display : board.display
  }

  /// Notes that the buttons are open, or what stands in for them, and which are held already.
  package mutating func buttonsWereOpened(
    isPagePressed: Bool, isUnpairPressed: Bool, at now: Instant
  ) {
    clock = now
    record.note(
      .buttonsOpen(isPagePressed: isPagePressed, isUnpairPressed: isUnpairPressed), at: now)
    ports.buttons.wasOpened()
    ports.buttons.succeeded()
    // A button that was held before, or has a short circuit, must not make us forget the phone.
    presses = PressRecognizer(
      isPagePressed: isPagePressed, isUnpairPressed: isUnpairPressed, at: now)
    showUnpairProgress(at: now)
  }

  /// Notes that the alert line is open and low.
  package mutating func alertWasOpened(at now: Instant) {
    clock = now
    record.note(.alertOpen, at: now)
    ports.alert.wasOpened()
    ports.alert.succeeded()
    alert.lineIs(high: false)
  }

  /// Notes that a port failed, or could not be opened.
  package mutating func failed(_ port: Port, _ reason: Errno, at now: Instant) {
    clock = now
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
    record.note(.panelFailed(reason, sentCount: panel.sentCount), at: now)
    scene.isChanged = true
    glass.isUnknown()
    var reason = reason
    if panel.invalidate(after: reason) { return ports.panel.close(until: now) }
    if !panel.hasWorked {
      if isPanelElsewhere {
        // It was tried only because of that.
        reason = .remoteIO
        isPanelElsewhere = false
      } else if reason.kindOnBus == .remoteIO, board.display.atOtherAddress != nil {
        isPanelElsewhere = true
        return ports.panel.close(until: now)
      }
    }
    guard ports.panel.failed(reason.kindOnBus.rawValue, at: now) else { return }
    var message = Explanation()
    reason.explain(panelPort, into: &message)
    fail(.i2c, message.bytes, at: now)
  }

  /// Without its reset the panel may show nothing: both are opened again.
  private mutating func panelResetFailed(_ reason: Errno, at now: Instant) {
    record.note(.panelResetFailed(reason), at: now)
    scene.isChanged = true
    glass.isUnknown()
    _ = panel.invalidate(after: reason)
    // No error of the bus has such a number.
    guard ports.panel.failed(-reason.rawValue, at: now) else { return }
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
    // Else the next alert would be the one to find out that the chip is gone, and be lost. And the
    // kernel keeps the name of a chip taken while somebody holds one of its lines: back again, the
    // chip would have another name.
    if reason == .noSuchDevice {
      let end = now + PortKeepers.usualPause
      if ports.alert.isOpen { ports.alert.close(until: end) }
      if board.panelReset != nil, ports.panel.isOpen {
        _ = panel.invalidate(after: reason)
        glass.isUnknown()
        scene.isChanged = true
        ports.panel.close(until: end)
      }
    }
    presses = PressRecognizer(at: now)
    showUnpairProgress(at: now)
    guard ports.buttons.failed(reason.rawValue, at: now) else { return }
    var message = Explanation()
    reason.explainButtons(board, into: &message)
    fail(.gpio, message.bytes, at: now)
  }

  private mutating func alertFailed(_ reason: Errno, at now: Instant) {
    record.note(.alertFailed(reason), at: now)
    guard ports.alert.failed(reason.rawValue, at: now) else { return }
    var message = Explanation()
    reason.explainLine(of: .alert, on: board, into: &message)
    fail(.gpio, message.bytes, at: now)
  }
}

extension Device.PortKeepers {
  /// From the beginning of one attempt at the panel to the next, in milliseconds.
  private static var panelPause: Int64 { 500 }
  static var usualPause: Int64 { 1_000 }

  init(_ board: Board, radioOnly: Bool, at now: Instant) {
    let others: Instant? = radioOnly ? nil : now
    hci = PortKeeper(opening: now, pause: Self.usualPause)
    panel = PortKeeper(opening: others, pause: Self.panelPause)
    buttons = PortKeeper(opening: board.hasButtons ? others : nil, pause: Self.usualPause)
    alert = PortKeeper(opening: board.alert == nil ? nil : others, pause: Self.usualPause)
    store = PortKeeper(opening: board.pairing == .off ? nil : others, pause: Self.usualPause)
  }

  var deadline: Instant? {
    let lines = earlier(buttons.deadline, alert.deadline)
    return earlier(earlier(hci.deadline, panel.deadline), earlier(lines, store.deadline))
  }
}

extension Errno {
  /// The same for all errors that one fault of a bus can show in.
  ///
  /// A panel without power fails to acknowledge now its address and now a byte, and a bus that is
  /// pulled out refuses to write first and to be opened then.
  var kindOnBus: Errno {
    switch self {
    case .noSuchAddress, .inputOutput: .remoteIO
    case .noSuchDevice: .noSuchFile
    default: self
    }
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

  /// Whether a report may be made.
  var hasReport: Bool {
    if case .none = report { false } else { true }
  }
}

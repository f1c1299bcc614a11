import BoardFile
import Buttons
import Bytes
import HCI
import Host
import Komoot
import Linux
import Navigation

/// What the host, the rider and the devices tell, and what follows from it.
extension Navigator {
  /// Takes the host's events; to be called after each packet, whose bytes they refer to.
  mutating func followEvents(at now: Instant) {
    while let event = host.takeEvent() { follow(event, at: now) }
  }

  private mutating func follow(_ event: HostEvent, at now: Instant) {
    switch event {
    case .controller(let address, let version, let manufacturer):
      log.controller(address, version: version, manufacturer: manufacturer, at: now)
    case .failed(let failure): failed(failure, at: now)
    case .scan(let mode):
      log.scan(mode, at: now)
      if mode != .off { scene.connection = .searching }
    case .phone(let address, let rssi, let match): log.phone(address, rssi: rssi, match, at: now)
    case .connecting:
      log.link("connecting", at: now)
      scene.connection = .connecting
      scene.setPhoneName(host.peerName)  // of an earlier phone, perhaps
    case .connected: log.link("connected", at: now)
    case .ready:
      log.link("ready", at: now)
      scene.connection = .ready
      plan.begin(at: now)
    case .name: scene.setPhoneName(host.peerName)
    case .notification: takeNotification(at: now)
    case .value: takeValue(at: now)
    case .readRefused, .serviceMissing: break  // nothing to show: the search or the plan goes on
    case .disconnected(let reason):
      log.link("disconnected", reason: reason, at: now)
      plan.end()
    }
  }

  private mutating func takeNotification(at now: Instant) {
    let notification = Notification(host.value, mtu: host.mtu)
    plan.take(notification, at: now)
    if notification == .whole { takeValue(at: now) }
    if plan.takeDueRead(at: now) { host.read(at: now) }
  }

  private mutating func takeValue(at now: Instant) {
    do throws(ParseError) {
      try instruction.parse(host.value)
    } catch {
      return  // not an instruction: the last one stays until it is stale
    }
    let wasStale = guidance.isStale
    let change = guidance.take(instruction, at: now)
    if change != .nothing, guidance.hasInstruction { log.instruction(instruction, at: now) }
    if change != .nothing || wasStale { scene.isChanged = true }
  }

  // MARK: - Failures

  private mutating func failed(_ failure: HostFailure, at now: Instant) {
    var message = Explanation()
    failure.explain(into: &message)
    if scene.showNoRadio(message.bytes) { log.failed(.hci, message.bytes, at: now) }
    // Only a new start of the transport brings a stream back into step.
    if case .commandTimeout = failure {
      _ = radio.close(.stalled, at: now)
      host.stop()
    }
  }

  /// The transport to the controller failed and is being reopened.
  mutating func lost(_ failure: Radio.Failure, at now: Instant) {
    host.stop()
    followEvents(at: now)
    var message = Explanation()
    failure.explain(board.hci, into: &message)
    if scene.showNoRadio(message.bytes) { log.failed(.hci, message.bytes, at: now) }
  }

  mutating func reportPanel(_ reason: Errno, at now: Instant) {
    var message = Explanation()
    reason.explain(board.display, into: &message)
    log.failed(.i2c, message.bytes, at: now)
  }

  mutating func reportButtons(_ reason: Errno, at now: Instant) {
    var message = Explanation()
    reason.explainButtons(board, into: &message)
    log.failed(.gpio, message.bytes, at: now)
  }

  // MARK: - Buttons

  mutating func follow(_ event: ButtonEvent, at now: Instant) {
    switch event {
    case .gesture(let gesture):
      log.button(gesture, at: now)
      follow(gesture, at: now)
    case .stuck(let button):
      var message = Explanation()
      button.explainStuck(board, into: &message)
      log.failed(.gpio, message.bytes, at: now)
    }
  }

  private mutating func follow(_ gesture: Gesture, at now: Instant) {
    switch gesture {
    case .pageShort:
      // Without a turn to hide, the press is for the search.
      if scene.connection == .searching, !guidance.hasInstruction {
        host.searchFast(at: now)
      } else {
        scene.turnPage()
      }
    case .pageLong:
      panel.setOn(!panel.isOn)
      scene.isChanged = true
    case .unpairShort: scene.showNotice(at: now)
    case .unpairLong:
      host.disconnect(at: now)
      host.searchFast(at: now)
      guidance.removeInstruction()
      scene.isChanged = true
    }
  }
}

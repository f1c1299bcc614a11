import ATT
import BoardFile
import Buttons
import Bytes
import HCI
import Host
import Komoot
import Linux
import Navigation
import Panel

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
    case .searchEnded: scene.connection = .unpaired
    case .phone(let address, let rssi, let match):
      log.phone(address, rssi: rssi, match, at: now)
      scene.rssi = rssi
      scene.setPhoneName(host.heardName(of: address))
      if match != .bond { scene.connection = .found }
    case .connecting:
      log.link("connecting", at: now)
      scene.connection = .connecting
      setPhoneName()
    case .connected:
      log.link("connected", at: now)
      usePanel(.linked, at: now)
    case .encrypted:
      log.link("encrypted", at: now)
      scene.isForgotten = host.isBondRejected
    case .compare(let number): compare(number, at: now)
    case .pairingFailed(let failure): pairingFailed(failure, at: now)
    case .remember(let memory): remember(memory, at: now)
    case .bondRejected: bondRejected(at: now)
    case .ready:
      log.link("ready", at: now)
      refusal = nil
      scene.connection = .ready
      plan.begin(at: now)
    case .name: scene.setPhoneName(host.peerName)
    case .battery: if scene.page == .facts { scene.isChanged = true }
    case .notification: takeNotification(at: now)
    case .value: takeValue(at: now)
    case .readRefused(let code): readRefused(code, at: now)
    case .waiting:
      // The ride is over; the phone will have another one.
      scene.connection = .ready
      plan.end()
    case .serviceMissing(_, .service):
      phoneFailed("offers no navigation, though it says so", at: now)
    case .serviceMissing: break  // another app shares the bit
    case .unanswered: phoneFailed("did not answer for 30 s; the link is made anew", at: now)
    case .unfinished: phoneFailed("was not ready in 20 s; others have their turn", at: now)
    case .disconnected(let reason):
      log.link("disconnected", reason: reason, at: now)
      usePanel(.alone, at: now)
      scene.comparison = nil
      plan.end()
    }
  }

  /// The name that the phone is known by, or advertises.
  private mutating func setPhoneName() {
    if host.memory == .nothing {
      scene.setPhoneName(host.peerName)
    } else {
      scene.setPhoneName(host.bondName)
    }
  }

  private mutating func takeNotification(at now: Instant) {
    let notification = Notification(host.value, mtu: host.mtu)
    plan.hear(notification, at: now)
    if notification == .whole { takeValue(at: now) }
    if plan.takeDueRead(at: now) { host.read(at: now) }
  }

  private mutating func takeValue(at now: Instant) {
    let wasStale = guidance.isStale
    let change: Guidance.Change
    do throws(ParseError) {
      let instruction = try Instruction(parsing: host.value)
      change = guidance.hear(instruction.turn, at: now)
      if change != .nothing, guidance.hasTurn { log.instruction(instruction, at: now) }
    } catch {
      return  // not an instruction: the last one stays until it is stale
    }
    if guidance.hasTurn { scene.takeNews(at: now) }
    if change != .nothing { plan.hearNews(at: now) }
    followAlerts(at: now)
    guard change != .nothing || wasStale else { return }
    if guidance.hasTurn { usePanel(.instruction, at: now) }
    scene.yieldToRide()
  }

  // MARK: - Failures

  /// Tells why the phone does not say where to go; each reason once in a link.
  private mutating func readRefused(_ code: AttributeError, at now: Instant) {
    // Before the first instruction there is nothing to find, and a lost handle is searched for.
    guard code != .attributeNotFound, code != .invalidHandle, code != refusal else { return }
    refusal = code
    scene.isChanged = true
    var message = Explanation()
    code.explain(into: &message)
    log.failed(.phone, message.bytes, at: now)
  }

  private mutating func phoneFailed(_ what: String, at now: Instant) {
    var message = Explanation()
    message.append("the phone ")
    message.append(what)
    log.failed(.phone, message.bytes, at: now)
  }

  private mutating func failed(_ failure: HostFailure, at now: Instant) {
    var message = Explanation()
    failure.explain(into: &message)
    if scene.showNoRadio(message.bytes, at: now) { log.failed(.hci, message.bytes, at: now) }
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
    let isNew = scene.showNoRadio(message.bytes, mayCome: board.hci.isDevice, at: now)
    if isNew { log.failed(.hci, message.bytes, at: now) }
  }

  mutating func reportPanel(_ reason: Errno, at now: Instant) {
    var message = Explanation()
    reason.explain(board.display, into: &message)
    log.failed(.i2c, message.bytes, at: now)
  }

  mutating func reportButtons(_ reason: Errno, at now: Instant) {
    if reason == .noSuchDevice { alertLine.chipIsGone(at: now) }
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

  /// Does what a press means, and lights a dark panel, where the next page is the ride's.
  private mutating func follow(_ gesture: Gesture, at now: Instant) {
    let wasOn = panel.isOn
    scene.dismissMistake()
    // A long press says itself what it wants, and a number must be seen before it is agreed to.
    if gesture != .pageLong, scene.comparison == nil { usePanel(.press, at: now) }
    switch gesture {
    case .pageShort where scene.comparison != nil: agree(at: now)
    case .unpairShort where scene.comparison != nil: answer(isSame: false, at: now)
    case .pageShort where isSearchWished:
      scene.show(nil, at: now)
      scene.showRide()
      host.searchFast(at: now)
      followEvents(at: now)
    case .pageShort where !wasOn: scene.showRide()
    case .pageShort:
      scene.turnPage(at: now)
      if scene.page == .facts { host.readBattery(at: now) }
    case .pageLong where scene.comparison != nil: break  // the number must be seen
    case .pageLong: usePanel(.toggle, at: now)
    case .unpairShort: scene.show(.phone, isAsked: true, at: now)
    case .unpairLong: forget(at: now)
    }
  }

  /// Takes what the panel is used for, and has a picture drawn if its light changes.
  mutating func usePanel(_ use: PanelPower.Use, at now: Instant) {
    if panel.follow(use, at: now) { scene.isChanged = true }
  }

  /// Whether a press of page is for a search, as there is no turn to hide and no link.
  private var isSearchWished: Bool {
    switch scene.connection {
    case .unpaired: true
    case .searching: scene.isForgotten || !guidance.hasTurn
    default: false
    }
  }
}

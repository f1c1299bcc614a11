import ATT
import BoardFile
import Bytes
import Central
import Controller
import DeviceState
import HCI
import Link
import Navigation
import Panel
import PhoneServices
import Recording
import Screens
import Search
import Turns

/// What the host reports, and what follows from it.
extension Device {
  /// Does what follows if the connection has changed.
  mutating func tendConnection(at now: Instant) {
    guard let last = phone.connectionIs(connection) else { return }
    // A link that is not the ride's does not show that anybody needs light.
    if connection == .ready { usePanel(.linked, at: now) }
    if last == .ready { usePanel(.alone, at: now) }
  }

  mutating func handle(_ event: HostEvent, at now: Instant) {
    switch event {
    case .controller(let address, let version, let manufacturer):
      upkeep.controllerCameUp(at: now)
      log.controller(
        address, version: version, manufacturer: manufacturer, chip: host.controllerFacts?.chip,
        patch: host.controllerFacts?.patch ?? 0, at: now)
    case .failed(let failure): controllerFailed(failure, at: now)
    case .advertisingRefused(let code): advertisingRefused(code, at: now)
    case .scan(let mode): log.scan(mode, at: now)
    case .phone(let address, let rssi, let match): log.phone(address, rssi: rssi, match, at: now)
    case .connecting: log.link("connecting", at: now)
    case .connected: log.link("connected", at: now)
    case .encrypted: log.link("encrypted", at: now)
    case .compare(let number): ask(.comparison(number), at: now)
    case .ask: ask(.noCode, at: now)
    case .pairingDelayed(let end): pairingDelayed(until: end, at: now)
    case .pairingFailed(let failure): pairingFailed(failure, at: now)
    case .remember(let memory):
      if memory == .keys, board.notifications != .off { phone.paired(at: now) }
      remember(memory, at: now)
    case .bondChanged: bondChanged(at: now)
    case .bondRejected(let isToBeShown): bondRejected(isToBeShown: isToBeShown, at: now)
    case .ready:
      log.link("ready", at: now)
      record.note(.ready, at: now)
      phone.linkIsReady()
      plan.begin(at: now)
    case .name, .battery: break  // the next picture has it
    case .attribute(let characteristic, let event): receive(event, of: characteristic, at: now)
    case .written: receiveWritten(at: now)
    case .notification: receiveNotification(at: now)
    case .value: receiveValue(at: now)
    case .readRefused(let code): readRefused(code, at: now)
    case .waiting: komootIsGone()
    case .serviceMissing(_, .service):
      phoneFailed("offers no navigation, though it says so", at: now)
    case .serviceMissing: break  // another app shares the bit
    case .unanswered: phoneFailed("stopped answering; connecting again", at: now)
    case .longFramesRefused:
      phoneFailed("has ended two links at the first long packet; it gets short ones now", at: now)
    case .unfinished: phoneFailed("was not ready in time; others have their turn", at: now)
    case .disconnected(let reason):
      log.link("disconnected", reason: reason, at: now)
      phone.linkIsGone()
      guidance.linkWasLost()
      plan.end()
      scene.endBanner()
      tendNotifications(at: now)
      scene.endQuestion()
      advise(after: reason, at: now)
    case .sensor(let kind, let event): handle(event, of: kind, at: now)
    case .sensorFound(let kind, let address): sensorFound(kind, address, at: now)
    case .sensorSearch: sensorSearchChanged(at: now)
    case .sensorLimit(let reason): sensorLimitReached(reason, at: now)
    }
  }

  /// Handles events of the services beside the navigation service.
  private mutating func receive(_ event: AttributeEvent, of characteristic: UUID, at now: Instant) {
    switch (characteristic, event) {
    case (.localTimeInformation, .read): phone.receive(zone: host.value)
    case (.currentTime, .read): receiveTime(at: now)
    case (.currentTime, .notified): receiveNotifiedTime(at: now)
    case (.entityUpdate, _), (.remoteCommand, _): receiveMusic(event, of: characteristic, at: now)
    case (.controlPoint, _), (.dataSource, _), (.notificationSource, _):
      receiveNotifications(event, of: characteristic, at: now)
    default: break
    }
  }

  // MARK: - Turns

  /// komoot's service is gone while the link goes on: nothing can confirm its turn.
  private mutating func komootIsGone() {
    plan.end()
    if guidance.source == .komoot { guidance.linkWasLost() }
  }

  private mutating func receiveNotification(at now: Instant) {
    let notification = Notification(host.value, mtu: host.mtu)
    plan.receive(notification, at: now)
    if notification == .whole { receiveValue(at: now) }
    if plan.takeDueRead(at: now) { step(.ask(.value), at: now) }
  }

  private mutating func receiveValue(at now: Instant) {
    let wasStale = guidance.isStale
    let outcome: Guidance.Outcome
    do throws(ParseError) {
      let instruction = try Instruction(parsing: host.value)
      // The finish is kept as long as the arrival shows, even if the phone has nothing more to say.
      if scene.isArrivalShown, instruction.turn.isEmpty { return }
      guard plan.receiveValue(instruction.identifier, after: phone.identifier) else { return }
      let turn = host.isValueCut ? guidance.completed(instruction.turn) : instruction.turn
      outcome = guidance.receive(turn, from: .komoot, at: now)
      if plan.hasNotified { guidance.komootNotifies() }
      phone.receive(identifier: instruction.identifier)
      if outcome != .nothing, guidance.hasTurn {
        log.instruction(instruction, into: guidance.turn.street, at: now)
      }
    } catch {
      return  // the last one stays until it is stale
    }
    if outcome != .nothing { plan.receiveNews(at: now) }
    turnWasReceived(outcome, wasStale: wasStale, at: now)
  }

  /// Does what follows from a turn that a source has sent.
  mutating func turnWasReceived(_ outcome: Guidance.Outcome, wasStale: Bool, at now: Instant) {
    if guidance.hasTurn, wayWatch.receive(guidance.turn.distance) {
      noteUse(at: now)
    }
    if !guidance.trip.hasArrived { scene.endArrival() }
    advanceAlerts(to: now)
    guard outcome != .nothing || wasStale && !guidance.isStale else { return }
    if guidance.hasTurn { usePanel(.instruction, at: now) }
    if outcome == .turn { scene.endBanner() }
    scene.yieldToRide()
  }

  /// For how many seconds the last instruction of a lost phone is of use.
  private static var turnLifetime: Int64 { 600 }
  /// The same for a finish that a linked phone no longer repeats: the tour is over.
  private static var finishLifetime: Int64 { 60 }

  mutating func guidanceChanged(at now: Instant) {
    guard let age = guidance.age else { return }
    log.stale(seconds: age.seconds, at: now)
    let isTourOver = guidance.turn.maneuver == .finish && !isTurnLinkLost
    let lifetime = isTourOver ? Self.finishLifetime : Self.turnLifetime
    if age.seconds >= lifetime { guidance.removeTurn() }
  }

  /// Removes a turn that is not repeated once the rider has arrived: there is nowhere to go.
  mutating func leaveFinish() {
    let isLeft = guidance.isNavigationOver || guidance.trip.hasArrived && guidance.isStale
    if isLeft, !scene.isArrivalShown { guidance.removeTurn() }
  }

  // MARK: - Failures

  /// Says once what helps a phone that ends each link at once, where that hides no turn.
  private mutating func advise(after reason: ErrorCode, at now: Instant) {
    guard host.security.memory != .nothing else { return }
    guard phone.linkEnded(reason, hasRoom: !guidance.hasTurn) else { return }
    var message = Explanation()
    message.append("the phone ends each link at once: switch its Bluetooth off and on")
    fail(.phone, message, at: now)
    scene.show(.switchBluetooth, at: now)
    usePanel(.attention, at: now)
  }

  /// Reports why the phone does not say where to go, each reason once a link.
  private mutating func readRefused(_ code: AttributeError, at now: Instant) {
    // Before the first instruction there is nothing to find; a lost handle is looked for anyway.
    guard code != .attributeNotFound, code != .invalidHandle, phone.receive(refusal: code) else {
      return
    }
    fail(.phone, Explanation { code.explain(into: &$0) }, at: now)
  }

  mutating func phoneFailed(
    _ what: String, error code: UInt8? = nil, remedy: String = "", at now: Instant
  ) {
    var message = Explanation()
    message.append("the phone ")
    message.append(what)
    if let code {
      message.append(": error ")
      message.append(hexByte: code)
    }
    message.append(remedy)
    fail(.phone, message, at: now)
  }
}

/// The time of day: what the phone sends, when it is asked, and when the time is shown.
extension Device {
  mutating func receiveTime(at now: Instant) {
    guard let time = phone.receive(time: host.value, at: now) else { return }
    log.clock(time, in: phone.zone, at: now)
  }

  /// Asks for the time if the phone's clock was set, and for its zone, which may have changed, too.
  mutating func receiveNotifiedTime(at now: Instant) {
    guard let time = try? LocalTime(parsing: host.value) else { return }
    if !phone.clock.shows(Int64(widening: time.milliseconds), at: now) {
      askForTime(at: now)
    }
  }

  mutating func askForTime(at now: Instant) {
    step(.ask(.read(.localTimeInformation)), at: now)
    step(.ask(.read(.currentTime)), at: now)
  }

  /// When to ask for the time, or to show a new minute: no minute that is not shown wakes the processor.
  var clockDeadline: Instant? {
    earlier(phone.clock.nextReading, isClockShown ? phone.clock.nextMinute(at: upkeep.now) : nil)
  }

  private var isClockShown: Bool {
    upkeep.ports[.panel].isOpen && display.isOn && display.look?.clock != nil
  }
}

/// What the phone plays: its page, and what a press does there.
extension Device {
  private mutating func receiveMusic(
    _ event: AttributeEvent, of characteristic: UUID, at now: Instant
  ) {
    switch phone.receive(event, ofMusic: characteristic, host.value) {
    case .nothing: break
    case .request:
      let request = ShortValue { MusicPlayer.request(into: &$0) }
      step(.ask(.write(request, to: .entityUpdate)), at: now)
    case .refusal(let code):
      phoneFailed("does not let its music be seen", error: code.rawValue, at: now)
    }
  }

  /// Makes the phone play the next title, or play or pause, if it allows that.
  mutating func sendToPlayer(_ command: MusicPlayer.Command, at now: Instant) {
    switch phone.routeToPlayer(command) {
    case .remoteCommand?:
      step(.ask(.write(ShortValue { $0.append(command.rawValue) }, to: .remoteCommand)), at: now)
    case .gadgetbridge(let command)?: say(.music(command), at: now)
    case nil: break
    }
  }
}

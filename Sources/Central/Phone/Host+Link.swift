import ATT
import Bond
import Bytes
import Controller
import HCI
import Link
import PhoneServices
import SMP
import Search
import SensorLinks

/// From a connection to what the phone says on it; Host+Ending.swift has its end.
extension Host {
  /// How long a stranger, or a phone that has just paired, may take to a subscription.
  static var discoveryTime: Int64 { 20_000 }
  /// How long a phone that had the service is waited for, before others have their turn.
  static var waitingTime: Int64 { 300_000 }
  /// How long a link to the remembered phone is kept that shows nothing: it must not be held all night.
  static var idleTime: Int64 { 600_000 }
  /// How long the link stays quick after its characteristic was found.
  private static var relaxTime: Int64 { 10_000 }
  /// How long a stage is prolonged while a question or a pairing is open.
  private static var decidingTime: Int64 { 10_000 }

  // MARK: - The link comes up

  mutating func connectionCompleted(_ complete: LEConnectionComplete, at now: Instant) {
    if case .bringUp = phase { return }  // Reset ends it, or has
    if complete.status == .success {
      // The transport has delivered the event twice.
      if link.channels.isThere && link.channels.handle == complete.handle
        && link.channels.peer.isSame(as: complete.peer)
        || sensors.hasLink(complete.handle, to: complete.peer)
      {
        return
      }
      // Another link with this handle is over, though the event of its end was lost.
      linkEnded(complete.handle, .connectionTimeout, at: now)
      if !complete.isCentral { return somebodyCame(complete, at: now) }
    }
    if endOvertakenAttempt() { return refuse(complete, at: now) }
    // Our attempt has not begun: this link is not its result.
    if controller.isAttemptWaiting { return refuse(complete, at: now) }
    if sensors.radio.isInitiating {
      let phone = phoneSide()
      let isWanted = withSensors {
        $0.connectionCompleted(complete, beside: phone, by: &$1, at: now)
      }
      if !isWanted { return refuse(complete, at: now) }
      _ = failForWantOfLinks(complete.status, at: now)
      return
    }
    let isUnwanted: Bool
    switch phase {
    case .connecting: isUnwanted = false
    case .cancelling(let isUnwantedBefore, _): isUnwanted = isUnwantedBefore
    default: return refuse(complete, at: now)
    }
    guard complete.status == .success else { return attemptFailed(complete.status, at: now) }
    // A link to another device than the one asked for is not served.
    guard complete.peer.isSame(as: peer.candidate.address) else {
      refuse(complete, at: now)
      return attemptFailed(.connectionFailedToBeEstablished, at: now)
    }
    let time = isKnown(complete.peer) ? Self.waitingTime : Self.discoveryTime
    makeLink(
      complete,
      LinkProgress(
        .discovering(until: now + time), isDecided: security.isFollowedOpenly(complete.peer)),
      mayPair: search.mayPair, at: now)
    report(.connected(complete.peer))
    if isUnwanted || search.state == .over {
      return end(.remoteUserTerminatedConnection, as: isUnwanted ? .unwanted : nil, at: now)
    }
    askPhone { $0.exchangeMTU(at: now) }
    if !beginEncryption(at: now) { askPhone { $0.begin(at: now) } }
  }

  /// Ends a link that the host did not ask for, as after a race, and does not serve.
  mutating func refuse(_ complete: LEConnectionComplete, at now: Instant) {
    guard complete.status == .success else { return }
    send(.disconnect(handle: complete.handle, reason: .remoteUserTerminatedConnection))
    let end = now + Controller.longestTimeout(isCentral: complete.isCentral)
    _ = updateLingering {
      $0.add(handle: complete.handle, peer: complete.peer, inFlight: 0, until: end)
    }
  }

  /// The kept handles of the phone that is being connected to, if it is the remembered one.
  private var knownHandles: Bond.Handles { peer.isRemembered ? security.handles : Bond.Handles() }

  /// Whether the phone is remembered, or has had the service before.
  private func isKnown(_ address: DeviceAddress) -> Bool {
    peer.isRemembered || scanner.reputation.isPreferred(address)
  }

  /// Makes the link that has come up.
  mutating func makeLink(
    _ complete: LEConnectionComplete, _ progress: LinkProgress, mayPair: Bool, at now: Instant
  ) {
    // The search for the lost ride may have ended while the controller was away.
    if let end = search.rideEnd, now >= end { updateSecurity(.guestLeft) }
    let hasKey = security.key(of: complete.peer, isRemembered: peer.isRemembered) != nil
    enter(.connected)
    var profile = profile
    profile[0] = profile[0].read(
      atOnce: hasKey || !security.needsDecision(on: complete.peer))
    let link = PhoneLink(
      complete, local: controller.information.address, longestWait: pace.longestWait,
      demandsComparison: security.demandsComparison(of: complete.peer),
      client: PhoneLink.Client(
        profile, known: knownHandles,
        isServiceExpected: progress.isPeripheral || isKnown(complete.peer),
        demandsSecurity: !security.allowsOpenLink, takesLongFrames: takesLongFrames(complete.peer)),
      progress: progress, served: peer.isRemembered ? security.served : nil)
    replaceLink(by: link, mayPair: mayPair)
  }

  // MARK: - What the phone is asked, and says

  /// Has the client do something, and sends its next request.
  mutating func askPhone<Answer>(_ act: (inout PhoneLink.Client) -> Answer) -> Answer {
    withLink { $0.ask(act) }
  }

  mutating func receive(_ outcome: LinkOutcome, at now: Instant) throws(ParseError) {
    switch outcome {
    case .nothing: break
    case .client(let outcome, let bytes): receive(outcome, bytes, at: now)
    case .request(let request):
      switch try serve(request, at: now) {
      case .nothing: break
      case .changed: keepServed()
      case .received:
        report(.written, request.extracting(droppingFirst: GATTServer.writeHeader))
      }
    case .security(let command):
      receive(pair { $0.receive(command, at: now, with: &$1) }, at: now)
    case .update(let parameters):
      send(.leConnectionUpdate(handle: link.channels.handle, parameters))
    }
  }

  mutating func advanceLink(to now: Instant) {
    if let due = link.progress.stage.deadline, now >= due { linkTimedOut(at: now) }
    guard phase == .connected else { return }
    if let due = link.channels.sender.deadline, now >= due {
      // The phone or the controller takes nothing any more; if it is the controller, the link will not end.
      if !link.progress.stage.isFound, !peer.isRemembered {
        updateScanner(.unfinished(link.channels.peer), at: now)
      }
      report(.unanswered)
      return end(.remoteUserTerminatedConnection, at: now)
    }
    receive(withLink { $0.pair { $0.advance(to: now) } }, at: now)
    if let due = consent.questionEnd, now >= due { questionTimedOut(at: now) }
    if let due = consent.nextAttempt, now >= due { attemptIsDue(at: now) }
    guard phase == .connected, withLink({ $0.advance(to: now) }) else { return }
    keepServed()
    report(.unanswered)
    end(.remoteUserTerminatedConnection, at: now)
  }

  /// `bytes` are those of a notification.
  mutating func receive(_ outcome: ClientOutcome, _ bytes: Span<UInt8> = Span(), at now: Instant) {
    // A phone that is being left has nothing to say any more.
    guard !link.progress.stage.isLeaving else { return }
    switch outcome {
    case .nothing, .unsubscribed, .answered: break
    case .ready: becameReady(at: now)
    case .waiting: beganToWait(at: now)
    case .securityNeeded: secure(at: now)
    case .handlesChanged(let range): handlesChanged(range)
    case .value(.deviceName):
      report(.name)
      updateBond()
    case .value(.batteryLevel): if isTrusted { report(.battery) }
    case .notification(characteristic): if isTrusted { report(.notification, bytes) }
    case .value(characteristic): if isTrusted { reportValue(.value) }
    case .readRefused(characteristic, let code): report(.readRefused(code))
    case .readRefused: break
    case .found(let other): report(.attribute(other, .found))
    case .lost(let other): report(.attribute(other, .lost))
    case .written(let other): report(.attribute(other, .written))
    case .refused(let other, let code): report(.attribute(other, .refused(code)))
    case .notification(let other): report(.attribute(other, .notified), bytes)
    case .value(let other): reportValue(.attribute(other, .read))
    case .serviceMissing:
      updateScanner(.serviceless(link.channels.peer), at: now)
      report(.serviceMissing(link.channels.peer, peer.candidate.match))
      end(.remoteUserTerminatedConnection, at: now)
    }
  }

  /// What was kept of these handles does not hold any more; a device with just the phone's address is not believed.
  private mutating func handlesChanged(_ range: HandleRange) {
    guard peer.isRemembered, isTrusted else { return }
    updateSecurity(.changed(range))
    updateSecurity(.found(link.client.lines.handles))
  }

  /// The characteristic was found: a ride begins, or goes on, if the phone is trusted.
  private mutating func becameReady(at now: Instant) {
    report(.ready(isSubscribed: link.client.lines.isSubscribed(to: characteristic)))
    if updateProgress({ $0.found(relaxed: now + Self.relaxTime) }) { askForSpeed() }
    // A phone that is remembered by its address is proven, too: it has no key to show.
    if peer.isRemembered { updateScanner(.proven(link.channels.peer), at: now) }
    if needsDecision { secure(at: now) } else { beginRide(at: now) }
    updateBond()
  }

  /// Takes the link for the ride's, once the characteristic is found and the phone is trusted.
  mutating func beginRide(at now: Instant) {
    guard link.progress.stage.isFound, isTrusted else { return }
    countAsRide(at: now)
    updateScanner(.served(link.channels.peer), at: now)
  }

  /// The link is the ride's, from now on or already.
  mutating func countAsRide(at now: Instant) {
    if updateConsent({ $0.beginRide() }), !search.isRideGoingOn(at: now) {
      updateSecurity(.rideBegan)
      updatePace { $0.rideBegan() }
    }
    updateSearch(.rideBegan)
  }

  /// Whether the phone is trusted, and its characteristic is there or waited for.
  ///
  /// The link may be the ride's before that, by a turn that was written, or not yet: `Consent.isRiding`.
  var isReady: Bool { link.progress.stage.isSettled && isTrusted }

  /// The characteristic has vanished, or is not there yet.
  private mutating func beganToWait(at now: Instant) {
    let end = now + (peer.isRemembered ? Self.idleTime : Self.waitingTime)
    if updateProgress({ $0.lost(until: end) }) {
      report(.waiting)
    } else if link.progress.stage.deadline == nil {
      askPhone { $0.searchNoMore() }  // this was one look
    }
  }

  /// Whether what the phone says may be shown.
  var isTrusted: Bool {
    guard !needsDecision else { return false }
    return link.progress.isEncrypted || security.allowsOpenLink
  }

  /// Longer packets and the faster PHY, where the controller knows them; a refusal is harmless.
  private mutating func askForSpeed() {
    let features = controller.information.features
    let commands = controller.information.commands
    if features.dataPacketLengthExtension, commands.leSetDataLength {
      send(.leSetDataLength(handle: link.channels.handle))
    }
    if features.le2MPHY, commands.leSetPHY { send(.leSetPHY(handle: link.channels.handle)) }
  }

  /// Relaxes a link whose ride is under way, and gives up a link that has led to nothing.
  private mutating func linkTimedOut(at now: Instant) {
    // A pairing and a question to the rider have deadlines of their own.
    guard !isDeciding else { return updateProgress { $0.stay(until: now + Self.decidingTime) } }
    switch link.progress.stage {
    case .awaited(.none, _): requestSecurity(at: now)
    // Any device can connect with a recorded address: this says nothing of the phone's key.
    case .awaited,
      .encrypting where link.progress.isPeripheral:
      end(.remoteUserTerminatedConnection, at: now)
    case .encrypting:
      let isProven = scanner.reputation.isProven(link.channels.peer)
      keyFailed(at: now)
      end(.authenticationFailure, as: isProven ? nil : .givenUp, at: now)
    // While a service is waited for, there is no ride to give up. A phone that made the link wants to keep it, and
    // reports when the service is back.
    case .waiting where link.progress.isPeripheral:
      updateProgress { $0.stay() }
      askPhone { $0.searchNoMore() }
    case .waiting where peer.isRemembered:
      end(.remoteUserTerminatedConnection, as: .letGo, at: now)
    case .waiting, .discovering, .pairing, .ending: giveUp(at: now)
    case .open:
      let relaxed = pace.relaxed
      if let command = withLink({ $0.relax(relaxed) }) { send(command) }
    case .leaving: end(Self.farewellReason, at: now)
    }
  }

  private mutating func giveUp(at now: Instant) {
    if link.progress.stage.isWaiting {
      updateScanner(.useless(link.channels.peer), at: now)
    } else {
      report(.unfinished)
      if !peer.isRemembered { updateScanner(.unfinished(link.channels.peer), at: now) }
    }
    end(.remoteUserTerminatedConnection, at: now)
  }
}

import ATT
import Bond
import Bytes
import HCI
import PhoneServices
import SMP

/// From a connection to its loss.
extension Host {
  /// Longer than any supervision timeout: that is how long a peer that does not acknowledge the end of a
  /// link delays it.
  ///
  /// Core Specification, Vol 6, Part B, 5.1.6; `ConnectionParameters.areAcceptable`.
  static var longestTimeout: Int64 { 7_000 }
  /// How long the phone has to hear what is still to be said.
  static var farewellTime: Int64 { 500 }
  /// How long a stranger, or who has just paired, may take to a subscription.
  static var discoveryTime: Int64 { 20_000 }
  /// How long a phone that had the service is waited for, before others have their turn.
  static var waitingTime: Int64 { 300_000 }
  /// How long the remembered phone is kept that has nothing to tell: it must not be held all night.
  private static var idleTime: Int64 { 600_000 }
  /// How long after the start of a ride the link stays quick.
  private static var relaxTime: Int64 { 10_000 }

  // MARK: - The link comes up

  mutating func connectionCompleted(_ complete: LEConnectionComplete, at now: Instant) {
    // Before an attempt has begun nothing ends it.
    if controller.commands.isWaiting(.leCreateConnection) { return refuse(complete) }
    if sensors.isInitiating { return sensorConnectionCompleted(complete, at: now) }
    let isUnwanted: Bool
    switch phase {
    case .connecting: isUnwanted = false
    case .cancelling(let isUnwantedBefore): isUnwanted = isUnwantedBefore
    case .bringUp: return  // Reset ends it, or has
    default: return refuse(complete)
    }
    guard complete.status == .success, complete.isCentral else {
      refuse(complete)
      return attemptFailed(complete.status, at: now)
    }
    // A link to somebody else than was asked for is nobody's.
    guard complete.peer.isSame(as: peer.candidate.address) else {
      refuse(complete)
      return attemptFailed(.connectionFailedToBeEstablished, at: now)
    }
    makeLink(complete, isUnwanted: isUnwanted, at: now)
    report(.connected(complete.peer))
    if isUnwanted || search.state == .over {
      return end(.remoteUserTerminatedConnection, at: now)
    }
    link.exchangeMTU(at: now)
    if !beginEncryption(at: now) { link.begin(at: now) }
  }

  /// Ends a link that nobody asked for, as after a race: nobody would serve it.
  ///
  /// One by a handle that another link has is none.
  mutating func refuse(_ complete: LEConnectionComplete) {
    guard complete.status == .success, complete.handle != link.handle,
      sensors.place(ofLink: complete.handle) == nil
    else { return }
    send(.disconnect(handle: complete.handle, reason: .remoteUserTerminatedConnection))
  }

  /// Of the phone that is being connected to, if it is the one that is remembered.
  private var knownHandles: Bond.Handles {
    peer.isRemembered ? security.handles : Bond.Handles()
  }

  private mutating func makeLink(
    _ complete: LEConnectionComplete, isUnwanted: Bool, at now: Instant
  ) {
    // A controller that was away may have outlasted the search.
    if let end = search.rideEnd, now >= end { security.endGuest() }
    _ = leaving.remove(complete.handle)  // its end was lost, if it was one of these
    let isKnown = peer.isRemembered || scanner.isPreferred(complete.peer)
    let hasKey = security.key(of: complete.peer, isRemembered: peer.isRemembered) != nil
    enter(.connected, until: now + (isKnown ? Self.waitingTime : Self.discoveryTime))
    link = Link(
      handle: complete.handle, local: controller.information.address, peer: complete.peer,
      demandsComparison: security.demandsComparison(of: complete.peer),
      client: GATTClient(
        Wanted.forRide(
          characteristic, of: service,
          isReadAtOnce: hasKey || !security.needsDecision(on: complete.peer), wishes),
        known: knownHandles, isServiceExpected: isKnown, demandsSecurity: !security.allowsOpenLink),
      machine: LinkMachine(
        mayPair: search.mayPair, isDecided: security.isGuest(complete.peer), isUnwanted: isUnwanted)
    )
    link.longestWait = pace.longestWait
  }

  // MARK: - What the phone says

  mutating func receive(_ packet: ACLData, at now: Instant) throws(ParseError) {
    controller.spoke()
    if let place = sensors.place(ofLink: packet.handle) {
      search.note(.heard(at: now))  // a controller that tells of a link was not reset by itself
      return try receive(packet, at: place, at: now)
    }
    guard phase == .connected, packet.handle == link.handle else {
      droppedCount &+= 1
      return
    }
    switch try link.receive(
      packet, server: server, takesUpdates: controller.takesUpdates, with: &cryptography, at: now)
    {
    case .pairing(let outcome): act(on: outcome, at: now)
    case .client(let outcome): act(on: outcome, at: now)
    case .update(let parameters):
      link.hasPeersParameters = true
      link.isRelaxed = Pace.isRelaxed(parameters)
      send(.leConnectionUpdate(handle: link.handle, parameters))
    }
  }

  mutating func advanceLink(to now: Instant) {
    if let due = link.sender.deadline, now >= due {
      // The phone takes nothing any more, or the controller: if it is that, the link does not end.
      if !link.machine.isFound, !peer.isRemembered { scanner.restUnfinished(link.peer, at: now) }
      report(.unanswered)
      return end(.remoteUserTerminatedConnection, at: now)
    }
    act(on: link.pairing.advance(to: now), at: now)
    if let due = link.machine.questionEnd, now >= due { questionTimedOut(at: now) }
    if let due = link.machine.nextAttempt, now >= due { attemptIsDue(at: now) }
    guard phase == .connected, link.advance(to: now) else { return }
    report(.unanswered)
    end(.remoteUserTerminatedConnection, at: now)
  }

  mutating func act(on outcome: GATTClient.Outcome, at now: Instant) {
    // Who is being left has nothing to say any more.
    guard link.machine.farewell == nil else { return }
    switch outcome {
    case .nothing: break
    case .ready: becameReady(at: now)
    case .waiting: beganToWait(at: now)
    case .securityNeeded: secure(at: now)
    case .handlesChanged(let range): handlesChanged(range)
    case .value(.deviceName):
      report(.name)
      updateBond()
    case .value(.batteryLevel): hear(.battery)
    case .value(.localTimeInformation): report(.zone)
    case .value(.currentTime): report(.clock)
    case .found(.entityUpdate): report(.music(.found))
    case .written(.entityUpdate): report(.music(.written))
    case .refused(.entityUpdate, let code): report(.music(.refused(code)))
    case .refused(.remoteCommand, _): report(.music(.commandRefused))
    case .lost(.entityUpdate): report(.music(.gone))
    case .notification(.entityUpdate): report(.music(.update))
    case .notification(.remoteCommand): report(.music(.commands))
    case .found(.notificationSource) where hasNotificationTexts: report(.notifications(.found))
    case .written(.controlPoint): report(.notifications(.written))
    case .refused(.controlPoint, let code), .refused(.dataSource, let code),
      .refused(.notificationSource, let code):
      report(.notifications(.refused(code)))
    case .notification(.notificationSource): report(.notifications(.source))
    case .notification(.dataSource): report(.notifications(.data))
    case .lost(.dataSource), .lost(.notificationSource): report(.notifications(.gone))
    case .notification(.currentTime): report(.clockNotified)
    case .notification(characteristic): hear(.notification)
    case .value(characteristic): hear(.value)
    case .readRefused(characteristic, let code): report(.readRefused(code))
    case .notification, .value, .readRefused, .found, .lost, .written, .refused: break
    case .serviceMissing:
      scanner.restLong(link.peer, at: now)
      report(.serviceMissing(link.peer, peer.candidate.match))
      end(.remoteUserTerminatedConnection, at: now)
    }
  }

  /// What was kept of these handles does not hold any more; somebody with the phone's address cannot say so.
  private mutating func handlesChanged(_ range: HandleRange) {
    guard peer.isRemembered, isTrusted else { return }
    security.forgetHandles(in: range)
    security.learnHandles(link.client.handles)
  }

  /// Says whether the value of the last `notification` or `value` was an instruction.
  ///
  /// Handles that were kept of an earlier link are a guess until one was; what is none shows that they are
  /// those of something else now.
  mutating func valueWasInstruction(_ isOne: Bool, at now: Instant) {
    guard phase == .connected else { return }
    guard !isOne else { return link.client.prove(characteristic) }
    guard let range = link.client.doubt(characteristic, at: now) else { return }
    link.sendRequest()
    handlesChanged(range)
  }

  /// Whether what a notification says can be asked for and told.
  private var hasNotificationTexts: Bool {
    link.client.valueHandle(of: .controlPoint) != 0 && link.client.isSubscribed(to: .dataSource)
  }

  /// The characteristic was found: a ride begins, or goes on, if the phone is trusted.
  private mutating func becameReady(at now: Instant) {
    report(.ready(isSubscribed: link.client.isSubscribed(to: characteristic)))
    if link.machine.foundIt() { askForSpeed() }
    stay(until: now + Self.relaxTime)
    // Also one that is remembered by its address: it has no key to show.
    if peer.isRemembered { scanner.prove(link.peer) }
    if needsDecision { secure(at: now) } else { beginRide(at: now) }
    updateBond()
  }

  /// Takes the link for the ride's, once there is all that makes it so.
  mutating func beginRide(at now: Instant) {
    guard link.machine.isFound, isTrusted else { return }
    if link.machine.rideBegins(), !search.isRideGoingOn(at: now) {
      security.isBondUpdated = false
      pace.rideBegan()
    }
    search.note(.rideBegan)
    scanner.prefer(link.peer)
  }

  /// Whether the link is the ride's: until then nothing of it changes the search, or what the rider sees.
  var isRide: Bool { link.machine.isSettled && isTrusted }

  /// The characteristic has vanished, or is not there yet.
  private mutating func beganToWait(at now: Instant) {
    guard link.machine.lostIt() else { return }
    stay(until: now + (peer.isRemembered ? Self.idleTime : Self.waitingTime))
    report(.waiting)
  }

  private mutating func hear(_ event: HostEvent) {
    if isTrusted { report(event) }
  }

  /// Whether what the phone says may be shown.
  private var isTrusted: Bool {
    guard !needsDecision else { return false }
    return link.machine.encryption == .on || security.allowsOpenLink
  }

  /// Longer packets and the faster PHY, where the controller knows them; a refusal is harmless.
  private mutating func askForSpeed() {
    let features = controller.information.features
    let commands = controller.information.commands
    if features.dataPacketLengthExtension, commands.leSetDataLength {
      send(.leSetDataLength(handle: link.handle))
    }
    if features.le2MPHY, commands.leSetPHY { send(.leSetPHY(handle: link.handle)) }
  }

  /// Relaxes a link whose ride is under way, and gives one up that has led to nothing.
  mutating func linkTimedOut(at now: Instant) {
    switch link.machine.overdue(isPairing: link.pairing.isRunning) {
    case .nothing: stay(until: now + Self.relaxTime)
    case .keyFailed:
      if !scanner.isProven(link.peer) { link.machine.giveUp() }
      keyFailed(at: now)
      end(.authenticationFailure, at: now)
    case .end(let reason): end(reason, at: now)
    case .wait where peer.isRemembered:
      link.machine.letGo()
      end(.remoteUserTerminatedConnection, at: now)
    case .wait, .search: giveUp(at: now)
    case .relax where !link.hasPeersParameters:
      link.isRelaxed = Pace.isRelaxed(pace.relaxed)
      send(.leConnectionUpdate(handle: link.handle, pace.relaxed))
    case .relax: break
    }
  }

  private mutating func giveUp(at now: Instant) {
    if link.machine.isWaiting {
      scanner.restLong(link.peer, at: now)
    } else {
      report(.unfinished)
      if !peer.isRemembered { scanner.restUnfinished(link.peer, at: now) }
    }
    end(.remoteUserTerminatedConnection, at: now)
  }

  /// Answers the link layer's own request for other parameters (Vol 4, Part E, 7.7.65.6).
  mutating func answerParameterRequest(_ handle: UInt16, _ wanted: ConnectionParameters) {
    guard controller.takesParameterReply else { return }
    let isOurs = phase == .connected && handle == link.handle
    let place = sensors.place(ofLink: handle)
    let isTaken = isOurs && wanted.longestWait <= link.longestWait
    if isTaken || place != nil, wanted.areAcceptable {
      if isOurs {
        link.hasPeersParameters = true
        link.isRelaxed = Pace.isRelaxed(wanted)
      }
      if let place { sensors.links[place].hasPeersParameters = true }
      send(.leRemoteConnectionParameterRequestReply(handle: handle, wanted))
    } else {
      send(
        .leRemoteConnectionParameterRequestNegativeReply(
          handle: handle, reason: .unacceptableConnectionParameters))
    }
  }

  // MARK: - The link ends

  /// Ends the link; Disconnection Complete brings the search.
  mutating func end(_ reason: ErrorCode, at now: Instant) {
    enter(.disconnecting, until: now + Self.longestTimeout)
    dropPendingData(of: link.handle)
    controller.commands.removeWaiting(for: link.handle)
    send(.disconnect(handle: link.handle, reason: reason))
  }

  /// The controller ends a link: one to who is silent, and may be anybody, is left behind.
  mutating func endBegan(at now: Instant) {
    guard phase == .disconnecting, link.machine.isGivenUp,
      controller.commands.handle == link.handle,
      leaving.add(
        handle: link.handle, peer: link.peer, inFlight: link.sender.inFlight,
        until: now + Self.longestTimeout)
    else { return }
    disconnected(.connectionTerminatedByLocalHost, at: now)
  }

  mutating func disconnected(_ reason: ErrorCode, at now: Instant) {
    let (wasRiding, wasTrusted, isLetGo) = (wasRiding, isTrusted, link.machine.isLetGo)
    pace.linkEnded(reason, isRelaxed: link.isRelaxed)
    if link.machine.encryption == .begun(.bond), !link.machine.isUnwanted, reason.deniesKey {
      keyFailed(at: now)
    }
    if !wasRiding, !link.machine.isUnwanted {
      scanner.restShort(link.peer, ownership(at: now), at: now)
    }
    // Else one that ends the link before each answer might guess for ever.
    if link.isInQuestion { security.attempts.failed(with: link.peer, at: now) }
    abandonLink(reason)
    if isLetGo {
      search.note(.letGo)
    } else if wasRiding {
      search.note(.rideLost(at: now))
    } else {
      search.note(wasTrusted ? .linkLost(at: now) : .linkFailed(at: now))
    }
    scan(at: now)
  }

  /// Whether the link that ends was a ride's, which is searched for.
  private var wasRiding: Bool {
    link.machine.isFound && isTrusted && !link.machine.isUnwanted && !link.pairing.isRunning
  }

  /// Forgets all links, as the controller has forgotten them.
  mutating func abandonLinks(_ reason: ErrorCode, at now: Instant) {
    let wasRiding = wasRiding
    leaving.removeAll()
    abandonLink(reason)
    if wasRiding { search.note(.rideLost(at: now)) }
    abandonSensors(reason, at: now)
  }

  /// Forgets the link with all that belongs to it.
  private mutating func abandonLink(_ reason: ErrorCode) {
    guard link.isThere else { return }
    dropPendingData(of: link.handle)
    controller.commands.removeWaiting(for: link.handle)
    let wasInQuestion = link.isDeciding
    if !wasInQuestion, link.machine.isFound, isTrusted { search.note(.trustLost) }
    link = Link.none(service, characteristic)
    report(.disconnected(reason))
    // That is why the pairing came to nothing.
    if wasInQuestion { report(.pairingFailed(.interrupted)) }
  }
}

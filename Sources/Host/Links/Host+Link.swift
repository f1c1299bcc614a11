import ATT
import Bytes
import HCI
import SMP

/// From a connection to its loss.
extension Host {
  private static var disconnectTime: Int64 { 2_000 }
  private static var farewellTime: Int64 { 500 }
  /// How long a stranger may take from the link to a subscription.
  private static var discoveryTime: Int64 { 20_000 }
  /// How long a phone that had the service is waited for, before others have their turn.
  static var waitingTime: Int64 { 300_000 }
  /// How long a phone that nothing is remembered of is searched for after its loss.
  private static var sessionTime: Int64 { 600_000 }
  /// How long after the start of a ride the link stays quick.
  private static var relaxTime: Int64 { 10_000 }

  /// 100 to 125 ms: an instruction may come that late, and both sides save power.
  private static var relaxedParameters: ConnectionParameters {
    ConnectionParameters(
      intervalMin: 80, intervalMax: 100, latency: 0, supervisionTimeout: 400)
  }

  mutating func connectionCompleted(_ complete: LEConnectionComplete, at now: Instant) {
    switch phase {
    case .connecting, .cancelling: break
    default:
      // A link that nobody asked for, as after a race: nobody would serve it.
      if complete.status == .success {
        commands.append(
          .disconnect(handle: complete.handle, reason: .remoteUserTerminatedConnection))
      }
      return
    }
    guard complete.status == .success, complete.isCentral else {
      return attemptFailed(complete.status, at: now)
    }
    phase = .connected
    let isKnown = candidate.match == .bond || scanner.isKnown(complete.peer)
    phaseDeadline = now + (isKnown ? Self.waitingTime : Self.discoveryTime)
    link = Link(
      handle: complete.handle, local: controller.address, peer: complete.peer,
      identity: identity(), demandsComparison: isComparisonDemanded,
      client: GATTClient(
        Wanted.forRide(characteristic, of: service), isServiceExpected: isKnown,
        demandsSecurity: !mayBeOpen))
    link.mayPair = isSearchAsked && pairing != .off
    link.isUnwanted = isAttemptUnwanted
    report(.connected(complete.peer))
    if isLeaving || link.isUnwanted { return end(.remoteUserTerminatedConnection, at: now) }
    if beginEncryption(at: now) { return }
    link.begin(at: now)
    // A phone that has forgotten us is paired with whether or not there is a ride now.
    if candidate.match == .bond, needsDecision { secure(at: now) }
  }

  mutating func receive(_ packet: ACLData, at now: Instant) throws(ParseError) {
    guard phase == .connected, packet.handle == link.handle else {
      droppedCount += 1
      return
    }
    switch try link.receive(packet, server: server, with: &cryptography, at: now) {
    case .pairing(let outcome): follow(outcome, at: now)
    case .client(let outcome): follow(outcome, at: now)
    case .update(let parameters):
      link.hasPeersParameters = true
      commands.append(.leConnectionUpdate(handle: link.handle, parameters))
    }
  }

  mutating func advanceLink(to now: Instant) {
    if let due = link.sender.deadline, now >= due {
      // The phone takes nothing any more, or the controller: if it is that, the link does not end.
      if !link.isRiding { scanner.restUnfinished(link.peer, at: now) }
      report(.unanswered)
      return end(.remoteUserTerminatedConnection, at: now)
    }
    follow(link.pairing.advance(to: now), at: now)
    guard phase == .connected, link.advance(to: now) else { return }
    report(.unanswered)
    end(.remoteUserTerminatedConnection, at: now)
  }

  mutating func follow(_ outcome: GATTClient.Outcome, at now: Instant) {
    // Who is being left has nothing to say any more.
    guard link.farewell == nil else { return }
    switch outcome {
    case .nothing: break
    case .ready:
      scanner.remember(link.peer)
      report(.ready(isSubscribed: link.client.isSubscribed(to: characteristic)))
      if !link.isRiding { askForSpeed() }
      link.isRiding = true
      link.isWaiting = false
      sessionEnd = nil
      phaseDeadline = now + Self.relaxTime
      if needsDecision { secure(at: now) }
    case .waiting:
      if !link.isWaiting {
        phaseDeadline = now + Self.waitingTime
        report(.waiting)
      }
      link.isWaiting = true
    case .securityNeeded: secure(at: now)
    case .value(.deviceName):
      report(.name)
      takeName()
    case .value(.batteryLevel): report(.battery)
    case .notification(characteristic): if isTrusted { report(.notification) }
    case .value(characteristic): if isTrusted { report(.value) }
    case .readRefused(characteristic, let code): report(.readRefused(code))
    case .notification, .value, .readRefused: break
    case .serviceMissing:
      scanner.restLong(link.peer, at: now)
      report(.serviceMissing(link.peer, candidate.match))
      end(.remoteUserTerminatedConnection, at: now)
    }
  }

  /// Whether what the phone says may be shown.
  private var isTrusted: Bool { link.encryption == .on || mayBeOpen }

  /// Longer packets and the faster PHY, where the controller knows them; a refusal is harmless.
  private mutating func askForSpeed() {
    if controller.features.dataPacketLengthExtension, controller.commands.leSetDataLength {
      commands.append(.leSetDataLength(handle: link.handle))
    }
    if controller.features.le2MPHY, controller.commands.leSetPHY {
      commands.append(.leSetPHY(handle: link.handle))
    }
  }

  /// Relaxes a link whose ride is under way, and gives one up that has led to nothing.
  mutating func linkTimedOut(at now: Instant) {
    // The pairing has a deadline of its own.
    guard !link.pairing.isRunning else {
      phaseDeadline = now + Self.relaxTime
      return
    }
    if link.encryption == .begun { return end(.authenticationFailure, at: now) }
    if let reason = link.farewell { return end(reason, at: now) }
    // Not `isReady`: a service that has just been lost sight of is being looked for.
    guard link.isRiding, !link.isWaiting else {
      if link.isWaiting {
        scanner.restLong(link.peer, at: now)
      } else {
        report(.unfinished)
        scanner.restUnfinished(link.peer, at: now)
      }
      return end(.remoteUserTerminatedConnection, at: now)
    }
    // Discovery is long over: the two sides need not meet so often any more.
    guard !link.hasPeersParameters else { return }
    commands.append(.leConnectionUpdate(handle: link.handle, Self.relaxedParameters))
  }

  /// Answers the link layer's own request for other parameters (Vol 4, Part E, 7.7.65.6).
  mutating func answerParameterRequest(_ handle: UInt16, _ wanted: ConnectionParameters) {
    guard controller.commands.leRemoteConnectionParameterRequestReply else { return }
    if phase == .connected, handle == link.handle, wanted.areAcceptable {
      link.hasPeersParameters = true
      commands.append(.leRemoteConnectionParameterRequestReply(handle: handle, wanted))
    } else {
      commands.append(
        .leRemoteConnectionParameterRequestNegativeReply(
          handle: handle, reason: .unacceptableConnectionParameters))
    }
  }

  /// Ends the link once the phone has heard what is still to be said, or half a second later.
  mutating func endPolitely(_ reason: ErrorCode, at now: Instant) {
    link.farewell = reason
    phaseDeadline = now + Self.farewellTime
  }

  /// Ends the link; Disconnection Complete brings the search.
  mutating func end(_ reason: ErrorCode, at now: Instant) {
    phase = .disconnecting
    phaseDeadline = now + Self.disconnectTime
    dropPendingData()
    commands.removeWaiting()  // a phone with many wishes may have left no room
    commands.append(.disconnect(handle: link.handle, reason: reason))
  }

  mutating func disconnected(_ reason: ErrorCode, at now: Instant) {
    let wasRiding = link.isRiding && !link.isUnwanted && !link.pairing.isRunning
    if !wasRiding, !link.isUnwanted { scanner.restShort(link.peer, at: now) }
    if link.encryption == .begun, !link.isUnwanted, reason.meansAnotherKey { rejectBond(at: now) }
    abandonLink(reason)
    if wasRiding {
      isSearchAsked = false
      sessionEnd = now + Self.sessionTime
    }
    if wasRiding || isSearchEndless { fastScanEnd = now + Self.fastScanTime }
    searchOn(at: now)
  }

  /// Forgets the link with all that belongs to it.
  mutating func abandonLink(_ reason: ErrorCode) {
    guard link.isThere else { return }
    dropPendingData()
    commands.removeWaiting()  // they were for this link
    if link.pairing.isRunning {
      report(.pairingFailed(.interrupted))
    } else if link.isRiding {
      isSearchAsked = false
    }
    link = Link.none(service, characteristic)
    report(.disconnected(reason))
  }
}

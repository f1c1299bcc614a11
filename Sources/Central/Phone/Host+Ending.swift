import Bond
import Bytes
import Controller
import HCI
import Link
import SMP
import Search
import SensorLinks

/// What ends the phone's link, and what follows.
extension Host {
  /// How long the last packets to the phone may take.
  private static var farewellTime: Int64 { 500 }
  /// Why a phone is left that is not to be followed.
  static var farewellReason: ErrorCode { .authenticationFailure }

  // MARK: - It is to end

  /// Ends the link, or the attempt at one, as the rider or the host's owner wants.
  mutating func disconnect(at now: Instant) {
    switch phase {
    case .connected: end(.remoteUserTerminatedConnection, at: now)
    case .connecting: cancel(isUnwanted: true, at: now)
    case .cancelling(_, let end): enter(.cancelling(isUnwanted: true, until: end))
    case .scanning, .idle: scan(at: now)
    default: break
    }
    updateScanner(.disowned, at: now)
  }

  /// Ends the link to a phone that is not to be followed; that was no ride.
  mutating func leaveAlone(at now: Instant) {
    updateScanner(.useless(link.channels.peer), at: now)
    sayFarewell(at: now)
  }

  /// Ends the link as soon as everything that waits was sent.
  mutating func sayFarewell(at now: Instant) {
    updateConsent { $0.endRide() }
    updateProgress { $0.leave(until: now + Self.farewellTime) }
  }

  /// Ends a link that is being left, once all was sent.
  mutating func endAfterFarewell(at now: Instant) {
    guard phase == .connected, link.progress.stage.isLeaving, link.channels.sender.isFlushed
    else { return }
    end(Self.farewellReason, at: now)
  }

  /// Ends the link; the search goes on once the link is over, or left behind (`endBegan`).
  ///
  /// A phone that the rider wants to be rid of stays that, however its link ends.
  mutating func end(_ reason: ErrorCode, as parting: Parting? = nil, at now: Instant) {
    enter(.disconnecting(parting ?? self.parting, until: now + longestTimeout))
    endLink(reason)
  }

  /// The controller is ending the link: if it may be any device's, it is left behind, as its end may take long.
  mutating func endBegan(at now: Instant) {
    guard case .disconnecting(let parting, _) = phase,
      parting == .givenUp || link.progress.isPeripheral,
      controller.answeredHandle == link.channels.handle
    else { return }
    let (handle, peer) = (link.channels.handle, link.channels.peer)
    let inFlight = link.channels.sender.inFlight
    let end = now + longestTimeout
    let isKept = updateLingering {
      $0.add(handle: handle, peer: peer, inFlight: inFlight, until: end)
    }
    if isKept { disconnected(.connectionTerminatedByLocalHost, at: now) }
  }

  /// How long the link may still last once it was ended.
  private var longestTimeout: Int64 {
    Controller.longestTimeout(isCentral: !link.progress.isPeripheral)
  }

  /// A link is over: a sensor's, the phone's, or one that was left behind.
  mutating func linkEnded(_ handle: UInt16, _ reason: ErrorCode, at now: Instant) {
    if withSensors({ $0.disconnected(handle, reason, by: &$1, at: now) }) { return }
    if link.channels.isThere, handle == link.channels.handle {
      disconnected(reason, at: now)
    } else {
      // By the time the transport takes packets again, its handle may be another link's.
      control { $0.dropAll(of: handle) }
      updateLingering { $0.remove(handle) }
      updateAdvertiser { $0.linkEnded(handle, at: now) }
    }
  }

  private mutating func disconnected(_ reason: ErrorCode, at now: Instant) {
    let (wasRiding, wasTrusted, parting) = (wasRiding, isTrusted, parting)
    let isRelaxed = link.isRelaxed
    updatePace { $0.linkEnded(reason, isRelaxed: isRelaxed) }
    updateLongFrames(endedBy: reason, at: now)
    if link.progress.stage.isEncrypting, parting != .unwanted, reason.deniesKey {
      keyFailed(at: now)
    }
    let isPeripheral = link.progress.isPeripheral
    // The address of a visitor that fails is not left alone: any device can use it.
    if !wasRiding, parting != .unwanted, !isPeripheral {
      updateScanner(.failed(link.channels.peer, ownership(at: now)), at: now)
    }
    // Otherwise a peer could guess without limit, ending the link before each answer.
    if isInQuestion { updateSecurity(.pairingFailed(link.channels.peer, at: now)) }
    if isPeripheral { visitorLeft(reason, wasTrusted: wasTrusted, at: now) }
    abandonLink(reason, at: now)
    if parting == .letGo {
      updateSearch(.letGo)
    } else if wasRiding {
      updateSearch(.rideLost(at: now))
    } else if wasTrusted || !isPeripheral {
      updateSearch(wasTrusted ? .linkLost(at: now) : .linkFailed(at: now))
    }
    // A link over which nothing came counts as an attempt that failed.
    if !isPeripheral, failForWantOfLinks(reason, at: now) { return }
    scan(at: now)
  }

  /// Whether the link that ends was a ride's, whose phone is searched for.
  private var wasRiding: Bool {
    consent.isRiding && isTrusted && parting != .unwanted && parting != .letGo
      && !link.pairing.isRunning
  }

  /// Why we end the link; `.ordinary` if we do not.
  private var parting: Parting {
    switch phase {
    case .disconnecting(let parting, _): return parting
    default:
      if case .leaving(isUnwanted: true, _) = link.progress.stage { return .unwanted }
      return .ordinary
    }
  }

  /// Forgets all links, as the controller has forgotten them.
  mutating func abandonLinks(_ reason: ErrorCode, at now: Instant) {
    let wasRiding = wasRiding
    updateLingering { $0.removeAll() }
    abandonLink(reason, at: now)
    if wasRiding { updateSearch(.rideLost(at: now)) }
    withSensors { $0.abandon(reason, by: &$1, at: now) }
  }

  /// Forgets the link with all that belongs to it; a trusted phone may come back by itself.
  private mutating func abandonLink(_ reason: ErrorCode, at now: Instant) {
    guard link.channels.isThere else { return }
    let handle = link.channels.handle
    control { $0.dropAll(of: handle) }
    if isTrusted { updateAdvertiser { $0.wake(at: now) } }
    let wasDeciding = isDeciding
    replaceLink(by: PhoneLink.none(profile))
    report(.disconnected(reason))
    // A pairing that ran, or that the rider or the next attempt was to decide, is interrupted.
    if wasDeciding { report(.pairingFailed(.interrupted)) }
  }
}

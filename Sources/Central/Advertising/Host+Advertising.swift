import Bond
import Bytes
import Controller
import HCI
import Link
import PhoneServices
import SMP
import Search
import SensorLinks

/// Phones that connect by themselves: when the device advertises, and which phone is let in.
extension Host {
  /// How long the remembered phone may take to begin the encryption, before and after it was asked to.
  ///
  /// A stranger may use its address, and must not keep the phone out for long.
  private var comingTime: Int64 { advertiser.isVisitorSuspect ? 1_000 : 5_000 }
  /// How long a stranger may take to ask for a pairing, before and after it was asked to.
  private static var strangerTime: Int64 { 1_000 }
  private static var overtakenTime: Int64 { 2_000 }
  /// How long a phone whose key was denied may take to pair.
  private static var repairTime: Int64 { 5_000 }

  // MARK: - Advertising

  /// What the device advertises for now.
  var advertisingSearch: Advertiser.Search {
    guard case .scanning(let mode) = phase, !sensors.radio.isInitiating, overtakenAttemptEnd == nil,
      !lingering.areTooMany
    else {
      return .nobody
    }
    if mayVisitorPair { return security.memory == .nothing ? .strangers : .phoneAgain }
    guard security.memory == .keys else { return .nobody }
    return mode == .fast ? .phone : .phoneNowAndThen
  }

  /// Whether a phone that connects by itself may pair: if one is remembered, that one alone.
  ///
  /// The rider must have asked for a phone; if it has a key, also after having been told that the key has failed.
  private var mayVisitorPair: Bool {
    switch security.memory {
    case .nothing, .address: search.mayPair
    case .keys: search.mayPair && security.mayPairAgain
    }
  }

  /// Finds out whether the controller, which is up, can advertise, and whether also while it listens.
  mutating func prepareAdvertising(at now: Instant) {
    guard advertiser.isOn else { return }
    updateAdvertiser { $0.start(at: now) }
    guard controller.takesAdvertising else {
      updateAdvertiser { $0.giveUp() }
      return report(.advertisingRefused(.unknownCommand))
    }
    // Where both cannot be done at once, each has its turn.
    if let states = controller.information.states, !states.advertisingWhileScanning {
      updateAdvertiser { $0.takeTurns() }
    }
  }

  /// Begins, changes or ends advertising, as is due now.
  mutating func tendAdvertising(at now: Instant) {
    if let end = overtakenAttemptEnd, now >= end { forgetOvertakenAttempt() }
    let search = advertisingSearch
    let (hadRadio, wasListening) = (advertiser.hasRadio, isListening)
    updateAdvertiser { $0.advance(to: now, for: search) }
    if wasListening, advertiser.hasRadio { control { $0.stopScan() } }
    advertise(for: search)
    if hadRadio, !advertiser.hasRadio { listenForPhone() }
  }

  private mutating func advertise(for search: Advertiser.Search) {
    let isAdvertising = controller.isAdvertising
    switch updateAdvertiser({ $0.takeOutcome(for: search, isAdvertising: isAdvertising) }) {
    case .nothing: break
    case .stop: control { $0.stopAdvertising() }
    case .advertise(let form):
      let content = AdvertisingContent(
        name: server.ownName, appearance: GATTServer.appearance, soliciting: .notificationService,
        isDiscoverable: form.isDiscoverable)
      control { $0.advertise(content, interval: form.interval) }
    }
  }

  /// The controller does not advertise, or not while it listens.
  mutating func advertisingRefused(_ opcode: Opcode, _ status: ErrorCode, at now: Instant) {
    control { $0.advertisingEnded() }
    let hadRadio = advertiser.hasRadio
    let isBusy =
      opcode == .leSetAdvertisingEnable && (status == .commandDisallowed || status.isLackOfLinks)
    let isNews = updateAdvertiser { advertiser in
      guard !isBusy else { return advertiser.postpone(at: now) }
      advertiser.giveUp()
      return true
    }
    if hadRadio { listenForPhone() }
    if isNews { report(.advertisingRefused(status)) }
  }

  // MARK: - Somebody comes

  /// A device has connected to us: the remembered phone, or a phone that the rider asked for, is let in.
  ///
  /// All others are sent away before their first packet is answered. Of two links to the phone the older one stays.
  mutating func somebodyCame(_ complete: LEConnectionComplete, at now: Instant) {
    control { $0.advertisingEnded() }
    updateAdvertiser { $0.somebodyCame(at: now) }
    let isPhone =
      security.isBonded(complete.peer, with: cryptography) && security.memory != .nothing
    let mayPair = mayVisitorPair && (security.memory == .nothing || isPhone)
    let hasKey = isPhone && security.memory == .keys
    let isSentAway = !hasKey && advertiser.cameForNothing(complete.peer, at: now)
    guard advertiser.isOn, mayBeVisited, hasKey || mayPair, !isSentAway else {
      updateAdvertiser { $0.sentAway(complete.handle, at: now) }
      return refuse(complete, at: now)
    }
    endSearching(at: now)
    choose(.visitor(complete.peer, isRemembered: isPhone), at: now)
    makeLink(complete, LinkProgress(.awaited(.none, until: now)), mayPair: mayPair, at: now)
    let end = now + visitorTime
    updateProgress { $0.stay(until: end) }
    report(.connected(complete.peer))
  }

  /// How long a visitor may take to its next step.
  private var visitorTime: Int64 {
    keptKey == nil ? Self.strangerTime : comingTime
  }

  /// A visitor's link is over; after a stranger's, the search gets its time back and listens first.
  mutating func visitorLeft(_ reason: ErrorCode, wasTrusted: Bool, at now: Instant) {
    // A visitor that goes out of range, or is at the edge, proves nothing.
    let isLost = reason == .connectionTimeout || reason == .connectionFailedToBeEstablished
    let isEncrypted = link.progress.isEncrypted
    if peer.isRemembered, !isLost {
      updateAdvertiser { $0.visitorLeft(wasEncrypted: isEncrypted, at: now) }
    }
    guard !wasTrusted else { return }
    updateSearch(.visited(for: now - peer.attemptStart))
    let next = security.attempts.nextAttempt(with: link.channels.peer, at: now)
    let address = isLost || isInQuestion || next != nil ? nil : link.channels.peer
    updateAdvertiser { $0.strangerLeft(address, at: now) }
  }

  private var mayBeVisited: Bool {
    guard search.state != .over else { return false }
    switch phase {
    case .scanning, .connecting, .cancelling(isUnwanted: false, _): return true
    default: return false
    }
  }

  /// Stops listening, and cancels an attempt that is under way.
  private mutating func endSearching(at now: Instant) {
    switch phase {
    case .scanning:
      stopPhoneScan()
      report(.scan(.off))
    case .connecting:
      if control({ $0.dropAttempt() }) { return }
      send(.leCreateConnectionCancel)
      overtakeAttempt(until: now + Self.overtakenTime)
    case .cancelling: overtakeAttempt(until: now + Self.overtakenTime)
    default: break
    }
  }

  /// Takes the end of an attempt that was cancelled for a visitor; returns whether there was one.
  mutating func endOvertakenAttempt() -> Bool {
    guard overtakenAttemptEnd != nil else { return false }
    control { $0.dropCancel() }
    forgetOvertakenAttempt()
    return true
  }

  // MARK: - It encrypts

  /// A phone that made the link encrypts it: with the key that both have, or not at all.
  ///
  /// Core Specification, Vol 4, Part E, 7.7.65.5: EDIV and Rand are 0 for a key of Secure Connections.
  mutating func longTermKeyRequested(
    _ handle: UInt16, isForSecureConnections: Bool, at now: Instant
  ) {
    guard phase == .connected, handle == link.channels.handle, link.progress.isPeripheral else {
      return send(.leLongTermKeyRequestNegativeReply(handle: handle))
    }
    let kept = keptKey
    // The encryption may take as long as its beginning: ten seconds in all at most.
    let time = comingTime
    if isForSecureConnections,
      let reply = withLink({ $0.answerKeyRequest(with: kept, time: time) })
    {
      return send(reply)
    }
    send(.leLongTermKeyRequestNegativeReply(handle: handle))
  }

  /// The phone was denied a key for its link: the link ends, unless the phone may pair on it.
  ///
  /// A phone that kept a key which was deleted here makes a new one on the same link.
  mutating func phoneWasDeniedKey(at now: Instant) {
    guard phase == .connected, controller.answeredHandle == link.channels.handle else { return }
    guard awaitsPairing, !link.pairing.isRunning, updateProgress({ $0.denyKey() }) else {
      return end(.authenticationFailure, at: now)
    }
    withLink { $0.requestSecurity(at: now) }
    // Two strangers that both ask for a key would keep the rider's phone out.
    if updateAdvertiser({ $0.repairBegins() }) {
      updateProgress { $0.stay(until: now + Self.repairTime) }
    }
  }

  /// The phone that made the link has not begun to encrypt it: it is asked to.
  mutating func requestSecurity(at now: Instant) {
    withLink { $0.requestSecurity(at: now) }
    let end = now + visitorTime
    updateProgress { $0.stay(until: end) }
  }

  // MARK: - It pairs

  /// A phone that made the link wants to pair: it may if the rider has asked for a phone.
  mutating func pairingRequested(_ request: PairingFeatures, at now: Instant) {
    guard link.progress.stage.isAwaited else {
      return withLink { $0.pair { $0.decline() } }
    }
    guard consent.mayPair else { return pairingDeclined(at: now) }
    guard security.attempts.nextAttempt(with: link.channels.peer, at: now) == nil else {
      return withLink { $0.pair { $0.decline(.repeatedAttempts) } }
    }
    receive(pair { $0.accept(request, at: now, with: &$1) }, at: now)
  }

  /// Whether a phone that made the link may pair on it now.
  var awaitsPairing: Bool { consent.mayPair && link.progress.stage.isAwaited }

  /// Declines a pairing that the rider has not asked for: a phone without its key may have forgotten us.
  private mutating func pairingDeclined(at now: Instant) {
    withLink { $0.pair { $0.decline() } }
    keyFailed(at: now)
    sayFarewell(at: now)
  }

  // MARK: - It guides

  /// The last `written` was a turn: the link is a ride's.
  mutating func turnWasWritten(at now: Instant) {
    guard phase == .connected, isTrusted else { return }
    // Without komoot, too, the phone has something to show.
    if link.progress.stage.isWaiting, !link.progress.isPeripheral {
      updateProgress { $0.stay(until: now + Self.idleTime) }
    }
    countAsRide(at: now)
  }
}

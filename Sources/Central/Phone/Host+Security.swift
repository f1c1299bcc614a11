import Bond
package import Bytes
import HCI
import Link
package import SMP
import Search
import SensorLinks

/// From a link to one that is encrypted, with the remembered key or a new one.
extension Host {
  /// How long the encryption with the remembered key may take.
  private static var encryptionTime: Int64 { 3_000 }
  /// The same at an address that has not shown the key since the start.
  private static var unprovenEncryptionTime: Int64 { 1_200 }
  /// How long the rider may think about a phone that cannot be paired with.
  private static var questionTime: Int64 { 30_000 }

  // MARK: - Encryption

  /// Encrypts the link, before anything is asked, if the phone has a key; returns whether it does.
  mutating func beginEncryption(at now: Instant) -> Bool {
    guard let key = keptKey else { return false }
    let isProven = scanner.reputation.isProven(link.channels.peer)
    let time = isProven ? Self.encryptionTime : Self.unprovenEncryptionTime
    send(withLink { $0.encrypt(with: key, until: now + time) })
    return true
  }

  mutating func encryptionChanged(
    _ status: ErrorCode, _ handle: UInt16, isEncrypted: Bool, at now: Instant
  ) {
    if sensors.hasLink(handle) {
      let (isOn, cryptography) = (status == .success && isEncrypted, cryptography)
      return withSensors {
        $0.encryptionChanged(
          handle, isOn: isOn, isDenied: status == .pinOrKeyMissing, by: &$1, with: cryptography,
          at: now)
      }
    }
    guard phase == .connected, handle == link.channels.handle else { return }
    guard status == .success, isEncrypted else { return encryptionFailed(status, at: now) }
    let secured = withLink { $0.encrypted(until: now + Self.waitingTime, at: now) }
    if secured != .nothing { report(.encrypted) }
    switch secured {
    case .nothing: break
    case .known:
      updateSecurity(.keyHolds)
      updateScanner(.proven(link.channels.peer), at: now)
    case .pairing(let outcome): receive(outcome, at: now)
    }
  }

  private mutating func encryptionFailed(_ status: ErrorCode, at now: Instant) {
    if link.progress.stage.isEncrypting, status.deniesKey {
      // Any device can make encryption fail: the rider must have been told, and have asked for a phone since.
      let isPairingAsked =
        security.mayPairAgain && consent.mayPair && !link.progress.isPeripheral
      keyFailed(at: now)
      if isPairingAsked { return secure(at: now) }
    } else {
      let outcome = withLink { $0.pair { $0.encryptionFailed() } }
      if outcome != .nothing { return receive(outcome, at: now) }
    }
    // Encryption is never given up on a link: a phone that takes it away is not to be trusted.
    end(.authenticationFailure, at: now)
  }

  /// The phone, or a device with its address, does not know the key that is kept.
  mutating func keyFailed(at now: Instant) {
    updateProgress { $0.keyFailed() }
    // The press that led to this link is used up; a press since it came up still counts.
    if consent.mayPair, peer.isRemembered { updateSearch(.trustLost) }
    let wasTold = security.isBondRejected
    updateSecurity(.keyFailed)
    updateScanner(.keyless(link.channels.peer), at: now)
    report(.bondRejected(isToBeTold: security.isBondRejected && !wasTold))
  }

  // MARK: - Pairing

  /// Whether it is still undecided if this phone is followed and will be remembered.
  ///
  /// Before the decision, nothing that the phone says is shown. The decision comes when the kept key has encrypted
  /// the link, or at the end of a pairing.
  var needsDecision: Bool {
    !link.progress.isDecided && security.needsDecision(on: link.channels.peer)
  }

  /// Whether a pairing runs, or the rider is asked whether to do without one.
  var isInQuestion: Bool { link.pairing.isRunning || consent.questionEnd != nil }

  /// The same, or the phone has to wait for its next attempt at pairing.
  var isDeciding: Bool { link.pairing.isRunning || consent.deadline != nil }

  /// Pairs with the phone, if the rider wants that and it is not too early for another attempt.
  mutating func secure(at now: Instant) {
    guard !isDeciding else { return }
    guard consent.mayPair, !link.progress.isEncrypted, link.pairing.canBegin else {
      return unsecured(at: now)
    }
    guard mayAsk(at: now) else { return }
    withLink { $0.pair { $0.begin(at: now) } }
  }

  /// Whether it is not too early for another attempt with this phone; else it waits on its link.
  private mutating func mayAsk(at now: Instant) -> Bool {
    guard let end = security.attempts.nextAttempt(with: link.channels.peer, at: now) else {
      return true
    }
    updateConsent { $0.delay(until: end) }
    report(.pairingDelayed(until: end))
    return false
  }

  /// The phone has waited long enough since its last attempt.
  mutating func attemptIsDue(at now: Instant) {
    updateConsent { $0.attemptIsDue() }
    if !link.progress.stage.isLeaving { secure(at: now) }
  }

  /// Receives the rider's answer: whether the phone shows the same number, or whether to follow it without one.
  mutating func confirm(_ isSame: Bool, at now: Instant) {
    if !updateConsent({ $0.answered() }) {
      receive(pair { $0.confirm(isSame, at: now, with: $1) }, at: now)
    } else if isSame {
      follow(at: now)
    } else {
      pairingFailed(.refused(.numericComparisonFailed), at: now)
    }
  }

  /// Until when the phone has to wait for its next attempt at pairing; `nil` if none does.
  package var pairingDelayEnd: Instant? { phase == .connected ? consent.nextAttempt : nil }

  /// Until when the phone's owner may still agree to the pairing, once ours has; else `nil`.
  package var phoneAnswerEnd: Instant? {
    phase == .connected ? link.pairing.peerDeadline : nil
  }

  /// Until when the phone may say whether it pairs at all, which may be up to its owner; else `nil`.
  package var phoneConsentEnd: Instant? {
    phase == .connected ? link.pairing.answerDeadline : nil
  }

  mutating func receive(_ outcome: PairingOutcome, at now: Instant) {
    switch outcome {
    case .nothing, .awaitEncryption: break
    case .pairingRequest(let request): pairingRequested(request, at: now)
    case .requestRefused(let reason): if awaitsPairing { pairingFailed(.refused(reason), at: now) }
    case .securityRequest(let wish): answerSecurityRequest(wish)
    case .compare(let number):
      updateConsent { $0.ask() }
      report(.compare(number: number))
    case .ask:
      updateConsent { $0.ask() }
      report(.ask)
    case .encrypt:
      if let command = withLink({ $0.encryptWithNewKey() }) { send(command) }
    case .paired: paired(at: now)
    case .failed(let failure): pairingFailed(failure, at: now)
    }
  }

  /// Declines a Security Request, unless the link is, or will be, encrypted or paired anyway.
  private mutating func answerSecurityRequest(_ wish: AuthenticationRequirements) {
    if link.progress.isEncrypted { return encryptAgain(for: wish) }
    guard link.progress.encryption == .off, !link.progress.stage.isEncrypting,
      consent.nextAttempt == nil, !(consent.mayPair && needsDecision)
    else { return }
    withLink { $0.pair { $0.declineSecurity() } }
  }

  /// Encrypts the link once more, if its key is as good as the phone wants it and no renewal is under way.
  ///
  /// Core Specification, Vol 3, Part H, 2.4.6.
  private mutating func encryptAgain(for wish: AuthenticationRequirements) {
    guard let key = linkKey, isKeyAuthenticated || !wish.isComparisonWanted else {
      return withLink { $0.pair { $0.declineSecurity() } }
    }
    guard !link.progress.stage.isLeaving, updateProgress({ $0.renewEncryption() }) else { return }
    send(.leEnableEncryption(handle: link.channels.handle, longTermKey: key))
  }

  private mutating func paired(at now: Instant) {
    updateSecurity(.accepted(link.channels.peer))
    updateScanner(.proven(link.channels.peer), at: now)
    guard let keys = link.pairing.keys else { return }
    // The phone is a guest until it is remembered, or if it cannot be: it may send no identity, or keep no key.
    updateSecurity(
      .followed(link.channels.peer, by: keys.longTermKey, isCompared: keys.isAuthenticated))
    remember(keys.isBonding ? bond(of: keys) : nil, as: .keys)
    if keys.isBonding, !isBondPending { updateSearch(.keyIsKept) }
    // The question may have used up the time for discovery.
    updateProgress { $0.look(until: now + Self.discoveryTime) }
    if link.progress.isPeripheral {
      withLink { $0.beginAsking(at: now) }
    } else {
      receive(askPhone { $0.secured(at: now) }, at: now)
    }
    readUnshownValue(at: now)
  }

  /// Reads the value again, as it was not shown before the phone was trusted; a ride may begin.
  private mutating func readUnshownValue(at now: Instant) {
    beginRide(at: now)
    let characteristic = characteristic
    askPhone { $0.read(characteristic, at: now) }
  }

  /// The bond of a paired phone; a fixed address by which it was met is kept, whatever identity it sends.
  private borrowing func bond(of keys: BondKeys) -> Bond? {
    let identity = keys.identityAddress ?? link.channels.peer
    let isOther = link.channels.peer.isFixed && !identity.isSame(as: link.channels.peer)
    return Bond(
      address: isOther ? link.channels.peer : identity, irk: isOther ? nil : keys.irk,
      ltk: keys.longTermKey, isAuthenticated: keys.isAuthenticated,
      handles: link.client.lines.handles, served: .ofNewBond, name: peerName)
  }

  private mutating func pairingFailed(_ failure: PairingFailure, at now: Instant) {
    report(.pairingFailed(failure))
    guard phase == .connected else { return }
    // Once a key is put to use there is no way back to an open link.
    if failure.meansInability, link.progress.encryption == .off, !link.progress.isPeripheral {
      return unsecured(at: now)
    }
    updateSecurity(.pairingFailed(link.channels.peer, at: now))
    // Before there was a question nobody said no: a stranger must not end the rider's search.
    if consent.wasAsked, failure.isNumberRejected { updateSearch(.refused) }
    leaveAlone(at: now)
  }

  /// Goes on with a phone that cannot be paired with, unless that is required.
  private mutating func unsecured(at now: Instant) {
    guard security.allowsOpenLink || link.progress.isEncrypted else {
      return leaveAlone(at: now)
    }
    guard needsDecision else { return goOnUnsecured(at: now) }
    // The phone would not show the way: there is nothing to ask the rider, and nothing to remember.
    if link.client.isKeyDemanded { return leaveAlone(at: now) }
    // Encryption is never given up on a link.
    guard consent.mayPair, keptKey == nil else { return leaveAlone(at: now) }
    guard mayAsk(at: now) else { return }
    updateConsent { $0.ask(until: now + Self.questionTime) }
    report(.ask)
  }

  private mutating func goOnUnsecured(at now: Instant) {
    // A pairing that the rider was asked about may have interrupted the ride.
    beginRide(at: now)
    receive(askPhone { $0.insecure(at: now) }, at: now)
  }

  /// Follows a phone over an open link, as the rider agreed to that.
  private mutating func follow(at now: Instant) {
    updateSecurity(.accepted(link.channels.peer))
    updateSecurity(.followed(link.channels.peer, by: nil, isCompared: false))
    remember(
      Bond(address: link.channels.peer, handles: link.client.lines.handles, name: peerName),
      as: .address)
    goOnUnsecured(at: now)
    readUnshownValue(at: now)
  }

  /// The rider did not answer: this counts as a no, except for the search.
  mutating func questionTimedOut(at now: Instant) {
    updateConsent { $0.answered() }
    pairingFailed(.timedOut, at: now)
  }

  /// Keeps what this link has shown of the remembered phone: where its services are, and, once a ride, its name.
  mutating func updateBond() {
    // The name is asked for once there is a ride, so never over an open link to a phone that has a key.
    // What is being looked for is written once it is found.
    guard peer.isRemembered, !link.client.lines.isAnyMissed || link.progress.isPeripheral else {
      return
    }
    updateSecurity(.found(link.client.lines.handles))
    // New keys that wait for the disk must not be replaced by the old ones.
    guard !(link.progress.isDecided && isBondPending) else { return }
    var name = FixedBuffer<32>()
    if !security.isBondUpdated || isBondPending { name.append(link.client.peerName.bytes) }
    if name.isEmpty { copyKeptName(into: &name) }
    if let bond = updatedBond(name: name.bytes) {
      if !isEqual(name.bytes, bondName) { updateSecurity(.nameChanged) }
      keep(bond)
      report(.bondChanged)
    }
  }

  /// The bond that waits for the disk, or else the current one, with what links have shown; `nil` if nothing is new.
  private borrowing func updatedBond(name: Span<UInt8>) -> Bond? {
    switch newBond {
    case .some(let bond):
      bond.updated(name: name, handles: security.handles, served: bond.served)
    case .none: security.updatedBond(name: name)
    }
  }

  /// Keeps what the phone has set on our server, or learned from it, unless this is on disk already.
  mutating func keepServed() {
    guard let served = link.serving.served else { return }
    if peer.isRemembered { updateSecurity(.served(served)) }
    guard let bond = servedBond(served) else { return }
    keep(bond)
    report(.bondChanged)
  }

  /// The bond that waits for the disk, or else the current one, with `served`; `nil` if nothing is new, or another
  /// phone is about to be remembered.
  private borrowing func servedBond(_ served: Bond.Served) -> Bond? {
    switch newBond {
    case .some(let bond): bond.ltk == linkKey ? bond.updated(served: served) : nil
    case .none: peer.isRemembered ? security.servedBond() : nil
    }
  }

  /// The key for the link's encryption: the pairing's, or else the one that is kept.
  private var linkKey: Bond.Key? { link.pairing.keys?.longTermKey ?? keptKey }

  /// The key that is kept of the phone that has the link, if there is one.
  var keptKey: Bond.Key? {
    security.key(of: link.channels.peer, isRemembered: peer.isRemembered)
  }

  /// Whether the rider compared the numbers when this key was made.
  private var isKeyAuthenticated: Bool {
    link.pairing.keys?.isAuthenticated ?? security.demandsComparison(of: link.channels.peer)
  }

  private borrowing func copyKeptName(into name: inout FixedBuffer<32>) {
    switch newBond {
    case .some(let bond): bond.copyName(into: &name)
    case .none: name.assign(bondName)
    }
  }

  /// Whether a bond waits for the disk.
  private var isBondPending: Bool {
    switch newBond {
    case .some: true
    case .none: false
    }
  }

  private mutating func remember(_ bond: consuming Bond?, as memory: Remembrance) {
    updateProgress { $0.decide() }
    switch consume bond {
    case .some(let bond):
      keep(bond)
      withLink { $0.updateServing { $0.becomeBonded() } }
      report(.remember(memory))
    case .none: report(.remember(.nothing))
    }
  }
}

extension PairingFailure {
  /// Whether somebody looked at the two numbers and said no.
  fileprivate var isNumberRejected: Bool {
    self == .refused(.numericComparisonFailed) || self == .peer(.numericComparisonFailed)
  }

  /// Whether the phone could not be paired with, though nobody is against it.
  package var meansInability: Bool {
    switch self {
    case .refused(.authenticationRequirements), .refused(.encryptionKeySize),
      .peer(.pairingNotSupported), .peer(.authenticationRequirements),
      .peer(.commandNotSupported):
      true
    default: false
    }
  }
}

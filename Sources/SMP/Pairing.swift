package import Bytes

/// Our side of a pairing, of either role: LE Secure Connections and nothing weaker.
///
/// Core Specification, Vol 3, Part H, 2.3 and 2.4. `PairingPhase` has the table of both roles.
///
/// Each link has its own, as an attempt that times out is the link's last (3.4). After each call the
/// owner sends what `takePDU` gives, and looks at `deadline`.
///
/// We are DisplayYesNo: the rider compares the numbers whenever the phone can show one. A phone with neither
/// display nor keyboard is paired by Just Works if the rider agrees, and the keys say so. A phone with only
/// one of them is refused (Authentication Requirements): no such phone exists, so passkeys are not supported.
///
/// We use no private addresses; an identity resolving key of zero says so (3.6.4).
package struct Pairing: ~Copyable {
  /// The pairing fails 30 s after the last command that we sent.
  ///
  /// Core Specification, Vol 3, Part H, 3.4.
  private static var timeout: Int64 { 30_000 }

  private let demandsComparison: Bool
  private var sides: PairingSides
  private var phase = PairingPhase.idle
  private var agreement = KeyAgreement()
  private var queue = PDUQueue()

  /// When `advance` must be called at the latest.
  package private(set) var deadline: Instant?

  /// A link between `local` and `peer`, the addresses by which it was made.
  ///
  /// With `demandsComparison` a phone without a display gets Authentication Requirements.
  package init(
    as role: PairingRole = .initiator, local: DeviceAddress, peer: DeviceAddress,
    demandsComparison: Bool = false
  ) {
    self.demandsComparison = demandsComparison
    sides = PairingSides(role: role, local: local, peer: peer)
  }

  package var isRunning: Bool { phase.isRunning }

  /// Until when the phone's owner may agree, after our rider has; else `nil`.
  package var peerDeadline: Instant? { phase == .dhKeyCheck ? deadline : nil }

  /// Until when the phone may answer our first command; else `nil`.
  ///
  /// Android asks its owner first, by a notification. Each command that we send starts the time again.
  package var answerDeadline: Instant? {
    phase == .features || phase == .securityRequested ? deadline : nil
  }

  /// Whether `begin` would do something.
  package var canBegin: Bool { sides.role == .initiator && isOpen }

  /// Whether no pairing is under way, and the link allows another one.
  private var isOpen: Bool { !isRunning && phase != .closed }

  /// Moves the next command to be sent into `writer`; `false` if there is none.
  package mutating func takePDU<Writer: ByteWriter & ~Copyable>(into writer: inout Writer) -> Bool {
    queue.take(into: &writer)
  }

  /// The key to encrypt the link with, from `encrypt` or `awaitEncryption` on.
  ///
  /// Before that the phone has not shown that it has the key.
  package var longTermKey: Octets<16>? { phase.keys?.longTermKey }

  /// The keys to keep, from `paired` to the next pairing; before `paired` an older bond is in force.
  package var keys: BondKeys? { if case .paired(let keys) = phase { keys } else { nil } }

  // MARK: - What the owner wants

  /// Begins as the initiator, as the rider or the bond requested.
  package mutating func begin(at now: Instant) {
    guard canBegin else { return }
    phase = .features
    send(.pairingRequest(sides.request), at: now)
  }

  /// Begins as the responder, with the phone's request that a call has just returned.
  package mutating func accept<C: Crypto>(
    _ request: PairingFeatures, at now: Instant, with crypto: inout C
  ) -> PairingOutcome {
    if let outcome = expire(at: now) { return outcome }
    guard sides.role == .responder, isOpen else { return .nothing }
    phase = .publicKey
    sides.answer(request)
    if let reason = request.refusal(demanding: demandsComparison) { return fail(reason) }
    do throws(CryptoError) { try agreement.makeKeyPair(with: &crypto) } catch {
      return fail(.unspecified)
    }
    send(.pairingResponse(sides.response), at: now)
    return .nothing
  }

  /// Answers a request of the phone without beginning: nobody wants to pair now, or it is too early.
  package mutating func decline(_ reason: PairingFailedReason = .pairingNotSupported) {
    guard isOpen else { return }
    queue.append(failure: reason)
    stopWaiting()
  }

  /// Answers a Security Request that leads to nothing, so that the phone does not wait.
  ///
  /// Core Specification, Vol 3, Part H, 2.4.6.
  package mutating func declineSecurity() { decline() }

  /// Asks the phone, as the responder, to encrypt the link or to pair.
  ///
  /// Core Specification, Vol 3, Part H, 2.4.6. The phone has 30 s for either: after 30 s without `encrypted` or
  /// a request of the phone, this link allows no pairing (3.4).
  package mutating func requestSecurity(at now: Instant) {
    guard sides.role == .responder, phase == .idle else { return }
    phase = .securityRequested
    send(.securityRequest(sides.response.authentication), at: now)
  }

  /// The phone has answered the Security Request: it tried a key that this device does not have.
  package mutating func securityRequestWasAnswered() { stopWaiting() }

  /// The rider has answered: the phone shows the same number, or may pair without one; or not.
  package mutating func confirm(
    _ isSame: Bool, at now: Instant, with crypto: some Crypto
  ) -> PairingOutcome {
    if let outcome = expire(at: now) { return outcome }
    guard case .user(let check) = phase else { return .nothing }
    guard isSame else { return fail(.numericComparisonFailed) }
    agreement.agree(as: sides, with: crypto)
    phase = .dhKeyCheck
    if sides.role == .initiator {
      send(.pairingDHKeyCheck(agreement.check(as: sides, with: crypto)), at: now)
    } else if let check {
      return verify(check, at: now, with: crypto)
    }
    return .nothing
  }

  /// The link is encrypted: with the long-term key, if a pairing waits for encryption.
  package mutating func encrypted(at now: Instant) -> PairingOutcome {
    if let outcome = expire(at: now) { return outcome }
    stopWaiting()
    guard case .encryption(let keys, let early) = phase else { return .nothing }
    if sides.role == .responder, sides.weGiveIdentity { sendIdentity(at: now) }
    guard sides.theyGiveIdentity else { return finish(with: keys, at: now) }
    switch early {
    case .none: phase = .identityInformation(keys)
    case .key(let key): phase = .identityAddress(keys.adding(key))
    case .whole(let key, let address):
      return finish(with: keys.adding(key).adding(address), at: now)
    }
    return .nothing
  }

  /// The encryption with the long-term key failed.
  package mutating func encryptionFailed() -> PairingOutcome {
    if case .encryption = phase { end(.notEncrypted) } else { .nothing }
  }

  /// Ends the pairing, for instance because the rider leaves the phone.
  package mutating func cancel() -> PairingOutcome { isRunning ? fail(.unspecified) : .nothing }

  /// Advances to `now`.
  package mutating func advance(to now: Instant) -> PairingOutcome { expire(at: now) ?? .nothing }

  // MARK: - What the phone sends

  /// Handles one command of the phone: the payload of a frame of the Security Manager's channel.
  package mutating func receive<C: Crypto>(
    _ bytes: Span<UInt8>, at now: Instant, with crypto: inout C
  ) -> PairingOutcome {
    if let outcome = expire(at: now) { return outcome }
    guard phase != .closed else { return .nothing }
    do throws(ParseError) {
      return receive(try SecurityPDU(parsing: bytes), at: now, with: &crypto)
    } catch {
      // A command with a reserved code is ignored (3.3), and so is an empty one.
      guard !bytes.isEmpty, let code = SecurityCode(rawValue: bytes[0]) else { return .nothing }
      if isRunning { return fail(.invalidParameters) }
      guard sides.role == .responder, code == .pairingRequest else { return .nothing }
      _ = fail(.invalidParameters)
      return .requestRefused(.invalidParameters)
    }
  }

  private mutating func receive<C: Crypto>(
    _ pdu: SecurityPDU, at now: Instant, with crypto: inout C
  ) -> PairingOutcome {
    switch (sides.role, pdu) {
    case (.initiator, .securityRequest(let wish)):
      return isRunning ? .nothing : .securityRequest(wish)
    case (.responder, .pairingRequest(let features)) where !isRunning:
      return .pairingRequest(features)
    // Only the other role may receive these.
    case (.initiator, .pairingRequest), (.responder, .pairingResponse),
      (.responder, .securityRequest):
      return fail(.commandNotSupported)
    case (_, .pairingFailed(let reason)):
      return isRunning || phase == .securityRequested ? end(.peer(reason)) : .nothing
    // Keypresses on the phone have no meaning in a comparison (3.5.8).
    case (_, .keypressNotification): return .nothing
    default: break
    }
    // A command that crossed our Pairing Failed on its way must not get a second one.
    guard isRunning else { return .nothing }
    do throws(CryptoError) {
      return try step(pdu, at: now, with: &crypto)
    } catch {
      return fail(error == .invalidPublicKey ? .dhKeyCheckFailed : .unspecified)
    }
  }

  private mutating func step<C: Crypto>(
    _ pdu: SecurityPDU, at now: Instant, with crypto: inout C
  ) throws(CryptoError) -> PairingOutcome {
    switch (phase, pdu) {
    case (.features, .pairingResponse(let features)):
      return try agree(on: features, at: now, with: &crypto)
    case (.publicKey, .pairingPublicKey(let key)):
      return try accept(key, at: now, with: &crypto)
    case (.confirm, .pairingConfirm(let value)):
      try agreement.makeNonce(with: &crypto)
      phase = .promisedRandom(confirm: value)
      send(.pairingRandom(agreement.nonce), at: now)
      return .nothing
    case (.promisedRandom(let confirm), .pairingRandom(let nonce)):
      agreement.receive(nonce: nonce)
      guard agreement.peerConfirm(with: crypto) == confirm else { return fail(.confirmValueFailed) }
      return askRider(with: crypto)
    case (.random, .pairingRandom(let nonce)):
      agreement.receive(nonce: nonce)
      send(.pairingRandom(agreement.nonce), at: now)
      return askRider(with: crypto)
    case (.user(check: nil), .pairingDHKeyCheck(let value)) where sides.role == .responder:
      phase = .user(check: value)
      return .nothing
    case (.dhKeyCheck, .pairingDHKeyCheck(let value)):
      return verify(value, at: now, with: crypto)
    case (.encryption(let keys, let early), _): return hold(pdu, beside: early, for: keys)
    case (.identityInformation(let keys), .identityInformation(let irk)):
      phase = .identityAddress(keys.adding(irk))
      return .nothing
    case (.identityAddress(let keys), .identityAddressInformation(let address)):
      return finish(with: keys.adding(address), at: now)
    default: return fail(.unspecified)
    }
  }

  // MARK: - The steps

  /// Phase 1 of an initiator: the capabilities of both sides must be enough.
  private mutating func agree<C: Crypto>(
    on features: PairingFeatures, at now: Instant, with crypto: inout C
  ) throws(CryptoError) -> PairingOutcome {
    sides.receive(response: features)
    if let reason = features.refusal(demanding: demandsComparison) { return fail(reason) }
    try agreement.makeKeyPair(with: &crypto)
    phase = .publicKey
    send(.pairingPublicKey(agreement.publicKey), at: now)
    return .nothing
  }

  /// 2.3.5.6.1 and 2.3.5.6.2: a responder sends its own key and the confirm value of its nonce.
  private mutating func accept<C: Crypto>(
    _ key: PublicKey, at now: Instant, with crypto: inout C
  ) throws(CryptoError) -> PairingOutcome {
    if let reason = try agreement.receive(key, with: &crypto) { return fail(reason) }
    guard sides.role == .responder else {
      phase = .confirm
      return .nothing
    }
    try agreement.makeNonce(with: &crypto)
    phase = .random
    send(.pairingPublicKey(agreement.publicKey), at: now)
    send(.pairingConfirm(agreement.confirm(with: crypto)), at: now)
    return .nothing
  }

  /// Both nonces are known: the rider compares the numbers, or agrees to pair without a comparison.
  private mutating func askRider(with crypto: some Crypto) -> PairingOutcome {
    phase = .user(check: nil)
    guard sides.areCompared else { return .ask }
    return .compare(number: agreement.number(as: sides.role, with: crypto))
  }

  /// 2.3.5.6.5: verifies the phone's check value; a responder sends its own only afterwards.
  private mutating func verify(
    _ value: Octets<16>, at now: Instant, with crypto: some Crypto
  ) -> PairingOutcome {
    guard value == agreement.peerCheck(as: sides, with: crypto) else {
      return fail(.dhKeyCheckFailed)
    }
    if sides.role == .responder {
      send(.pairingDHKeyCheck(agreement.check(as: sides, with: crypto)), at: now)
    }
    let keys = BondKeys(
      longTermKey: agreement.longTermKey, isAuthenticated: sides.areCompared,
      isBonding: sides.theirs.authentication.isBonding)
    agreement = KeyAgreement()
    phase = .encryption(keys, early: .none)
    return sides.role == .initiator ? .encrypt : .awaitEncryption
  }

  /// Keeps the phone's identity until the link is known to be encrypted; anything else is an error.
  ///
  /// An initiator sends its keys after ours (3.6.1), which have not gone out yet: if we have any to send, its
  /// keys cannot be here already.
  private mutating func hold(
    _ pdu: SecurityPDU, beside early: EarlyIdentity, for keys: BondKeys
  ) -> PairingOutcome {
    let isOurTurn = sides.role == .responder && sides.weGiveIdentity
    guard sides.theyGiveIdentity, !isOurTurn else { return fail(.unspecified) }
    switch (early, pdu) {
    case (.none, .identityInformation(let key)): phase = .encryption(keys, early: .key(key))
    case (.key(let key), .identityAddressInformation(let address)):
      phase = .encryption(keys, early: .whole(key, address))
    default: return fail(.unspecified)
    }
    return .nothing
  }

  /// Phase 3: the phone's keys are here, and an initiator's follow.
  private mutating func finish(with keys: BondKeys, at now: Instant) -> PairingOutcome {
    if sides.role == .initiator, sides.weGiveIdentity { sendIdentity(at: now) }
    phase = .paired(keys)
    deadline = nil
    return .paired
  }

  private mutating func sendIdentity(at now: Instant) {
    send(.identityInformation(irk: Octets()), at: now)
    send(.identityAddressInformation(sides.local), at: now)
  }

  // MARK: - The end

  private mutating func send(_ pdu: SecurityPDU, at now: Instant) {
    queue.append(pdu)
    deadline = now + Self.timeout
  }

  /// Our Security Request has its answer.
  private mutating func stopWaiting() {
    guard phase == .securityRequested else { return }
    phase = .idle
    deadline = nil
  }

  private mutating func expire(at now: Instant) -> PairingOutcome? {
    guard let deadline, now >= deadline else { return nil }
    let outcome = end(answerDeadline == nil ? .timedOut : .unanswered)
    phase = .closed
    return outcome
  }

  /// Ends the pairing, if one is under way, and sends the phone the reason.
  private mutating func fail(_ reason: PairingFailedReason) -> PairingOutcome {
    let outcome = isRunning ? end(.refused(reason)) : .nothing
    queue.append(failure: reason)
    return outcome
  }

  private mutating func end(_ failure: PairingFailure) -> PairingOutcome {
    queue.removeAll()
    agreement = KeyAgreement()
    deadline = nil
    phase = .idle
    return .failed(failure)
  }
}

package import Bytes

/// Our side of a pairing, which we begin: LE Secure Connections and nothing weaker.
///
/// Core Specification, Vol 3, Part H, 2.3 and 2.4.
///
/// Each link has its own, as an attempt that times out is the link's last (3.4). It owns the phase, the
/// secrets of the attempt, the commands to send and the keys that result; its calls alone change them.
/// After each call the owner sends what `takePDU` gives, and looks at `deadline`.
///
/// We are DisplayYesNo: the rider compares the numbers whenever the phone can. A phone with neither display
/// nor keyboard is paired by Just Works if the rider agrees, and the keys say so. A phone with only one of
/// them gets Authentication Requirements: there is no such phone, and passkeys would be code for nobody.
///
/// We use no private addresses; an identity resolving key of zero says so (3.6.4).
package struct Pairing: ~Copyable {
  /// What it waits for.
  enum Phase: Equatable {
    case idle, features, publicKey, confirm, random, user, dhKeyCheck, encryption
    case identityInformation, identityAddress
    /// Timed out: this link allows no further pairing.
    case closed
  }

  /// What must not outlive the pairing.
  ///
  /// It is overwritten at the end. Copies that the compiler makes on the stack are out of our reach.
  struct Secrets {
    var keyPair = KeyPair(privateKey: Octets(), publicKey: PublicKey(x: Octets(), y: Octets()))
    var peerKey = PublicKey(x: Octets(), y: Octets())
    var sharedSecret = Octets<32>()
    var peerConfirm = Octets<16>()
    var nonce = Octets<16>()
    var peerNonce = Octets<16>()
    var macKey = Octets<16>()
    /// The phone's identity, if it came before the news that the link is encrypted.
    var earlyKey: Octets<16>?
    var earlyAddress: DeviceAddress?
  }

  /// The pairing fails 30 s after the last command that we sent.
  ///
  /// Core Specification, Vol 3, Part H, 3.4.
  static var timeout: Int64 { 30_000 }

  private let local: DeviceAddress
  private let peer: DeviceAddress
  private let demandsComparison: Bool
  private(set) var phase = Phase.idle
  private var secrets = Secrets()
  private var request: PairingFeatures
  private var response: PairingFeatures
  private var queue = PDUQueue()

  /// When `advance` must be called at the latest.
  package private(set) var deadline: Instant?
  private var bond: BondKeys?

  /// A link between `local` and `peer`, the addresses by which it was made.
  ///
  /// With `demandsComparison` a phone without a display gets Authentication Requirements.
  package init(local: DeviceAddress, peer: DeviceAddress, demandsComparison: Bool = false) {
    self.demandsComparison = demandsComparison
    self.local = local
    self.peer = peer
    request = PairingFeatures(
      ioCapability: .displayYesNo, hasOOBData: false, authentication: .secureBonding,
      maxKeySize: 16, initiatorKeys: .identity, responderKeys: .identity)
    response = request
  }

  package var isRunning: Bool { phase != .idle && phase != .closed }

  /// Until when the phone's owner may agree, after our rider has; else `nil`.
  package var peerDeadline: Instant? { phase == .dhKeyCheck ? deadline : nil }

  /// Until when the phone may answer whether it pairs at all; else `nil`.
  ///
  /// Android asks its owner first, by a notification. Each command that we send starts the time again.
  package var answerDeadline: Instant? { phase == .features ? deadline : nil }

  /// Whether `begin` would do something.
  package var canBegin: Bool { phase == .idle }

  /// Moves the next command to be sent into `writer`; `false` if there is none.
  package mutating func takePDU<Writer: ByteWriter & ~Copyable>(into writer: inout Writer) -> Bool {
    queue.take(into: &writer)
  }

  /// The key to encrypt the link with, from `encrypt` on: before that the phone has not shown that it has it.
  package var longTermKey: Octets<16>? { phase == .dhKeyCheck ? nil : bond?.longTermKey }

  /// All that is to be kept, from `paired` to the next `begin`; until then an older bond is in force.
  package var keys: BondKeys? { phase == .idle ? bond : nil }

  // MARK: - What the owner wants

  /// Begins, as the rider or the bond requested.
  package mutating func begin(at now: Instant) {
    guard canBegin else { return }
    bond = nil
    phase = .features
    send(.pairingRequest(request), at: now)
  }

  /// Answers a Security Request that leads to nothing, so that the phone does not wait.
  ///
  /// Core Specification, Vol 3, Part H, 2.4.6.
  package mutating func declineSecurity() {
    if !isRunning { queue.append(.pairingFailed(.pairingNotSupported)) }
  }

  /// The rider saw the same number on the phone, or agrees to pair without one; or not.
  package mutating func confirm(
    _ isSame: Bool, at now: Instant, with crypto: some Crypto
  ) -> PairingOutcome {
    if let outcome = expire(at: now) { return outcome }
    guard phase == .user else { return .nothing }
    guard isSame else { return fail(.numericComparisonFailed) }
    return check(at: now, with: crypto)
  }

  /// The link is encrypted with the long-term key.
  package mutating func encrypted(at now: Instant) -> PairingOutcome {
    if let outcome = expire(at: now) { return outcome }
    guard phase == .encryption else { return .nothing }
    guard response.responderKeys.includesIdentity else { return finish() }
    phase = .identityInformation
    guard let key = secrets.earlyKey else { return .nothing }
    accept(identity: key)
    guard let address = secrets.earlyAddress else { return .nothing }
    return accept(address)
  }

  /// The encryption with the long-term key failed.
  package mutating func encryptionFailed() -> PairingOutcome {
    phase == .encryption ? end(.notEncrypted) : .nothing
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
      guard isRunning, !bytes.isEmpty, bytes[0] >= 0x01, bytes[0] <= 0x0E else { return .nothing }
      return fail(.invalidParameters)
    }
  }

  private mutating func receive<C: Crypto>(
    _ pdu: SecurityPDU, at now: Instant, with crypto: inout C
  ) -> PairingOutcome {
    switch pdu {
    case .securityRequest(let wish): return isRunning ? .nothing : .securityRequest(wish)
    case .pairingRequest: return fail(.commandNotSupported)  // the central's alone
    case .pairingFailed(let reason): return isRunning ? end(.peer(reason)) : .nothing
    default: break
    }
    // A command that the phone sent before it heard of the end must not get a failure again.
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
    case (.publicKey, .pairingPublicKey(let key)): return try accept(key, with: &crypto)
    case (.confirm, .pairingConfirm(let value)):
      secrets.peerConfirm = value
      secrets.nonce = try crypto.random()
      phase = .random
      send(.pairingRandom(secrets.nonce), at: now)
      return .nothing
    case (.random, .pairingRandom(let nonce)): return open(nonce, at: now, with: crypto)
    case (.dhKeyCheck, .pairingDHKeyCheck(let value)): return verify(value, with: crypto)
    case (.identityInformation, .identityInformation(let irk)):
      accept(identity: irk)
      return .nothing
    case (.identityAddress, .identityAddressInformation(let address)): return accept(address)
    case (.encryption, _): return hold(pdu)
    default: return fail(.unspecified)
    }
  }

  /// Keeps the phone's identity until the link is known to be encrypted; anything else is an error.
  ///
  /// By USB, data and events come by two pipes. So what was sent over the encrypted link may arrive before
  /// the event that it is encrypted.
  private mutating func hold(_ pdu: SecurityPDU) -> PairingOutcome {
    switch pdu {
    case .identityInformation(let key)
    where response.responderKeys.includesIdentity && secrets.earlyKey == nil:
      secrets.earlyKey = key
    case .identityAddressInformation(let address)
    where secrets.earlyKey != nil && secrets.earlyAddress == nil:
      secrets.earlyAddress = address
    default: return fail(.unspecified)
    }
    return .nothing
  }

  private mutating func accept(identity key: Octets<16>) {
    bond?.irk = key.isZero ? nil : key
    phase = .identityAddress
  }

  private mutating func accept(_ address: DeviceAddress) -> PairingOutcome {
    bond?.identityAddress = address
    return finish()
  }

  // MARK: - The steps

  /// Phase 1: the capabilities of both sides must be enough.
  private mutating func agree<C: Crypto>(
    on features: PairingFeatures, at now: Instant, with crypto: inout C
  ) throws(CryptoError) -> PairingOutcome {
    response = features
    guard features.authentication.secureConnections else {
      return fail(.authenticationRequirements)
    }
    guard features.maxKeySize == 16 else { return fail(.encryptionKeySize) }
    guard !features.hasOOBData else { return fail(.oobNotAvailable) }
    // Table 2.8, for a DisplayYesNo that begins.
    switch features.ioCapability {
    case .noInputNoOutput where demandsComparison: return fail(.authenticationRequirements)
    case .displayYesNo, .keyboardDisplay, .noInputNoOutput: break
    case .displayOnly, .keyboardOnly: return fail(.authenticationRequirements)
    }
    secrets.keyPair = try crypto.makeKeyPair()
    phase = .publicKey
    send(.pairingPublicKey(secrets.keyPair.publicKey), at: now)
    return .nothing
  }

  /// Whether the rider compares the numbers; else it is Just Works.
  private var isCompared: Bool { response.ioCapability != .noInputNoOutput }

  /// 2.3.5.6.1: the key must be on the curve, and neither ours nor the debug key.
  private mutating func accept<C: Crypto>(
    _ key: PublicKey, with crypto: inout C
  ) throws(CryptoError) -> PairingOutcome {
    if key.isDebugKey { return fail(.invalidParameters) }
    if key.x == secrets.keyPair.publicKey.x { return fail(.dhKeyCheckFailed) }
    secrets.peerKey = key
    secrets.sharedSecret = try crypto.sharedSecret(
      privateKey: secrets.keyPair.privateKey, publicKey: key)
    phase = .confirm
    return .nothing
  }

  /// 2.3.5.6.2: the phone's nonce must match its confirm value.
  private mutating func open(
    _ nonce: Octets<16>, at now: Instant, with crypto: some Crypto
  ) -> PairingOutcome {
    let (ours, theirs) = (secrets.keyPair.publicKey.x, secrets.peerKey.x)
    guard crypto.f4(u: theirs, v: ours, x: nonce, z: 0) == secrets.peerConfirm else {
      return fail(.confirmValueFailed)
    }
    secrets.peerNonce = nonce
    phase = .user
    guard isCompared else { return .ask }
    let number = crypto.g2(u: ours, v: theirs, x: secrets.nonce, y: nonce)
    return .compare(number: number % 1_000_000)
  }

  /// 2.3.5.6.5, our half: proves to the phone that we have the same secret.
  private mutating func check(at now: Instant, with crypto: some Crypto) -> PairingOutcome {
    let (macKey, longTermKey) = crypto.f5(
      w: secrets.sharedSecret, n1: secrets.nonce, n2: secrets.peerNonce, a1: local, a2: peer)
    secrets.macKey = macKey
    bond = BondKeys(
      longTermKey: longTermKey, isAuthenticated: isCompared,
      isBonding: response.authentication.isBonding)
    let value = crypto.f6(
      w: macKey, n1: secrets.nonce, n2: secrets.peerNonce, r: Octets(),
      ioCapability: request.capabilityOctets, a1: local, a2: peer)
    phase = .dhKeyCheck
    send(.pairingDHKeyCheck(value), at: now)
    return .nothing
  }

  /// 2.3.5.6.5, the phone's half.
  private mutating func verify(_ value: Octets<16>, with crypto: some Crypto) -> PairingOutcome {
    let wanted = crypto.f6(
      w: secrets.macKey, n1: secrets.peerNonce, n2: secrets.nonce, r: Octets(),
      ioCapability: response.capabilityOctets, a1: peer, a2: local)
    guard value == wanted else { return fail(.dhKeyCheckFailed) }
    secrets = Secrets()
    phase = .encryption
    return .encrypt
  }

  /// Phase 3: the phone's keys are here, and ours follow.
  private mutating func finish() -> PairingOutcome {
    if response.initiatorKeys.includesIdentity {
      queue.append(.identityInformation(irk: Octets()))
      queue.append(.identityAddressInformation(local))
    }
    secrets = Secrets()
    phase = .idle
    deadline = nil
    return .paired
  }

  // MARK: - The end

  private mutating func send(_ pdu: SecurityPDU, at now: Instant) {
    queue.append(pdu)
    deadline = now + Self.timeout
  }

  private mutating func expire(at now: Instant) -> PairingOutcome? {
    guard let deadline, now >= deadline else { return nil }
    let outcome = end(phase == .features ? .unanswered : .timedOut)
    phase = .closed
    return outcome
  }

  /// Tells the phone that the pairing is over, and why.
  private mutating func fail(_ reason: PairingFailedReason) -> PairingOutcome {
    let outcome = isRunning ? end(.refused(reason)) : .nothing
    queue.append(.pairingFailed(reason))
    return outcome
  }

  /// Forgets all that belongs to the attempt.
  private mutating func end(_ failure: PairingFailure) -> PairingOutcome {
    queue.removeAll()
    secrets = Secrets()
    bond = nil
    deadline = nil
    phase = .idle
    return .failed(failure)
  }
}

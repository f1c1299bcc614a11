public import Bond
public import Bytes
import HCI
public import SMP

/// From a link to one that is encrypted, with the remembered key or a new one.
extension Host {
  /// How long the encryption with the remembered key may take.
  private static var encryptionTime: Int64 { 10_000 }

  // MARK: - The bond

  /// Remembers a phone, as from the disk at the start, or nobody; a link to another one is ended.
  public mutating func setBond(_ bond: consuming Bond?, at now: Instant) {
    guard security.policy != .off else { return }
    security.replaceBond(by: bond)
    security.acceptBond()
    search.note(memory == .nothing ? .notRemembered : .remembered)
    switch phase {
    case .connected, .connecting, .cancelling:
      if memory != .nothing, !peer.isRemembered { disconnect(at: now) }
    case .scanning, .idle: scan(at: now)
    default: break
    }
    prepareOutput(at: now)
  }

  /// How well a phone is remembered, if one is.
  public var memory: Remembrance { security.memory }

  /// What the remembered phone calls itself, empty if it never said.
  public var bondName: Span<UInt8> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { security.bondName.bytes }
  }

  /// Takes `newBond`, which is on disk now, for the remembered phone.
  public mutating func adoptBond() {
    switch newBond.take() {
    case .some(let bond):
      let isRejected = security.isBondRejected && link.encryption != .on
      security.replaceBond(by: bond)
      search.note(.remembered)
      // It may have taken so long to write that there is another link now.
      if link.isDecided { peer.remember() }
      if !isRejected { security.acceptBond() }
    case .none: break
    }
  }

  /// Forgets whom there was to remember, as that could not be written.
  public mutating func dropNewBond() { newBond.wipe() }

  /// Forgets the phone and ends its link; nobody is searched for until the rider asks.
  ///
  /// Where nobody is remembered the search goes on, as for another phone.
  public mutating func forget(at now: Instant) {
    security.replaceBond(by: nil)
    security.acceptBond()
    newBond.wipe()
    search.note(.forgotten(at: now))
    scanner.preferNobody()
    peer.forget()
    link.isUnwanted = true
    if link.pairing.isRunning {
      act(on: link.pairing.cancel(), at: now)
      prepareOutput(at: now)
    } else {
      disconnect(at: now)
    }
  }

  /// Whether the remembered phone did not know us the last time.
  public var isBondRejected: Bool { security.isBondRejected }

  // MARK: - Encryption

  /// Encrypts the link to the remembered phone before anything is asked of it; whether it does.
  mutating func beginEncryption(at now: Instant) -> Bool {
    guard peer.isRemembered, let key = security.longTermKey else { return false }
    // A phone that has forgotten us is paired with anew, once the rider has asked for it.
    guard !(security.isBondRejected && link.mayPair) else { return false }
    link.encryption = .begun
    stay(until: now + Self.encryptionTime)
    send(.leEnableEncryption(handle: link.handle, longTermKey: key))
    return true
  }

  mutating func encryptionChanged(
    _ status: ErrorCode, _ handle: UInt16, isEncrypted: Bool, at now: Instant
  ) {
    guard phase == .connected, handle == link.handle else { return }
    guard status == .success, isEncrypted else { return encryptionFailed(status, at: now) }
    let isBonds = link.encryption == .begun
    // Of an earlier link perhaps: what nobody asked for makes no link secure.
    guard isBonds || link.pairing.isEncrypting else { return }
    link.encryption = .on
    report(.encrypted)
    if isBonds {
      security.acceptBond()
      stay(until: now + Self.waitingTime)
      _ = link.client.secured(at: now)
      link.begin(at: now)
    } else {
      act(on: link.pairing.encrypted(at: now), at: now)
    }
  }

  private mutating func encryptionFailed(_ status: ErrorCode, at now: Instant) {
    if link.encryption == .begun, status.meansAnotherKey {
      rejectBond(at: now)
    } else {
      let outcome = link.pairing.encryptionFailed()
      if outcome != .nothing { return act(on: outcome, at: now) }
    }
    // Encryption is never given up on a link: who takes it away is not to be trusted.
    end(.authenticationFailure, at: now)
  }

  /// The remembered phone has no key of ours, or another one.
  mutating func rejectBond(at now: Instant) {
    link.encryption = .off
    // Whatever search led here: the rider has not asked for another pairing.
    search.note(.trustLost)
    security.rejectBond(at: now)
    report(.bondRejected)
  }

  // MARK: - Pairing

  /// Whether it is still open whether this phone will be remembered.
  var needsDecision: Bool {
    guard link.mayPair, link.encryption != .on, !link.isDecided else { return false }
    if security.isBondRejected { return true }
    return memory == .nothing
  }

  /// Pairs with the phone, if the rider wants that and it is not too early for another attempt.
  mutating func secure(at now: Instant) {
    guard !link.pairing.isRunning else { return }
    guard link.mayPair, link.encryption != .on, link.pairing.canBegin else {
      return unsecured(at: now)
    }
    // Too early for another attempt, and nobody is followed in whose place one was refused.
    guard security.attempts.permit(at: now) else {
      link.isRiding = false
      return end(.remoteUserTerminatedConnection, at: now)
    }
    link.pairing.begin(at: now)
    link.sendPairing()
  }

  /// Says whether the phone shows the same number as we do.
  public mutating func confirm(_ isSame: Bool, at now: Instant) {
    act(on: link.pairing.confirm(isSame, at: now, with: cryptography), at: now)
    prepareOutput(at: now)
  }

  mutating func act(on outcome: PairingOutcome, at now: Instant) {
    link.sendPairing()
    switch outcome {
    case .nothing: break
    // A phone that is remembered is encrypted anyway, and a stranger's wish starts nothing.
    case .securityRequest: break
    case .compare(let number):
      link.isComparing = true
      report(.compare(number: number))
    case .encrypt:
      guard let key = link.pairing.longTermKey else { return }
      send(.leEnableEncryption(handle: link.handle, longTermKey: key))
    case .paired: paired(at: now)
    case .failed(let failure): pairingFailed(failure, at: now)
    }
  }

  private mutating func paired(at now: Instant) {
    security.attempts.succeeded()
    guard let keys = link.pairing.keys else { return }
    // A phone that will not keep the key is not known by it the next time.
    remember(keys.isBonding ? bond(of: keys) : nil, as: .keys)
    act(on: link.client.secured(at: now), at: now)
    link.sendRequest()
  }

  private borrowing func bond(of keys: BondKeys) -> Bond? {
    Bond(
      address: keys.identityAddress ?? link.peer, irk: keys.irk, ltk: keys.longTermKey,
      localIRK: security.localIRK, isAuthenticated: keys.isAuthenticated,
      name: peerName)
  }

  private mutating func pairingFailed(_ failure: PairingFailure, at now: Instant) {
    report(.pairingFailed(failure))
    guard phase == .connected else { return }
    if failure.meansInability { return unsecured(at: now) }
    security.attempts.failed(at: now)
    // Before there was a question nobody said no: a stranger must not end the rider's search.
    if link.isComparing, failure.isNo { search.note(.refused) }
    // Somebody said no, or is not to be trusted: that was no ride.
    link.isRiding = false
    scanner.restLong(link.peer, at: now)
    endPolitely(.authenticationFailure, at: now)
  }

  /// Goes on with a phone that cannot be paired with, unless that is required.
  private mutating func unsecured(at now: Instant) {
    guard security.allowsOpenLink || link.encryption == .on else {
      // One that is remembered by its address is told of; it cannot be what is wanted here.
      if peer.isRemembered { rejectBond(at: now) }
      scanner.restLong(link.peer, at: now)
      return endPolitely(.authenticationFailure, at: now)
    }
    if needsDecision {
      remember(Bond(address: link.peer, name: peerName), as: .address)
    }
    act(on: link.client.insecure(at: now), at: now)
    link.sendRequest()
  }

  /// Keeps the name of the remembered phone as it is now.
  mutating func keepName() {
    // It is asked for once there is a ride, so never over an open link to a phone that has a key.
    guard peer.isRemembered else { return }
    if let bond = security.renamedBond(link.client.peerName.bytes) {
      newBond = consume bond
      report(.renamed)
    }
  }

  private mutating func remember(_ bond: consuming Bond?, as memory: Remembrance) {
    link.isDecided = true
    switch consume bond {
    case .some(let bond):
      newBond = consume bond
      report(.remember(memory))
    case .none: report(.remember(.nothing))
    }
  }
}

extension PairingFailure {
  /// Whether somebody looked at the two numbers and said no.
  fileprivate var isNo: Bool {
    self == .refused(.numericComparisonFailed) || self == .peer(.numericComparisonFailed)
  }

  /// Whether the phone could not be paired with, though nobody is against it.
  public var meansInability: Bool {
    switch self {
    case .refused(.authenticationRequirements), .refused(.encryptionKeySize),
      .peer(.pairingNotSupported), .peer(.authenticationRequirements),
      .peer(.commandNotSupported), .unanswered:
      true
    default: false
    }
  }
}

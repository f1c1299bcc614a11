package import Bytes

/// How far the link has come, and when that has lasted too long.
///
/// A link that the phone made begins in `awaited`, one that we made in `discovering`. Only a phone's link has
/// `awaited`, `waiting` and `leaving`; only a sensor's has `pairing` and `ending`. The pairing of a phone is no stage:
/// see `Pairing.isRunning` and `Host.isDeciding`.
///
/// | stage | means | what happens | next |
/// |---|---|---|---|
/// | `awaited` | the phone that made the link is to encrypt it, or to pair | it is asked to | the same, `requested` |
/// | | | it wants a key that there is not | the same, `denied`: it may still pair |
/// | | | it takes the key that is kept | `encrypting` |
/// | | | it takes the key of the pairing | `discovering` |
/// | `encrypting` | with the kept key: nothing is asked before | it is encrypted, or cannot be | `discovering` |
/// | `discovering` | what the link is for is looked for | a key is kept, and nothing was asked yet | `encrypting` |
/// | | | it is found | `open` |
/// | | | it is not there, and may come | `waiting` |
/// | `open` | it is there | it is lost | `waiting` |
/// | `waiting` | it is not there | it is found | `open` |
/// | `discovering`, `open` | | a sensor is to be paired with | `pairing`, then as before |
/// | any | | a sensor's link is to end | `ending` |
/// | any | | the phone is not to be followed | `leaving`: the link ends once all was sent |
package enum LinkStage: Equatable {
  /// What was sent to the phone, which is to begin the encryption.
  package enum Plea { case none, requested, denied }

  case awaited(Plea, until: Instant)
  case encrypting(until: Instant)
  case discovering(until: Instant)
  /// From `relaxed` on the link needs fewer connection events; `nil`: nothing is due.
  case open(relaxed: Instant?)
  /// It is of no use to wait longer than `until`; `nil`: the phone that made the link wants to keep it.
  case waiting(wasFound: Bool, until: Instant?)
  case pairing(wasFound: Bool, until: Instant)
  /// The link is being left; `isUnwanted`: the rider wants to be rid of the phone.
  case leaving(isUnwanted: Bool, until: Instant)
  /// The controller is to end a sensor's link, which must be over by then.
  case ending(wasFound: Bool, until: Instant)

  /// When it has lasted too long, or something is due in it.
  package var deadline: Instant? {
    switch self {
    case .awaited(_, let end), .encrypting(let end), .discovering(let end),
      .pairing(_, let end), .leaving(_, let end), .ending(_, let end):
      end
    case .open(let end), .waiting(_, let end): end
    }
  }

  /// Whether the characteristic was found on this link; a link that is being left counts as not found.
  package var isFound: Bool {
    switch self {
    case .awaited, .encrypting, .discovering, .leaving: false
    case .open: true
    case .waiting(let wasFound, _), .pairing(let wasFound, _), .ending(let wasFound, _): wasFound
    }
  }

  /// Whether the characteristic is gone, and may come back.
  package var isWaiting: Bool { if case .waiting = self { true } else { false } }

  /// Whether discovery is over: the characteristic is there, or waited for.
  package var isSettled: Bool {
    switch self {
    case .open, .waiting: true
    default: false
    }
  }

  package var isEncrypting: Bool { if case .encrypting = self { true } else { false } }

  /// Whether the phone that made the link may begin to encrypt it, or to pair.
  package var isAwaited: Bool { if case .awaited = self { true } else { false } }

  package var isPairing: Bool { if case .pairing = self { true } else { false } }

  package var isEnding: Bool { if case .ending = self { true } else { false } }

  package var isLeaving: Bool { if case .leaving = self { true } else { false } }

  /// The same stage until another time.
  func lasting(until end: Instant) -> LinkStage {
    switch self {
    case .awaited(let plea, _): .awaited(plea, until: end)
    case .encrypting: .encrypting(until: end)
    case .discovering: .discovering(until: end)
    case .open: .open(relaxed: end)
    case .waiting(let wasFound, _): .waiting(wasFound: wasFound, until: end)
    case .pairing(let wasFound, _): .pairing(wasFound: wasFound, until: end)
    case .leaving(let isUnwanted, _): .leaving(isUnwanted: isUnwanted, until: end)
    case .ending(let wasFound, _): .ending(wasFound: wasFound, until: end)
    }
  }
}

/// How far a link has come, how it is protected, and whether its phone was decided on.
package struct LinkProgress {
  /// How the link is protected.
  package enum Encryption {
    /// Also while the kept key is put to use: `LinkStage.encrypting`.
    case off
    /// The key of the pairing is put to use: nothing is asked meanwhile.
    case newKeyBeginning
    case on
    /// It is encrypted once more.
    case renewing
  }

  /// With what a link was encrypted.
  package enum Key { case bond, pairing }

  package private(set) var stage: LinkStage
  package private(set) var encryption = Encryption.off
  /// Whether it was decided if this phone will be remembered.
  package private(set) var isDecided: Bool
  /// Whether the phone has made the link, so that we are its peripheral.
  package let isPeripheral: Bool

  /// A link that has come up; one that begins in `awaited` was made by the phone.
  package init(_ stage: LinkStage, isDecided: Bool = false) {
    (self.stage, self.isDecided, isPeripheral) = (stage, isDecided, stage.isAwaited)
  }

  // MARK: - Stage

  /// The stage lasts until `end`.
  package mutating func stay(until end: Instant) { stage = stage.lasting(until: end) }

  /// Nothing is due any more where the characteristic is there, or waited for.
  package mutating func stay() {
    switch stage {
    case .open: stage = .open(relaxed: nil)
    case .waiting(let wasFound, _): stage = .waiting(wasFound: wasFound, until: nil)
    default: break
    }
  }

  /// The characteristic is there, and the link may relax at `relaxed`; returns whether it was not found before.
  package mutating func found(relaxed: Instant? = nil) -> Bool {
    switch stage {
    case .leaving, .ending: return false
    case .pairing(let wasFound, let end):
      stage = .pairing(wasFound: true, until: end)
      return !wasFound
    default:
      defer { stage = .open(relaxed: relaxed) }
      return !stage.isFound
    }
  }

  /// The characteristic has vanished, or is not there yet; returns whether that is news.
  package mutating func lost(until end: Instant) -> Bool {
    guard !stage.isWaiting, !stage.isLeaving else { return false }
    stage = .waiting(wasFound: stage.isFound, until: end)
    return true
  }

  /// A characteristic that was not found yet has time until `end`.
  package mutating func look(until end: Instant) {
    switch stage {
    case .awaited, .encrypting, .discovering: stage = .discovering(until: end)
    case .waiting(wasFound: false, _): stage = .waiting(wasFound: false, until: end)
    case .open, .waiting, .pairing, .leaving, .ending: break
    }
  }

  /// The phone is not to be followed: the link ends as soon as everything that waits was sent.
  package mutating func leave(until end: Instant) {
    stage = .leaving(isUnwanted: false, until: end)
  }

  /// The rider wants to be rid of the phone that is being left.
  package mutating func disown() {
    guard case .leaving(_, let end) = stage else { return }
    stage = .leaving(isUnwanted: true, until: end)
  }

  /// It is decided whether this phone will be remembered.
  package mutating func decide() { isDecided = true }

  // MARK: - A link to a sensor

  /// The controller is to end the link, which must be over by `end`.
  package mutating func end(until end: Instant) {
    stage = .ending(wasFound: stage.isFound, until: end)
  }

  /// The pairing begins, and may take until `end`.
  package mutating func pair(until end: Instant) {
    stage = .pairing(wasFound: stage.isFound, until: end)
  }

  /// The pairing is over; what was not found before has `time` more from when it had to be over.
  package mutating func pairingEnded(time: Int64) {
    guard case .pairing(let wasFound, let end) = stage else { return }
    if encryption == .newKeyBeginning { encryption = .off }
    stage = wasFound ? .open(relaxed: nil) : .discovering(until: end + time)
  }

  // MARK: - Encryption

  /// Whether the link is encrypted with the key of the bond or of the pairing.
  package var isEncrypted: Bool { encryption == .on || encryption == .renewing }

  /// The encryption with the key that is kept begins, and may take until `end`.
  package mutating func encrypt(until end: Instant) {
    if !stage.isLeaving { stage = .encrypting(until: end) }
  }

  /// The phone begins the encryption; if it was not asked to, it has `time` more for it.
  package mutating func encrypt(time: Int64) {
    guard case .awaited(let plea, let end) = stage else { return }
    stage = .encrypting(until: plea == .none ? end + time : end)
  }

  /// The encryption with the key of the pairing begins.
  package mutating func encryptWithNewKey() {
    encryption = .newKeyBeginning
    if case .awaited(_, let end) = stage { stage = .discovering(until: end) }
  }

  /// Encrypts once more; returns whether the link was encrypted, and no renewal was under way.
  package mutating func renewEncryption() -> Bool {
    guard encryption == .on else { return false }
    encryption = .renewing
    return true
  }

  /// The link is encrypted; returns with which key, if the encryption was begun here.
  ///
  /// With the bond's key, discovery has time until `end`.
  package mutating func encrypted(until end: Instant) -> Key? {
    if case .encrypting = stage {
      (stage, encryption, isDecided) = (.discovering(until: end), .on, true)
      return .bond
    }
    let wasBegun = encryption == .newKeyBeginning
    if encryption != .off { encryption = .on }
    return wasBegun ? .pairing : nil
  }

  /// The phone does not know the key that is kept.
  package mutating func keyFailed() {
    if case .encrypting(let end) = stage { stage = .discovering(until: end) }
  }

  /// The phone that made the link is denied a key; returns whether for the first time.
  package mutating func denyKey() -> Bool {
    guard case .awaited(let plea, let end) = stage, plea != .denied else { return false }
    stage = .awaited(.denied, until: end)
    return true
  }

  /// The phone that made the link is asked to encrypt it; returns whether it was not denied a key.
  package mutating func requestSecurity() -> Bool {
    guard case .awaited(let plea, let end) = stage else { return true }
    if plea == .none { stage = .awaited(.requested, until: end) }
    return plea != .denied
  }
}

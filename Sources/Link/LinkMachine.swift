package import Bytes
package import HCI

/// How far the phone's link has come, what the rider is asked about it, how it is protected, and how it ends.
///
/// A value that is told what happens (`note`), by which alone it changes. Its four states combine freely, unless
/// a row says no.
///
/// | course | the characteristic | what happens | next |
/// |---|---|---|---|
/// | `going(.nowhere)` | was not found on this link | `found` | `going(.found)`; it is the first time |
/// | `going(.found)` | is there | `rideBegan` | `going(.ride)`; it is the first time |
/// | `going(.ride)` | is there, and the phone is trusted | | |
/// | `going(x)` | as above | `lost` | `waiting(x)` |
/// | `waiting(x)` | is not there, and may come back | `found` | `going(x)`, or `going(.found)` from `.nowhere` |
/// | `waiting(.found)` | | `rideBegan` | `waiting(.ride)`; it is the first time |
/// | `going(x)`, `waiting(x)` | | `left`, `letGo` | the same with `.nowhere`: it was no ride |
///
/// | question | means | what happens | next |
/// |---|---|---|---|
/// | `none` | the rider was not asked | `delayed` | `delayed` |
/// | `delayed` | another attempt must wait; never with a pairing that runs | `attemptIsDue` | `none` |
/// | `none`, `asked` | | `isAsked`, `isAskedForNoKey` | `asked`, `asking` |
/// | `asking` | whether to do without a key; never with a pairing that runs | `answered` | `asked` |
/// | `asked` | the rider was asked on this link | | |
///
/// | encryption | what happens | next |
/// |---|---|---|
/// | `off` | `encryptionBegan` | `begun`; with the `bond` key only in `going(.nowhere)` |
/// | `awaited`, `requested` | `encryptionBegan` | `begun` |
/// | `awaited` | `securityRequested` | `requested` |
/// | `awaited`, `requested` | `keyDenied` | `denied`; it may still pair |
/// | `begun` | `encrypted` | `on`; with the bond's key it is decided who this is |
/// | | `keyFailed` | `off` |
/// | `on` | `renewalBegan` | the same; another one may begin after the next `encrypted` |
///
/// | ending | means | what happens | next |
/// |---|---|---|---|
/// | `none` | nothing but the phase ends it | `left` | `farewell`, once all was sent |
/// | | | `letGo` | `letGo`, at once; only in `waiting` |
/// | | | `givenUp` | `givenUp`, at once; only while the bond's key was begun with |
///
/// A link that the phone made, whose peripheral we are, begins in `awaited`: its central begins the encryption.
///
/// `note` refuses what is out of turn for `lost`, `rideBegan`, `answered`, `securityRequested` and `encrypted`, and
/// `attemptIsDue` ends nothing but a delay. It does not check the conditions of the other rows: they are for `Host`
/// to keep. Four flags stand beside them: who the phone is has been decided, it may pair, the link is not wanted
/// any more, and it has brought turns that no characteristic had.
package struct LinkMachine: Equatable {
  /// How far the link has led.
  package enum Reach { case nowhere, found, ride }

  package enum Course: Equatable {
    case going(Reach)
    /// The service has vanished, or is not there yet.
    case waiting(Reach)
  }

  package enum Question: Equatable {
    case none
    /// The phone has failed before and may be paired with again from then on.
    case delayed(until: Instant)
    case asked
    /// Whether to follow a phone without a key; from then on the rider has waited too long with the answer.
    case asking(until: Instant)
  }

  /// What a link is encrypted with.
  package enum Key { case bond, pairing }

  /// How what goes over the link is protected.
  package enum Encryption: Equatable {
    case off
    /// The phone is to begin.
    case awaited
    /// It was asked to.
    case requested
    /// The phone has asked for a key that there is not, and was told so.
    case denied
    case begun(Key)
    case on
  }

  package enum Ending: Equatable {
    case none
    /// As soon as all was sent that is waiting.
    case farewell(ErrorCode)
    /// It had nothing to tell for long.
    case letGo
    /// Its end is not waited for, as anybody may have it.
    case givenUp
  }

  /// What to do with a link that has lasted too long in its course.
  package enum Overdue: Equatable {
    /// The phone has not begun to encrypt the link, and is to be asked to.
    case requestSecurity
    /// A pairing, and what the rider is asked, have deadlines of their own.
    case nothing
    case keyFailed
    case end(ErrorCode)
    /// It has led nowhere.
    case search
    /// What it is for is not there.
    case wait
    /// The ride is under way: the two sides need no connection event so often any more.
    case relax
  }

  private var course = Course.going(.nowhere)
  private var question = Question.none
  package private(set) var encryption: Encryption
  /// Whether the phone has made the link, whose peripheral we are.
  package let isPeripheral: Bool
  private var ending = Ending.none
  /// Whether the rider asked for the search that led here, so that a stranger may be paired with.
  package let mayPair: Bool
  /// Whether it was decided whether this phone will be remembered.
  package private(set) var isDecided: Bool
  /// Whether the rider wants to be rid of the phone, in whatever state the link is.
  package private(set) var isUnwanted: Bool
  /// Whether turns came by our own server.
  private var hasGuided = false
  /// Whether a link that is encrypted is being encrypted once more.
  private var isRenewing = false

  package init(
    isPeripheral: Bool = false, mayPair: Bool = false, isDecided: Bool = false,
    isUnwanted: Bool = false
  ) {
    self.isPeripheral = isPeripheral
    encryption = isPeripheral ? .awaited : .off
    self.mayPair = mayPair
    self.isDecided = isDecided
    self.isUnwanted = isUnwanted
  }

  /// What a link is told of.
  package enum Happening: Equatable {
    /// The characteristic is there.
    case found
    /// The characteristic has vanished, or is not there yet.
    case lost
    /// The phone is trusted, and the link is the ride's.
    case rideBegan
    /// The phone has to wait for its next attempt at pairing.
    case delayed(until: Instant)
    case attemptIsDue
    /// The rider is asked about a pairing that runs, or whether to do without a key.
    case isAsked
    case isAskedForNoKey(until: Instant)
    /// The rider has answered whether to do without a key, or not in time.
    case answered
    /// It is known who this is, and whether it will be remembered.
    case decided
    case securityRequested
    case encryptionBegan(Key)
    case encrypted
    case renewalBegan
    /// A turn came by our own server.
    case guided
    /// The phone that made the link wants a key that there is not.
    case keyDenied
    /// The phone that has a key does not know it.
    case keyFailed
    /// The phone is not to be followed: that was no ride.
    case left(ErrorCode)
    /// The remembered phone is left because it has nothing to tell.
    case letGo
    /// Anybody may have the link.
    case givenUp
    /// The rider wants to be rid of the phone.
    case disowned
  }

  /// Takes what happens; returns whether that is news: a characteristic that was found for the first time, or
  /// lost just now, a ride that begins, an attempt that may be made, a question that is answered, a first turn.
  package mutating func note(_ happening: Happening) -> Bool {
    switch happening {
    case .found:
      let isFirst = reach == .nowhere
      course = .going(isFirst ? .found : reach)
      return isFirst
    case .lost:
      guard case .going(let reach) = course else { return false }
      course = .waiting(reach)
    case .rideBegan:
      guard reach == .found else { return false }
      course = isWaiting ? .waiting(.ride) : .going(.ride)
    case .delayed(let end): question = .delayed(until: end)
    case .attemptIsDue:
      if case .delayed = question { question = .none }
      return farewell == nil
    case .isAsked: question = .asked
    case .isAskedForNoKey(let end): question = .asking(until: end)
    case .answered:
      guard case .asking = question else { return false }
      question = .asked
    case .decided: isDecided = true
    case .securityRequested:
      guard encryption != .denied else { return false }
      if encryption == .awaited { encryption = .requested }
    case .encryptionBegan(let key): encryption = .begun(key)
    case .encrypted:
      isRenewing = false
      guard case .begun(let key) = encryption else { return false }
      if key == .bond { isDecided = true }
      encryption = .on
    case .renewalBegan:
      guard encryption == .on, !isRenewing else { return false }
      isRenewing = true
    case .keyFailed: encryption = .off
    case .keyDenied:
      guard awaitsEncryption, encryption != .denied else { return false }
      encryption = .denied
    case .guided:
      defer { hasGuided = true }
      return !hasGuided
    case .left(let reason):
      loseCourse()
      ending = .farewell(reason)
    case .letGo:
      loseCourse()
      ending = .letGo
    case .givenUp: ending = .givenUp
    case .disowned: isUnwanted = true
    }
    return true
  }

  private mutating func loseCourse() {
    course = isWaiting ? .waiting(.nowhere) : .going(.nowhere)
    hasGuided = false
  }

  // MARK: - Encryption

  /// Whether the phone that made the link may begin to encrypt it, or to pair.
  package var awaitsEncryption: Bool {
    switch encryption {
    case .awaited, .requested, .denied: true
    case .off, .begun, .on: false
    }
  }

  // MARK: - Course

  private var reach: Reach {
    switch course {
    case .going(let reach), .waiting(let reach): reach
    }
  }

  /// Whether the characteristic was found on this link.
  package var isFound: Bool { reach != .nowhere }

  /// Whether the link has brought turns, or what has them.
  package var isOfUse: Bool { isFound || hasGuided }

  /// Whether the characteristic is gone, and may come back.
  package var isWaiting: Bool { if case .waiting = course { true } else { false } }

  /// Whether discovery is over: there is the characteristic, or it is waited for.
  package var isSettled: Bool { course != .going(.nowhere) }

  /// What to do as the link has lasted too long as it is.
  package func overdue(isPairing: Bool) -> Overdue {
    guard !isPairing, decisionEnd == nil else { return .nothing }
    if let farewell { return .end(farewell) }
    switch encryption {
    // Anybody can connect with an address that was recorded: that says nothing of the phone's key.
    case .requested, .denied,
      .begun(.bond) where isPeripheral:
      return .end(.remoteUserTerminatedConnection)
    case .begun(.bond): return .keyFailed
    case .awaited: return .requestSecurity
    case .off, .begun(.pairing), .on: break
    }
    switch course {
    // While a service that was lost sight of is looked for, there is no ride to give up.
    case .waiting: return .wait
    case .going(.nowhere): return .search
    case .going(.found), .going(.ride): return .relax
    }
  }

  // MARK: - Question

  /// When a question or a delay is over.
  package var decisionEnd: Instant? {
    switch question {
    case .delayed(let end), .asking(let end): end
    case .none, .asked: nil
    }
  }

  /// When the rider has waited too long with the answer.
  package var questionEnd: Instant? { if case .asking(let end) = question { end } else { nil } }

  /// When the phone may be paired with that has to wait for that.
  package var nextAttempt: Instant? { if case .delayed(let end) = question { end } else { nil } }

  /// Whether the rider was asked about the phone on this link.
  package var wasAsked: Bool {
    switch question {
    case .none, .delayed: false
    case .asked, .asking: true
    }
  }

  // MARK: - Ending

  /// Why the link is to end as soon as all was sent that is waiting, if it is.
  package var farewell: ErrorCode? {
    if case .farewell(let reason) = ending { reason } else { nil }
  }

  package var isLetGo: Bool { ending == .letGo }

  package var isGivenUp: Bool { ending == .givenUp }
}

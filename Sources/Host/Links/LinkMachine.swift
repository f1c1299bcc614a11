import Bytes
import HCI

/// How far the phone's link has come, what the rider is asked about it, how it is protected, and how it ends.
///
/// A value that is told what happens by verbs, which return what follows. Four states go on side by side:
/// each value of one is legal with each of the others, unless a row says no.
///
/// | course | the characteristic | what happens | next |
/// |---|---|---|---|
/// | `going(.nowhere)` | was not found on this link | `foundIt` | `going(.found)`; it is the first time |
/// | `going(.found)` | is there | `rideBegins` | `going(.ride)`; it is the first time |
/// | `going(.ride)` | is there, and the phone is trusted | | |
/// | `going(x)` | as above | `lostIt` | `waiting(x)` |
/// | `waiting(x)` | is not there, and may come back | `foundIt` | `going(x)`, or `going(.found)` from `.nowhere` |
/// | `waiting(.found)` | | `rideBegins` | `waiting(.ride)`; it is the first time |
/// | `going(x)`, `waiting(x)` | | `leave`, `letGo` | the same with `.nowhere`: it was no ride |
///
/// | question | means | what happens | next |
/// |---|---|---|---|
/// | `none` | the rider was not asked | `delay` | `delayed` |
/// | `delayed` | another attempt must wait; never with a pairing that runs | `attemptIsDue` | `none` |
/// | `none`, `asked` | | `ask`, `ask(until:)` | `asked`, `asking` |
/// | `asking` | whether to do without a key; never with a pairing that runs | `endQuestion` | `asked` |
/// | `asked` | the rider was asked on this link | | |
///
/// | encryption | what happens | next |
/// |---|---|---|
/// | `off` | `encrypt(with:)` | `begun`; with the `bond` key only in `going(.nowhere)` |
/// | `begun` | `encrypted` | `on`; with the bond's key it is decided who this is |
/// | | `keyFailed` | `off` |
///
/// | ending | means | what happens | next |
/// |---|---|---|---|
/// | `none` | nothing but the phase ends it | `leave` | `farewell`, once all was sent |
/// | | | `letGo` | `letGo`, at once; only in `waiting` |
/// | | | `giveUp` | `givenUp`, at once; only while the bond's key was begun with |
///
/// What is not in the tables changes nothing.
struct LinkMachine: Equatable {
  /// How far the link has led.
  enum Reach { case nowhere, found, ride }

  enum Course: Equatable {
    case going(Reach)
    /// The service has vanished, or is not there yet.
    case waiting(Reach)
  }

  enum Question: Equatable {
    case none
    /// The phone has failed before and may be paired with again from then on.
    case delayed(until: Instant)
    case asked
    /// Whether to follow a phone without a key; from then on the rider has waited too long with the answer.
    case asking(until: Instant)
  }

  /// What a link is encrypted with.
  enum Key { case bond, pairing }

  /// How what goes over the link is protected.
  enum Encryption: Equatable {
    case off
    case begun(Key)
    case on
  }

  enum Ending: Equatable {
    case none
    /// As soon as all was sent that is waiting.
    case farewell(ErrorCode)
    /// It had nothing to tell for long.
    case letGo
    /// Its end is not waited for, as who has it may be anybody.
    case givenUp
  }

  /// What to do with a link that has lasted too long in its course.
  enum Overdue: Equatable {
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
  private(set) var encryption = Encryption.off
  private var ending = Ending.none
  /// Whether the rider asked for the search that led here, so that a stranger may be paired with.
  let mayPair: Bool
  /// Whether it was decided whether this phone will be remembered.
  private(set) var isDecided: Bool
  /// Whether the rider wants to be rid of the phone, in whatever state the link is.
  private(set) var isUnwanted: Bool

  init(mayPair: Bool = false, isDecided: Bool = false, isUnwanted: Bool = false) {
    self.mayPair = mayPair
    self.isDecided = isDecided
    self.isUnwanted = isUnwanted
  }

  // MARK: - Course

  private var reach: Reach {
    switch course {
    case .going(let reach), .waiting(let reach): reach
    }
  }

  /// Whether the characteristic was found on this link.
  var isFound: Bool { reach != .nowhere }

  /// Whether the characteristic is gone, and may come back.
  var isWaiting: Bool { if case .waiting = course { true } else { false } }

  /// Whether discovery is over: there is the characteristic, or it is waited for.
  var isSettled: Bool { course != .going(.nowhere) }

  /// The characteristic is there; returns whether for the first time.
  mutating func foundIt() -> Bool {
    let isFirst = reach == .nowhere
    course = .going(isFirst ? .found : reach)
    return isFirst
  }

  /// The characteristic has vanished, or is not there yet; returns whether that is new.
  mutating func lostIt() -> Bool {
    guard case .going(let reach) = course else { return false }
    course = .waiting(reach)
    return true
  }

  /// The link is the ride's; returns whether it was not before.
  mutating func rideBegins() -> Bool {
    guard reach == .found else { return false }
    course = isWaiting ? .waiting(.ride) : .going(.ride)
    return true
  }

  /// What to do as the link has lasted too long as it is.
  func overdue(isPairing: Bool) -> Overdue {
    guard !isPairing, decisionEnd == nil else { return .nothing }
    if encryption == .begun(.bond) { return .keyFailed }
    if let farewell { return .end(farewell) }
    switch course {
    // While a service that was lost sight of is looked for, there is no ride to give up.
    case .waiting: return .wait
    case .going(.nowhere): return .search
    case .going(.found), .going(.ride): return .relax
    }
  }

  // MARK: - Question

  /// When a question or a delay is over.
  var decisionEnd: Instant? {
    switch question {
    case .delayed(let end), .asking(let end): end
    case .none, .asked: nil
    }
  }

  /// When the rider has waited too long with the answer.
  var questionEnd: Instant? { if case .asking(let end) = question { end } else { nil } }

  /// When the phone may be paired with that has to wait for that.
  var nextAttempt: Instant? { if case .delayed(let end) = question { end } else { nil } }

  /// Whether the rider was asked about the phone on this link.
  var wasAsked: Bool {
    switch question {
    case .none, .delayed: false
    case .asked, .asking: true
    }
  }

  /// The phone has to wait for its next attempt.
  mutating func delay(until end: Instant) { question = .delayed(until: end) }

  /// The time is over that the phone had to wait; returns whether it may still be paired with.
  mutating func attemptIsDue() -> Bool {
    if case .delayed = question { question = .none }
    return farewell == nil
  }

  /// The rider is asked about a pairing that runs.
  mutating func ask() { question = .asked }

  /// The rider is asked whether to do without a key.
  mutating func ask(until end: Instant) { question = .asking(until: end) }

  /// The rider has answered, or not in time; returns whether there was a question without a pairing.
  mutating func endQuestion() -> Bool {
    guard case .asking = question else { return false }
    question = .asked
    return true
  }

  /// It is known who this is, and whether it will be remembered.
  mutating func decide() { isDecided = true }

  // MARK: - Encryption

  mutating func encrypt(with key: Key) { encryption = .begun(key) }

  /// The link is encrypted; returns with what, or `nil` if nobody asked for that: it makes no link secure.
  mutating func encrypted() -> Key? {
    guard case .begun(let key) = encryption else { return nil }
    encryption = .on
    if key == .bond { isDecided = true }
    return key
  }

  /// The phone that has a key does not know it.
  mutating func keyFailed() { encryption = .off }

  // MARK: - Ending

  /// Why the link is to end as soon as all was sent that is waiting, if it is.
  var farewell: ErrorCode? { if case .farewell(let reason) = ending { reason } else { nil } }

  var isLetGo: Bool { ending == .letGo }

  var isGivenUp: Bool { ending == .givenUp }

  /// The phone is not to be followed: that was no ride.
  mutating func leave(_ reason: ErrorCode) {
    loseCourse()
    ending = .farewell(reason)
  }

  /// The remembered phone is left because it has nothing to tell.
  mutating func letGo() {
    loseCourse()
    ending = .letGo
  }

  /// Who has the link may be anybody.
  mutating func giveUp() { ending = .givenUp }

  /// The rider wants to be rid of the phone.
  mutating func disown() { isUnwanted = true }

  private mutating func loseCourse() {
    course = isWaiting ? .waiting(.nowhere) : .going(.nowhere)
  }
}

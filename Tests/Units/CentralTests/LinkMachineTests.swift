import Bytes
import Expecting
import HCI

@testable import Link

/// The tables in the comment of `LinkMachine`, row by row.
@Suite struct LinkMachineTests {
  private static let later = Instant(milliseconds: 1_030_000)

  /// What happens, where it does not matter whether that is news.
  enum Step: Sendable {
    case find, lose, ride, leave, letGo, giveUp, disown
    case delay, due, ask, askWithoutKey, endQuestion, decide
    case encrypt(LinkMachine.Key)
    case encrypted, keyFailed
  }

  /// A link of a search that the rider asked for, after these steps.
  private static func link(_ steps: Step...) -> LinkMachine { link(after: steps) }

  private static func link(after steps: [Step]) -> LinkMachine {
    var machine = LinkMachine(mayPair: true)
    for step in steps { take(step, in: &machine) }
    return machine
  }

  private static func take(_ step: Step, in machine: inout LinkMachine) {
    _ = machine.note(happening(of: step))
  }

  private static func happening(of step: Step) -> LinkMachine.Happening {
    switch step {
    case .find: .found
    case .lose: .lost
    case .ride: .rideBegan
    case .leave: .left(.authenticationFailure)
    case .letGo: .letGo
    case .giveUp: .givenUp
    case .disown: .disowned
    case .delay: .delayed(until: later)
    case .due: .attemptIsDue
    case .ask: .isAsked
    case .askWithoutKey: .isAskedForNoKey(until: later)
    case .endQuestion: .answered
    case .decide: .decided
    case .encrypt(let key): .encryptionBegan(key)
    case .encrypted: .encrypted
    case .keyFailed: .keyFailed
    }
  }

  // MARK: - Course

  /// What a course says of the link.
  struct Meaning: Sendable {
    let steps: [Step]
    var isFound = false
    var isWaiting = false
    var isSettled = false
    let overdue: LinkMachine.Overdue
  }

  @Test(arguments: [
    Meaning(steps: [], overdue: .search),
    Meaning(steps: [.find], isFound: true, isSettled: true, overdue: .relax),
    Meaning(steps: [.find, .ride], isFound: true, isSettled: true, overdue: .relax),
    Meaning(steps: [.lose], isWaiting: true, isSettled: true, overdue: .wait),
    Meaning(
      steps: [.find, .lose], isFound: true, isWaiting: true, isSettled: true, overdue: .wait),
    Meaning(steps: [.lose, .find], isFound: true, isSettled: true, overdue: .relax),
    Meaning(
      steps: [.find, .ride, .lose, .letGo], isWaiting: true, isSettled: true, overdue: .wait),
    Meaning(steps: [.find, .leave], overdue: .end(.authenticationFailure)),
    Meaning(
      steps: [.find, .lose, .leave], isWaiting: true, isSettled: true,
      overdue: .end(.authenticationFailure)),
    Meaning(steps: [.encrypt(.bond)], overdue: .keyFailed),
    Meaning(steps: [.encrypt(.bond), .encrypted], overdue: .search),
    Meaning(steps: [.delay], overdue: .nothing),
    Meaning(steps: [.askWithoutKey], overdue: .nothing),
    Meaning(steps: [.ask], overdue: .search),
  ])
  func aLinkKnowsHowFarItHasLedAndWhatFollowsWhenThatLastsTooLong(_ row: Meaning) {
    let machine = Self.link(after: row.steps)
    expect(machine.isFound, row.isFound)
    expect(machine.isWaiting, row.isWaiting)
    expect(machine.isSettled, row.isSettled)
    expect(machine.overdue(isPairing: false), row.overdue)
    expect(machine.overdue(isPairing: true), .nothing)
  }

  /// What is true for the first time, and what is not.
  @Test(
    arguments: [
      ([], true, true, false), ([.find], false, true, true), ([.find, .ride], false, true, false),
      ([.lose], true, false, false), ([.find, .lose], false, false, true),
      ([.find, .ride, .lose], false, false, false), ([.find, .ride, .leave], true, true, false),
    ] as [([Step], Bool, Bool, Bool)])
  func aLinkSaysWhatHappensToItForTheFirstTime(
    _ steps: [Step], isFirst: Bool, isNewLoss: Bool, isNewRide: Bool
  ) {
    var (found, lost, ride) = (
      Self.link(after: steps), Self.link(after: steps), Self.link(after: steps)
    )
    let said = (found.note(.found), lost.note(.lost), ride.note(.rideBegan))
    expect(said == (isFirst, isNewLoss, isNewRide))
  }

  @Test func aRideThatBeganBeforeItsServiceVanishedDoesNotBeginAgainWithIt() {
    expect(Self.link(.find, .ride, .lose, .find), Self.link(.find, .ride))
    expect(Self.link(.find, .lose, .ride, .find), Self.link(.find, .ride))
  }

  // MARK: - Question

  @Test(
    arguments: [
      ([], nil, nil, false), ([.delay], nil, later, false), ([.delay, .due], nil, nil, false),
      ([.ask], nil, nil, true), ([.askWithoutKey], later, nil, true),
      ([.askWithoutKey, .endQuestion], nil, nil, true), ([.ask, .due], nil, nil, true),
      ([.ask, .askWithoutKey], later, nil, true), ([.delay, .endQuestion], nil, later, false),
    ] as [([Step], Instant?, Instant?, Bool)])
  func aLinkKnowsWhatTheRiderWasAskedAndUntilWhen(
    _ steps: [Step], questionEnd: Instant?, nextAttempt: Instant?, wasAsked: Bool
  ) {
    let machine = Self.link(after: steps)
    expect(machine.questionEnd, questionEnd)
    expect(machine.nextAttempt, nextAttempt)
    expect(machine.decisionEnd, questionEnd ?? nextAttempt)
    expect(machine.wasAsked, wasAsked)
  }

  @Test func onlyAQuestionWithoutAPairingIsAnsweredByTheLinkItself() {
    var (asking, asked, fresh) = (Self.link(.askWithoutKey), Self.link(.ask), Self.link())
    let said = (asking.note(.answered), asked.note(.answered), fresh.note(.answered))
    expect(said == (true, false, false))
  }

  @Test func aPhoneThatIsBeingLeftIsNotPairedWithWhenItsDelayIsOver() {
    var (delayed, left) = (Self.link(.delay), Self.link(.delay, .leave))
    let said = (delayed.note(.attemptIsDue), left.note(.attemptIsDue))
    expect(said == (true, false))
  }

  // MARK: - Encryption

  @Test(
    arguments: [
      ([], nil, .off, false),
      ([.encrypt(.bond)], .bond, .on, true), ([.encrypt(.pairing)], .pairing, .on, false),
      ([.encrypt(.bond), .keyFailed], nil, .off, false),
      ([.encrypt(.pairing), .encrypted], nil, .on, false),
      ([.encrypt(.bond), .encrypted, .decide], nil, .on, true), ([.decide], nil, .off, true),
    ] as [([Step], LinkMachine.Key?, LinkMachine.Encryption, Bool)])
  func onlyEncryptionThatWasBegunMakesALinkSecure(
    _ steps: [Step], key: LinkMachine.Key?, encryption: LinkMachine.Encryption, isDecided: Bool
  ) {
    var machine = Self.link(after: steps)
    let used = if case .begun(let key) = machine.encryption { key } else { nil as LinkMachine.Key? }
    let isNews = machine.note(.encrypted)
    expect(used == key && isNews == (key != nil))
    expect(machine.encryption, encryption)
    expect(machine.isDecided, isDecided)
  }

  // MARK: - Ending

  @Test(
    arguments: [
      ([], nil, false, false, false), ([.leave], .authenticationFailure, false, false, false),
      ([.lose, .letGo], nil, true, false, false), ([.giveUp], nil, false, true, false),
      ([.disown], nil, false, false, true),
      ([.disown, .leave], .authenticationFailure, false, false, true),
      ([.lose, .letGo, .disown], nil, true, false, true),
      ([.giveUp, .disown], nil, false, true, true),
    ] as [([Step], ErrorCode?, Bool, Bool, Bool)])
  func aLinkKnowsHowItEndsAndWhetherTheRiderWantsThat(
    _ steps: [Step], farewell: ErrorCode?, isLetGo: Bool, isGivenUp: Bool, isUnwanted: Bool
  ) {
    let machine = Self.link(after: steps)
    expect(machine.farewell, farewell)
    expect(machine.isLetGo, isLetGo)
    expect(machine.isGivenUp, isGivenUp)
    expect(machine.isUnwanted, isUnwanted)
  }
}

/// The rows of `LinkMachine` for a link that the phone has made, and for turns by our own server.
@Suite struct VisitMachineTests {
  private static func link(_ happenings: [LinkMachine.Happening]) -> LinkMachine {
    var machine = LinkMachine(isPeripheral: true)
    for happening in happenings { _ = machine.note(happening) }
    return machine
  }

  /// Anybody can come with an address that was recorded: that is no reason to say that the phone's key is wrong.
  @Test(
    arguments: [
      ([], .awaited, .requestSecurity),
      ([.securityRequested], .requested, .end(.remoteUserTerminatedConnection)),
      ([.encryptionBegan(.bond)], .begun(.bond), .end(.remoteUserTerminatedConnection)),
      (
        [.securityRequested, .encryptionBegan(.bond)], .begun(.bond),
        .end(.remoteUserTerminatedConnection)
      ),
      (
        [.encryptionBegan(.bond), .securityRequested], .begun(.bond),
        .end(.remoteUserTerminatedConnection)
      ),
      ([.encryptionBegan(.pairing)], .begun(.pairing), .search),
      ([.encrypted], .awaited, .requestSecurity),
      ([.encryptionBegan(.bond), .encrypted], .on, .search),
      ([.encryptionBegan(.bond), .encrypted, .securityRequested], .on, .search),
      ([.encryptionBegan(.bond), .keyFailed], .off, .search),
      (
        [.securityRequested, .left(.authenticationFailure)], .requested,
        .end(.authenticationFailure)
      ),
    ] as [([LinkMachine.Happening], LinkMachine.Encryption, LinkMachine.Overdue)])
  func peripheralBehaviour16_theEncryptionOfALinkThatThePhoneMadeIsItsOwnToBegin(
    _ happenings: [LinkMachine.Happening], _ encryption: LinkMachine.Encryption,
    _ overdue: LinkMachine.Overdue
  ) {
    let machine = Self.link(happenings)
    expect(machine.encryption, encryption)
    expect(machine.overdue(isPairing: false), overdue)
    expect(machine.overdue(isPairing: true), .nothing)
  }

  /// Until it is left, or let go, which ends what it was of use for.
  @Test(arguments: [LinkMachine.Happening.left(.authenticationFailure), .letGo])
  func turnsMakeALinkOfUseAndTheFirstOneIsNews(_ end: LinkMachine.Happening) {
    var machine = Self.link([.encryptionBegan(.bond), .encrypted])
    let wasOfUse = machine.isOfUse
    let news = [machine.note(.guided), machine.note(.guided)]
    expect(!wasOfUse && news == [true, false])
    expect(machine.isOfUse && !machine.isFound)
    _ = machine.note(end)
    expect(!machine.isOfUse)
  }
}

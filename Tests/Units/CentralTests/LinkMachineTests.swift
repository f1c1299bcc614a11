import Bytes
import Expecting
import HCI

@testable import Link

/// The tables in the comment of `LinkMachine`, row by row.
struct LinkMachineTests {
  private static let later = Instant(milliseconds: 1_030_000)

  typealias Step = LinkMachine.Happening

  private static let left = Step.left(.authenticationFailure)
  private static let delayed = Step.delayed(until: later)
  private static let isAskedForNoKey = Step.isAskedForNoKey(until: later)

  /// A link of a search that the rider asked for, or that the phone has made, after these steps.
  fileprivate static func link(after steps: [Step], isPeripheral: Bool = false) -> LinkMachine {
    var machine = isPeripheral ? LinkMachine(isPeripheral: true) : LinkMachine(mayPair: true)
    for step in steps { _ = machine.note(step) }
    return machine
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
    Meaning(steps: [.found], isFound: true, isSettled: true, overdue: .relax),
    Meaning(steps: [.found, .rideBegan], isFound: true, isSettled: true, overdue: .relax),
    Meaning(steps: [.lost], isWaiting: true, isSettled: true, overdue: .wait),
    Meaning(
      steps: [.found, .lost], isFound: true, isWaiting: true, isSettled: true, overdue: .wait),
    Meaning(steps: [.lost, .found], isFound: true, isSettled: true, overdue: .relax),
    Meaning(
      steps: [.found, .rideBegan, .lost, .letGo], isWaiting: true, isSettled: true, overdue: .wait),
    Meaning(steps: [.found, left], overdue: .end(.authenticationFailure)),
    Meaning(
      steps: [.found, .lost, left], isWaiting: true, isSettled: true,
      overdue: .end(.authenticationFailure)),
    Meaning(steps: [.encryptionBegan(.bond)], overdue: .keyFailed),
    Meaning(steps: [.encryptionBegan(.bond), .encrypted], overdue: .search),
    Meaning(steps: [delayed], overdue: .nothing),
    Meaning(steps: [isAskedForNoKey], overdue: .nothing),
    Meaning(steps: [.isAsked], overdue: .search),
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
      ([], true, true, false), ([.found], false, true, true),
      ([.found, .rideBegan], false, true, false), ([.lost], true, false, false),
      ([.found, .lost], false, false, true), ([.found, .rideBegan, .lost], false, false, false),
      ([.found, .rideBegan, left], true, true, false),
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
    let riding = Self.link(after: [.found, .rideBegan])
    expect(Self.link(after: [.found, .rideBegan, .lost, .found]), riding)
    expect(Self.link(after: [.found, .lost, .rideBegan, .found]), riding)
  }

  // MARK: - Question

  @Test(
    arguments: [
      ([], nil, nil, false), ([delayed], nil, later, false),
      ([delayed, .attemptIsDue], nil, nil, false),
      ([.isAsked], nil, nil, true), ([isAskedForNoKey], later, nil, true),
      ([isAskedForNoKey, .answered], nil, nil, true), ([.isAsked, .attemptIsDue], nil, nil, true),
      ([.isAsked, isAskedForNoKey], later, nil, true), ([delayed, .answered], nil, later, false),
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

  /// Only a question without a pairing, and nobody is paired with who is being left.
  @Test(
    arguments: [
      ([isAskedForNoKey], .answered, true), ([.isAsked], .answered, false), ([], .answered, false),
      ([delayed], .attemptIsDue, true), ([delayed, left], .attemptIsDue, false),
    ] as [([Step], LinkMachine.Happening, Bool)])
  func aLinkSaysWhatIsItsToDo(_ steps: [Step], _ happening: LinkMachine.Happening, isIts: Bool) {
    var machine = Self.link(after: steps)
    let isItsOwn = machine.note(happening)
    expect(isItsOwn, isIts)
  }

  // MARK: - Encryption

  @Test(
    arguments: [
      ([], nil, .off, false), ([.encryptionBegan(.bond)], .bond, .on, true),
      ([.encryptionBegan(.pairing)], .pairing, .on, false),
      ([.encryptionBegan(.bond), .keyFailed], nil, .off, false),
      ([.encryptionBegan(.pairing), .encrypted], nil, .on, false),
      ([.encryptionBegan(.bond), .encrypted, .decided], nil, .on, true),
      ([.decided], nil, .off, true),
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
      ([], nil, false, false, false), ([left], .authenticationFailure, false, false, false),
      ([.lost, .letGo], nil, true, false, false), ([.givenUp], nil, false, true, false),
      ([.disowned], nil, false, false, true),
      ([.disowned, left], .authenticationFailure, false, false, true),
      ([.lost, .letGo, .disowned], nil, true, false, true),
      ([.givenUp, .disowned], nil, false, true, true),
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
struct VisitMachineTests {
  private static func link(_ happenings: [LinkMachine.Happening]) -> LinkMachine {
    LinkMachineTests.link(after: happenings, isPeripheral: true)
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

import Bytes
import Expecting
import SMP
import TestSupport

private typealias C = Conversation

/// The rider, the time and the link.
@Suite struct PairingEndTests {
  @Test func centralBehaviour32_differentNumbersEndThePairing() {
    var talk = C.played(to: .user)
    expectRefused(talk.answer(false), .numericComparisonFailed, &talk)
  }

  /// A press that comes too early or twice says nothing about numbers.
  @Test(arguments: nonEmpty(Step.allCases.filter { $0 != .user }), [true, false])
  func theRidersAnswerCountsOnlyWhenAskedFor(_ step: Step, _ isSame: Bool) {
    var talk = C.played(to: step)
    expect(talk.answer(isSame), .nothing)
    expect(talk.says(), [])
  }

  /// A phone may encrypt with the key of an older bond.
  @Test(
    arguments: nonEmpty(
      Stage.all.filter { $0 != .initiator(.encryption) && $0 != .responder(.encryption) }))
  func anEncryptionThatWasNotAskedForChangesNothing(_ stage: Stage) {
    var talk = stage.talk
    expect(talk.encrypted(), .nothing)
    expect(talk.pairing.encryptionFailed(), .nothing)
    expect(talk.says(), [])
    guard let command = stage.command else { return }
    if case .failed = talk.hears(command) { Issue.record("it had changed the step") }
  }

  @Test(arguments: [Stage.initiator(.encryption), .responder(.encryption)])
  func anEncryptionThatFailsEndsThePairing(_ stage: Stage) {
    var talk = stage.talk
    expect(talk.pairing.encryptionFailed(), .failed(.notEncrypted))
    expect(talk.says(), [])
    expectIdle(&talk)
  }

  /// Core Specification, Vol 3, Part H, 3.4: also while the rider, or the controller, is waited for.
  @Test(arguments: Step.running) func centralBehaviour32_after30SecondsTheLinkTakesNoPairing(
    _ step: Step
  ) {
    var talk = C.played(to: step)
    expect(talk.pairing.deadline, talk.now + 30_000)
    expect(talk.wait(29_999), .nothing)
    expect(talk.wait(1), .failed(step == .features ? .unanswered : .timedOut))
    expect(talk.says(), [])
    expect(talk.pairing.keys, nil)
    expect(talk.pairing.longTermKey, nil)
    expect(talk.pairing.deadline, nil)
    for command in HostilePairingTests.commands + [C.request, "05 08", "0b 0d"] {
      expect(talk.hears(command), .nothing)
    }
    talk.pairing.begin(at: talk.now)
    expect(talk.pairing.canBegin, false)
    expect(talk.says(), [])
  }

  /// The clock starts again with each command of ours, not with the phone's.
  @Test func centralBehaviour32_theTimeRunsFromOurLastCommand() {
    var talk = C.played(to: .publicKey)
    let start = talk.now
    _ = talk.wait(20_000)
    talk.hears(C.phonesKey)
    expect(talk.pairing.deadline, start + 30_000)
    talk.hears(C.phonesConfirm)
    expect(talk.pairing.deadline, start + 50_000)
  }

  /// What calls first after the time is over hears of it.
  @Test(arguments: 0..<3) func anythingThatComesTooLateIsTooLate(_ kind: Int) {
    var talk = C.played(to: [.dhKeyCheck, .user, .encryption][kind])
    talk.now = talk.now + 30_000
    switch kind {
    case 0: expect(talk.hears(C.phonesCheck), .failed(.timedOut))
    case 1: expect(talk.answer(true), .failed(.timedOut))
    default: expect(talk.encrypted(), .failed(.timedOut))
    }
    expect(talk.says(), [])
    expect(talk.pairing.keys, nil)
  }

  @Test(arguments: Stage.running) func aCancelledPairingTellsThePhone(_ stage: Stage) {
    var talk = stage.talk
    expect(talk.pairing.cancel(), .failed(.refused(.unspecified)))
    expect(talk.says(), ["0508"])
    expect(talk.pairing.cancel(), .nothing)
    expectIdle(&talk)
  }

  @Test func aBeginningWhileOneIsUnderWayChangesNothing() {
    var talk = C.played(to: .user)
    talk.pairing.begin(at: talk.now)
    expect(talk.says(), [])
    expect(talk.answer(true), .nothing)
    expect(talk.says(), [said(C.ourCheck)])
  }

  /// For the key pair, and for the nonce.
  @Test(arguments: [Step.features, .confirm]) func withoutRandomNumbersThereIsNoPairing(
    _ step: Step
  ) throws {
    var talk = C.played(to: step)
    talk.crypto.failure = .noRandomness
    expect(talk.hears(try #require(step.command)), .failed(.refused(.unspecified)))
    expect(talk.says(), ["0508"])
    talk.crypto.failure = nil
    expectIdle(&talk)
  }
}

import Bytes
import Expecting
import Responder
import SMP
import TestSupport

private typealias C = Conversation
private typealias R = ReplyingConversation

/// The rider, the time and the link, whichever side began.
struct PairingEndTests {
  @Test(arguments: [Stage.initiator(.user), .responder(.user), .responder(.userWithCheck)])
  func peripheralBehaviour45_aNoOfTheRiderEndsThePairing(_ stage: Stage) {
    var talk = stage.talk
    expectRefused(talk.answer(false), .numericComparisonFailed, &talk)
  }

  private static let notAsked = nonEmpty(
    Stage.all.filter {
      ![.initiator(.user), .responder(.user), .responder(.userWithCheck)].contains($0)
    })

  /// A press that comes too early or twice says nothing about numbers.
  @Test(arguments: notAsked, [true, false])
  func theRidersAnswerCountsOnlyWhenAskedFor(_ stage: Stage, _ isSame: Bool) {
    var talk = stage.talk
    expect(talk.answer(isSame), .nothing)
    expect(talk.says(), [])
    guard let command = stage.command else { return }
    if case .failed = talk.receive(command) { Issue.record("it had changed the step") }
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
    if case .failed = talk.receive(command) { Issue.record("it had changed the step") }
  }

  @Test(arguments: [Stage.initiator(.encryption), .responder(.encryption)])
  func anEncryptionThatFailsEndsThePairing(_ stage: Stage) {
    var talk = stage.talk
    expect(talk.pairing.encryptionFailed(), .failed(.notEncrypted))
    expect(talk.says(), [])
    expectIdle(&talk)
  }

  /// Core Specification, Vol 3, Part H, 3.4: also while the rider, the phone or the controller is waited for.
  @Test(arguments: Stage.running) func centralBehaviour32_after30SecondsTheLinkTakesNoPairing(
    _ stage: Stage
  ) {
    var talk = stage.talk
    expect(talk.pairing.deadline, talk.now + 30_000)
    expect(talk.wait(29_999), .nothing)
    expect(talk.wait(1), .failed(stage == .initiator(.features) ? .unanswered : .timedOut))
    expect(talk.says(), [])
    expect(talk.pairing.keys == nil && talk.pairing.longTermKey == nil)
    expect(talk.pairing.deadline, nil)
    for command in stage.commands + stage.foreign + ["05 08", "0b 0d", "01"] {
      expect(talk.receive(command), .nothing)
    }
    talk.pairing.begin(at: talk.now)
    expect(talk.pairing.accept(PhonePairing.features, at: talk.now, with: &talk.crypto), .nothing)
    talk.pairing.decline()
    talk.pairing.requestSecurity(at: talk.now)
    expect(talk.pairing.canBegin, false)
    expect(talk.says(), [])
  }

  /// The clock starts again with each command of ours, not with the phone's.
  @Test func centralBehaviour32_theTimeRunsFromOurLastCommand() {
    var talk = C.played(to: .publicKey)
    let start = talk.now
    _ = talk.wait(20_000)
    talk.receive(C.phonesKey)
    expect(talk.pairing.deadline, start + 30_000)
    talk.receive(C.phonesConfirm)
    expect(talk.pairing.deadline, start + 50_000)
  }

  @Test func peripheralBehaviour45_theTimeOfAResponderRunsFromItsLastCommand() {
    var talk = C(as: .responder)
    let start = talk.now
    talk.accepts()
    _ = talk.wait(20_000)
    talk.receive(C.phonesKey)
    expect(talk.pairing.deadline, start + 50_000)
    _ = talk.wait(20_000)
    talk.receive(C.phonesNonce)
    expect(talk.pairing.deadline, start + 70_000)
    expect(talk.pairing.peerDeadline, nil)
    _ = talk.wait(20_000)
    talk.receive(R.phonesCheck)
    expect(talk.pairing.deadline, start + 70_000)
    expect(talk.answer(true), .awaitEncryption)
    expect(talk.pairing.deadline, start + 90_000)
  }

  /// What calls first after the time is over hears of it.
  @Test func anythingThatComesTooLateIsTooLate() {
    let late: [(Stage, (inout Conversation) -> PairingOutcome)] = [
      (.initiator(.dhKeyCheck), { $0.receive(C.phonesCheck) }),
      (.initiator(.user), { $0.answer(true) }), (.initiator(.encryption), { $0.encrypted() }),
      (.responder(.dhKeyCheck), { $0.receive(R.phonesCheck) }),
      (.responder(.userWithCheck), { $0.answer(true) }),
      (.responder(.encryption), { $0.encrypted() }),
      (.responder(.publicKey), { $0.receive(R.request) }),
    ]
    for (stage, call) in late {
      var talk = stage.talk
      talk.now = talk.now + 30_000
      expect(call(&talk), .failed(.timedOut))
      expect(talk.says(), [])
      expect(talk.pairing.keys, nil)
    }
  }

  @Test func theRidersYesWaitsForThatOfThePhonesOwner() {
    var talk = C.replied(to: .user)
    let deadline = talk.pairing.deadline
    _ = talk.answer(true)
    expect(talk.pairing.peerDeadline, deadline)
    talk.receive(R.phonesCheck)
    expect(talk.pairing.peerDeadline, nil)
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
  @Test(arguments: [Stage.initiator(.features), .initiator(.confirm), .responder(.publicKey)])
  func withoutRandomNumbersThereIsNoPairing(_ stage: Stage) throws {
    var talk = stage.talk
    talk.crypto.failure = .noRandomness
    expectRepeated(talk.receive(try #require(stage.command)), &talk)
    if talk.role == .responder { expectRepeated(talk.accepts(), &talk) }
    talk.crypto.failure = nil
    expectIdle(&talk)
  }

  private func expectRepeated(_ outcome: PairingOutcome, _ talk: inout Conversation) {
    expect(outcome, .failed(.refused(.unspecified)))
    expect(talk.says(), ["0508"])
  }
}

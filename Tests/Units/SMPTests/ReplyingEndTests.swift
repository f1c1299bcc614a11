import Bytes
import Expecting
import SMP
import TestSupport

private typealias C = Conversation
private typealias R = ReplyingConversation

/// The rider, the time and the link, where the phone began.
@Suite struct ReplyingEndTests {
  /// A press that comes too early or twice says nothing about numbers.
  @Test(
    arguments: nonEmpty(ReplyingStep.allCases.filter { $0 != .user && $0 != .userWithCheck }),
    [true, false])
  func theRidersAnswerToAPhoneThatBeganCountsOnlyWhenAskedFor(
    _ step: ReplyingStep, _ isSame: Bool
  ) {
    var talk = C.replied(to: step)
    expect(talk.answer(isSame), .nothing)
    expect(talk.says(), [])
    if let command = step.command, case .failed = talk.hears(command) { Issue.record("failed") }
  }

  /// Core Specification, Vol 3, Part H, 3.4: also while the rider, or the phone, is waited for.
  @Test(arguments: ReplyingStep.running)
  func peripheralBehaviour45_after30SecondsTheLinkTakesNoPairing(_ step: ReplyingStep) {
    var talk = C.replied(to: step)
    expect(talk.pairing.deadline, talk.now + 30_000)
    expect(talk.wait(29_999), .nothing)
    expect(talk.wait(1), .failed(.timedOut))
    expect(talk.says(), [])
    expect(talk.pairing.keys, nil)
    expect(talk.pairing.longTermKey, nil)
    expect(talk.pairing.deadline, nil)
    for command in HostileReplyingTests.commands + [R.response, "05 08", "0b 0d", "01"] {
      expect(talk.hears(command), .nothing)
    }
    let features = PairingFeatures(
      ioCapability: .displayYesNo, hasOOBData: false, authentication: .secureBonding,
      maxKeySize: 16, initiatorKeys: .identity, responderKeys: .identity)
    expect(talk.pairing.accept(features, at: talk.now, with: &talk.crypto), .nothing)
    talk.pairing.decline()
    talk.pairing.requestSecurity(at: talk.now)
    expect(talk.says(), [])
  }

  /// The clock starts again with each command of ours, not with the phone's.
  @Test func peripheralBehaviour45_theTimeOfAResponderRunsFromItsLastCommand() {
    var talk = C(as: .responder)
    let start = talk.now
    talk.accepts()
    _ = talk.wait(20_000)
    talk.hears(C.phonesKey)
    expect(talk.pairing.deadline, start + 50_000)
    _ = talk.wait(20_000)
    talk.hears(C.phonesNonce)
    expect(talk.pairing.deadline, start + 70_000)
    _ = talk.wait(20_000)
    talk.hears(R.phonesCheck)
    expect(talk.pairing.deadline, start + 70_000)
    expect(talk.answer(true), .awaitEncryption)
    expect(talk.pairing.deadline, start + 90_000)
  }

  /// What calls first after the time is over hears of it.
  @Test(arguments: 0..<4) func whatComesTooLateForAResponderIsTooLate(_ kind: Int) {
    var talk = C.replied(to: [.dhKeyCheck, .userWithCheck, .encryption, .publicKey][kind])
    talk.now = talk.now + 30_000
    switch kind {
    case 0: expect(talk.hears(R.phonesCheck), .failed(.timedOut))
    case 1: expect(talk.answer(true), .failed(.timedOut))
    case 2: expect(talk.encrypted(), .failed(.timedOut))
    default: expect(talk.hears(R.request), .failed(.timedOut))
    }
    expect(talk.says(), [])
    expect(talk.pairing.keys, nil)
  }

  /// The owner, too, may be late.
  @Test func peripheralVector11_aRequestThatIsAcceptedTooLateBeginsNothing() {
    var talk = C.asking()
    talk.now = talk.now + 29_999
    guard case .pairingRequest(let features) = talk.hears(R.request) else {
      Issue.record("no request")
      return
    }
    let late = talk.now + 1
    expect(talk.pairing.accept(features, at: late, with: &talk.crypto), .failed(.unanswered))
    expect(talk.says(), [])
    expect(talk.hears(R.request), .nothing)
  }

  @Test func theRidersYesWaitsForThatOfThePhonesOwner() {
    var talk = C.replied(to: .user)
    expect(talk.pairing.peerDeadline, nil)
    let deadline = talk.pairing.deadline
    _ = talk.answer(true)
    expect(talk.pairing.peerDeadline, deadline)
    talk.hears(R.phonesCheck)
    expect(talk.pairing.peerDeadline, nil)
  }

  /// For the key pair, and for the nonce.
  @Test func aResponderWithoutRandomNumbersHasNoPairing() {
    var talk = C(as: .responder)
    talk.crypto.failure = .noRandomness
    expect(talk.accepts(), .failed(.refused(.unspecified)))
    expect(talk.says(), ["0508"])
    talk.crypto.failure = nil
    talk.playReply(to: .publicKey)
    talk.crypto.failure = .noRandomness
    expect(talk.hears(C.phonesKey), .failed(.refused(.unspecified)))
    expect(talk.says(), ["0508"])
    talk.crypto.failure = nil
    expectIdle(&talk)
  }

  // MARK: - Security Request

  /// The payload of V11.
  @Test func peripheralVector11_aSecurityRequestIsSentAndThePhoneMayPair() {
    var talk = C(as: .responder)
    talk.pairing.requestSecurity(at: talk.now)
    expect(talk.says(), ["0b0d"])
    expect(talk.pairing.answerDeadline, talk.now + 30_000)
    expect(talk.pairing.isRunning, false)
    talk.playReply(to: .done)
    expect(talk.pairing.keys?.longTermKey, R.longTermKey)
    expect(talk.pairing.deadline, nil)
  }

  @Test func peripheralVector11_aPhoneThatEncryptsHasAnsweredTheSecurityRequest() {
    var talk = C.asking()
    expect(talk.encrypted(), .nothing)
    expect(talk.pairing.deadline, nil)
    expect(talk.wait(60_000), .nothing)
    expectIdle(&talk)
  }

  @Test func peripheralVector11_aPhoneMayRefuseTheSecurityRequest() {
    var talk = C.asking()
    expect(talk.hears("05 05"), .failed(.peer(.pairingNotSupported)))
    expectIdle(&talk)
  }

  /// 3.4: nothing more goes over this link.
  @Test func peripheralVector11_aSecurityRequestWithoutAnAnswerClosesTheLinkForPairing() {
    var talk = C(as: .responder)
    talk.pairing.requestSecurity(at: talk.now)
    talk.pairing.requestSecurity(at: talk.now + 10_000)
    expect(talk.says(), ["0b0d"], "once")
    expect(talk.wait(29_999), .nothing)
    expect(talk.wait(1), .failed(.unanswered))
    expect(talk.hears(R.request), .nothing)
    expect(talk.says(), [])
  }

  /// Other commands than a request neither answer it nor end it.
  @Test func peripheralVector11_aSecurityRequestWaitsThroughWhatDoesNotBelongThere() {
    var talk = C.asking()
    for command in HostileReplyingTests.commands.dropFirst() {
      expect(talk.hears(command), .nothing)
    }
    expect(talk.says(), [])
    expect(talk.pairing.answerDeadline, talk.now + 30_000)
  }

  @Test(arguments: ReplyingStep.allCases.filter { $0 != .idle })
  func peripheralVector11_noSecurityRequestInAPairingOrAfterIt(_ step: ReplyingStep) {
    var talk = C.replied(to: step)
    talk.pairing.requestSecurity(at: talk.now)
    expect(talk.says(), [])
  }

  @Test func peripheralVector11_aRequestThatIsDeclinedEndsTheWait() {
    var talk = C.asking()
    _ = talk.hears(R.request)
    talk.pairing.decline(.repeatedAttempts)
    expect(talk.says(), ["0509"])
    expect(talk.pairing.deadline, nil)
    expectIdle(&talk)
  }

  @Test(arguments: [true, false])
  func peripheralVector11_aSecurityRequestThatWasAnsweredIsOver(_ isEncrypted: Bool) {
    var talk = C(as: .responder)
    talk.pairing.requestSecurity(at: talk.now)
    if isEncrypted {
      _ = talk.encrypted()
    } else {
      _ = talk.hears(R.request)
      talk.pairing.decline()
    }
    _ = talk.says()
    expect(talk.hears("05 05"), .nothing, "there is nothing to refuse")
    talk.pairing.requestSecurity(at: talk.now)
    expect(talk.says(), ["0b0d"], "it may be asked once more")
  }
}

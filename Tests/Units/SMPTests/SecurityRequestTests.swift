import Bytes
import Expecting
import SMP

private typealias C = Conversation
private typealias R = ReplyingConversation

/// A peripheral that asks for security.
struct SecurityRequestTests {
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

  /// It encrypts, refuses, or asks for a pairing that is declined.
  @Test(arguments: 0..<3) func peripheralVector11_aSecurityRequestThatWasAnsweredIsOver(
    _ answer: Int
  ) {
    var talk = C.asking()
    switch answer {
    case 0: expect(talk.encrypted(), .nothing)
    case 1: expect(talk.receive("05 05"), .failed(.peer(.pairingNotSupported)))
    default:
      _ = talk.receive(R.request)
      talk.pairing.decline(.repeatedAttempts)
      expect(talk.says(), ["0509"])
    }
    expect(talk.pairing.deadline, nil)
    expect(talk.wait(60_000), .nothing)
    expect(talk.receive("05 05"), .nothing, "there is nothing to refuse")
    talk.pairing.requestSecurity(at: talk.now)
    expect(talk.says(), ["0b0d"], "it may be asked once more")
    expect(talk.encrypted(), .nothing)
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
    expect(talk.receive(R.request), .nothing)
    expect(talk.says(), [])
  }

  /// Other commands than a request neither answer it nor end it.
  @Test func peripheralVector11_aSecurityRequestWaitsThroughWhatDoesNotBelongThere() {
    var talk = C.asking()
    for command in HostilePairingTests.commandsOfCentral.dropFirst() {
      expect(talk.receive(command), .nothing)
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

  /// The owner, too, may be late.
  @Test func peripheralVector11_aRequestThatIsAcceptedTooLateBeginsNothing() {
    var talk = C.asking()
    talk.now = talk.now + 29_999
    guard case .pairingRequest(let features) = talk.receive(R.request) else {
      Issue.record("no request")
      return
    }
    let late = talk.now + 1
    expect(talk.pairing.accept(features, at: late, with: &talk.crypto), .failed(.unanswered))
    expect(talk.says(), [])
    expect(talk.receive(R.request), .nothing)
  }
}

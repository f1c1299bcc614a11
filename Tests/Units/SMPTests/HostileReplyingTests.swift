import Bytes
import Expecting
import SMP
import TestSupport

private typealias C = Conversation
private typealias R = ReplyingConversation

/// A phone that begins and does wrong, once at each step.
@Suite struct HostileReplyingTests {
  /// One command of each code that a central may send.
  static let commands = [
    R.request, C.phonesKey, C.phonesConfirm, C.phonesNonce, R.phonesCheck, C.phonesIRK,
    C.phonesAddress, "06 000102030405060708090a0b0c0d0e0f", "07 1122 0102030405060708",
    "0a 000102030405060708090a0b0c0d0e0f", "0e 00",
  ]

  /// A length that is none, and fields that are reserved: 3.5.1 and table 3.7.
  @Test(arguments: [
    "01", "01 04 00 2d 10 0f", "01 04 00 2d 10 0f 0f 00", "01 05 00 2d 10 0f 0f",
    "01 04 02 2d 10 0f 0f", "01 04 00 2d 06 0f 0f", "01 04 00 2d 11 0f 0f",
  ])
  func centralBehaviour37_aMalformedRequestBeginsNothingAndIsAnswered(_ request: String) {
    var talk = C(as: .responder)
    expect(talk.hears(request), .requestRefused(.invalidParameters))
    expect(talk.says(), ["050a"])
    expectIdle(&talk)
  }

  @Test(arguments: ReplyingStep.allCases)
  func centralBehaviour37_nothingAndReservedCodesAreIgnoredByAResponder(_ step: ReplyingStep) {
    var talk = C.replied(to: step)
    let (keys, deadline) = (talk.pairing.keys, talk.pairing.deadline)
    expect(talk.hears([]), .nothing)
    for code in ["00", "0f 01 02", "ff"] { expect(talk.hears(code), .nothing) }
    expect(talk.says(), [])
    expect(talk.pairing.keys, keys)
    expect(talk.pairing.deadline, deadline)
    if let command = step.command, case .failed = talk.hears(command) { Issue.record("failed") }
  }

  /// Pairing Response and Security Request are the peripheral's alone.
  @Test(arguments: ReplyingStep.allCases, [R.response, "0b 0d"])
  func centralBehaviour37_aPhoneCannotHaveBothRoles(_ step: ReplyingStep, _ command: String) {
    var talk = C.replied(to: step)
    let isOver = step == .idle || step == .done
    expect(talk.hears(command), (isOver ? .nothing : .failed(.refused(.commandNotSupported))))
    expect(talk.says(), ["0507"])
    if step == .done { #expect(talk.pairing.keys != nil) } else { expectIdle(&talk) }
  }

  // MARK: - False keys and values

  /// Another nonce than the one in the check value: somebody in between has two conversations.
  @Test(arguments: 1..<17) func centralBehaviour37_anotherNonceIsFoundOut(_ index: Int) {
    var talk = C.replied(to: .random)
    var nonce = bytes(C.phonesNonce)
    nonce[index] ^= 0x01
    #expect(talk.hears(nonce) != .compare(number: R.digits))
    _ = talk.answer(true)
    expect(talk.hears(R.phonesCheck), .failed(.refused(.dhKeyCheckFailed)))
  }

  /// A recorded conversation is worth nothing with the next nonce.
  @Test func centralBehaviour37_aReplayedBeginningFails() {
    var talk = C.replied(to: .done)
    talk.crypto.nonce[0] ^= 0x01
    talk.accepts()
    talk.hears(C.phonesKey)
    #expect(talk.hears(C.phonesNonce) != .compare(number: R.digits))
    _ = talk.answer(true)
    _ = talk.says()
    expectRefused(talk.hears(R.phonesCheck), .dhKeyCheckFailed, &talk)
  }
}

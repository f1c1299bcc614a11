import Bytes
import SMP
import TestSupport
import Testing

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

  /// Every command at every step where it does not belong: out of order, and twice.
  @Test(arguments: ReplyingStep.running, commands)
  func centralBehaviour37_whatIsOutOfPlaceEndsAReplyToo(_ step: ReplyingStep, _ command: String) {
    guard step.command != command else { return }
    var talk = C.replied(to: step)
    expectRefused(talk.hears(command), .unspecified, &talk)
  }

  /// Each command, down to its code alone, and one octet too long.
  @Test(arguments: ReplyingStep.running, commands)
  func centralBehaviour37_everyPrefixOfWhatAPhoneSaysIsAnInvalidParameter(
    _ step: ReplyingStep, _ command: String
  ) {
    let whole = bytes(command)
    for bytes in (1..<whole.count).map({ Array(whole[..<$0]) }) + [whole + [0]] {
      var talk = C.replied(to: step)
      expectRefused(talk.hears(bytes), .invalidParameters, &talk)
    }
  }

  /// A length that is none, and fields that are reserved: 3.5.1 and table 3.7.
  @Test(arguments: [
    "01", "01 04 00 2d 10 0f", "01 04 00 2d 10 0f 0f 00", "01 05 00 2d 10 0f 0f",
    "01 04 02 2d 10 0f 0f", "01 04 00 2d 06 0f 0f", "01 04 00 2d 11 0f 0f",
  ])
  func centralBehaviour37_aMalformedRequestBeginsNothingAndIsAnswered(_ request: String) {
    var talk = C(as: .responder)
    #expect(talk.hears(request) == .nothing)
    #expect(talk.says() == ["050a"])
    expectIdle(&talk)
  }

  @Test(arguments: ReplyingStep.allCases)
  func centralBehaviour37_nothingAndReservedCodesAreIgnoredByAResponder(_ step: ReplyingStep) {
    var talk = C.replied(to: step)
    let (keys, deadline) = (talk.pairing.keys, talk.pairing.deadline)
    #expect(talk.hears([]) == .nothing)
    for code in ["00", "0f 01 02", "ff"] { #expect(talk.hears(code) == .nothing) }
    #expect(talk.says() == [])
    #expect(talk.pairing.keys == keys)
    #expect(talk.pairing.deadline == deadline)
    if let command = step.command, case .failed = talk.hears(command) { Issue.record("failed") }
  }

  /// Pairing Response and Security Request are the peripheral's alone.
  @Test(arguments: ReplyingStep.allCases, [R.response, "0b 0d"])
  func centralBehaviour37_aPhoneCannotHaveBothRoles(_ step: ReplyingStep, _ command: String) {
    var talk = C.replied(to: step)
    let isOver = step == .idle || step == .done
    #expect(talk.hears(command) == (isOver ? .nothing : .failed(.refused(.commandNotSupported))))
    #expect(talk.says() == ["0507"])
    if step == .done { #expect(talk.pairing.keys != nil) } else { expectIdle(&talk) }
  }

  /// What the phone sent before it heard of the end.
  @Test(
    arguments: [ReplyingStep.idle, .done],
    nonEmpty(Array(commands.dropFirst()) + ["05 08", "03", ""]))
  func centralBehaviour37_withoutAPairingAResponderDropsCommands(
    _ step: ReplyingStep, _ command: String
  ) {
    var talk = C.replied(to: step)
    let keys = talk.pairing.keys
    #expect(talk.hears(command) == .nothing)
    #expect(talk.says() == [])
    #expect(talk.pairing.keys == keys)
  }

  // MARK: - False keys and values

  /// Beside the curve, zero, ours before it was sent, and the debug key: 3.5.5 and 2.3.5.6.1.
  @Test(
    arguments: [
      ("one bit off", C.phonesKey.dropLast(2) + "03", "0b"),
      ("zero", "0c" + String(repeating: "00", count: 64), "0b"),
      ("mirrored", C.ourKey, "0b"),
      ("mirrored, negative", C.ourKey.prefix(68) + negatedY, "0b"),
      (
        "the debug key",
        """
        0c e69d350e480103ccdbfdf4ac1191f4efb9a5f9e9a7832c5e2cbe97f2d203b020
        8bd28915d08e1c742430ed8fc2456376 5c15525abf9a32636deb2a65499c80dc
        """, "0a"
      ),
    ])
  func centralBehaviour37_aFalsePublicKeyOfAPhoneThatBeginsIsRefused(
    _ name: String, _ key: String, _ reason: String
  ) {
    var talk = C.replied(to: .publicKey)
    expectRefused(talk.hears(key), PairingFailedReason(rawValue: bytes(reason)[0]), &talk)
  }

  /// P-256's prime minus the Y of `ourKey`: the same X, and on the curve.
  private static let negatedY =
    "b0a28ebc88bc07152bc142e86fefde2fe078bc71bf1dad32422067c7e6ed6a6e"

  @Test(arguments: 1..<17) func centralBehaviour37_aFalseCheckOfAPhoneThatBeginsIsRefused(
    _ index: Int
  ) {
    var talk = C.replied(to: .dhKeyCheck)
    var check = bytes(R.phonesCheck)
    check[index] ^= 0x80
    expectRefused(talk.hears(check), .dhKeyCheckFailed, &talk)  // our check value stays here
  }

  /// Another nonce than the one in the check value: somebody in between has two conversations.
  @Test(arguments: 1..<17) func centralBehaviour37_anotherNonceIsFoundOut(_ index: Int) {
    var talk = C.replied(to: .random)
    var nonce = bytes(C.phonesNonce)
    nonce[index] ^= 0x01
    #expect(talk.hears(nonce) != .compare(number: R.digits))
    _ = talk.answer(true)
    #expect(talk.hears(R.phonesCheck) == .failed(.refused(.dhKeyCheckFailed)))
  }

  @Test func centralBehaviour37_ourCheckValueSentBackByAPhoneThatBeginsIsRefused() {
    var talk = C.replied(to: .dhKeyCheck)
    #expect(talk.hears(R.ourCheck) == .failed(.refused(.dhKeyCheckFailed)))
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

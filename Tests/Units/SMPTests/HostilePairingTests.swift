import Bytes
import Expecting
import SMP
import TestSupport

private typealias C = Conversation

/// A phone that does wrong, once at each step.
@Suite struct HostilePairingTests {
  /// One command of each code.
  static let commands = [
    C.response, C.phonesKey, C.phonesConfirm, C.phonesNonce, C.phonesCheck, C.phonesIRK,
    C.phonesAddress, "06 000102030405060708090a0b0c0d0e0f", "07 1122 0102030405060708",
    "0a 000102030405060708090a0b0c0d0e0f", "0e 00",
  ]

  /// Every command at every step where it does not belong: out of order, and twice.
  @Test(arguments: Stage.running) func centralBehaviour37_whatIsOutOfPlaceEndsThePairing(
    _ stage: Stage
  ) {
    for command in stage.commands where command != stage.command {
      // The identity may overtake the word of the encryption.
      if stage == .initiator(.encryption), command == C.phonesIRK { continue }
      var talk = stage.talk
      // What the phone's owner types is out of place nowhere.
      if command == "0e 00" { continue }
      expectRefused(talk.hears(command), .unspecified, &talk, "\(command)")
    }
  }

  /// Each command that belongs to a step: the code alone, half of it, one octet short and one too long.
  @Test(arguments: Stage.running) func centralBehaviour37_aWrongLengthIsAnInvalidParameter(
    _ stage: Stage
  ) {
    for whole in stage.commands.map({ bytes($0) }) {
      let shorter = Set([1, whole.count / 2, whole.count - 1]).map { Array(whole[..<$0]) }
      for bytes in shorter + [whole + [0]] {
        var talk = stage.talk
        expectRefused(talk.hears(bytes), .invalidParameters, &talk, "\(bytes)")
      }
    }
  }

  @Test(arguments: Step.running) func centralBehaviour37_nothingAndReservedCodesAreIgnored(
    _ step: Step
  ) {
    var talk = C.played(to: step)
    expect(talk.hears([]), .nothing)
    for code in ["00", "0f 01 02", "ff"] { expect(talk.hears(code), .nothing) }
    expect(talk.says(), [])
    expect(talk.pairing.isRunning, true)
    if let command = step.command { expectNoFailure(talk.hears(command)) }
  }

  /// Each of its five types (3.5.8).
  @Test(arguments: Stage.all) func centralBehaviour145_aKeypressEndsNoComparison(_ stage: Stage) {
    for type in 0...4 {
      var talk = stage.talk
      let deadline = talk.pairing.deadline
      expect(talk.hears("0e 0\(type)"), .nothing)
      expect(talk.says() == [] && talk.pairing.deadline == deadline)
      if let command = stage.command { expectNoFailure(talk.hears(command)) }
    }
  }

  /// Pairing Request is the central's alone.
  @Test(arguments: Step.allCases) func centralBehaviour37_thePhoneCannotRequestAPairing(
    _ step: Step
  ) {
    var talk = C.played(to: step)
    let outcome = talk.hears(C.request)
    let isOver = step == .idle || step == .done
    expect(outcome, (isOver ? .nothing : .failed(.refused(.commandNotSupported))))
    expect(talk.says(), ["0507"])
    if step == .done { #expect(talk.pairing.keys != nil) } else { expectIdle(&talk) }
  }

  @Test(arguments: Step.running) func centralBehaviour37_aFailureOfThePhoneEndsThePairing(
    _ step: Step
  ) {
    var talk = C.played(to: step)
    expect(talk.hears("05 05"), .failed(.peer(PairingFailedReason(rawValue: 0x05))))
    expect(talk.says(), [])
    expectIdle(&talk)
  }

  /// What the phone sent before it heard of the end.
  @Test(arguments: [
    Stage.initiator(.idle), .initiator(.done), .responder(.idle), .responder(.done),
  ])
  func centralBehaviour37_withoutAPairingCommandsAreDropped(_ stage: Stage) {
    let isOurs = stage.commands == Self.commands
    let commands = stage.commands.filter { $0 != ReplyingConversation.request }
    for command in commands + ["05 08", isOurs ? "02" : "03", ""] {
      var talk = stage.talk
      let keys = talk.pairing.keys
      expect(talk.hears(command), .nothing, "\(command)")
      expect(talk.says(), [])
      expect(talk.pairing.keys, keys)
    }
  }

  @Test(arguments: Step.allCases) func centralBehaviour36_aSecurityRequestStartsNothing(
    _ step: Step
  ) {
    var talk = C.played(to: step)
    let isOver = step == .idle || step == .done
    let deadline = talk.pairing.deadline
    expect(talk.hears("0b 0d"), (isOver ? .securityRequest(.secureBonding) : .nothing))
    expect(talk.says(), [])
    expect(talk.pairing.deadline, deadline)
    if let command = step.command { expectNoFailure(talk.hears(command)) }
  }

  private func expectNoFailure(_ outcome: PairingOutcome) {
    if case .failed = outcome { Issue.record("failed") }
  }

  // MARK: - False keys and values

  /// Beside the curve, zero, ours reflected, also with its Y turned over, and the debug key.
  ///
  /// 3.5.5 and 2.3.5.6.1. Where the phone begins, neither our key nor a confirm value goes out.
  @Test(
    arguments: [
      ("one bit off", C.phonesKey.replacingLast("03"), "0b"),
      ("zero", "0c" + String(repeating: "00", count: 64), "0b"),
      ("reflected", C.ourKey, "0b"),
      ("reflected, negative", String(C.ourKey.prefix(68)) + negatedY, "0b"),
      (
        "the debug key",
        """
        0c e69d350e480103ccdbfdf4ac1191f4efb9a5f9e9a7832c5e2cbe97f2d203b020
        8bd28915d08e1c742430ed8fc2456376 5c15525abf9a32636deb2a65499c80dc
        """, "0a"
      ),
    ], [Stage.initiator(.publicKey), .responder(.publicKey)])
  func centralBehaviour37_aFalsePublicKeyIsRefused(
    _ key: (name: String, octets: String, reason: String), _ stage: Stage
  ) {
    var talk = stage.talk
    let reason = PairingFailedReason(rawValue: bytes(key.reason)[0])
    expectRefused(talk.hears(key.octets), reason, &talk, "\(key.name)")
  }

  /// P-256's prime minus the Y of `ourKey`: the same X, and on the curve.
  private static let negatedY =
    "b0a28ebc88bc07152bc142e86fefde2fe078bc71bf1dad32422067c7e6ed6a6e"

  @Test(arguments: 1..<17) func centralBehaviour37_aNonceThatWasNotPromisedIsRefused(_ index: Int) {
    var talk = C.played(to: .random)
    var nonce = bytes(C.phonesNonce)
    nonce[index] ^= 0x01
    expectRefused(talk.hears(nonce), .confirmValueFailed, &talk)
  }

  @Test(arguments: 1..<17) func centralBehaviour37_aFalseConfirmValueIsRefused(_ index: Int) {
    var talk = C.played(to: .confirm)
    var confirm = bytes(C.phonesConfirm)
    confirm[index] ^= 0x10
    expect(talk.hears(confirm), .nothing)
    _ = talk.says()
    expect(talk.hears(C.phonesNonce), .failed(.refused(.confirmValueFailed)))
    expect(talk.says(), ["0504"])
  }

  /// Our own confirm value is never sent, but a nonce of ours could be sent back.
  @Test func centralBehaviour37_ourNonceReflectedIsRefused() {
    var talk = C.played(to: .random)
    expect(talk.hears(C.ourNonce), .failed(.refused(.confirmValueFailed)))
  }

  @Test(arguments: 1..<17, [Stage.initiator(.dhKeyCheck), .responder(.dhKeyCheck)])
  func centralBehaviour37_aFalseCheckValueIsRefused(_ index: Int, _ stage: Stage) throws {
    var talk = stage.talk
    var check = bytes(try #require(stage.command))
    check[index] ^= 0x80
    expectRefused(talk.hears(check), .dhKeyCheckFailed, &talk)
  }

  @Test(arguments: [
    (Stage.initiator(.dhKeyCheck), C.ourCheck),
    (.responder(.dhKeyCheck), ReplyingConversation.ourCheck),
  ])
  func centralBehaviour37_ourCheckValueReflectedIsRefused(_ stage: Stage, _ check: String) {
    var talk = stage.talk
    expect(talk.hears(check), .failed(.refused(.dhKeyCheckFailed)))
  }

  /// A recorded conversation is worth nothing with the next nonce.
  @Test func centralBehaviour37_aReplayFails() {
    var talk = C.played(to: .done)
    talk.crypto.nonce[0] ^= 0x01
    talk.pairing.begin(at: talk.now)
    for command in [C.response, C.phonesKey, C.phonesConfirm] { talk.hears(command) }
    #expect(talk.hears(C.phonesNonce) != .compare(number: C.digits))
    _ = talk.answer(true)
    _ = talk.says()
    expectRefused(talk.hears(C.phonesCheck), .dhKeyCheckFailed, &talk)
  }

  /// The check covers the response as the phone sent it: somebody in between changed it.
  @Test(arguments: ["02 01 00 2d 10 00 02", "02 04 00 0d 10 00 02"])
  func centralBehaviour37_aChangedResponseIsFoundOut(_ response: String) {
    var talk = C.played(to: .dhKeyCheck, response: response)
    expect(talk.hears(C.phonesCheck), .failed(.refused(.dhKeyCheckFailed)))
  }
}

extension String {
  /// The text with other last two characters.
  fileprivate func replacingLast(_ end: String) -> String { dropLast(2) + end }
}

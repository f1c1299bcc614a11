import Bytes
import Expecting
import SMP
import TestSupport

private typealias C = Conversation
private typealias R = ReplyingConversation

/// A phone that does wrong in either role, once at each step.
struct HostilePairingTests {
  /// One command of each code.
  static let commands = [
    C.response, C.phonesKey, C.phonesConfirm, C.phonesNonce, C.phonesCheck, C.phonesIRK,
    C.phonesAddress, "06 000102030405060708090a0b0c0d0e0f", "07 1122 0102030405060708",
    "0a 000102030405060708090a0b0c0d0e0f", "0e 00",
  ]
  /// Those of a phone that begins.
  static let commandsOfCentral = commands.map {
    $0 == C.response ? R.request : $0 == C.phonesCheck ? R.phonesCheck : $0
  }

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
      expectRefused(talk.receive(command), .unspecified, &talk, "\(command)")
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
        expectRefused(talk.receive(bytes), .invalidParameters, &talk, "\(bytes)")
      }
    }
  }

  @Test(arguments: Stage.all) func centralBehaviour37_nothingAndReservedCodesAreIgnored(
    _ stage: Stage
  ) {
    var talk = stage.talk
    let (keys, deadline) = (talk.pairing.keys, talk.pairing.deadline)
    for code in ["", "00", "0f 01 02", "ff"] { expect(talk.receive(code), .nothing) }
    expect(talk.says(), [])
    expect(talk.pairing.keys == keys && talk.pairing.deadline == deadline)
    if let command = stage.command { expectNoFailure(talk.receive(command)) }
  }

  /// Each of its five types (3.5.8).
  @Test(arguments: Stage.all) func centralBehaviour145_aKeypressEndsNoComparison(_ stage: Stage) {
    for type in 0...4 {
      var talk = stage.talk
      let deadline = talk.pairing.deadline
      expect(talk.receive("0e 0\(type)"), .nothing)
      expect(talk.says() == [] && talk.pairing.deadline == deadline)
      if let command = stage.command { expectNoFailure(talk.receive(command)) }
    }
  }

  /// Pairing Request is the central's alone, Pairing Response and Security Request are the peripheral's.
  @Test(arguments: Stage.all) func centralBehaviour37_aPhoneCannotHaveBothRoles(_ stage: Stage) {
    for command in stage.foreign {
      var talk = stage.talk
      let outcome = talk.receive(command)
      expect(outcome, stage.isOver ? .nothing : .failed(.refused(.commandNotSupported)))
      expect(talk.says(), ["0507"])
      if stage.isDone { #expect(talk.pairing.keys != nil) } else { expectIdle(&talk) }
    }
  }

  /// A length that is none, and fields that are reserved: 3.5.1 and table 3.7.
  @Test(arguments: [
    "01", "01 04 00 2d 10 0f", "01 04 00 2d 10 0f 0f 00", "01 05 00 2d 10 0f 0f",
    "01 04 02 2d 10 0f 0f", "01 04 00 2d 06 0f 0f", "01 04 00 2d 11 0f 0f",
  ])
  func centralBehaviour37_aMalformedRequestBeginsNothingAndIsAnswered(_ request: String) {
    var talk = C(as: .responder)
    expect(talk.receive(request), .requestRefused(.invalidParameters))
    expect(talk.says(), ["050a"])
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
      expect(talk.receive(command), .nothing, "\(command)")
      expect(talk.says(), [])
      expect(talk.pairing.keys, keys)
    }
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
    expectRefused(talk.receive(key.octets), reason, &talk, "\(key.name)")
  }

  /// P-256's prime minus the Y of `ourKey`: the same X, and on the curve.
  private static let negatedY =
    "b0a28ebc88bc07152bc142e86fefde2fe078bc71bf1dad32422067c7e6ed6a6e"

  /// A nonce that was not promised, a false promise, and our own nonce reflected.
  @Test func centralBehaviour37_aNonceThatIsNotTheConfirmedOneIsRefused() {
    for index in 1..<17 {
      var talk = C.played(to: .random)
      expectRefused(talk.receive(flipped(C.phonesNonce, index)), .confirmValueFailed, &talk)
      talk = C.played(to: .confirm)
      expect(talk.receive(flipped(C.phonesConfirm, index)), .nothing)
      _ = talk.says()
      expectRefused(talk.receive(C.phonesNonce), .confirmValueFailed, &talk)
    }
    var talk = C.played(to: .random)
    expect(talk.receive(C.ourNonce), .failed(.refused(.confirmValueFailed)))
  }

  private func flipped(_ command: String, _ index: Int) -> [UInt8] {
    var octets = bytes(command)
    octets[index] ^= 0x81
    return octets
  }

  /// Another nonce than the one in the check value: somebody in between has two conversations.
  @Test(arguments: 1..<17) func centralBehaviour37_anotherNonceIsFoundOut(_ index: Int) {
    var talk = C.replied(to: .random)
    #expect(talk.receive(flipped(C.phonesNonce, index)) != .compare(number: R.digits))
    _ = talk.answer(true)
    expect(talk.receive(R.phonesCheck), .failed(.refused(.dhKeyCheckFailed)))
  }

  /// Also before the rider has agreed, and our own one reflected.
  @Test(arguments: [
    (Stage.initiator(.dhKeyCheck), C.ourCheck), (.responder(.dhKeyCheck), R.ourCheck),
    (.responder(.user), R.ourCheck),
  ])
  func centralBehaviour37_aFalseCheckValueIsRefused(_ stage: Stage, _ ours: String) throws {
    let check = try #require(stage.command)
    for wrong in (1..<17).map({ flipped(check, $0) }) + [bytes(ours)] {
      var talk = stage.talk
      var outcome = talk.receive(wrong)
      if stage == .responder(.user) {
        expect(outcome, .nothing)
        outcome = talk.answer(true)
      }
      expectRefused(outcome, .dhKeyCheckFailed, &talk)
    }
  }

  /// A recorded conversation is worth nothing with the next nonce.
  @Test(arguments: [
    (Stage.initiator(.done), C.digits, C.phonesCheck),
    (.responder(.done), R.digits, R.phonesCheck),
  ])
  func centralBehaviour37_aReplayFails(_ stage: Stage, _ digits: UInt32, _ check: String) {
    var talk = stage.talk
    talk.crypto.nonce[0] ^= 0x01
    if talk.role == .responder { talk.accepts() } else { talk.pairing.begin(at: talk.now) }
    if talk.role == .initiator { talk.receive(C.response) }
    talk.receive(C.phonesKey)
    if talk.role == .initiator { talk.receive(C.phonesConfirm) }
    #expect(talk.receive(C.phonesNonce) != .compare(number: digits))
    _ = talk.answer(true)
    _ = talk.says()
    expectRefused(talk.receive(check), .dhKeyCheckFailed, &talk)
  }

  /// The check covers the features as the phone sent them: somebody in between changed them.
  @Test(arguments: [
    (Stage.initiator(.dhKeyCheck), "02 01 00 2d 10 00 02", C.phonesCheck),
    (.initiator(.dhKeyCheck), "02 04 00 0d 10 00 02", C.phonesCheck),
    (.responder(.dhKeyCheck), "01 01 00 2d 10 0f 0f", R.phonesCheck),
    (.responder(.dhKeyCheck), "01 04 00 0d 10 0f 0f", R.phonesCheck),
  ])
  func centralBehaviour37_changedFeaturesAreFoundOut(
    _ stage: Stage, _ features: String, _ check: String
  ) {
    var talk = stage.talk(with: features)
    expect(talk.receive(check), .failed(.refused(.dhKeyCheckFailed)))
  }
}

extension String {
  /// The text with other last two characters.
  fileprivate func replacingLast(_ end: String) -> String { dropLast(2) + end }
}

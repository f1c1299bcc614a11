import Bytes
import Expecting
import SMP
import TestSupport

private typealias C = Conversation
private typealias R = ReplyingConversation

struct PairingTests {
  /// Every byte of both sides, and what the owner is told.
  @Test func centralBehaviour32_theNumbersAreComparedWithAPhoneThatCan() {
    var talk = Conversation()
    talk.pairing.begin(at: talk.now)
    expect(talk.says(), [said(C.request)])
    expect(talk.receive(C.response), .nothing)
    expect(talk.says(), [said(C.ourKey)])
    expect(talk.receive(C.phonesKey), .nothing)
    expect(talk.says(), [])
    expect(talk.receive(C.phonesConfirm), .nothing)
    expect(talk.says(), [said(C.ourNonce)])
    expect(talk.receive(C.phonesNonce), .compare(number: C.digits))
    expect(talk.says(), [])
    expect(talk.answer(true), .nothing)
    expect(talk.says(), [said(C.ourCheck)])
    expect(talk.pairing.longTermKey, nil)
    expect(talk.receive(C.phonesCheck), .encrypt)
    expect(talk.pairing.longTermKey, C.longTermKey)
    expect(talk.encrypted(), .nothing)
    expect(talk.receive(C.phonesIRK), .nothing)
    expect(talk.pairing.keys, nil)
    expect(talk.receive(C.phonesAddress), .paired)
    expect(talk.says(), [])
    expectPaired(talk, C.longTermKey)
  }

  /// DisplayYesNo compares too; whether the phone asks for protection does not matter, as we do, nor do
  /// bits that are reserved: table 2.8.
  @Test(
    arguments: ["01 00 2d 10", "01 00 09 10", "04 00 09 10", "04 00 ed 10"], ["00 02", "f8 fa"])
  func centralBehaviour32_everyPhoneThatCanCompareMust(_ features: String, _ keys: String) {
    var talk = C.played(to: .random, response: "02 \(features) \(keys)")
    expect(talk.receive(C.phonesNonce), .compare(number: C.digits))
    talk = C.replied(to: .random, request: "01 \(features) \(keys)")
    expect(talk.receive(C.phonesNonce), .compare(number: R.digits))
  }

  @Test func centralBehaviour32_aPhoneWithNeitherDisplayNorKeyboardIsPairedByJustWorks() {
    var talk = C.played(to: .random, response: C.responseJustWorks)
    expect(talk.receive(C.phonesNonce), .ask)
    expect(talk.says(), [], "the rider has not agreed")
    expect(talk.answer(true), .nothing)
    expect(talk.says(), [said(C.ourCheck)])
    expect(talk.receive(C.phonesCheckJustWorks), .encrypt)
    _ = talk.encrypted()
    talk.receive(C.phonesIRK)
    expect(talk.receive(C.phonesAddress), .paired)
    expect(talk.pairing.keys?.isAuthenticated, false)
    expect(talk.pairing.keys?.longTermKey, C.longTermKey)
  }

  /// Table 3.7; the other fields are as in a good response or request.
  @Test(
    arguments: [
      ("no Secure Connections", "04 00 05 10", .authenticationRequirements),
      ("a key of 15 octets", "04 00 2d 0f", PairingFailedReason(rawValue: 0x06)),
      ("a key of 7 octets", "04 00 2d 07", PairingFailedReason(rawValue: 0x06)),
      ("only displays", "00 00 2d 10", .authenticationRequirements),
      ("only a keyboard", "02 00 2d 10", .authenticationRequirements),
      ("claims to have data of ours", "04 01 2d 10", PairingFailedReason(rawValue: 0x02)),
    ])
  func centralBehaviour32_nothingWeakerIsAccepted(
    _ name: String, _ features: String, _ reason: PairingFailedReason
  ) {
    var talk = C.played(to: .features)
    expectRefused(talk.receive("02 \(features) 00 02"), reason, &talk)
    talk = C(as: .responder)
    expectRefused(talk.accepts("01 \(features) 0f 0f"), reason, &talk)
  }

  /// Not even to a phone that wants one: the key that we offer says that we have none, 3.6.4.
  @Test func centralBehaviour38_noIdentityKeyOfOursIsEverGivenAway() {
    var talk = C.played(to: .encryption, response: "02 04 00 2d 10 02 00")
    expect(talk.encrypted(), .paired)
    expect(talk.says().first, "08" + String(repeating: "00", count: 16))
  }

  /// The phone's keys come first, 3.6.1.
  @Test func centralBehaviour49_ourPublicAddressFollowsThePhonesIdentityWithAKeyOfZero() {
    var talk = Conversation()
    talk.pairing.begin(at: talk.now)
    expect(talk.says(), [said("01 01 00 0d 10 02 02")])
    talk.play(to: .encryption, response: "02 04 00 2d 10 02 02")
    expect(talk.encrypted(), .nothing)
    talk.receive(C.phonesIRK)
    expect(talk.says(), [])
    expect(talk.receive(C.phonesAddress), .paired)
    expect(
      talk.says(),
      [
        said("08 00000000000000000000000000000000"), said("09 00 cebf37371256"),
      ])
  }

  @Test func centralBehaviour38_ourIdentityIsKeptFromAPhoneThatDeclinesIt() {
    var talk = C.played(to: .identityAddress)
    expect(talk.receive(C.phonesAddress), .paired)
    expect(talk.says(), [])
  }

  /// Without IdKey in its response the phone hands nothing out.
  @Test func aPhoneWithoutIdentityIsPairedAsSoonAsTheLinkIsEncrypted() {
    var talk = C.played(to: .encryption, response: "02 04 00 2d 10 00 00")
    expect(talk.encrypted(), .paired)
    expect(talk.pairing.keys?.irk, nil)
    expect(talk.pairing.keys?.identityAddress, nil)
    expect(talk.pairing.keys?.longTermKey, C.longTermKey)
  }

  @Test(arguments: [Stage.initiator(.identityInformation), .responder(.identityInformation)])
  func anIRKOfZeroIsNone(_ stage: Stage) {
    var talk = stage.talk
    talk.receive("08" + String(repeating: "00", count: 16))
    expect(talk.receive(C.phonesAddress), .paired)
    expect(talk.pairing.keys?.irk, nil)
    #expect(talk.pairing.keys?.identityAddress != nil)
  }

  /// The check values are Bumble's too.
  @Test(
    arguments: [
      (.initiator(.dhKeyCheck), "02 01 00 08 10 00 00", "0d ac24198ba3595296167a28b2dcdd8bc8"),
      (.responder(.dhKeyCheck), "01 01 00 08 10 00 00", "0d 853b088364a7f629a676547033901461"),
    ] as [(Stage, String, String)])
  func aPhoneThatWillNotRememberSaysSo(_ stage: Stage, _ features: String, _ check: String) {
    var talk = stage.talk(with: features)
    expect(talk.receive(check), talk.role == .initiator ? .encrypt : .awaitEncryption)
    expect(talk.encrypted(), .paired)
    expect(talk.pairing.keys?.isBonding, false)
  }

  @Test func theNextPairingOnTheLinkStartsFromTheBeginning() {
    var talk = C.played(to: .done)
    talk.pairing.begin(at: talk.now)
    expect(talk.says(), [said(C.request)])
    expect(talk.pairing.keys, nil)
    expect(talk.pairing.longTermKey, nil)
  }

  // MARK: - What overtakes the word that the link is encrypted

  /// Its identity, where we hand out none; nothing is kept of an open link.
  @Test(
    arguments: [
      (.initiator(.encryption), C.response), (.responder(.encryption), "01 04 00 2d 10 02 00"),
    ] as [(Stage, String)], 0...2)
  func centralBehaviour85_anIdentityThatComesBeforeEncryptionChangeIsHeldUntilThen(
    _ side: (stage: Stage, features: String), _ held: Int
  ) {
    var talk = side.stage.talk(with: side.features)
    let identity = [C.phonesIRK, C.phonesAddress]
    for command in identity.prefix(held) { expect(talk.receive(command), .nothing) }
    expect(talk.pairing.keys, nil)
    var outcome = talk.encrypted()
    for command in identity.dropFirst(held) {
      expect(outcome == .nothing && talk.pairing.keys == nil)
      outcome = talk.receive(command)
    }
    expect(outcome, .paired)
    expectPaired(talk, talk.role == .initiator ? C.longTermKey : R.longTermKey)
    expect(talk.says(), [])
  }

  @Test func centralBehaviour85_anIdentityIsForgottenIfTheEncryptionFailsThen() {
    var talk = C.played(to: .encryption)
    talk.receive(C.phonesIRK)
    talk.receive(C.phonesAddress)
    expect(talk.pairing.encryptionFailed(), .failed(.notEncrypted))
    expectIdle(&talk)
    // The next pairing waits for an identity of its own.
    for command in [C.response, C.phonesKey, C.phonesConfirm, C.phonesNonce] {
      talk.receive(command)
    }
    _ = talk.answer(true)
    expect(talk.receive(C.phonesCheck), .encrypt)
    expect(talk.encrypted(), .nothing)
    expect(talk.pairing.keys, nil)
  }

  /// Twice, in the wrong order, and by a phone that said that it hands out none.
  @Test(arguments: [
    (C.response, [C.phonesIRK, C.phonesIRK]),
    (C.response, [C.phonesIRK, C.phonesAddress, C.phonesAddress]),
    (C.response, [C.phonesAddress]),
    ("02 04 00 2d 10 00 00", [C.phonesIRK]),
  ])
  func centralBehaviour85_anEarlyIdentityThatDoesNotBelongThereEndsThePairing(
    _ response: String, _ commands: [String]
  ) {
    var talk = C.played(to: .encryption, response: response)
    for command in commands.dropLast() { expect(talk.receive(command), .nothing) }
    expectRefused(talk.receive(commands[commands.count - 1]), .unspecified, &talk)
  }
}

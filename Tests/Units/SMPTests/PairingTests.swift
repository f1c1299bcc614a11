import Bytes
import Crypto
import Expecting
import Responder
import SMP
import TestSupport

private typealias C = Conversation

@Suite struct PairingTests {
  /// Every byte of both sides, and what the owner is told.
  @Test func centralBehaviour32_theNumbersAreComparedWithAPhoneThatCan() {
    var talk = Conversation()
    talk.pairing.begin(at: talk.now)
    expect(talk.says(), [said(C.request)])
    expect(talk.hears(C.response), .nothing)
    expect(talk.says(), [said(C.ourKey)])
    expect(talk.hears(C.phonesKey), .nothing)
    expect(talk.says(), [])
    expect(talk.hears(C.phonesConfirm), .nothing)
    expect(talk.says(), [said(C.ourNonce)])
    expect(talk.hears(C.phonesNonce), .compare(number: C.digits))
    expect(talk.says(), [])
    expect(talk.answer(true), .nothing)
    expect(talk.says(), [said(C.ourCheck)])
    expect(talk.pairing.longTermKey, nil)
    expect(talk.hears(C.phonesCheck), .encrypt)
    expect(talk.pairing.longTermKey, C.longTermKey)
    expect(talk.encrypted(), .nothing)
    expect(talk.hears(C.phonesIRK), .nothing)
    expect(talk.pairing.keys, nil)
    expect(talk.hears(C.phonesAddress), .paired)
    expect(talk.says(), [])
    let keys = talk.pairing.keys
    expect(keys?.longTermKey, C.longTermKey)
    expect(keys?.isAuthenticated, true)
    expect(keys?.isBonding, true)
    expect(keys?.irk, number("ec0234a357c8ad05341010a60a397d9b"))
    expect(keys?.identityAddress, DeviceAddress(0x1122_3344_5566, .public))
    expect(talk.pairing.deadline, nil)
    expect(talk.pairing.isRunning, false)
  }

  /// DisplayYesNo compares too; whether the phone asks for protection does not matter, as we do, nor do
  /// bits that are reserved.
  @Test(arguments: [
    "02 01 00 2d 10 00 02", "02 01 00 09 10 00 02", "02 04 00 09 10 00 02", "02 04 00 ed 10 f8 fa",
  ])
  func centralBehaviour32_everyPhoneThatCanCompareMust(_ response: String) {
    var talk = C.played(to: .random, response: response)
    expect(talk.hears(C.phonesNonce), .compare(number: C.digits))
  }

  @Test func centralBehaviour32_aPhoneWithNeitherDisplayNorKeyboardIsPairedByJustWorks() {
    var talk = C.played(to: .random, response: C.responseJustWorks)
    expect(talk.hears(C.phonesNonce), .ask)
    expect(talk.says(), [], "the rider has not agreed")
    expect(talk.answer(true), .nothing)
    expect(talk.says(), [said(C.ourCheck)])
    expect(talk.hears(C.phonesCheckJustWorks), .encrypt)
    _ = talk.encrypted()
    talk.hears(C.phonesIRK)
    expect(talk.hears(C.phonesAddress), .paired)
    expect(talk.pairing.keys?.isAuthenticated, false)
    expect(talk.pairing.keys?.longTermKey, C.longTermKey)
  }

  /// Table 3.7; the other fields are as in a good response.
  @Test(
    arguments: [
      ("no Secure Connections", "02 04 00 05 10 00 02", "03"),
      ("a key of 15 octets", "02 04 00 2d 0f 00 02", "06"),
      ("a key of 7 octets", "02 04 00 2d 07 00 02", "06"),
      ("only displays", "02 00 00 2d 10 00 02", "03"),
      ("only a keyboard", "02 02 00 2d 10 00 02", "03"),
      ("claims to have data of ours", "02 04 01 2d 10 00 02", "02"),
    ])
  func centralBehaviour32_nothingWeakerIsAccepted(
    _ name: String, _ response: String, _ reason: String
  ) {
    var talk = C.played(to: .features)
    expectRefused(talk.hears(response), PairingFailedReason(rawValue: bytes(reason)[0]), &talk)
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
    talk.hears(C.phonesIRK)
    expect(talk.says(), [])
    expect(talk.hears(C.phonesAddress), .paired)
    expect(
      talk.says(),
      [
        said("08 00000000000000000000000000000000"), said("09 00 cebf37371256"),
      ])
  }

  @Test func centralBehaviour38_ourIdentityIsKeptFromAPhoneThatDeclinesIt() {
    var talk = C.played(to: .identityAddress)
    expect(talk.hears(C.phonesAddress), .paired)
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

  @Test func anIRKOfZeroIsNone() {
    var talk = C.played(to: .identityInformation)
    talk.hears("08" + String(repeating: "00", count: 16))
    expect(talk.hears(C.phonesAddress), .paired)
    expect(talk.pairing.keys?.irk, nil)
    #expect(talk.pairing.keys?.identityAddress != nil)
  }

  /// This check value is Bumble's too.
  @Test func aPhoneThatWillNotRememberSaysSo() {
    var talk = C.played(to: .dhKeyCheck, response: "02 01 00 08 10 00 00")
    expect(talk.hears("0d ac24198ba3595296167a28b2dcdd8bc8"), .encrypt)
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

  /// Real key pairs and nonces on both sides, and the phone's half written apart.
  @Test(arguments: 0..<4) func twoSidesWithRealKeysAgree(_ round: Int) throws {
    let features = PairingFeatures(
      ioCapability: .displayYesNo, hasOOBData: false, authentication: .secureBonding,
      maxKeySize: 16, initiatorKeys: .none, responderKeys: .none)
    var phone = try PhonePairing(initiator: C.local, own: C.peer, features: features)
    var crypto = SoftwareCrypto()
    var pairing = Pairing(local: C.local, peer: C.peer)
    let now = Instant(milliseconds: 0)
    pairing.begin(at: now)
    var outcomes: [PairingOutcome] = []
    var command = FixedBuffer<65>()
    while pairing.takePDU(into: &command) {
      for answer in try phone.answers(try SecurityPDU(parsing: command.bytes)) {
        var bytes = FixedBuffer<65>()
        answer.write(into: &bytes)
        let outcome = pairing.receive(bytes.bytes, at: now, with: &crypto)
        outcomes.append(outcome)
        if case .compare = outcome { _ = pairing.confirm(true, at: now, with: crypto) }
      }
      command.removeAll()
    }
    #expect(outcomes.contains(.compare(number: phone.digits)))
    expect(outcomes.last, .encrypt)
    expect(pairing.longTermKey, phone.longTermKey)
  }
}

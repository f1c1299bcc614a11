import Bytes
import Expecting
import SMP
import TestSupport

private typealias C = Conversation

/// What the phone sends over the encrypted link, here before the word that the link is encrypted.
@Suite struct EarlyIdentityTests {
  @Test func centralBehaviour85_anIdentityThatComesBeforeEncryptionChangeIsHeldUntilThen() {
    var talk = C.played(to: .encryption)
    expect(talk.hears(C.phonesIRK), .nothing)
    expect(talk.hears(C.phonesAddress), .nothing)
    expect(talk.pairing.keys, nil, "nothing is kept of an open link")
    expect(talk.says(), [])
    expect(talk.encrypted(), .paired)
    expectIdentity(talk.pairing.keys)
  }

  @Test func centralBehaviour85_anIdentityKeyMayComeBeforeEncryptionChangeAndItsAddressBehind() {
    var talk = C.played(to: .encryption)
    expect(talk.hears(C.phonesIRK), .nothing)
    expect(talk.encrypted(), .nothing)
    expect(talk.pairing.keys, nil)
    expect(talk.hears(C.phonesAddress), .paired)
    expectIdentity(talk.pairing.keys)
  }

  @Test func centralBehaviour85_anIdentityIsForgottenIfTheEncryptionFailsThen() {
    var talk = C.played(to: .encryption)
    talk.hears(C.phonesIRK)
    talk.hears(C.phonesAddress)
    expect(talk.pairing.encryptionFailed(), .failed(.notEncrypted))
    expectIdle(&talk)
    // The next pairing waits for an identity of its own.
    for command in [C.response, C.phonesKey, C.phonesConfirm, C.phonesNonce] { talk.hears(command) }
    _ = talk.answer(true)
    expect(talk.hears(C.phonesCheck), .encrypt)
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
    for command in commands.dropLast() { expect(talk.hears(command), .nothing) }
    expectRefused(talk.hears(commands[commands.count - 1]), .unspecified, &talk)
  }

  private func expectIdentity(_ keys: BondKeys?) {
    expect(keys?.irk, number("ec0234a357c8ad05341010a60a397d9b"))
    expect(keys?.identityAddress, DeviceAddress(0x1122_3344_5566, .public))
    expect(keys?.longTermKey, C.longTermKey)
  }
}

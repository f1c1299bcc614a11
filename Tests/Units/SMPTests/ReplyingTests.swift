import Bytes
import Crypto
import Expecting
import SMP
import TestSupport

private typealias C = Conversation
private typealias R = ReplyingConversation

/// The phone begins, as the central of the link.
struct ReplyingTests {
  /// Every byte of both sides, and what the owner is told.
  @Test func peripheralBehaviour45_theNumbersAreComparedWithAPhoneThatBegins() {
    var talk = C(as: .responder)
    expect(talk.accepts(), .nothing)
    expect(talk.says(), [said(R.response)])
    expect(talk.receive(C.phonesKey), .nothing)
    expect(talk.says(), [said(C.ourKey), said(R.ourConfirm)])
    expect(talk.receive(C.phonesNonce), .compare(number: R.digits))
    expect(talk.says(), [said(C.ourNonce)])
    expect(talk.answer(true), .nothing)
    expect(talk.says(), [], "the phone's owner has not agreed")
    expect(talk.pairing.longTermKey, nil)
    expect(talk.receive(R.phonesCheck), .awaitEncryption)
    expect(talk.says(), [said(R.ourCheck)])
    expect(talk.pairing.longTermKey, R.longTermKey)
    expect(talk.pairing.keys, nil)
    expect(talk.encrypted(), .nothing)
    expect(talk.says(), R.ourIdentity.map(said))
    expect(talk.receive(C.phonesIRK), .nothing)
    expect(talk.pairing.keys, nil)
    expect(talk.receive(C.phonesAddress), .paired)
    expect(talk.says(), [])
    expectPaired(talk, R.longTermKey)
  }

  /// Its check value is kept and says nothing before the rider has.
  @Test func peripheralBehaviour45_thePhonesOwnerMayAgreeFirst() {
    var talk = C.replied(to: .user)
    expect(talk.receive(R.phonesCheck), .nothing)
    expect(talk.says(), [])
    expect(talk.pairing.longTermKey, nil)
    expect(talk.answer(true), .awaitEncryption)
    expect(talk.says(), [said(R.ourCheck)])
    expect(talk.pairing.longTermKey, R.longTermKey)
  }

  /// Outside the window: nothing begins, and the phone does not wait.
  @Test func peripheralBehaviour46_aRequestThatNobodyWantsIsAnsweredAndStartsNothing() {
    var talk = C(as: .responder)
    guard case .pairingRequest = talk.receive(R.request) else {
      Issue.record("no request")
      return
    }
    expect(talk.says(), [], "it is the owner's to decide")
    talk.pairing.decline()
    expect(talk.says(), ["0505"])
    expect(talk.receive(C.phonesKey), .nothing)
    expect(talk.says(), [])
    expectIdle(&talk)
  }

  /// Core Specification, Vol 3, Part H, 2.3.6.
  @Test func peripheralBehaviour46_aRequestTooSoonAfterAFailureIsToldSo() {
    var talk = C(as: .responder)
    _ = talk.receive(R.request)
    talk.pairing.decline(.repeatedAttempts)
    expect(talk.says(), ["0509"])
    expectIdle(&talk)
  }

  /// A request while one is under way is no request: it is out of place.
  @Test(arguments: ReplyingStep.running) func peripheralBehaviour46_decliningEndsNoPairing(
    _ step: ReplyingStep
  ) {
    var talk = C.replied(to: step)
    talk.pairing.decline()
    expect(talk.says(), [])
    expect(talk.pairing.isRunning, true)
  }

  /// What was agreed before stays in force until this one is complete.
  @Test func peripheralBehaviour47_thereAreNoKeysBeforeTheEnd() {
    for step in ReplyingStep.running {
      let talk = C.replied(to: step)
      expect(talk.pairing.keys, nil, "\(step)")
      expect((talk.pairing.longTermKey != nil), (step >= .encryption), "\(step)")
    }
  }

  @Test func peripheralBehaviour47_aNextPairingOnTheLinkForgetsTheKeysOfTheFirst() {
    var talk = C.replied(to: .done)
    #expect(talk.pairing.keys != nil)
    // A request alone changes nothing.
    _ = talk.receive(R.request)
    talk.pairing.decline()
    #expect(talk.pairing.keys != nil)
    _ = talk.says()
    expect(talk.accepts(), .nothing)
    expect(talk.pairing.keys, nil)
    expect(talk.pairing.longTermKey, nil)
    expect(talk.says(), [said(R.response)])
  }

  /// The request, our answer to its keys, and what we send once the link is encrypted: 3.6.1.
  @Test(
    arguments: [
      ("01 04 00 2d 10 02 02", "02 01 00 0d 10 02 02", true, true),
      ("01 04 00 2d 10 0d 0f", "02 01 00 0d 10 00 02", true, false),
      ("01 04 00 2d 10 0f 0d", "02 01 00 0d 10 02 00", false, true),
      ("01 04 00 2d 10 00 00", "02 01 00 0d 10 00 00", false, false),
      ("01 04 00 2d 10 fa f2", "02 01 00 0d 10 02 02", true, true),
    ])
  func peripheralBehaviour48_ourIdentityGoesFirstAndOnlyWhereItIsAskedFor(
    _ request: String, _ response: String, _ givesOurs: Bool, _ takesTheirs: Bool
  ) {
    var talk = C(as: .responder)
    expect(talk.accepts(request), .nothing)
    expect(talk.says(), [said(response)])
    talk.receive(C.phonesKey)
    talk.receive(C.phonesNonce)
    _ = talk.answer(true)
    expect(talk.receive(R.phonesCheck), .awaitEncryption)
    _ = talk.says()
    expect(talk.encrypted(), takesTheirs ? .nothing : .paired)
    expect(talk.says(), (givesOurs ? R.ourIdentity.map(said) : []))
    if takesTheirs {
      talk.receive(C.phonesIRK)
      expect(talk.receive(C.phonesAddress), .paired)
    }
    expect((talk.pairing.keys?.identityAddress != nil), takesTheirs)
    expect(talk.pairing.keys?.longTermKey, R.longTermKey)
  }

  /// The phone's identity cannot come before ours, which waits for the encryption.
  @Test(arguments: [C.phonesIRK, C.phonesAddress])
  func peripheralBehaviour48_anIdentityBeforeOursEndsThePairing(_ command: String) {
    var talk = C.replied(to: .encryption)
    expectRefused(talk.receive(command), .unspecified, &talk)
  }

  // MARK: - What is asked for

  @Test func centralBehaviour32_aPhoneThatBeginsWithNeitherDisplayNorKeyboardIsAskedFor() {
    var talk = C.replied(to: .random, request: R.requestJustWorks)
    expect(talk.receive(C.phonesNonce), .ask)
    expect(talk.says(), [said(C.ourNonce)])
    expect(talk.receive(R.phonesCheckJustWorks), .nothing)
    expect(talk.pairing.longTermKey, nil, "the rider has not agreed")
    expect(talk.answer(true), .awaitEncryption)
    expect(talk.says(), [said(R.ourCheck)])
    _ = talk.encrypted()
    talk.receive(C.phonesIRK)
    expect(talk.receive(C.phonesAddress), .paired)
    expect(talk.pairing.keys?.isAuthenticated, false)
    expect(talk.pairing.keys?.longTermKey, R.longTermKey)
  }

  @Test func centralBehaviour41_aPhoneThatBeginsAndCannotCompareIsRefusedWhereThatIsDemanded() {
    var talk = C(as: .responder, demandsComparison: true)
    expect(
      talk.accepts(R.requestJustWorks), .failed(.refused(.authenticationRequirements)))
    expect(talk.says(), ["0503"])
    expectIdle(&talk)
  }

  /// The features go from one role to the other, and only that role begins by itself.
  @Test func onlyTheInitiatorBegins() {
    var talk = C(as: .responder)
    expect(talk.pairing.canBegin, false)
    talk.pairing.begin(at: talk.now)
    expect(talk.says(), [])
    var other = Conversation()
    guard case .pairingRequest(let features) = talk.receive(R.request) else {
      Issue.record("no request")
      return
    }
    expect(other.pairing.accept(features, at: other.now, with: &other.crypto), .nothing)
    expect(other.says(), [])
    other.pairing.requestSecurity(at: other.now)
    expect(other.says(), [])
  }
}

/// A phone that asks many times, on a link that takes nothing of ours for a while.
struct ReplyingRoomTests {
  /// The lengths of commands: Core Specification, Vol 3, Part H, 3.5 and 3.6.
  private static let lengths = [
    "02": 7, "03": 17, "04": 17, "05": 2, "08": 17, "09": 8, "0b": 2, "0c": 65, "0d": 17,
  ]

  /// All of a pairing, of which we say nothing yet.
  private func pair(_ talk: inout C) {
    talk.accepts()
    talk.receive(C.phonesKey)
    talk.receive(C.phonesNonce)
    talk.receive(R.phonesCheck)
    _ = talk.answer(true)
    _ = talk.encrypted()
    talk.receive(C.phonesIRK)
    talk.receive(C.phonesAddress)
  }

  @Test(arguments: [0, 1, 4, 5, 100]) func aFloodOfRequestsLeavesRoomForAPairing(_ count: Int) {
    var talk = C(as: .responder)
    for _ in 0..<count {
      _ = talk.receive(R.request)
      talk.pairing.decline()
    }
    talk.pairing.requestSecurity(at: talk.now)
    pair(&talk)
    let said = talk.says()
    let failures = said.prefix { $0 == "0505" }
    expect(failures.isEmpty, (count == 0))
    let rest = said.dropFirst(failures.count)
    expect(rest.map { $0.prefix(2) }, ["0b", "02", "0c", "03", "04", "0d", "08", "09"])
    #expect(rest.allSatisfy { Self.lengths[String($0.prefix(2))] == $0.count / 2 })
  }

  @Test func whatFindsNoRoomIsLeftOutWhole() {
    var talk = C(as: .responder)
    for _ in 0..<3 { pair(&talk) }
    let said = talk.says()
    #expect(said.count >= 7)
    #expect(said.allSatisfy { Self.lengths[String($0.prefix(2))] == $0.count / 2 })
  }

  /// What one attempt has asked for is nothing to the next.
  @Test func aSecondAttemptIsAnsweredByWhatItAsksFor() {
    var talk = C(as: .responder)
    talk.accepts("01 04 00 2d 10 00 00")
    expect(talk.says(), ["0201000d100000"])
    _ = talk.pairing.cancel()
    _ = talk.says()
    talk.accepts()
    expect(talk.says(), [said(R.response)])
  }
}

import Bytes
import Expecting
import PhoneServices
import TestSupport

/// Subscriptions that a phone forgets in silence.
struct SubscriptionTests {
  /// The first link of a new bond, on which everything was found at once.
  private func newBond() -> NotifyingPhone {
    let phone = NotifyingPhone()
    phone.gone()
    phone.paired()
    phone.found()
    return phone
  }

  // MARK: - The first link of a new bond

  @Test func centralBehaviour91_onTheFirstLinkAllIsSubscribedToOnceMoreAfter30SecondsOfSilence() {
    let phone = newBond()
    phone.pass(29_999)
    expect(!phone.isToBeRenewed)
    phone.pass(1)
    expect(phone.isToBeRenewed && !phone.isToBeRenewed && phone.said == nil)
    phone.found()
    phone.pass(899_999)
    expect(!phone.isToBeRenewed && phone.said == nil, "once")
  }

  /// The service may come with the permission.
  @Test func centralBehaviour91_whatIsNotThereYetIsLookedForOnceMoreAfter30Seconds() {
    let phone = NotifyingPhone()
    phone.gone()
    phone.paired()
    phone.pass(30_000)
    expect(phone.isToBeRenewed)
    phone.pass(3_600_000)
    expect(!phone.isToBeRenewed && phone.said == nil)
  }

  @Test func centralBehaviour91_aPhoneThatTellsSomethingAtOnceIsNotAskedAgain() {
    let phone = newBond()
    phone.mail(7, flags: "1C")
    phone.pass(60_000)
    expect(!phone.isToBeRenewed)
  }

  @Test func centralBehaviour91_onALaterLinkSilenceFor30SecondsIsUsual() {
    let phone = newBond()
    phone.gone()
    phone.found()
    phone.pass(60_000)
    expect(!phone.isToBeRenewed)
  }

  @Test func centralBehaviour91_onceTheRiderHasAllowedItAllIsSubscribedToOnceMore() {
    let phone = newBond()
    phone.mail(7)
    _ = phone.said
    phone.refused(0x05)
    phone.pass(5_000)
    expect(phone.said == NotifyingPhone.mailRequest && !phone.isToBeRenewed)
    phone.written()
    expect(!phone.isToBeRenewed, "the answer comes first")
    phone.answer(7, "a", "b")
    expect(phone.news == .other && phone.isToBeRenewed && !phone.isToBeRenewed)
  }

  // MARK: - Later

  @Test func centralBehaviour91_after15MinutesOfSilenceOneThatNoPhoneHasIsAskedFor() {
    let phone = NotifyingPhone()
    phone.pass(879_999)
    expect(phone.said, nil)
    phone.pass(1)
    expect(phone.said == NotifyingPhone.probe && phone.said == nil)
    phone.refused(0xA2)
    phone.pass(899_999)
    expect(!phone.isToBeRenewed && phone.said == nil && phone.news == nil, "it lives")
    phone.pass(1)
    expect(phone.said, NotifyingPhone.probe)
  }

  /// It takes the question, or says nothing at all.
  @Test(arguments: [true, false])
  func centralBehaviour91_aPhoneWithoutAnAnswerIn10SecondsIsSubscribedToOnceMore(_ isTaken: Bool) {
    let phone = NotifyingPhone()
    phone.pass(900_000)
    _ = phone.said
    if isTaken { phone.written() }
    phone.pass(9_999)
    expect(!phone.isToBeRenewed)
    phone.pass(1)
    expect(phone.isToBeRenewed && !phone.isToBeRenewed)
    phone.found()
    phone.mail(7)
    expect(phone.said, NotifyingPhone.mailRequest)
  }

  @Test func centralBehaviour91_anythingThatThePhoneTellsIsLife() {
    let phone = NotifyingPhone()
    phone.pass(800_000)
    phone.mail(7, flags: "19")
    phone.pass(899_999)
    expect(phone.said, nil)
    phone.pass(1)
    expect(phone.said, NotifyingPhone.probe)
    phone.rings(8)
    phone.written()
    expect(phone.said?.hasPrefix("00 08"), true, "a call does not wait for the end of a probe")
    phone.pass(10_000)
    expect(!phone.isToBeRenewed)
  }

  @Test func centralBehaviour91_aProbeThatIsForbiddenIsRepeatedLessAndLessOften() {
    let phone = NotifyingPhone()
    phone.pass(900_000)
    var pauses: [Int64] = []
    for _ in 0..<4 {
      pauses.append(phone.pause(until: NotifyingPhone.probe))
      phone.refused(0x03)
      expect(phone.news, (pauses.count == 1 ? .forbidden(0x03) : nil))
    }
    expect(pauses, [0, 5_000, 10_000, 20_000])
    phone.pass(40_000)
    expect(phone.said, NotifyingPhone.probe)
    phone.refused(0xA2)
    expect(phone.isToBeRenewed, "the rider has allowed it")
  }

  @Test func centralBehaviour91_withTheLinkTheSilenceIsOver() {
    let phone = NotifyingPhone()
    phone.gone()
    phone.pass(3_600_000)
    expect(phone.said == nil && !phone.isToBeRenewed)
  }
}

import Bytes
import Expecting
import TestSupport

@testable import PhoneServices

/// From a notification to what is shown of it, and what is asked meanwhile.
struct SessionTests {
  // MARK: - What is shown

  @Test func aNotificationIsAskedForItsTitleAndMessage() {
    let phone = NotifyingPhone()
    phone.mail(7)
    expect(phone.said == NotifyingPhone.mailRequest && phone.said == nil)
    phone.reply(7, "Bäckerei (erfunden)", "Das Brot ist fertig")
    expect(phone.news == .other && phone.news == nil)
    expect(phone.title == "Bäckerei (erfunden)" && phone.message == "Das Brot ist fertig")
  }

  @Test func theAnswerMayComeBeforeTheResponse() {
    let phone = NotifyingPhone.asked()
    phone.answer(7, "a", "b")
    expect(phone.news, nil)
    phone.written()
    expect(phone.news, .other)
  }

  @Test func whatIsSilentOrNotWantedIsNotAskedFor() {
    let silent = NotifyingPhone()
    silent.mail(7, flags: "19")
    expect(silent.said, nil)
    let phone = NotifyingPhone(.calls)
    phone.mail(7)
    expect(phone.said, nil)
    phone.rings(7)
    expect(phone.said, NotifyingPhone.callRequest)
  }

  /// Get Notification Attributes: the app's identifier has no length, as only texts that can be cut have one.
  @Test func whereAppsAreChosenItIsAskedForItsAppToo() {
    let phone = NotifyingPhone(.apps)
    phone.mail(7)
    expect(phone.said, NotifyingPhone.appRequest)
    phone.reply(7, "Anna (erfunden)", "Ausgedacht")
    expect(phone.news, nil, "its app is missing")
    phone.data(bytes("00 03 00 63 6F 6D"))
    expect(phone.news == .other && phone.app == "com" && phone.title == "Anna (erfunden)")
  }

  @Test func noCallIsAskedForItsAppAndNoneHasTheOneBefore() {
    let phone = NotifyingPhone.asked(.apps)
    phone.reply(7, "a", "b", app: "net.whatsapp.WhatsApp")
    expect(phone.news == .other && phone.app == "net.whatsapp.WhatsApp")
    phone.rings(7)
    expect(phone.said == NotifyingPhone.callRequest && phone.app == "")
    phone.reply(7, "Anna (erfunden)")
    expect(phone.news == .call && phone.app == "")
  }

  @Test func theProbeIsTheSameWhereAppsAreChosen() {
    let phone = NotifyingPhone(.apps)
    phone.mail(1)
    _ = phone.said
    phone.reply(1, "a", "b", app: "com")
    phone.pass(900_000)
    expect(phone.said, NotifyingPhone.probe)
  }

  /// It is cut where no list of apps can have it.
  @Test func anAppWithALongNameIsCutBehind256Bytes() {
    let phone = NotifyingPhone.asked(.apps)
    phone.written()
    phone.data([0, 7, 0, 0, 0, 0, 0x2C, 0x01] + [UInt8](repeating: 0x61, count: 300))
    phone.data(bytes("01 01 00 61 03 01 00 62"))
    expect(phone.news == .other && phone.app == String(repeating: "a", count: 256))
  }

  @Test func whatWasThereBeforeIsPassedOverInTheFirstTenSeconds() {
    let phone = NotifyingPhone()
    phone.gone()
    phone.found()
    phone.pass(9_999)
    phone.mail(7, flags: "1C")
    phone.rings(8, flags: "1C")
    expect(phone.said, nil)
    phone.pass(1)
    phone.mail(7, flags: "1C")
    expect(phone.said, nil, "the phone tells it once more, as its services moved")
    phone.rings(7, flags: "1C")
    expect(phone.said, NotifyingPhone.callRequest)
  }

  /// The second is no longer than the first, and comes before its response.
  @Test func theNextOneHasNothingOfTheOneBefore() {
    let phone = NotifyingPhone()
    phone.mail(6)
    phone.mail(7)
    _ = phone.said
    phone.reply(6, "long", "longer")
    expect(phone.news == .other && phone.said == NotifyingPhone.mailRequest)
    phone.answer(7, "a", "b")
    expect(phone.news == nil && phone.title == "a" && phone.message == "b")
    phone.written()
    expect(phone.news, .other)
  }

  @Test func behindOneThatWentTheNextShows() {
    let phone = NotifyingPhone()
    phone.mail(6)
    phone.mail(7)
    _ = phone.said
    phone.ends(6)
    phone.refused(0xA2)
    _ = phone.said
    phone.reply(7, "a", "b")
    expect(phone.news, .other)
  }

  @Test(arguments: [("a", ""), ("", "b"), ("", "")])
  func oneTextIsEnoughAndNoneIsNotShown(_ title: String, _ message: String) {
    let phone = NotifyingPhone.asked()
    phone.reply(7, title, message)
    expect(phone.news, title + message == "" ? nil : .other)
    expect(phone.title == title && phone.message == message)
  }

  /// The answer begins with its first byte, not somewhere in a notification.
  @Test func anAnswerBehindAByteOfAnotherIsNotTaken() {
    let phone = NotifyingPhone.asked()
    phone.written()
    phone.data(bytes("09 00 07 00 00 00 01 01 00 61 03 01 00 62"))
    expect(phone.news, nil)
    phone.answer(7, "a", "b")
    expect(phone.news, .other)
  }

  @Test func whatGoesBeforeItIsAskedForIsNotAskedFor() {
    let phone = NotifyingPhone()
    phone.mail(7)
    phone.mail(8)
    phone.ends(8)
    expect(phone.said, NotifyingPhone.mailRequest)
    phone.reply(7, "a", "b")
    expect(phone.said, nil)
  }

  @Test(arguments: [true, false])
  func whatGoesWhileItIsAskedForIsNotShownNorAskedForAgain(_ hasMoved: Bool) {
    let phone = NotifyingPhone.asked()
    phone.ends(7)
    if hasMoved { phone.found() } else { phone.reply(7, "a", "b") }
    expect(phone.news == nil && phone.said == nil)
  }

  // MARK: - Services that move on the same link

  @Test func aCallGoesOnWhenTheServiceIsFoundAnew() {
    let phone = NotifyingPhone()
    phone.rings(7)
    _ = phone.said
    phone.reply(7, "Anna")
    expect(phone.news, .call)
    phone.found()
    expect(phone.call == 7 && phone.title == "Anna" && phone.news == nil)
    phone.ends(7)
    expect(phone.news, .callEnded)
  }

  @Test func whatWasAskedOrWaitedIsAskedAnew() {
    let phone = NotifyingPhone()
    phone.mail(7)
    phone.mail(8)
    _ = phone.said
    phone.found()
    let asked = [phone.said, phone.said]
    expect(asked[0]?.hasPrefix("00 08") == true && asked[1] == nil)
    phone.reply(8, "a", "b")
    expect(phone.said, NotifyingPhone.mailRequest)
  }

  @Test func aCallThatIsToldOnceMoreIsNoneOfBeforeTheLink() {
    let phone = NotifyingPhone()
    phone.found()
    phone.mail(8, flags: "1C")
    phone.rings(7, flags: "1C")
    expect(phone.said, NotifyingPhone.callRequest)
    phone.reply(7, "Anna (erfunden)")
    phone.ends(7)
    expect(phone.said, nil, "the other one has been seen")
  }

  // MARK: - Refusals and silence

  @Test func whoRefusesToBeSubscribedToIsToldOfOnce() {
    let phone = NotifyingPhone()
    phone.gone()
    phone.refused(0x05)
    expect(phone.news, .forbidden(0x05))
    phone.refused(0x05)
    expect(phone.news == nil && phone.said == nil)
  }

  @Test(arguments: [0xA0, 0xA1, 0xA2, 0xA3] as [UInt8])
  func aNotificationThatIsGoneIsPassedOver(_ code: UInt8) {
    let phone = NotifyingPhone()
    phone.mail(6)
    phone.mail(7)
    _ = phone.said
    phone.refused(code)
    expect(phone.news == nil && phone.said == NotifyingPhone.mailRequest)
  }

  @Test func withoutPermissionItIsTriedEverMoreRarelyAndToldOnce() {
    let phone = NotifyingPhone()
    phone.mail(7)
    var pauses: [Int64] = []
    for _ in 0..<10 {
      pauses.append(phone.pause(until: NotifyingPhone.mailRequest))
      phone.refused(0x03)
      expect(phone.news, (pauses.count == 1 ? .forbidden(0x03) : nil))
    }
    expect(pauses, [0, 5, 10, 20, 40, 80, 160, 320, 600, 600].map { $0 * 1_000 })
  }

  @Test func onlyAnErrorOfTheServiceItselfIsAboutOneNotification() {
    let phone = NotifyingPhone.asked()
    phone.refused(0x9F)
    expect(phone.news, .forbidden(0x9F))
  }

  @Test func onlyTheEndOfWhatWasRefusedMakesWayForAnother() {
    let phone = NotifyingPhone.asked()
    phone.refused(0x05)
    phone.mail(9)
    phone.ends(8)
    expect(phone.said, nil)
    phone.ends(7)
    expect(phone.said?.hasPrefix("00 09"), true)
  }

  @Test(arguments: [true, false])
  func afterAnotherLinkOrAPermissionTheFirstRetryComesSoon(isLinkNew: Bool) {
    let phone = NotifyingPhone()
    phone.mail(7)
    for pause in [5_000, 10_000] as [Int64] {
      _ = phone.said
      phone.refused(0x05)
      phone.pass(pause)
    }
    if isLinkNew {
      phone.gone()
      phone.found()
      phone.pass(20_000)
    } else {
      _ = phone.said
      phone.reply(7, "T", "M")
    }
    phone.mail(8)
    expect(phone.said?.hasPrefix("00 08"), true)
    phone.refused(0x05)
    phone.pass(4_999)
    expect(phone.said, nil)
    phone.pass(1)
    expect(phone.said?.hasPrefix("00 08"), true)
  }

  @Test func whatIsAllowedLaterIsShown() {
    let phone = NotifyingPhone.asked()
    phone.refused(0x05)
    phone.pass(5_000)
    expect(phone.said, NotifyingPhone.mailRequest)
    phone.reply(7, "a", "b")
    expect(phone.news == .other || phone.title == "a")
  }

  @Test func aRequestWithoutAnAnswerIsOverAfterTenSeconds() {
    let phone = NotifyingPhone()
    phone.mail(6)
    phone.mail(7)
    _ = phone.said
    phone.written()
    phone.pass(9_999)
    expect(phone.said, nil)
    phone.pass(1)
    expect(phone.said, NotifyingPhone.mailRequest)
    phone.answer(6, "late", "late")
    phone.reply(7, "a", "b")
    expect(phone.news == .other && phone.title == "a" && phone.message == "b")
  }

  @Test func textsThatAreLongerThanAskedForAreCut() {
    let phone = NotifyingPhone.asked()
    phone.written()
    let long = [UInt8](repeating: 0x61, count: 700)
    phone.data(bytes("00 07 00 00 00 01 BC 02") + long)
    phone.data(bytes("03 BC 02") + long)
    expect(phone.news == .other && phone.title.count == 128 && phone.message.count == 200)
  }

  @Test func tenThousandNotificationsLeaveSixteen() {
    let phone = NotifyingPhone()
    for number in 0..<10_000 {
      phone.source("00 00 06 01 \(hex([UInt8(number % 256), UInt8(number / 256)])) 00 00")
    }
    var requests = 0
    while phone.said != nil {
      requests += 1
      phone.refused(0xA2)
    }
    expect(requests, 16)
  }
}

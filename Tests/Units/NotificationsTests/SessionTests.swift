import Bytes
import TestSupport
import Testing

@testable import Notifications

/// From a notification to what is shown of it, and what is asked meanwhile.
@Suite struct SessionTests {
  /// A session that can be looked at in an expectation, at a time that passes as it is told.
  private final class Phone {
    private var session: NotificationSession
    private(set) var now: Int64 = 0

    init(_ wish: NotificationSession.Wish = .all) {
      session = NotificationSession(wish)
      session.found(at: Instant(milliseconds: now))
      pass(20_000)
    }

    private var instant: Instant { Instant(milliseconds: now) }
    var news: NotificationSession.News? { session.takeNews() }
    var call: UInt32? { session.call?.uid }
    var title: String { SessionTests.title(of: session) }
    var message: String { SessionTests.message(of: session) }

    func found() { session.found(at: instant) }
    func gone() { session.gone() }
    func pass(_ time: Int64) {
      now += time
      session.advance(to: instant)
    }
    func source(_ text: String) {
      let value = bytes(text)
      session.hear(source: value.span, at: instant)
    }
    func mail(_ uid: UInt8, flags: String = "18") {
      source("00 \(flags) 06 01 \(hex([uid])) 00 00 00")
    }
    func rings(_ uid: UInt8, flags: String = "18") {
      source("00 \(flags) 01 01 \(hex([uid])) 00 00 00")
    }
    func ends(_ uid: UInt8) { source("02 00 01 00 \(hex([uid])) 00 00 00") }
    func data(_ value: [UInt8]) { session.hear(data: value.span, at: instant) }
    func answer(_ uid: UInt8, _ title: String, _ message: String? = nil) {
      var value: [UInt8] = [0, uid, 0, 0, 0, 1, UInt8(title.utf8.count), 0] + Array(title.utf8)
      if let message { value += [3, UInt8(message.utf8.count), 0] + Array(message.utf8) }
      data(value)
    }
    func written() { session.written(at: instant) }
    func refused(_ code: UInt8) { session.refused(code, at: instant) }
    func act(_ action: NotificationSession.Action) { session.act(action) }
    var said: String? {
      var request = FixedBuffer<12>()
      guard session.takeRequest(into: &request, at: instant) else { return nil }
      return hex(array(request.bytes))
    }
  }

  private static func title(of session: borrowing NotificationSession) -> String {
    String(decoding: array(session.title), as: UTF8.self)
  }

  private static func message(of session: borrowing NotificationSession) -> String {
    String(decoding: array(session.message), as: UTF8.self)
  }

  private static let mailRequest = "00 07 00 00 00 01 80 00 03 c8 00"
  private static let callRequest = "00 07 00 00 00 01 80 00"

  // MARK: - What is shown

  @Test func aNotificationIsAskedForItsTitleAndMessage() {
    let phone = Phone()
    phone.mail(7)
    #expect(phone.said == Self.mailRequest && phone.said == nil)
    phone.written()
    phone.answer(7, "Bäckerei (erfunden)", "Das Brot ist fertig")
    #expect(phone.news == .other && phone.news == nil)
    #expect(phone.title == "Bäckerei (erfunden)" && phone.message == "Das Brot ist fertig")
  }

  @Test func theAnswerMayComeBeforeTheResponse() {
    let phone = Phone()
    phone.mail(7)
    _ = phone.said
    phone.answer(7, "a", "b")
    #expect(phone.news == nil)
    phone.written()
    #expect(phone.news == .other)
  }

  @Test func ofCallsAloneNothingElseIsAskedFor() {
    let phone = Phone(.calls)
    phone.mail(7)
    #expect(phone.said == nil)
    phone.rings(7)
    #expect(phone.said == Self.callRequest)
  }

  @Test func whatIsSilentIsPassedOver() {
    let phone = Phone()
    phone.mail(7, flags: "19")
    #expect(phone.said == nil)
  }

  @Test func whatWasThereBeforeIsPassedOverInTheFirstTenSeconds() {
    let phone = Phone()
    phone.gone()
    phone.found()
    phone.pass(9_999)
    phone.mail(7, flags: "1C")
    phone.rings(8, flags: "1C")
    #expect(phone.said == nil)
    phone.pass(1)
    phone.mail(7, flags: "1C")
    #expect(phone.said == nil, "the phone tells it once more, as its services moved")
    phone.rings(7, flags: "1C")
    #expect(phone.said == Self.callRequest)
  }

  @Test func whatHasNoTextsIsNotShown() {
    let phone = Phone()
    phone.mail(7)
    _ = phone.said
    phone.written()
    phone.answer(7, "", "")
    #expect(phone.news == nil)
  }

  @Test func whatGoesWhileItIsAskedForIsNotShown() {
    let phone = Phone()
    phone.mail(7)
    _ = phone.said
    phone.ends(7)
    phone.written()
    phone.answer(7, "a", "b")
    #expect(phone.news == nil && phone.said == nil)
  }

  @Test func norIsItAskedAnewBehindServicesThatMove() {
    let phone = Phone()
    phone.mail(7)
    _ = phone.said
    phone.ends(7)
    phone.found()
    #expect(phone.said == nil)
  }

  // MARK: - Calls

  private func ringing(_ wish: NotificationSession.Wish = .calls, flags: String = "18") -> Phone {
    let phone = Phone(wish)
    phone.rings(7, flags: flags)
    _ = phone.said
    phone.written()
    phone.answer(7, "Anna (erfunden)")
    #expect(phone.news == .call && phone.call == 7)
    return phone
  }

  @Test func aCallIsTakenOrRefused() {
    for (action, code) in [(.accept, "00"), (.refuse, "01")]
      as [(NotificationSession.Action, String)]
    {
      let phone = ringing()
      phone.act(action)
      #expect(phone.said == "02 07 00 00 00 " + code)
      phone.written()
      #expect(phone.call == 7, "until the phone says so")
      phone.ends(7)
      #expect(phone.call == nil && phone.news == .callEnded)
    }
  }

  /// Else it could not be got rid of.
  @Test(arguments: [("10", .accept), ("08", .refuse)] as [(String, NotificationSession.Action)])
  func anActionThatThePhoneDoesNotOfferOnlyHidesTheCall(
    _ flags: String, _ action: NotificationSession.Action
  ) {
    let phone = ringing(flags: flags)
    phone.act(action)
    #expect(phone.said == nil && phone.call == nil && phone.news == .callEnded)
  }

  /// While its name is waited for, while that is asked for, and once it shows.
  @Test(arguments: 0..<3) func whatIsOfferedLaterIsDone(_ stage: Int) {
    let phone = Phone(.calls)
    phone.rings(7, flags: "00")
    let change = { phone.source("01 18 01 01 07 00 00 00") }
    if stage == 0 { change() }
    _ = phone.said
    if stage == 1 { change() }
    phone.written()
    phone.answer(7, "Anna (erfunden)")
    if stage == 2 { change() }
    phone.act(.accept)
    #expect(phone.said == "02 07 00 00 00 00" && phone.said == nil)
  }

  /// The second press came while the phone had not answered the first.
  @Test func whatWasToBeDoneWithACallIsNotDoneWithTheNext() {
    let phone = ringing()
    phone.act(.accept)
    _ = phone.said
    phone.act(.accept)
    phone.ends(7)
    phone.written()
    phone.rings(8)
    _ = phone.said
    phone.written()
    phone.answer(8, "Ben (erfunden)")
    #expect(phone.call == 8 && phone.said == nil)
  }

  @Test func aSecondCallDoesNotHideTheFirst() {
    let phone = Phone(.calls)
    phone.rings(7)
    _ = phone.said
    phone.rings(8)
    phone.written()
    phone.answer(7, "Anna (erfunden)")
    phone.ends(8)
    #expect(phone.news == .call && phone.call == 7)
  }

  /// Services moved, and the phone tells all once more.
  @Test func aCallThatShowsIsNotAskedForAgain() {
    let phone = ringing()
    phone.rings(7, flags: "14")
    phone.pass(120_000)
    #expect(phone.call == nil && phone.said == nil)
  }

  @Test func aCallThatEndsBeforeItsNameIsThereIsNotTold() {
    let phone = Phone(.calls)
    phone.rings(7)
    _ = phone.said
    phone.ends(7)
    phone.written()
    phone.answer(7, "Anna (erfunden)")
    #expect(phone.news == nil && phone.call == nil)
  }

  @Test func whileItRingsNothingElseTakesItsNamesPlace() {
    let phone = ringing(.all)
    phone.mail(9)
    #expect(phone.said == nil && phone.title == "Anna (erfunden)")
    phone.ends(7)
    #expect(phone.said != nil)
  }

  @Test func anotherCallOutlivesTheFirst() {
    let phone = ringing()
    phone.rings(8)
    phone.ends(7)
    #expect(phone.news == .callEnded)
    _ = phone.said
    phone.written()
    phone.answer(8, "Ben (erfunden)")
    #expect(phone.news == .call && phone.call == 8)
  }

  @Test func aCallThatNobodyEndsEndsByItself() {
    let phone = ringing()
    phone.pass(119_999)
    #expect(phone.call == 7)
    phone.pass(1)
    #expect(phone.call == nil && phone.news == .callEnded)
  }

  @Test func withTheLinkTheCallEnds() {
    let phone = ringing()
    phone.gone()
    #expect(phone.call == nil && phone.news == .callEnded && phone.title.isEmpty)
    phone.rings(8)
    #expect(phone.said == nil)
  }

  // MARK: - Services that move on the same link

  @Test func aCallGoesOnWhenTheServiceIsFoundAnew() {
    let phone = Phone()
    phone.rings(7)
    _ = phone.said
    phone.written()
    phone.answer(7, "Anna")
    #expect(phone.news == .call)
    phone.found()
    #expect(phone.call == 7 && phone.title == "Anna" && phone.news == nil)
    phone.ends(7)
    #expect(phone.news == .callEnded)
  }

  @Test func whatWasAskedOrWaitedIsAskedAnew() {
    let phone = Phone()
    phone.mail(7)
    phone.mail(8)
    _ = phone.said
    phone.found()
    let asked = [phone.said, phone.said]
    #expect(asked[0]?.hasPrefix("00 08") == true && asked[1] == nil)
    phone.written()
    phone.answer(8, "a", "b")
    #expect(phone.said == Self.mailRequest)
  }

  @Test func aCallThatIsToldOnceMoreIsNoneOfBeforeTheLink() {
    let phone = Phone()
    phone.found()
    phone.mail(8, flags: "1C")
    phone.rings(7, flags: "1C")
    #expect(phone.said == Self.callRequest)
    phone.written()
    phone.answer(7, "Anna (erfunden)")
    phone.ends(7)
    #expect(phone.said == nil, "the other one has been seen")
  }

  // MARK: - Refusals and silence

  @Test func whoRefusesToBeSubscribedToIsToldOfOnce() {
    let phone = Phone()
    phone.gone()
    phone.refused(0x05)
    #expect(phone.news == .forbidden(0x05))
    phone.refused(0x05)
    #expect(phone.news == nil && phone.said == nil)
  }

  @Test(arguments: [0xA0, 0xA1, 0xA2, 0xA3] as [UInt8])
  func aNotificationThatIsGoneIsPassedOver(_ code: UInt8) {
    let phone = Phone()
    phone.mail(6)
    phone.mail(7)
    _ = phone.said
    phone.refused(code)
    #expect(phone.news == nil && phone.said == Self.mailRequest)
  }

  @Test func withoutPermissionItIsTriedEverMoreRarelyAndToldOnce() {
    let phone = Phone()
    phone.mail(7)
    var pauses: [Int64] = []
    for _ in 0..<10 {
      var pause: Int64 = 0
      while phone.said != Self.mailRequest {
        phone.pass(1_000)
        pause += 1_000
      }
      pauses.append(pause)
      phone.refused(0x03)
      #expect(phone.news == (pauses.count == 1 ? .forbidden(0x03) : nil))
    }
    #expect(pauses == [0, 5, 10, 20, 40, 80, 160, 320, 600, 600].map { $0 * 1_000 })
  }

  @Test func onlyAnErrorOfTheServiceItselfIsAboutOneNotification() {
    let phone = Phone()
    phone.mail(7)
    _ = phone.said
    phone.refused(0x9F)
    #expect(phone.news == .forbidden(0x9F))
  }

  @Test func onlyTheEndOfWhatWasRefusedMakesWayForAnother() {
    let phone = Phone()
    phone.mail(7)
    _ = phone.said
    phone.refused(0x05)
    phone.mail(9)
    phone.ends(8)
    #expect(phone.said == nil)
    phone.ends(7)
    #expect(phone.said?.hasPrefix("00 09") == true)
  }

  @Test(arguments: [true, false])
  func afterAnotherLinkOrAPermissionTheFirstRetryComesSoon(isLinkNew: Bool) {
    let phone = Phone()
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
      phone.written()
      phone.answer(7, "T", "M")
    }
    phone.mail(8)
    #expect(phone.said?.hasPrefix("00 08") == true)
    phone.refused(0x05)
    phone.pass(4_999)
    #expect(phone.said == nil)
    phone.pass(1)
    #expect(phone.said?.hasPrefix("00 08") == true)
  }

  @Test func whatIsAllowedLaterIsShown() {
    let phone = Phone()
    phone.mail(7)
    _ = phone.said
    phone.refused(0x05)
    phone.pass(5_000)
    #expect(phone.said == Self.mailRequest)
    phone.written()
    phone.answer(7, "a", "b")
    #expect(phone.news == .other || phone.title == "a")
  }

  @Test func aRequestWithoutAnAnswerIsOverAfterTenSeconds() {
    let phone = Phone()
    phone.mail(6)
    phone.mail(7)
    _ = phone.said
    phone.written()
    phone.pass(9_999)
    #expect(phone.said == nil)
    phone.pass(1)
    #expect(phone.said == Self.mailRequest)
    phone.answer(6, "late", "late")
    phone.written()
    phone.answer(7, "a", "b")
    #expect(phone.news == .other && phone.title == "a" && phone.message == "b")
  }

  @Test func textsThatAreLongerThanAskedForAreCut() {
    let phone = Phone()
    phone.mail(7)
    _ = phone.said
    phone.written()
    let long = [UInt8](repeating: 0x61, count: 700)
    phone.data(bytes("00 07 00 00 00 01 BC 02") + long)
    phone.data(bytes("03 BC 02") + long)
    #expect(phone.news == .other && phone.title.count == 128 && phone.message.count == 200)
  }

  @Test func tenThousandNotificationsLeaveSixteen() {
    let phone = Phone()
    for number in 0..<10_000 {
      phone.source("00 00 06 01 \(hex([UInt8(number % 256), UInt8(number / 256)])) 00 00")
    }
    var requests = 0
    while phone.said != nil {
      requests += 1
      phone.refused(0xA2)
    }
    #expect(requests == 16)
  }
}

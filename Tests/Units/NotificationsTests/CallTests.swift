import Bytes
import Notifications
import TestSupport
import Testing

/// Who calls, and what is done with a call.
@Suite struct CallTests {
  private func ringing(_ wish: NotificationSession.Wish = .calls, flags: String = "18")
    -> NotifyingPhone
  {
    let phone = NotifyingPhone(wish)
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
    let phone = NotifyingPhone(.calls)
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
    let phone = NotifyingPhone(.calls)
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
    let phone = NotifyingPhone(.calls)
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

  @Test func whereNobodyRingsNoCallEnds() {
    let phone = NotifyingPhone()
    phone.gone()
    #expect(phone.news == nil)
  }

  @Test func withTheLinkTheCallEnds() {
    let phone = ringing()
    phone.gone()
    #expect(phone.call == nil && phone.news == .callEnded && phone.title.isEmpty)
    phone.rings(8)
    #expect(phone.said == nil)
  }
}

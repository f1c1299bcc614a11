import Bytes
import Expecting
import PhoneServices
import TestSupport

/// Who calls, and what is done with a call.
struct CallTests {
  private func ringing(_ wish: NotificationSession.Wish = .calls, flags: String = "18")
    -> NotifyingPhone
  {
    let phone = NotifyingPhone(wish)
    phone.rings(7, flags: flags)
    _ = phone.said
    phone.reply(7, "Anna (erfunden)")
    expect(phone.news == .call && phone.call == 7)
    return phone
  }

  @Test func aCallIsTakenOrRefused() {
    for (action, code) in [(.accept, "00"), (.refuse, "01")]
      as [(NotificationSession.Action, String)]
    {
      let phone = ringing()
      phone.act(action)
      expect(phone.said, "02 07 00 00 00 " + code)
      expect(phone.call, 7, "until the phone says that it did so")
      phone.written()
      expect(phone.call == nil && phone.news == .callEnded)
      phone.ends(7)
      expect(phone.news, nil)
    }
  }

  /// Else it could not be got rid of.
  @Test(arguments: [("10", .accept), ("08", .refuse)] as [(String, NotificationSession.Action)])
  func anActionThatThePhoneDoesNotOfferOnlyHidesTheCall(
    _ flags: String, _ action: NotificationSession.Action
  ) {
    let phone = ringing(flags: flags)
    phone.act(action)
    expect(phone.said == nil && phone.call == nil && phone.news == .callEnded)
  }

  /// While its name is waited for, while that is asked for, and once it shows.
  @Test(arguments: 0..<3) func whatIsOfferedLaterIsDone(_ stage: Int) {
    let phone = NotifyingPhone(.calls)
    phone.rings(7, flags: "00")
    let change = { phone.source("01 18 01 01 07 00 00 00") }
    if stage == 0 { change() }
    _ = phone.said
    if stage == 1 { change() }
    phone.reply(7, "Anna (erfunden)")
    if stage == 2 { change() }
    phone.act(.accept)
    expect(phone.said == "02 07 00 00 00 00" && phone.said == nil)
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
    phone.reply(8, "Ben (erfunden)")
    expect(phone.call == 8 && phone.said == nil)
  }

  @Test func aSecondCallDoesNotHideTheFirst() {
    let phone = NotifyingPhone.asked(.calls)
    phone.rings(8)
    phone.reply(7, "Anna (erfunden)")
    phone.ends(8)
    expect(phone.news == .call && phone.call == 7)
  }

  /// Services moved, and the phone tells all once more.
  @Test func aCallThatShowsIsNotAskedForAgain() {
    let phone = ringing()
    phone.rings(7, flags: "14")
    phone.pass(120_000)
    expect(phone.call == nil && phone.said == nil)
  }

  @Test func aCallThatEndsBeforeItsNameIsThereIsNotTold() {
    let phone = NotifyingPhone.asked(.calls)
    phone.ends(7)
    phone.reply(7, "Anna (erfunden)")
    expect(phone.news == nil && phone.call == nil)
  }

  @Test func whileItRingsNothingElseTakesItsNamesPlace() {
    let phone = ringing(.all)
    phone.mail(9)
    expect(phone.said == nil && phone.title == "Anna (erfunden)")
    phone.ends(7)
    #expect(phone.said != nil)
  }

  @Test func anotherCallOutlivesTheFirst() {
    let phone = ringing()
    phone.rings(8)
    phone.ends(7)
    expect(phone.news, .callEnded)
    _ = phone.said
    phone.reply(8, "Ben (erfunden)")
    expect(phone.news == .call && phone.call == 8)
  }

  // MARK: - Calls that come again, and silent ones

  @Test func centralBehaviour89_aCallToldAgainByAnotherNumberIsTheSameCall() {
    let phone = NotifyingPhone(.calls)
    phone.source("00 18 01 01 05 00 00 00")
    _ = phone.said
    phone.reply(5, "Anna (erfunden)")
    expect(phone.news == .call && phone.call == 5)
    phone.found()
    phone.source("00 1C 01 01 06 00 00 00")
    expect(
      phone.call == 6 && phone.news == nil && phone.said == nil, "one call, whose name is known")
    phone.act(.accept)
    expect(phone.said, "02 06 00 00 00 00", "by the number that holds now")
    phone.written()
    phone.source("02 18 01 00 06 00 00 00")
    expect(phone.call == nil && phone.news == .callEnded && phone.said == nil)
  }

  /// The first one is asked for by a number that no longer holds.
  @Test(arguments: [true, false])
  func centralBehaviour89_aCallThatMovesWhileItsNameIsAskedForShowsOnce(_ isAsked: Bool) {
    let phone = NotifyingPhone(.calls)
    phone.rings(5)
    if isAsked { _ = phone.said }
    phone.found()
    if isAsked { expect(phone.said?.hasPrefix("00 05"), true) }
    phone.source("00 1C 01 01 06 00 00 00")
    if isAsked {
      phone.reply(5, "Anna (erfunden)")
    }
    expect(phone.news == nil && phone.said?.hasPrefix("00 06") == true)
    phone.reply(6, "Anna (erfunden)")
    expect(phone.news == .call && phone.call == 6)
    phone.ends(6)
    expect(phone.call == nil && phone.said == nil)
  }

  @Test func centralBehaviour89_inTheFirstTenSecondsOfALinkACallMayMoveToo() {
    let phone = NotifyingPhone(.calls)
    phone.gone()
    phone.found()
    phone.rings(5)
    _ = phone.said
    phone.reply(5, "Anna (erfunden)")
    phone.found()
    phone.source("00 1C 01 01 06 00 00 00")
    phone.ends(6)
    expect(phone.call, nil, "else it would show for two minutes")
  }

  @Test func centralBehaviour89_ofTwoCallsThatMoveEachIsAskedForOnceMore() {
    let phone = ringing()
    phone.rings(8)
    phone.found()
    phone.source("00 1C 01 02 09 00 00 00")
    expect(phone.call == nil && phone.news == .callEnded, "nobody knows which of the two it is")
    phone.source("00 1C 01 02 0A 00 00 00")
    expect(phone.said?.hasPrefix("00 08"), true)
    phone.refused(0xA2)
    expect(phone.said?.hasPrefix("00 09"), true)
    phone.reply(9, "Ben (erfunden)")
    expect(phone.news == .call && phone.call == 9)
  }

  @Test func centralBehaviour89_aSecondCallOfBeforeDoesNotEndOneWhoseNumberHolds() {
    let phone = ringing()
    phone.found()
    phone.source("00 1C 01 02 07 00 00 00")
    phone.source("00 1C 01 02 08 00 00 00")
    expect(phone.call == 7 && phone.news == nil)
  }

  @Test func centralBehaviour90_aSilentCallDoesNotTakeThePanel() {
    for wish in [.calls, .all] as [NotificationSession.Wish] {
      let phone = NotifyingPhone(wish)
      phone.source("00 19 01 01 05 00 00 00")
      expect(phone.said == nil && phone.call == nil)
    }
  }

  /// A focus begins, or the rider presses a button of the phone: before the name is asked for, then, or later.
  @Test(arguments: 0..<3) func centralBehaviour90_aCallThatIsSilencedLeavesThePanel(_ stage: Int) {
    let phone = NotifyingPhone(.calls)
    phone.rings(7)
    let silence = { phone.source("01 19 01 01 07 00 00 00") }
    if stage == 0 { silence() }
    _ = phone.said
    if stage == 1 { silence() }
    phone.reply(7, "Anna (erfunden)")
    if stage == 2 {
      expect(phone.news, .call)
      silence()
    }
    expect(phone.call == nil && phone.news == (stage == 2 ? .callEnded : nil))
  }

  @Test func centralBehaviour90_aCallThatComesAgainSilentlyIsOver() {
    let phone = ringing()
    phone.found()
    phone.source("00 1D 01 01 08 00 00 00")
    expect(phone.call == nil && phone.news == .callEnded && phone.said == nil)
  }

  @Test func aCallThatNobodyEndsEndsByItself() {
    let phone = ringing()
    phone.pass(119_999)
    expect(phone.call, 7)
    phone.pass(1)
    expect(phone.call == nil && phone.news == .callEnded)
  }

  @Test func whereNobodyRingsNoCallEnds() {
    let phone = NotifyingPhone()
    phone.gone()
    expect(phone.news, nil)
  }

  @Test func withTheLinkTheCallEnds() {
    let phone = ringing()
    phone.gone()
    expect(phone.call == nil && phone.news == .callEnded && phone.title.isEmpty)
    phone.rings(8)
    expect(phone.said, nil)
  }
}

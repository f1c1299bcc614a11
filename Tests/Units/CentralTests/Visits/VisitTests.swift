import Central
import Expecting
import HCI
import TestSupport

/// Phones that connect by themselves: who is let in, and what each gets.
struct VisitTests {
  private static let away = "01 06 04 03 40 00 13"

  // MARK: - Strangers

  @Test func peripheralBehaviour12_aStrangerIsSentAwayBeforeItsFirstPacketIsAnswered() {
    let visit = Visit.quiet()
    visit.endsAtOnce = false
    visit.connects(from: Visit.stranger)
    expect(visit.takeCommands(0x0406), [Self.away])
    visit.says("02 05 02")
    visit.says("0a 03 00")
    visit.says("01 03 00 01 10 07 07", channel: 0x06)
    expect(visit.answers, [])
    visit.end()
    expect(visit.central.takeEvents(), [])
    expect(!visit.central.isBondRejected)
  }

  /// Their supervision timeouts are 32 s; the controller holds more links, which are the phone's and the sensors'.
  @Test func centralBehaviour133_besideTwoLinksThatDoNotEndNobodyIsLetCome() {
    let visit = Visit()
    visit.endsAtOnce = false
    for handle: UInt16 in [0x40, 0x41] {
      expect(visit.takeAdvertising().last, AdvertisingTests.on, "one of them silences nobody")
      visit.connects(from: Visit.stranger, handle: handle, timeout: 3_200)
      visit.central.pass(1_500)
    }
    expect(visit.takeAdvertising(), [])
    visit.central.pass(20_000)
    expect(visit.takeAdvertising(), [])
    visit.isHeard()
    expect(visit.isConnected, "the phone is searched for as before")
    visit.controller.disconnect(reason: 0x08, visit.central)
    visit.end(0x40, reason: 0x16)
    visit.central.pass(2_000)
    expect(visit.takeAdvertising().last, AdvertisingTests.on)
    visit.central.pass(9_000)
    visit.end(0x41, reason: 0x16)
    expect(visit.central.takeEvents().failures, [])
  }

  /// It had none for the phone beside one that does not end.
  @Test func centralBehaviour133_aControllerWithFewLinksKeepsOneForThePhone() {
    let visit = Visit()
    visit.endsAtOnce = false
    visit.connects(from: Visit.stranger)
    visit.controller.refused[0x200D] = 0x0D
    visit.isHeard()
    _ = visit.takeAdvertising()
    visit.central.pass(3_000)
    expect(visit.takeAdvertising(), [])
    visit.end()
    visit.central.pass(200)
    expect(visit.takeAdvertising().last, AdvertisingTests.on)
    visit.connects(from: Visit.stranger)
    _ = visit.takeAdvertising()
    visit.central.pass(3_000)
    expect(visit.takeAdvertising(), [])
  }

  /// Each with an address of the phone, and a link of 32 s that it does not let go.
  @Test func centralBehaviour124_fiveSilentVisitorsInARowCostNoReset() {
    let visit = Visit()
    visit.endsAtOnce = false
    for number: UInt8 in 1...5 {
      visit.connects(
        from: visit.phonesAddress(number), handle: 0x40 + UInt16(number), timeout: 3_200)
      visit.central.pass(number == 1 ? 10_100 : 2_100)
    }
    visit.central.pass(20_000)
    for number: UInt16 in 1...5 { visit.end(0x40 + number, reason: 0x16) }
    visit.central.pass(40_000)
    expect(visit.central.takeEvents().failures, [])
  }

  /// It takes nothing any more, and its chip says nothing but vendor events until its supervision timeout.
  @Test(arguments: [(500, 11), (3_200, 64)])
  func centralBehaviour124_aVisitorThatGoesWhileAPacketWaitsCostsNoReset(
    _ timeout: UInt16, _ halfSeconds: Int
  ) {
    let visit = Visit()
    visit.completesPackets = false
    visit.comes(timeout: timeout)
    _ = visit.central.takeEvents()
    visit.endsAtOnce = false
    for _ in 0..<halfSeconds {
      visit.central.receive("04 ff 03 1b 03 00")
      visit.central.pass(500)
    }
    visit.end(reason: 0x08)
    visit.central.pass(10_000)
    expect(visit.central.takeEvents().failures, [])
  }

  @Test func peripheralBehaviour13_tenStrangersDoNotKeepThePhoneOut() {
    let visit = Visit()
    for _ in 0..<10 {
      visit.connects(from: Visit.stranger)
      visit.central.pass(1_000)
    }
    // It connects as soon as it hears an advertisement: one each 1,022.5 ms by now.
    expect(visit.takeAdvertising().last, AdvertisingTests.on)
    visit.comes()
    #expect(visit.central.takeEvents().contains(.encrypted))
  }

  // MARK: - The phone

  @Test func peripheralBehaviour14_theRememberedPhoneEncryptsAndIsAskedOnlyThen() {
    let visit = Visit.quiet()
    visit.connects(from: visit.phonesAddress())
    visit.central.pass(500)
    expect(visit.takeAnswers(), [], "nothing is asked of it yet")
    visit.asksForKey()
    let key = Array(repeating: "5a", count: 16).joined(separator: " ")
    expect(visit.takeCommands(0x201A, 0x0406), ["01 1a 20 12 40 00 " + key])
    expect(visit.takeAnswers(), [])
    visit.encryptionChanges()
    expect(visit.takeAnswers(), ["02 05 02"], "the MTU comes first")
    visit.says("03 05 02")
    expect(visit.takeAnswers().first?.hasPrefix("06 01 00 ff ff 00 28"), true, "then komoot")
    #expect(visit.central.takeEvents().contains(.encrypted))
    visit.central.pass(20_000)
    expect(visit.takeAnswers(channel: "06"), [], "nor to encrypt")
  }

  /// The phone has asked for the MTU: it holds for both sides.
  @Test func whoHasAskedForTheMTUIsNotAskedForIt() {
    let visit = Visit()
    visit.connects(from: visit.phonesAddress())
    visit.says("02 05 02")
    expect(visit.takeAnswers(), ["03 05 02"])
    visit.encrypts()
    expect(visit.takeAnswers().first?.hasPrefix("06 01 00 ff ff"), true)
  }

  /// All that the controller tells comes in one piece, before anything is sent.
  ///
  /// Found by the fuzzer: who goes before being sent away is not sent away afterwards, as the next link may have the
  /// same handle, and be the phone's.
  @Test(arguments: [false, true])
  func peripheralBehaviour15_whatComesAtOnceIsDealtWithInItsOrder(_ isBehindAStranger: Bool) {
    let visit = Visit.quiet()
    visit.central.isTransportFull = true
    if isBehindAStranger {
      visit.connects(from: Visit.stranger)
      visit.end()
    }
    visit.connects(from: visit.phonesAddress())
    visit.asksForKey()
    visit.central.isTransportFull = false
    visit.central.pass(1)
    let said = visit.takeCommands(0x201A, 0x201B, 0x0406)
    expect(said.count == 1 && !said[0].hasPrefix("01 06"))
    visit.encryptionChanges()
    #expect(visit.central.takeEvents().contains(.encrypted))
  }

  @Test(arguments: [
    "01 00 00 00 00 00 00 00 00 00", "00 00 00 00 00 00 00 80 00 00",
    "00 00 00 00 00 00 00 00 01 00", "00 00 00 00 00 00 00 00 00 ff",
  ])
  func peripheralBehaviour17_aKeyWithANumberIsNoneOfOurs(_ numbers: String) {
    let visit = Visit.quiet()
    visit.connects(from: visit.phonesAddress())
    visit.asksForKey(numbers)
    visit.central.pass(10)
    expect(
      visit.takeCommands(0x201A, 0x201B, 0x0406), ["01 1b 20 02 40 00", "01 06 04 03 40 00 05"])
    expect(!visit.central.isBondRejected)
  }

  // MARK: - Two links

  @Test func peripheralBehaviour18_anAttemptIsCalledBackWhereThePhoneComesByItself() {
    let visit = Visit()
    visit.controller.connects = false
    visit.isHeard()
    expect(visit.central.stage, .connecting)
    _ = visit.takeCommands()
    visit.connects(from: visit.phonesAddress(2))
    expect(visit.takeCommands(0x200E).count, 1)
    visit.encrypts()
    visit.central.pass(5_000)
    expect(visit.takeCommands(0x0406), [])
    #expect(visit.central.takeEvents().contains(.encrypted))
  }

  /// The controller says so, or nothing for two seconds; a visitor that went is followed by a pause of one.
  @Test(arguments: [(true, 1_000), (false, 2_000)] as [(Bool, Int64)])
  func peripheralBehaviour18_itIsAdvertisedOnceTheAttemptIsOver(_ isTold: Bool, _ time: Int64) {
    let visit = Visit()
    visit.controller.connects = false
    visit.isHeard()
    if !isTold { visit.refused[0x200E] = 0x0C }
    visit.connects(from: visit.phonesAddress(2))
    visit.end(reason: 0x08)
    _ = visit.takeAdvertising()
    visit.central.pass(time - 1)
    expect(visit.takeAdvertising(), [])
    visit.central.pass(1)
    expect(visit.takeAdvertising().last, AdvertisingTests.on)
  }

  /// The attempt has made a link before it was called back: the older one stays.
  @Test func peripheralBehaviour19_theNewerOfTwoLinksEnds() {
    let visit = Visit.linked()
    _ = visit.central.takeEvents()
    _ = visit.takeCommands()
    visit.connects(from: visit.phonesAddress(3), handle: 0x0041)
    expect(visit.takeCommands(0x0406), ["01 06 04 03 41 00 13"])
    expect(visit.central.takeEvents(), [])
    visit.says("0a 03 00")
    #expect(visit.takeAnswers().contains("0b 4c 65 6e 6b 65 72"), "the older link is undisturbed")
  }

  @Test func peripheralBehaviour19_anAttemptThatWasTooQuickIsEnded() {
    let visit = Visit()
    visit.controller.connects = false
    visit.isHeard()
    visit.refused[0x200E] = 0x0C
    visit.connects(from: visit.phonesAddress(2), handle: 0x0042)
    _ = visit.takeCommands()
    visit.central.receive(
      [0x04, 0x3E, 0x13, 0x01, 0, 0x41, 0, 0] + visit.phonesAddress()
        + bytes("18 00 00 00 f4 01 01"))
    expect(visit.takeCommands(0x0406), ["01 06 04 03 41 00 13"])
  }

  @Test func peripheralBehaviour20_aLinkThatTheControllerSeesIsWaitedFor() {
    let visit = Visit.quiet()
    visit.controller.refused[0x200D] = 0x0B
    visit.isHeard()
    visit.central.pass(100)
    expect(visit.central.takeEvents().failures, [])
    visit.controller.refused = [:]
    visit.isHeard()
    visit.central.pass(4_000)
    expect(!visit.isConnected, "it rests for five seconds")
    visit.central.pass(1_000)
    visit.isHeard()
    expect(visit.isConnected)
  }

  @Test func peripheralBehaviour21_whoComesWhileNobodyIsAwaitedIsRefused() {
    let visit = Visit(isRemembered: false)
    visit.central.pass(40_000)
    _ = visit.takeCommands()
    visit.connects(from: Visit.stranger)
    expect(visit.takeCommands(0x0406), [Self.away])
    let other = Visit()
    other.central.leave()
    _ = other.takeCommands()
    other.connects(from: other.phonesAddress())
    expect(other.takeCommands(0x0406), [Self.away])
  }

  @Test func peripheralBehaviour22_withoutTheSettingNobodyIsLetIn() {
    let visit = Visit(advertises: false)
    _ = visit.takeCommands()
    visit.connects(from: visit.phonesAddress())
    expect(visit.takeCommands(0x0406), [Self.away])
  }

  // MARK: - Keys that are not the same

  @Test func peripheralBehaviour23_aWrongKeyIsToldAfterTheThirdInARow() {
    let visit = Visit()
    for number in 1...3 as ClosedRange<UInt8> {
      _ = visit.central.takeEvents()
      visit.connects(from: visit.phonesAddress(number))
      visit.asksForKey()
      visit.end(reason: 0x3D)
      #expect(visit.central.takeEvents().contains(.bondRejected(isToBeTold: number == 3)))
      visit.central.pass(1_000)
    }
    expect(visit.central.memory, .keys, "the bond stays")
    visit.comes()
    #expect(visit.central.takeEvents().contains(.encrypted))
  }

  @Test func peripheralBehaviour24_encryptionThatEndsEndsTheLink() {
    let visit = Visit.linked()
    _ = visit.takeCommands()
    visit.encryptionChanges(isOn: false)
    expect(visit.takeCommands(0x0406), ["01 06 04 03 40 00 05"])
  }

  /// The key is refreshed: nothing begins once more, and nothing is awaited.
  @Test func peripheralBehaviour24_aNewSessionWithTheSameKeyGoesOn() {
    let visit = Visit.linked()
    visit.says("03 05 02")
    _ = (visit.takeAnswers(), visit.takeCommands(), visit.central.takeEvents())
    visit.asksForKey()
    visit.says("0a 0f 00")
    expect(visit.takeAnswers(), ["0b 00 00"])
    expect(visit.takeCommands(0x201A).count, 1)
    visit.central.receive("04 30 03 00 40 00")
    expect(visit.takeAnswers() == [] && visit.central.takeEvents() == [])
    expect(visit.takeCommands(0x0406), [])
    visit.central.receive("04 30 03 3d 40 00")
    expect(visit.takeCommands(0x0406).count, 1)
  }
}

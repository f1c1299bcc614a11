import Bytes
import Central
import Expecting
import Responder
import SMP
import TestSupport
import VirtualAir

/// Phones that connect by themselves and want more than they may have: which are let in, and which key is given.
struct VisitTrustTests {
  private static let away = "01 06 04 03 40 00 13"
  private static let noKey = "01 1b 20 02 40 00"

  private func comes(_ visit: Visit, from address: [UInt8], handle: UInt16 = 0x0040) {
    _ = visit.takeCommands()
    visit.connects(from: address, handle: handle)
  }

  /// The remembered phone has denied its key three times.
  private func denied() -> Visit {
    let visit = Visit()
    for number in 1...3 as ClosedRange<UInt8> {
      _ = visit.central.takeEvents()
      visit.connects(from: visit.phonesAddress(number))
      visit.says(Visit.request, channel: 0x06)
      visit.central.pass(2_000)
      expect(visit.central.takeEvents().rejections, [number == 3])
    }
    _ = visit.takeAnswers()
    return visit
  }

  // MARK: - How long an address alone is worth a wait

  /// Asks nothing and says nothing, until it is sent away; returns when it was asked to encrypt, and when it was sent
  /// away.
  private func staysSilent(_ visit: Visit, _ number: UInt8) -> [Int64] {
    comes(visit, from: visit.phonesAddress(number))
    _ = visit.takeAnswers(channel: "06")
    var times: [Int64] = []
    for time in stride(from: Int64(100), through: 20_000, by: 100) {
      visit.central.pass(100)
      if visit.takeAnswers(channel: "06") == ["0b 0d"] { times.append(time) }
      guard visit.takeCommands(0x0406) == [Self.away] else { continue }
      visit.central.pass(500)
      return times + [time]
    }
    return times
  }

  /// Anybody can record an address: after the first silent visit the next ones are short, until one has the key.
  @Test func peripheralBehaviour16_afterASilentVisitTheNextOnesAreShort() {
    let visit = Visit()
    expect(staysSilent(visit, 1), [5_000, 10_000])
    expect(staysSilent(visit, 1), [1_000, 2_000])
    expect(staysSilent(visit, 2), [1_000, 2_000])
    expect(visit.central.takeEvents().rejections, [])
    visit.comes()
    visit.end()
    visit.central.pass(500)
    expect(staysSilent(visit, 1), [5_000, 10_000], "one had the key")
  }

  /// A slow phone is not kept out for good; what is silent meanwhile prolongs nothing.
  @Test(arguments: [true, false])
  func peripheralBehaviour16_aPressOrTenMinutesGiveVisitorsTheirTimeBack(_ isPressed: Bool) {
    let visit = Visit()
    func use() { visit.central.change { host, now in host.step(.used, at: now) } }
    expect(staysSilent(visit, 1), [5_000, 10_000])
    visit.central.pass(580_000)
    use()
    expect(staysSilent(visit, 1), [1_000, 2_000])
    if isPressed { visit.central.searchFast() } else { visit.central.pass(20_000) }
    expect(staysSilent(visit, 1), [5_000, 10_000])
    expect(staysSilent(visit, 1), [1_000, 2_000])
  }

  /// Its own phone, which asks for the key once it is asked to encrypt, gets in all the same.
  @Test func peripheralBehaviour16_aPhoneThatWaitsToBeAskedGetsInAfterASilentVisit() {
    let visit = Visit()
    _ = staysSilent(visit, 1)
    visit.connects(from: visit.phonesAddress())
    visit.central.pass(1_500)
    visit.asksForKey()
    visit.central.pass(400)
    visit.encryptionChanges()
    visit.central.pass(20_000)
    expect(visit.takeCommands(0x0406), [])
    #expect(visit.central.takeEvents().contains(.encrypted))
  }

  /// One that goes before it is asked, and one that begins with a key that it does not have; a link that was lost
  /// proves nothing, as the phone at the edge of its range needs its time.
  @Test(
    arguments: [(0x13, false), (0x13, true), (0x08, false), (0x3E, false)] as [(UInt8, Bool)])
  func peripheralBehaviour16_whatGoesWithoutTheKeyWasSilent(_ reason: UInt8, _ begins: Bool) {
    let visit = Visit()
    visit.connects(from: visit.phonesAddress())
    visit.central.pass(4_000)
    if begins { visit.asksForKey() }
    visit.end(reason: reason)
    visit.central.pass(500)
    expect(staysSilent(visit, 1), reason == 0x13 ? [1_000, 2_000] : [5_000, 10_000])
  }

  // MARK: - Who is let in

  /// A press is for the phone that is remembered, as long as that has its key.
  @Test func peripheralBehaviour46_aPressLetsNobodyPairWhileThePhoneHasItsKey() {
    let visit = Visit()
    visit.central.searchFast()
    visit.central.pass(100)
    #expect(visit.takeCommands(0x2008).allSatisfy { $0.contains("02 01 04") }, "not listed")
    comes(visit, from: Visit.stranger)
    expect(visit.takeCommands(0x0406), [Self.away])
    visit.central.pass(200)
    visit.connects(from: visit.phonesAddress())
    visit.says(Visit.request, channel: 0x06)
    expect(visit.takeAnswers(channel: "06"), ["05 05"])
    visit.central.pass(600)
    expect(visit.takeCommands(0x0406), ["01 06 04 03 40 00 05"], "for want of its key")
  }

  /// What a press allows ends with its half minute, and the phone is then let in for its key alone.
  @Test(arguments: [true, false])
  func peripheralBehaviour46_aPhoneThatDeniedItsKeyIsTheOnlyOneThatMayPairAfterAPress(
    _ isInTime: Bool
  ) {
    let visit = denied()
    _ = visit.takeCommands()
    visit.central.pass(40_000)
    #expect(visit.takeCommands(0x2008).allSatisfy { $0.contains("02 01 04") }, "not listed")
    visit.central.searchFast()
    visit.central.pass(100)
    expect(visit.takeCommands(0x2008).last?.contains("02 01 06"), true, "listed")
    comes(visit, from: Visit.stranger)
    expect(visit.takeCommands(0x0406), [Self.away])
    visit.says(Visit.request, channel: 0x06)
    visit.central.pass(200)
    expect(visit.takeAnswers(channel: "06"), [])
    if !isInTime {
      _ = visit.takeCommands()
      visit.central.pass(40_000)
      expect(visit.takeCommands(0x2008).last?.contains("02 01 04"), true, "not any more")
    }
    comes(visit, from: visit.phonesAddress(4))
    expect(visit.takeCommands(0x0406), [])
    visit.says(Visit.request, channel: 0x06)
    expect(visit.takeAnswers(channel: "06"), [isInTime ? Visit.response : "05 05"])
  }

  /// Without a key there is nothing to encrypt with: it is paired with after a press, or not at all.
  @Test func peripheralBehaviour21_aPhoneThatIsRememberedWithoutAKeyComesAfterAPressOnly() throws {
    let visit = Visit(isRemembered: false)
    var bond = visit.bond
    (bond.ltk, bond.irk) = (nil, nil)
    bond.address = DeviceAddress(0xC0C0_FFEE_0001, .random)
    try visit.central.remember(bond)
    let phone = bytes("01 01 00 ee ff c0 c0")
    expect(visit.central.memory, .address)
    visit.central.pass(40_000)
    _ = visit.takeAdvertising()
    visit.central.pass(700_000)
    expect(visit.takeAdvertising(), [])
    comes(visit, from: phone)
    expect(visit.takeCommands(0x0406), [Self.away])
    visit.central.searchFast()
    visit.central.pass(200)
    expect(visit.takeAdvertising().last, AdvertisingTests.on)
    comes(visit, from: Visit.stranger)
    expect(visit.takeCommands(0x0406), [Self.away])
    visit.central.pass(200)
    comes(visit, from: phone)
    expect(visit.takeCommands(0x0406), [])
    visit.asksForKey()
    visit.central.pass(10)
    expect(visit.takeCommands(0x201A, 0x201B).first, Self.noKey)
  }

  /// The rider's no holds for a while, whichever link the phone comes by.
  @Test func peripheralBehaviour45_aPhoneThatWasRefusedMustWait() {
    let visit = Visit(isRemembered: false)
    visit.connects(from: Visit.stranger)
    visit.says(Visit.request, channel: 0x06)
    visit.says("05 08", channel: 0x06)
    visit.end()
    visit.central.pass(150)
    visit.central.searchFast()
    _ = visit.takeAnswers()
    visit.connects(from: Visit.stranger)
    visit.says(Visit.request, channel: 0x06)
    expect(visit.takeAnswers(channel: "06"), ["05 09"])
    visit.central.pass(900)
    visit.says(Visit.request, channel: 0x06)
    expect(visit.takeAnswers(channel: "06").last, Visit.response)
  }

  // MARK: - Which key is given

  /// The old key says nothing about who pairs now.
  @Test func peripheralBehaviour47_inTheMiddleOfAPairingTheOlderKeyIsNotGiven() {
    let visit = denied()
    visit.central.searchFast()
    visit.central.pass(200)
    visit.connects(from: visit.phonesAddress(4))
    visit.says(Visit.request, channel: 0x06)
    _ = visit.takeCommands()
    visit.asksForKey()
    visit.central.pass(10)
    expect(visit.takeCommands(0x201A, 0x201B).first, Self.noKey)
  }

  @Test func peripheralBehaviour47_aLinkThatWasPairedOnIsEncryptedOnceMoreWithTheNewKey() throws {
    let visit = denied()
    visit.central.searchFast()
    visit.central.pass(200)
    let address = visit.phonesAddress(4)
    visit.connects(from: address)
    let number = address.dropFirst().reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    var phone = try Visit.initiator(DeviceAddress(number, .random))
    visit.says(Visit.request, channel: 0x06)
    try visit.talk(with: &phone)
    visit.central.confirm(true)
    visit.says(written(try phone.agreement()), channel: 0x06)
    try visit.talk(with: &phone)
    let key = try #require(phone.longTermKey)
    let given = "01 1a 20 12 40 00 " + hex(array(key.bytes))
    _ = visit.takeCommands()
    visit.encrypts()
    visit.says("08 " + hex(array(visit.security.irk.bytes)), channel: 0x06)
    visit.says("09 01 01 00 ee ff c0 c0", channel: 0x06)
    visit.asksForKey()
    expect(visit.takeCommands(0x201A, 0x201B), [given, given])
    expect(visit.central.hasNewBond, "the old one still counts")
  }

  /// Of a link that is not there, or is somebody else's.
  @Test func peripheralBehaviour17_aKeyForAnotherLinkIsDeniedAndThePhonesStays() {
    let visit = Visit.linked()
    _ = visit.takeCommands()
    visit.central.receive(bytes("04 3e 0d 05 41 00 00 00 00 00 00 00 00 00 00 00"))
    visit.central.pass(100)
    expect(visit.takeCommands(0x201A, 0x201B, 0x0406), ["01 1b 20 02 41 00"])
  }

  @Test func peripheralBehaviour17_aLinkThatWeMadeIsEncryptedByUsAlone() {
    let visit = Visit()
    visit.controller.encrypts = false
    visit.isHeard()
    expect(visit.isConnected)
    _ = visit.takeCommands()
    visit.asksForKey()
    expect(visit.takeCommands(0x201A, 0x201B), [Self.noKey])
  }

  // MARK: - How long that may take

  /// However often a stranger with a recorded address asks for the key.
  @Test func peripheralBehaviour16_whoAsksForTheKeyAgainAndAgainIsLeftAfterTenSeconds() {
    let visit = Visit()
    comes(visit, from: visit.phonesAddress())
    for _ in 0..<3 {
      visit.central.pass(3_000)
      visit.asksForKey()
    }
    expect(visit.takeCommands(0x0406), [])
    visit.central.pass(1_100)
    expect(visit.takeCommands(0x0406), [Self.away])
    let other = Visit()
    comes(other, from: other.phonesAddress())
    other.central.pass(5_100)
    other.asksForKey()
    other.central.pass(5_000)
    expect(other.takeCommands(0x0406), [Self.away], "it was asked to, and has begun")
  }

  @Test func peripheralBehaviour30_whoEncryptsAsItWasAskedToHasAnsweredThat() {
    let visit = Visit()
    visit.connects(from: visit.phonesAddress())
    visit.central.pass(5_100)
    expect(visit.takeAnswers(channel: "06"), ["0b 0d"])
    visit.encrypts()
    visit.says("03 05 02")
    _ = visit.central.takeEvents()
    visit.says("05 05", channel: 0x06)
    visit.central.pass(20_000)
    expect(visit.central.takeEvents().pairingFailures, 0)
  }
}

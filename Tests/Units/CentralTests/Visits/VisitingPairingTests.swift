import Bytes
import Central
import Expecting
import Responder
import SMP
import TestSupport
import VirtualAir

/// A phone that connects by itself and begins the pairing, in the half minute after a press.
struct VisitingPairingTests {
  private func initiator() throws -> PhonePairing {
    try Visit.initiator(DeviceAddress(0x6042_E680_094F, .random))
  }

  private func connected() -> Visit {
    let visit = Visit.quiet(isRemembered: false)
    visit.connects(from: Visit.stranger)
    return visit
  }

  @Test(arguments: [false, true])
  func peripheralBehaviour45_theNumbersAreComparedWhoeverIsQuicker(_ isPhoneQuicker: Bool) throws {
    let visit = connected()
    var phone = try initiator()
    visit.says(written(phone.request), channel: 0x06)
    try visit.talk(with: &phone)
    #expect(visit.central.takeEvents().contains(.compare(number: phone.digits)))
    if isPhoneQuicker { visit.says(written(try phone.agreement()), channel: 0x06) }
    visit.central.confirm(true)
    if !isPhoneQuicker { visit.says(written(try phone.agreement()), channel: 0x06) }
    try visit.talk(with: &phone)
    let key = try #require(phone.longTermKey)
    _ = visit.takeCommands()
    visit.asksForKey()
    expect(visit.takeCommands(0x201A), ["01 1a 20 12 40 00 " + hex(array(key.bytes))])
    visit.encryptionChanges()
    // Ours comes first: a key of zero, and our public address.
    let zeros = Array(repeating: "00", count: 16).joined(separator: " ")
    expect(visit.takeAnswers(channel: "06"), ["08 " + zeros, "09 00 66 55 44 33 22 11"])
    visit.says("08 " + hex(array(visit.security.irk.bytes)), channel: 0x06)
    visit.says("09 01 01 00 ee ff c0 c0", channel: 0x06)
    #expect(visit.central.takeEvents().contains(.remember(.keys)))
    expect(visit.central.memory == .nothing && visit.central.hasNewBond, "until it is on the disk")
    visit.central.adoptBond()
    expect(visit.central.memory, .keys)
    visit.end()
    visit.central.pass(200)
    expect(visit.takeAdvertising().last, AdvertisingTests.on)
    visit.connects(from: bytes("01 01 00 ee ff c0 c0"))
    expect(visit.takeCommands(0x0406), [], "it is known from now on")
  }

  @Test func peripheralBehaviour45_theRiderSaysNo() throws {
    let visit = connected()
    var phone = try initiator()
    visit.says(written(phone.request), channel: 0x06)
    try visit.talk(with: &phone)
    visit.central.confirm(false)
    expect(visit.takeAnswers(channel: "06"), ["05 0c"])
    visit.central.pass(600)
    expect(visit.central.memory, .nothing)
    expect(visit.takeCommands(0x0406).count, 1)
  }

  /// It says nothing, or asks for much, and is sent away at once if it comes again; the search goes on for as much
  /// longer, and begins with a second in which nobody can come.
  @Test(arguments: [false, true])
  func centralBehaviour130_whoDoesNotBeginIsAskedToAfterASecondAndLeftAfterTwo(
    _ isTalkative: Bool
  ) throws {
    let visit = Visit(isRemembered: false)
    let end = try #require(visit.central.searchEnd)
    _ = visit.central.takeEvents()
    visit.connects(from: Visit.stranger)
    _ = visit.takeCommands()
    func pass(_ milliseconds: Int64) {
      for _ in 0..<milliseconds / 100 {
        if isTalkative { visit.says("0a 03 00") }
        visit.central.pass(100)
      }
    }
    pass(900)
    expect(visit.takeAnswers(channel: "06"), [])
    pass(200)
    expect(visit.takeAnswers(channel: "06"), ["0b 0d"])
    pass(800)
    expect(visit.takeCommands(0x0406), [])
    pass(100)
    expect(visit.takeCommands(0x0406).count, 1)
    expect(visit.central.searchEnd, end + 2_000)
    expect(visit.central.takeEvents().pairingFailures, 0)
    visit.central.pass(900)
    expect(visit.controller.isScanning && visit.takeAdvertising().isEmpty)
    visit.central.pass(100)
    expect(visit.takeAdvertising().last, AdvertisingTests.on)
    visit.connects(from: Visit.stranger)
    expect(visit.takeCommands(0x0406).count, 1)
    visit.central.pass(9_000)
    visit.connects(from: Visit.stranger)
    expect(visit.takeCommands(0x0406).count, 0, "ten seconds are over")
  }

  /// What they do instead of pairing.
  enum Knock: CaseIterable { case nothing, asks, wantsKey }

  /// They are always quicker than the phone, and take turns.
  @Test(arguments: Knock.allCases)
  func centralBehaviour130_twoStrangersDoNotKeepThePhoneFromItsDigitsForTwelveSeconds(
    _ knock: Knock
  ) throws {
    let visit = Visit(isRemembered: false)
    var strangers = [bytes("01 01 00 00 00 00 c1"), bytes("01 02 00 00 00 00 c2")]
    _ = visit.central.takeEvents()
    var arrival = visit.central.now
    for _ in 0..<120 {
      if visit.takeAdvertising().last == AdvertisingTests.on {
        visit.connects(from: strangers[0])
        arrival = visit.central.now
        strangers.reverse()
        // The other one, and then the phone, as soon as that one is sent away.
        if !visit.isConnected {
          visit.central.pass(100)
          visit.connects(from: strangers[0])
          if !visit.isConnected { break }
        }
      }
      if knock == .asks { visit.says("10 01 00 ff ff 00 28") }
      // As late as it can.
      if knock == .wantsKey, visit.central.now == arrival + 1_900 { visit.asksForKey() }
      visit.central.pass(100)
    }
    visit.central.pass(100)
    visit.connects(from: Visit.stranger)
    #expect(visit.central.now < Instant(milliseconds: 12_000))
    var phone = try initiator()
    visit.says(written(phone.request), channel: 0x06)
    try visit.talk(with: &phone)
    #expect(visit.central.takeEvents().contains(.compare(number: phone.digits)))
  }

  /// A press or not: a request costs nobody anything there, a malformed one neither.
  @Test(arguments: [(Visit.request, "05 05"), ("01 01 00 0d 11 02 02", "05 0a")], [true, false])
  func peripheralBehaviour46_onAnEncryptedLinkThereIsNoPairing(
    _ exchange: (request: String, answer: String), _ isPressed: Bool
  ) {
    let visit = Visit.linked()
    if isPressed { visit.central.searchFast() }
    _ = (visit.takeAnswers(), visit.takeCommands(), visit.central.takeEvents())
    visit.says(exchange.request, channel: 0x06)
    expect(visit.takeAnswers(channel: "06"), [exchange.answer])
    visit.central.pass(10_000)
    expect(visit.takeCommands(0x0406) == [] && visit.central.takeEvents() == [], "the link stays")
  }

  /// Without Secure Connections, and where comparing is a must, without a display.
  @Test(arguments: [
    ("01 01 00 05 10 02 02", false, "05 03"), ("01 03 00 0d 10 02 02", true, "05 03"),
    ("01 01 00 0d 07 02 02", false, "05 06"), ("01 01 01 0d 10 02 02", false, "05 02"),
    ("01 01 00 0d 11 02 02", false, "05 0a"), ("01 01 02 0d 10 02 02", false, "05 0a"),
    ("01 01 00 0d 10 02", false, "05 0a"),
  ])
  func centralBehaviour145_aWeakRequestIsRefusedAndTold(
    _ request: String, _ isRequired: Bool, _ refusal: String
  ) {
    let visit = Visit(isRemembered: false, pairing: isRequired ? .required : .preferred)
    visit.connects(from: Visit.stranger)
    visit.says(request, channel: 0x06)
    expect(visit.takeAnswers(channel: "06"), [refusal])
    let reason = PairingFailedReason(rawValue: bytes(refusal)[1])
    #expect(visit.central.takeEvents().contains(.pairingFailed(.refused(reason))))
    visit.central.pass(600)
    expect(visit.takeCommands(0x0406).count, 1)
  }

  // MARK: - A stale key

  /// The phone kept a key that nobody here has any more, of this kind of pairing or of an older one.
  @Test(
    arguments: ["00 00 00 00 00 00 00 00 00 00", "00 00 00 00 00 00 00 80 12 34"], [false, true])
  func centralBehaviour119_aPhoneWithAStaleKeyPairsOnTheSameLink(numbers: String, wasAsked: Bool) {
    let visit = connected()
    if wasAsked { visit.central.pass(1_100) }
    _ = visit.takeAnswers()
    _ = visit.takeCommands()
    visit.asksForKey(numbers)
    expect(visit.takeCommands(0x201A, 0x201B, 0x0406), ["01 1b 20 02 40 00"])
    expect(visit.takeAnswers(channel: "06"), ["0b 0d"])
    visit.central.pass(4_900)
    visit.says(Visit.request, channel: 0x06)
    expect(visit.takeAnswers(channel: "06"), [Visit.response])
    visit.central.pass(10_000)
    expect(visit.takeCommands(0x0406), [])
  }

  /// It has five seconds, and one such chance a link.
  @Test(arguments: [false, true])
  func centralBehaviour119_whoDoesNotRepairItInTimeIsSentAway(_ asksAgain: Bool) {
    let visit = connected()
    visit.asksForKey()
    visit.central.pass(4_800)
    expect(visit.takeCommands(0x0406), [])
    if asksAgain { visit.asksForKey() } else { visit.central.pass(300) }
    expect(visit.takeCommands(0x0406), ["01 06 04 03 40 00 \(asksAgain ? "05" : "13")"])
    expect(visit.central.takeEvents().pairingFailures, 0)
  }
}

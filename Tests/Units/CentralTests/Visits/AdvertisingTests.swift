import Bytes
import Expecting
import HCI
import TestSupport

@testable import Central

/// When the device says that it is there, and what: `advertise = on`.
struct AdvertisingTests {
  static let quick = "01 06 20 0f 20 00 20 00 00 00 00 00 00 00 00 00 00 07 00"
  static let slow = "01 06 20 0f 64 06 64 06 00 00 00 00 00 00 00 00 00 07 00"
  static let on = "01 0a 20 01 01"
  static let off = "01 0a 20 01 00"
  private static let service = "d0 00 2d 12 1e 4b 0f a4 99 4e ce b5 31 f4 05 79"

  private func data(flags: String) -> String {
    "01 08 20 20 1d 02 01 \(flags) 11 15 \(Self.service) 07 09 4c 65 6e 6b 65 72 00 00"
  }

  @Test func peripheralBehaviour1_nothingIsAdvertisedByDefault() {
    let visit = Visit(advertises: false)
    visit.central.searchFast()
    visit.central.pass(700_000)
    expect(visit.takeAdvertising(), [])
  }

  /// And after a Reset all of it is set once more.
  @Test func peripheralBehaviour2_theRememberedPhoneIsToldQuicklyAndAfterHalfAMinuteSlowly() {
    let visit = Visit()
    let told = visit.takeAdvertising()
    expect(told.count, 4)
    expect(told.first, Self.quick)
    expect(told.dropFirst().first, data(flags: "04"))
    expect(told.last, Self.on)
    visit.central.pass(29_000)
    expect(visit.takeAdvertising(), [])
    visit.central.pass(2_000)
    let slower = visit.takeAdvertising()
    expect(slower.first, Self.off)
    expect(slower.dropFirst().first, Self.slow)
    expect(slower.last, Self.on)
    visit.central.receive("04 10 01 42")
    visit.central.pass(2_000)
    let again = visit.takeAdvertising()
    expect(again.count == 4 && again.last == Self.on)
  }

  @Test func peripheralBehaviour3_whereNobodyIsRememberedNothingIsSaidWithoutAPress() {
    let visit = Visit(isRemembered: false)
    // The program has started: that is as good as a press, for half a minute.
    expect(visit.takeAdvertising().last, Self.on)
    visit.central.pass(60_000)
    expect(visit.takeAdvertising(), [Self.off])
    visit.central.pass(600_000)
    expect(visit.takeAdvertising(), [])
    visit.central.searchFast()
    expect(visit.takeAdvertising().last, Self.on)
  }

  @Test func peripheralBehaviour4_advertisingIsOffWhileAPhoneIsLinked() {
    let visit = Visit.quiet()
    visit.comes()
    visit.central.pass(20_000)
    expect(visit.takeAdvertising(), [])
    visit.end(reason: 0x08)
    visit.central.pass(100)
    let told = visit.takeAdvertising()
    expect(told.first == Self.quick && told.last == Self.on)
  }

  @Test func peripheralBehaviour5_aSlowSearchSaysNothingTenMinutesAfterTheLastUse() {
    let visit = Visit()
    visit.central.pass(599_000)
    _ = visit.takeAdvertising()
    visit.central.pass(2_000)
    expect(visit.takeAdvertising(), [Self.off])
    visit.central.change { host, now in host.step(.used, at: now) }
    visit.central.pass(1)
    expect(visit.takeAdvertising().first, Self.slow)
  }

  @Test func peripheralBehaviour5_whoLeavesSaysNothing() {
    let visit = Visit.quiet()
    visit.central.leave()
    expect(visit.takeAdvertising(), [Self.off])
    visit.central.pass(60_000)
    expect(visit.takeAdvertising(), [])
  }

  @Test func peripheralBehaviour6_itIsOffBeforeAnAttemptAndOnAfterIt() {
    let visit = Visit.quiet()
    visit.controller.connects = false
    // Komoot's UUID from an address of the phone.
    visit.isHeard()
    let told = visit.takeCommands(0x200A, 0x200D)
    expect(told.first, Self.off)
    expect(told.dropFirst().first?.hasPrefix("01 0d 20"), true)
    visit.central.pass(10_000)
    expect(visit.takeAdvertising().last, Self.on)
  }

  /// One that says so is not tried.
  @Test(arguments: [false, true])
  func peripheralBehaviour7_aControllerThatCannotDoBothDoesThemInTurn(_ saysSo: Bool) {
    let states: UInt64 = 0x3FF_FFFF_FFFF
    let visit = Visit(states: saysSo ? states & ~(1 << 10) : states, cannotDoBoth: true)
    visit.central.pass(6_000)
    expect(
      visit.turns.suffix(8),
      [
        "2000 advertises false", "2000 listens true",
        "3000 listens false", "3000 advertises true",
        "5000 advertises false", "5000 listens true",
        "6000 listens false", "6000 advertises true",
      ])
    expect(visit.refusals, saysSo ? 0 : 1)
    expect(visit.central.takeEvents().failures, [])
    // It hears the phone in its turn, and connects to it.
    visit.central.pass(2_500)
    visit.isHeard()
    expect(visit.isConnected)
  }

  /// In its turn, too, as a chip may beside the link to a sensor: it goes on listening.
  @Test func peripheralBehaviour7_aControllerThatRefusesInItsTurnIsNotLeftDeaf() {
    let visit = Visit(isRemembered: false)
    visit.central.pass(40_000)
    _ = visit.central.takeEvents()
    visit.refused[0x200A] = 0x0C
    visit.central.searchFast()
    visit.central.pass(100)
    expect(visit.central.takeEvents().advertisingRefusals, [.commandDisallowed])
    expect(visit.controller.isScanning)
    // The sensor's link is over, and the rider asks once more.
    visit.refused = [:]
    visit.central.pass(60_000)
    visit.central.searchFast()
    visit.central.pass(3_000)
    #expect(visit.takeAdvertising().contains(Self.on))
    expect(visit.central.takeEvents().advertisingRefusals, [])
  }

  @Test func peripheralBehaviour9_itIsListedOnlyWhileItMayBePairedWith() {
    expect(Visit().takeAdvertising().dropFirst().first, data(flags: "04"))
    let visit = Visit(isRemembered: false)
    expect(visit.takeAdvertising().dropFirst().first, data(flags: "06"))
  }

  @Test(arguments: ["L", "Lenker12", "Lenker123", "Bangle.js Lenker", "Lenker of the year 1"])
  func peripheralBehaviour11_aNameIsWholeInThirtyOneBytes(_ name: String) {
    let told = Visit(name: name).takeAdvertising()
    let isShort = name.utf8.count <= 8
    let line = isShort ? told.dropFirst().first : told.dropFirst(2).first
    let structure = [UInt8(name.utf8.count + 1), 0x09] + Array(name.utf8)
    expect(line?.contains(hex(structure)), true)
    for line in told.dropFirst().prefix(2) {
      expect(bytes(line).count, 4 + 32)
      #expect(bytes(line)[4] <= 31)
    }
  }

  /// Only one that is busy with listening has its turns.
  @Test(arguments: [(0x2006, 0x0C), (0x2008, 0x0C), (0x200A, 0x11)] as [(UInt16, UInt8)])
  func peripheralBehaviour7_anyOtherRefusalHoldsUntilReset(_ opcode: UInt16, _ status: UInt8) {
    let visit = Visit(isRemembered: false)
    visit.central.pass(40_000)
    _ = visit.takeCommands()
    visit.refused[opcode] = status
    visit.central.searchFast()
    visit.central.pass(10_000)
    expect(visit.takeCommands(opcode).count, 1)
    expect(visit.central.stage, .searching)
    visit.central.receive("04 10 01 42")
    visit.central.pass(2_000)
    expect(visit.takeCommands(opcode).count, 1)
  }

  /// It could advertise, but not answer a phone that encrypts.
  @Test func aControllerWithoutTheRoleIsNotToldToAdvertise() {
    let visit = Visit(knowsAdvertising: false)
    visit.central.pass(60_000)
    expect(visit.takeAdvertising(), [])
    expect(visit.central.takeEvents().advertisingRefusals, [.unknownCommand])
    visit.isHeard()
    expect(visit.isConnected, "the phone is found as ever")
  }
}

/// The table in the comment of `Advertiser`: what is said when, and that its deadlines are enough for that.
struct AdvertiserTests {
  private struct Change: Equatable {
    let time: Int64
    let form: Advertiser.Form?

    init(_ time: Int64, _ form: Advertiser.Form?) { (self.time, self.form) = (time, form) }
  }

  private static let quick = Advertiser.Form(isQuick: true, isDiscoverable: false)
  private static let slow = Advertiser.Form(isQuick: false, isDiscoverable: false)
  private static let quickForAll = Advertiser.Form(isQuick: true, isDiscoverable: true)
  private static let slowForAll = Advertiser.Form(isQuick: false, isDiscoverable: true)
  private static let start = Instant(milliseconds: 0)

  /// What is said for eleven minutes by an advertiser that has just begun, as `happens` says: looked at each
  /// 50 ms, or at its deadlines alone.
  private static func said(
    for search: Advertiser.Search, isPolled: Bool, _ happens: (inout Advertiser) -> Void
  ) -> [Change] {
    var advertiser = Advertiser(isOn: true)
    advertiser.start(at: start)
    happens(&advertiser)
    var (now, isAdvertising, changes) = (Int64(0), false, [Change]())
    while now <= 660_000 {
      let time = Instant(milliseconds: now)
      advertiser.advance(to: time, for: search)
      switch advertiser.takeOutcome(for: search, isAdvertising: isAdvertising) {
      case .nothing: break
      case .stop: (isAdvertising, changes) = (false, changes + [Change(now, nil)])
      case .advertise(let form):
        (isAdvertising, changes) = (true, changes + [Change(now, form)])
      }
      if isPolled {
        now += 50
      } else {
        guard let next = advertiser.deadline(for: search), next > time else { break }
        now = next.milliseconds
      }
    }
    return changes
  }

  private static func check(
    _ search: Advertiser.Search, _ expected: [Change],
    _ happens: (inout Advertiser) -> Void = { _ in }
  ) {
    expect(said(for: search, isPolled: true, happens), expected)
    expect(said(for: search, isPolled: false, happens), expected, "by its deadlines")
  }

  @Test func peripheralBehaviour2_eachSearchIsSaidAsItsLineOfTheTableHasIt() {
    Self.check(.nobody, [])
    Self.check(.strangers, [Change(0, Self.quickForAll)])
    Self.check(.phoneAgain, [Change(0, Self.quickForAll)])
    Self.check(.phone, [Change(0, Self.quick), Change(30_000, Self.slow), Change(600_000, nil)])
    Self.check(.phoneNowAndThen, [Change(0, Self.slow), Change(600_000, nil)])
  }

  @Test func peripheralBehaviour12_itIsSilentForASecondUnlessTheStrangersLinkEnds() {
    Self.check(.strangers, [Change(1_000, Self.quickForAll)]) {
      $0.sentAway(0x40, at: Self.start)
    }
    Self.check(.strangers, [Change(100, Self.quickForAll)]) {
      $0.sentAway(0x40, at: Self.start)
      $0.linkEnded(0x40, at: Self.start)
    }
    // Neither a sensor's end, nor one that the controller has forgotten.
    Self.check(.strangers, [Change(1_000, Self.quickForAll)]) {
      $0.sentAway(0x40, at: Self.start)
      $0.linkEnded(0x41, at: Self.start)
    }
    Self.check(.strangers, [Change(1_000, Self.quickForAll)]) {
      $0.sentAway(0x40, at: Self.start)
      $0.forgetController()
      $0.linkEnded(0x40, at: Self.start)
    }
    Self.check(.strangers, [Change(100, Self.quickForAll)]) {
      $0.sentAway(0x40, at: Self.start)
      $0.linkEnded(0x40, at: Self.start)
      $0.linkEnded(0x40, at: Instant(milliseconds: 90))
    }
  }

  @Test func peripheralBehaviour10_whereManyComeItIsSlowForAMinute() {
    func crowd(_ advertiser: inout Advertiser) {
      for _ in 0..<4 { advertiser.somebodyCame(at: Self.start) }
    }
    for search in [Advertiser.Search.strangers, .phoneAgain] {
      Self.check(search, [Change(0, Self.slowForAll), Change(60_000, Self.quickForAll)], crowd)
    }
    Self.check(.phone, [Change(0, Self.slow), Change(600_000, nil)], crowd)
    Self.check(.strangers, [Change(0, Self.quickForAll)]) {
      for _ in 0..<3 { $0.somebodyCame(at: Self.start) }
    }
  }

  @Test func peripheralBehaviour7_whatIsNotToBeSaidTakesNoTurn() {
    var advertiser = Advertiser(isOn: true)
    advertiser.start(at: Self.start)
    let isNews = advertiser.postpone(at: Self.start)
    expect(!isNews)
    advertiser.advance(to: Self.start, for: .phone)
    expect(advertiser.hasRadio)
    advertiser.advance(to: Self.start + 100, for: .nobody)
    expect(!advertiser.hasRadio)
  }

  /// What refuses in its turn, too, may do so beside a sensor's link alone, which ends one day.
  @Test func peripheralBehaviour8_whatRefusesInItsTurnIsAskedAgainAfterAMinute() {
    var advertiser = Advertiser(isOn: true)
    advertiser.start(at: Self.start)
    var news = [advertiser.postpone(at: Self.start)]
    advertiser.advance(to: Self.start, for: .phoneNowAndThen)
    news.append(advertiser.postpone(at: Self.start))
    for minute in 0..<3 as Range<Int64> {
      expect(!advertiser.hasRadio)
      let begin = Self.start + minute * 60_000
      expect(advertiser.deadline(for: .phoneNowAndThen), begin + 60_000)
      advertiser.advance(to: begin + 59_999, for: .phoneNowAndThen)
      expect(!advertiser.hasRadio)
      advertiser.advance(to: begin + 60_000, for: .phoneNowAndThen)
      expect(advertiser.hasRadio)
      let outcome = advertiser.takeOutcome(for: .phoneNowAndThen, isAdvertising: false)
      expect(outcome, .advertise(Self.slow))
      news.append(advertiser.postpone(at: begin + 60_000))
    }
    expect(news, [false, true, false, false, false], "it is told once")
  }

  @Test func peripheralBehaviour8_whatDoesNotAdvertiseIsAskedNoMoreUntilItIsReset() {
    var advertiser = Advertiser(isOn: true)
    advertiser.start(at: Self.start)
    advertiser.takeTurns()
    advertiser.advance(to: Self.start, for: .phone)
    expect(advertiser.hasRadio)
    advertiser.giveUp()
    expect(!advertiser.hasRadio)
    advertiser.advance(to: Self.start + 120_000, for: .phone)
    expect(Self.outcome(of: &advertiser), .nothing)
    expect(advertiser.deadline(for: .phone), nil)
    advertiser.forgetController()
    advertiser.advance(to: Self.start + 120_000, for: .phone)
    expect(Self.outcome(of: &advertiser), .advertise(Self.slow))
  }

  private static func outcome(
    of advertiser: inout Advertiser, isAdvertising: Bool = false
  ) -> Advertiser.Outcome {
    advertiser.takeOutcome(for: .phone, isAdvertising: isAdvertising)
  }

  @Test func centralBehaviour119_afterAPressADeviceWithAStaleKeyHasItsTimeOnceMore() {
    var advertiser = Advertiser(isOn: true)
    var areFirst = [advertiser.repairBegins(), advertiser.repairBegins()]
    advertiser.forgetStrangers()
    areFirst.append(advertiser.repairBegins())
    expect(areFirst, [true, false, true])
  }

  /// Only the first time is it the start: a controller that fails at night must not make the device be heard.
  @Test func peripheralBehaviour5_aControllerThatWasResetIsNoUse() {
    var advertiser = Advertiser(isOn: true)
    advertiser.start(at: Self.start)
    let late = Self.start + 660_000
    advertiser.advance(to: late, for: .phone)
    advertiser.forgetController()
    advertiser.start(at: late)
    advertiser.advance(to: late, for: .phone)
    expect(Self.outcome(of: &advertiser), .nothing)
    advertiser.stayAwake(at: late)
    expect(Self.outcome(of: &advertiser), .advertise(Self.slow))
    advertiser.wake(at: late)
    expect(Self.outcome(of: &advertiser, isAdvertising: true), .advertise(Self.quick))
  }
}

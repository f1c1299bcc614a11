import Bytes
import Expecting

@testable import Central

/// The table in the comment of `Advertiser`: what is said when, and that its deadlines are enough for that.
@Suite struct AdvertiserTests {
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
      advertiser.pass(to: time, for: search)
      if let form = advertiser.takeChange(for: search, isAdvertising: isAdvertising) {
        isAdvertising = form != nil
        changes.append(Change(now, form))
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
    Self.check(
      .phone, [Change(0, Self.quick), Change(30_000, Self.slow), Change(600_000, nil)])
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

  @Test func peripheralBehaviour7_inTurnItIsTwoSecondsOfThree() {
    let (search, times) = (Advertiser.Search.phoneNowAndThen, Array(Int64(0)..<200))
    let turns = times.flatMap { [Change($0 * 3_000, Self.slow), Change($0 * 3_000 + 2_000, nil)] }
    Self.check(search, turns) { $0.takesTurns() }
  }

  @Test func peripheralBehaviour7_whatIsNotToBeSaidTakesNoTurn() {
    var advertiser = Advertiser(isOn: true)
    advertiser.start(at: Self.start)
    let isNews = advertiser.isBusy(at: Self.start)
    expect(!isNews)
    advertiser.pass(to: Self.start, for: .phone)
    expect(advertiser.hasRadio)
    advertiser.pass(to: Self.start + 100, for: .nobody)
    expect(!advertiser.hasRadio)
  }

  /// What refuses in its turn, too, may do so beside a sensor's link alone, which ends one day.
  @Test func peripheralBehaviour8_whatRefusesInItsTurnIsAskedAgainAfterAMinute() {
    var advertiser = Advertiser(isOn: true)
    advertiser.start(at: Self.start)
    var news = [advertiser.isBusy(at: Self.start)]
    advertiser.pass(to: Self.start, for: .phoneNowAndThen)
    news.append(advertiser.isBusy(at: Self.start))
    for minute in 0..<3 as Range<Int64> {
      expect(!advertiser.hasRadio)
      let begin = Self.start + minute * 60_000
      expect(advertiser.deadline(for: .phoneNowAndThen), begin + 60_000)
      advertiser.pass(to: begin + 59_999, for: .phoneNowAndThen)
      expect(!advertiser.hasRadio)
      advertiser.pass(to: begin + 60_000, for: .phoneNowAndThen)
      expect(advertiser.hasRadio)
      let change = advertiser.takeChange(for: .phoneNowAndThen, isAdvertising: false)
      expect(change, .some(Self.slow))
      news.append(advertiser.isBusy(at: begin + 60_000))
    }
    expect(news, [false, true, false, false, false], "it is told once")
  }

  @Test func peripheralBehaviour8_whatDoesNotAdvertiseIsAskedNoMoreUntilItIsReset() {
    var advertiser = Advertiser(isOn: true)
    advertiser.start(at: Self.start)
    advertiser.takesTurns()
    advertiser.pass(to: Self.start, for: .phone)
    expect(advertiser.hasRadio)
    advertiser.isRefused()
    expect(!advertiser.hasRadio)
    advertiser.pass(to: Self.start + 120_000, for: .phone)
    expect(Self.change(of: &advertiser), nil)
    expect(advertiser.deadline(for: .phone), nil)
    advertiser.forgetController()
    advertiser.pass(to: Self.start + 120_000, for: .phone)
    expect(Self.change(of: &advertiser), .some(Self.slow))
  }

  private static func change(
    of advertiser: inout Advertiser, isAdvertising: Bool = false
  ) -> Advertiser.Form?? {
    advertiser.takeChange(for: .phone, isAdvertising: isAdvertising)
  }

  /// Only the first time is it the start: a controller that fails at night must not make the device be heard.
  @Test func peripheralBehaviour5_aControllerThatWasResetIsNoUse() {
    var advertiser = Advertiser(isOn: true)
    advertiser.start(at: Self.start)
    let late = Self.start + 660_000
    advertiser.pass(to: late, for: .phone)
    advertiser.forgetController()
    advertiser.start(at: late)
    advertiser.pass(to: late, for: .phone)
    expect(Self.change(of: &advertiser), nil)
    advertiser.stayAwake(at: late)
    expect(Self.change(of: &advertiser), .some(Self.slow))
    advertiser.wake(at: late)
    expect(Self.change(of: &advertiser, isAdvertising: true), .some(Self.quick))
  }
}

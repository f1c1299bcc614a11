import Bytes
import Expecting

@testable import Search

/// The tables in the comment of `Search`, row by row.
struct SearchTests {
  private static let now = Instant(milliseconds: 1_000_000)

  private static func after(_ seconds: Int64) -> Instant { now + seconds * 1_000 }

  /// The rider asked ten seconds ago.
  private static let asked = Search.State.asked(until: after(20), hasSecondChance: true)
  /// The same, and a phone that led to nothing has made it longer.
  private static let prolonged = Search.State.asked(until: after(5), hasSecondChance: false)
  private static let askedBefore = Search.State.asked(until: after(-1), hasSecondChance: true)
  private static let secondChance = Search.State.asked(until: after(10), hasSecondChance: false)
  private static let askedForUp = Search.State.asked(until: nil, hasSecondChance: true)
  private static let askedNow = Search.State.asked(until: after(30), hasSecondChance: true)
  private static let lost = Search.State.afterLoss(until: after(20))
  private static let lostBefore = Search.State.afterLoss(until: after(0))
  private static let lostForUp = Search.State.afterLoss(until: nil)
  private static let lostNow = Search.State.afterLoss(until: after(30))

  /// A ride was lost, and its ten minutes have 500 s left.
  private static let rideLost = Search(
    .remembered, .afterLoss(until: after(500)), rideEnd: after(500))
  private static let guestLost = Search(.stranger, .slow, rideEnd: after(500))

  private static func resting(_ state: Search.State) -> Search {
    var search = Search(.remembered, state)
    search.receive(.rests(isAtRest: true))
    return search
  }

  // MARK: - What each state means

  /// What a state says is to be done.
  struct Meaning: Sendable {
    let search: Search
    let mode: ScanMode
    let mayPair: Bool
    var countdown: Instant?
    var deadline: Instant?
  }

  /// The program starts as if the rider had asked.
  @Test(arguments: [
    Meaning(search: Search(.stranger), mode: .fast, mayPair: true),
    Meaning(
      search: Search(.stranger, asked), mode: .fast, mayPair: true, countdown: after(20),
      deadline: after(20)),
    Meaning(search: Search(.stranger, askedForUp), mode: .fast, mayPair: true),
    Meaning(search: Search(.remembered, asked), mode: .fast, mayPair: true, deadline: after(20)),
    Meaning(search: Search(.anybody, asked), mode: .fast, mayPair: false, deadline: after(20)),
    Meaning(search: Search(.stranger, lost), mode: .fast, mayPair: false, deadline: after(20)),
    Meaning(search: Search(.remembered, lost), mode: .fast, mayPair: false, deadline: after(20)),
    Meaning(search: resting(asked), mode: .fast, mayPair: true, deadline: after(20)),
    Meaning(search: resting(lost), mode: .slow, mayPair: false, deadline: after(20)),
    Meaning(search: resting(.slow), mode: .slow, mayPair: false),
    Meaning(search: resting(.idle), mode: .off, mayPair: false),
    Meaning(search: guestLost, mode: .slow, mayPair: false, deadline: after(500)),
    Meaning(search: Search(.remembered, .slow, rideEnd: after(500)), mode: .slow, mayPair: false),
    Meaning(search: Search(.anybody, .slow), mode: .slow, mayPair: false),
    Meaning(search: Search(.stranger, .idle), mode: .off, mayPair: false),
    Meaning(search: Search(.remembered, .over), mode: .off, mayPair: false),
  ])
  func aStateSaysWhatIsToBeDone(_ expected: Meaning) {
    expect(expected.search.mode, expected.mode)
    expect(expected.search.mayPair, expected.mayPair)
    expect(expected.search.askedEnd, expected.countdown)
    expect(expected.search.deadline, expected.deadline)
  }

  // MARK: - What leads where

  /// A state, what happens, and the next state.
  typealias Row = (Search, Search.Input, Search)

  private static let starts: [Row] = [
    (Search(.stranger, asked), .restarted, Search(.stranger, askedForUp)),
    (Search(.remembered, lost), .restarted, Search(.remembered, lostForUp)),
    (Search(.remembered, .slow), .restarted, Search(.remembered, lostForUp)),
    (Search(.stranger, .idle), .restarted, Search(.stranger, .idle)),
    (Search(.stranger), .restarted, Search(.stranger, askedForUp)),
    (Search(.stranger), .controllerIsUp(at: now), Search(.stranger, askedNow)),
    (Search(.anybody, lostForUp), .controllerIsUp(at: now), Search(.anybody, lostNow)),
    (
      Search(.remembered, lostForUp, rideEnd: after(400)), .controllerIsUp(at: now),
      Search(.remembered, .afterLoss(until: after(400)), rideEnd: after(400))
    ),
    (
      Search(.remembered, lostForUp, rideEnd: after(3)), .controllerIsUp(at: now),
      Search(.remembered, lostNow, rideEnd: after(3))
    ),
    // A controller that was only brought up because it was deaf.
    (Search(.stranger, asked), .controllerIsUp(at: now), Search(.stranger, asked)),
    (Search(.anybody, .slow), .controllerIsUp(at: now), Search(.anybody, .slow)),
    (Search(.stranger, .idle), .controllerIsUp(at: now), Search(.stranger, .idle)),
  ]

  private static let wishes: [Row] = [
    (Search(.stranger, .idle), .riderAsked(at: now), Search(.stranger, askedNow)),
    (Search(.stranger, prolonged), .riderAsked(at: now), Search(.stranger, askedNow)),
    (Search(.remembered, .slow), .riderAsked(at: now), Search(.remembered, askedNow)),
    (Search(.remembered, lost), .riderAsked(at: now), Search(.remembered, askedNow)),
    (Search(.stranger, lostForUp), .riderAsked(at: now), Search(.stranger, askedForUp)),
    (Search(.remembered, .slow), .riderHurried(at: now), Search(.remembered, lostNow)),
    (Search(.remembered, lost), .riderHurried(at: now), Search(.remembered, lostNow)),
    (rideLost, .riderHurried(at: now), rideLost),
    (Search(.remembered, lostForUp), .riderHurried(at: now), Search(.remembered, lostForUp)),
    (Search(.stranger, asked), .riderHurried(at: now), Search(.stranger, asked)),
    (Search(.stranger, .idle), .riderHurried(at: now), Search(.stranger, .idle)),
    (Search(.stranger, .over), .riderHurried(at: now), Search(.stranger, .over)),
    (Search(.remembered, asked, rideEnd: after(9)), .forgotten(at: now), Search(.stranger, .idle)),
    (Search(.stranger, .slow, rideEnd: after(9)), .forgotten(at: now), Search(.stranger, .idle)),
    (Search(.stranger, lostForUp), .forgotten(at: now), Search(.stranger, .idle)),
    (Search(.anybody, .slow), .forgotten(at: now), Search(.anybody, lostNow)),
    (Search(.anybody), .forgotten(at: now), Search(.anybody, lostForUp)),
    (Search(.stranger, asked), .refused, Search(.stranger, .idle)),
    (Search(.stranger, .slow, rideEnd: after(9)), .refused, Search(.stranger, .idle)),
    (Search(.remembered, asked), .refused, Search(.remembered, lost)),
    (Search(.remembered, .slow), .refused, Search(.remembered, .slow)),
    (Search(.stranger, .over), .refused, Search(.stranger, .over)),
    (Search(.stranger, .idle), .remembered, Search(.remembered, .slow)),
    (Search(.stranger, asked), .remembered, Search(.remembered, asked)),
    (Search(.remembered, .slow), .notRemembered, Search(.stranger, .slow)),
    (Search(.anybody, .slow), .notRemembered, Search(.anybody, .slow)),
    (Search(.stranger, asked), .left, Search(.stranger, .over)),
    (Search(.stranger, .over), .riderAsked(at: now), Search(.stranger, .over)),
    (Search(.stranger, .over), .restarted, Search(.stranger, .over)),
    (resting(lost), .rests(isAtRest: false), Search(.remembered, lost)),
  ]

  private static let links: [Row] = [
    // The second chance is for the last seconds, and there is one.
    (Search(.stranger, asked), .attemptFailed(at: now), Search(.stranger, asked)),
    (Search(.stranger, askedBefore), .attemptFailed(at: now), Search(.stranger, secondChance)),
    (Search(.stranger, prolonged), .attemptFailed(at: now), Search(.stranger, prolonged)),
    (Search(.stranger, lostBefore), .attemptFailed(at: now), Search(.stranger, lostBefore)),
    (Search(.stranger, askedBefore), .linkLost(at: now), Search(.stranger, secondChance)),
    (Search(.remembered, askedBefore), .linkLost(at: now), Search(.remembered, askedNow)),
    (Search(.remembered, .slow), .linkLost(at: now), Search(.remembered, lostNow)),
    (Search(.anybody, lostBefore), .linkLost(at: now), Search(.anybody, lostNow)),
    (
      Search(.stranger, .slow, rideEnd: after(9)), .linkLost(at: now),
      Search(.stranger, .slow, rideEnd: after(9))
    ),
    (Search(.stranger, .idle), .linkLost(at: now), Search(.stranger, .idle)),
    (Search(.stranger, lost, rideEnd: after(9)), .rideBegan, Search(.stranger, lost)),
    (
      Search(.stranger, askedBefore), .rideLost(at: now),
      Search(.stranger, lostNow, rideEnd: after(600))
    ),
    (
      Search(.remembered, .slow), .rideLost(at: now),
      Search(.remembered, .afterLoss(until: after(600)), rideEnd: after(600))
    ),
    // A link that leads to nothing does not make it shorter.
    (rideLost, .linkLost(at: now), rideLost),
    (Search(.remembered, asked), .trustLost, Search(.remembered, lost)),
    (Search(.remembered, asked, rideEnd: after(500)), .trustLost, rideLost),
    (Search(.stranger, askedForUp), .trustLost, Search(.stranger, lostForUp)),
    (Search(.remembered, .slow), .trustLost, Search(.remembered, .slow)),
  ]

  private static let times: [Row] = [
    (Search(.stranger, asked), .timePassed(at: after(19)), Search(.stranger, asked)),
    (Search(.stranger, asked), .timePassed(at: after(20)), Search(.stranger, .idle)),
    (Search(.remembered, asked), .timePassed(at: after(20)), Search(.remembered, .slow)),
    (Search(.anybody, lost), .timePassed(at: after(20)), Search(.anybody, .slow)),
    // What the rider asked for in the ten minutes of a lost ride leaves the rest of them as they were.
    (Search(.remembered, asked, rideEnd: after(500)), .timePassed(at: after(20)), rideLost),
    (
      Search(.remembered, asked, rideEnd: after(20)), .timePassed(at: after(20)),
      Search(.remembered, .slow, rideEnd: after(20))
    ),
    (Search(.stranger, lost), .timePassed(at: after(20)), Search(.stranger, .idle)),
    (Search(.stranger, asked, rideEnd: after(500)), .timePassed(at: after(20)), guestLost),
    (guestLost, .timePassed(at: after(499)), guestLost),
    (guestLost, .timePassed(at: after(500)), Search(.stranger, .idle, rideEnd: after(500))),
    (Search(.remembered, .slow), .timePassed(at: after(86_400)), Search(.remembered, .slow)),
    (Search(.stranger), .timePassed(at: after(86_400)), Search(.stranger)),
  ]

  private static func demanding(_ target: Search.Target, _ state: Search.State) -> Search {
    Search(target, state, demandsPairing: true)
  }

  /// Nobody but the remembered phone can be followed before the rider asks.
  private static let demands: [Row] = [
    (demanding(.stranger, asked), .rideLost(at: now), demanding(.stranger, .idle)),
    (demanding(.stranger, asked), .trustLost, demanding(.stranger, .idle)),
    (demanding(.stranger, asked), .timePassed(at: after(20)), demanding(.stranger, .idle)),
    (demanding(.stranger, asked), .linkLost(at: now), demanding(.stranger, asked)),
    (demanding(.stranger, .idle), .riderAsked(at: now), demanding(.stranger, askedNow)),
    (demanding(.remembered, lost), .notRemembered, demanding(.stranger, .idle)),
    (demanding(.stranger, .idle), .remembered, demanding(.remembered, .slow)),
    (demanding(.remembered, asked), .trustLost, demanding(.remembered, lost)),
  ]

  @Test(arguments: starts + wishes + links + times + demands)
  func itGoesOnAsTheTableSays(_ row: Row) {
    var search = row.0
    search.receive(row.1)
    expect(search, row.2)
  }

  @Test func centralBehaviour75_whoHasAKeyForTheRideIsSearchedForThoughPairingIsDemanded() {
    var search = Self.demanding(.stranger, Self.asked)
    search.receive(.keyIsKept)
    search.receive(.rideLost(at: Self.now))
    expect(search.mode == .fast && !search.mayPair)
    search.receive(.timePassed(at: Self.after(599)))
    expect(search.mode, .slow)
    search.receive(.timePassed(at: Self.after(600)))
    expect(search.mode, .off)
    search.receive(.riderAsked(at: Self.after(700)))
    search.receive(.rideLost(at: Self.after(710)))
    expect(search.mode, .off, "that was for one ride")
  }

  @Test func whoHearsNobodyForAMinuteIsDeaf() {
    var search = Search(.remembered, .slow)
    search.receive(.heard(at: Self.now))
    expect(search.deadline, Self.after(60))
    expect(!search.isDeaf(at: Self.now + 59_999))
    expect(search.isDeaf(at: Self.after(60)))
    search.receive(.heard(at: Self.after(40)))
    expect(!search.isDeaf(at: Self.after(60)))
  }
}

/// The addresses that are left alone for a while: there are 32 places.
struct RestsTests {
  private static let ours = DeviceAddress(0xC0FF_EE00_0001, .random)
  private static let start = Instant(milliseconds: 1_000_000)

  private func stranger(_ number: Int) -> DeviceAddress {
    DeviceAddress(0xC000_0000_0000 + UInt64(number), .random)
  }

  /// Strangers that rest for a minute each, as many as that, one each millisecond.
  private func crowd(_ count: Int, in rests: inout Rests) {
    for number in 0..<count {
      rests.begin(stranger(number), for: 60_000, isOurs: false, at: Self.start + Int64(number))
    }
  }

  @Test func centralBehaviour142_thirtyThreeStrangersDoNotEndThePhonesRest() {
    var rests = Rests()
    for (rest, time) in [(5_000, 0), (10_000, 5_000), (20_000, 15_000)] as [(Int64, Int64)] {
      let now = Self.start + time
      rests.beginDoubling(Self.ours, isOurs: true, at: now)
      crowd(33, in: &rests)
      expect(rests.isResting(Self.ours, isOurs: true, at: now + (rest - 1)))
      expect(!rests.isResting(Self.ours, isOurs: true, at: now + rest))
    }
    rests.begin(stranger(99), for: 1_000, isOurs: true, at: Self.start)
    crowd(33, in: &rests)
    expect(rests.isResting(stranger(99), isOurs: true, at: Self.start + 999), "has encrypted once")
  }

  /// The oldest one gives its place away, and nobody knows whether it has rested enough.
  @Test func centralBehaviour142_aFullListKeepsAllStrangersOutUntilOneRestIsOver() {
    var rests = Rests()
    crowd(32, in: &rests)
    expect(!rests.isResting(stranger(99), isOurs: false, at: Self.start + 40))
    crowd(33, in: &rests)
    let end = Self.start + 60_001
    for number in [0, 99] {
      expect(rests.isResting(stranger(number), isOurs: false, at: end + -1))
      expect(!rests.isResting(stranger(number), isOurs: false, at: end))
      expect(!rests.isResting(stranger(number), isOurs: true, at: Self.start + 40))
    }
    rests.endAll()
    expect(!rests.isResting(stranger(0), isOurs: false, at: Self.start + 40), "after a press")
  }

  /// Anybody can record addresses of the phone: among those the one is let back in whose rest ends first.
  @Test func centralBehaviour142_addressesOfThePhoneShareWhatThereIs() {
    var rests = Rests()
    for number in 0..<33 { rests.beginSilent(stranger(number), at: Self.start + Int64(number)) }
    expect(!rests.isResting(stranger(0), isOurs: true, at: Self.start + 40))
    expect(rests.isResting(stranger(1), isOurs: true, at: Self.start + 40))
  }
}

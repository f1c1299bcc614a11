import Beacons
import Bytes
import Expecting

/// A watch in virtual time, its deadlines met, with a beacon that is heard at home with -75 dBm or more.
private struct Watched {
  private(set) var watch = HomeWatch(HomeBeacon(UUID(1, 2)))
  private(set) var now = start
  /// What it came to, and when, in milliseconds from the start.
  private(set) var states: [(time: Int64, state: HomeState)] = []

  private static var start: Instant { Instant(milliseconds: 7_300) }

  init(isUsed: Bool = false) {
    if isUsed { watch.use(at: now) }
    watch.listens(true, at: now)
    advance()
  }

  var state: HomeState { watch.state }
  var time: Int64 { now - Self.start }

  mutating func pass(_ milliseconds: Int64) {
    let end = now + milliseconds
    while let due = watch.deadline, due <= end {
      #expect(due > now, "it spins")
      guard due > now else { return }
      now = due
      advance()
    }
    now = end  // and nobody looks, as nothing is due
  }

  mutating func pass(seconds: Int64) { pass(seconds * 1_000) }

  mutating func receive(_ rssi: Int8) {
    watch.receive(rssi, at: now)
    advance()
  }

  /// Is heard now and, after each such time, again.
  mutating func receive(_ rssi: Int8, every step: Int64, times: Int) {
    for time in 0..<times {
      if time > 0 { pass(step) }
      receive(rssi)
    }
  }

  mutating func change(_ act: (inout HomeWatch, Instant) -> Void) {
    act(&watch, now)
    advance()
  }

  private mutating func advance() {
    let before = watch.state
    if let state = watch.conclusion(at: now) { watch.conclude(isHere: state == .here) }
    watch.advance(to: now)
    if watch.state != before { states.append((time, watch.state)) }
  }

  /// At home since just now.
  static func atHome() -> Watched {
    var watched = Watched()
    watched.receive(-60, every: 1_000, times: 11)
    return watched
  }
}

/// The table in the comment of `HomeWatch`, row by row.
struct HomeWatchTests {
  // MARK: - Coming home

  /// For ten seconds, in which between two readings may be seconds but no thirty.
  @Test(arguments: [
    (9_000, false), (9_999, false), (10_000, true), (11_000, true), (29_999, true),
    (30_000, false), (31_000, false),
  ])
  func atHomeIsWhoHearsTheBeaconForTenSeconds(_ time: Int64, _ isHome: Bool) {
    var watched = Watched()
    watched.receive(-60)
    watched.pass(time)
    expect(watched.state, .away)
    watched.receive(-60)
    expect((watched.state == .atRest), isHome)
  }

  @Test(arguments: [(-74, true), (-75, true), (-76, false)] as [(Int8, Bool)])
  func itMustBeAsStrongAsTheKeySays(_ rssi: Int8, _ isHome: Bool) {
    var watched = Watched()
    watched.receive(rssi, every: 500, times: 60)
    expect((watched.state == .atRest), isHome)
  }

  @Test func theMeanCountsNotEachReading() {
    var watched = Watched()
    for _ in 0..<12 {  // -75 in the mean
      watched.receive(-65)
      watched.pass(500)
      watched.receive(-85)
      watched.pass(500)
    }
    expect(watched.state, .atRest)
  }

  @Test func aWeakerMeanBeginsTheTimeAnew() {
    var watched = Watched()
    watched.receive(-60, every: 1_000, times: 10)
    watched.pass(seconds: 5)
    watched.receive(-76)  // the mean of this one, as the others are older than three seconds
    watched.pass(seconds: 4)
    watched.receive(-60, every: 1_000, times: 10)
    expect(watched.state, .away)
    watched.pass(seconds: 1)
    watched.receive(-60)
    expect(watched.states.map(\.state), [.atRest])
    expect(watched.time, 28_000)
  }

  @Test func timeAloneBringsNobodyHome() {
    var watched = Watched()
    watched.receive(-60)
    watched.pass(seconds: 29)
    #expect(watched.states.isEmpty)
    expect(watched.watch.deadline, nil)
  }

  @Test(arguments: [Int8(-1), 0, 127]) func whatIsNoReadingBringsNobodyHome(rssi: Int8) {
    var watched = Watched()
    watched.receive(rssi, every: 500, times: 60)
    #expect(watched.states.isEmpty)
  }

  // MARK: - Leaving it

  @Test(arguments: [(-84, true), (-85, true), (-86, false)] as [(Int8, Bool)])
  func tenDecibelsLessAreNeeded(_ rssi: Int8, _ isHome: Bool) {
    var watched = Watched.atHome()
    watched.pass(seconds: 5)
    watched.receive(rssi, every: 500, times: 60)
    expect((watched.state == .atRest), isHome)
  }

  @Test(arguments: [(9_000, true), (9_999, true), (10_000, false), (11_000, false)])
  func theyMustLastForTenSeconds(_ time: Int64, _ isHome: Bool) {
    var watched = Watched.atHome()
    watched.pass(seconds: 5)
    watched.receive(-90)
    watched.pass(time)
    expect(watched.state, .atRest)
    watched.receive(-90)
    expect((watched.state == .atRest), isHome)
  }

  @Test func aStrongerMeanBetweenBeginsThemAnew() {
    var watched = Watched.atHome()
    watched.pass(seconds: 5)
    watched.receive(-90, every: 1_000, times: 9)
    watched.pass(seconds: 5)
    watched.receive(-85)
    watched.pass(seconds: 5)
    watched.receive(-90, every: 1_000, times: 10)
    expect(watched.state, .atRest)
    watched.pass(seconds: 1)
    watched.receive(-90)
    expect(watched.state, .away)
  }

  @Test(arguments: [(29_000, true), (29_999, true), (30_000, false), (31_000, false)])
  func thirtySecondsOfSilenceAreAway(_ time: Int64, _ isHome: Bool) {
    var watched = Watched.atHome()
    watched.pass(time)
    expect((watched.state == .atRest), isHome)
    expect(watched.states.last?.time, isHome ? 10_000 : 40_000)
    var weak = Watched.atHome()
    weak.pass(seconds: 5)
    weak.receive(-90)
    weak.pass(time)
    expect((weak.state == .atRest), isHome)
  }

  @Test func whatIsNoReadingEndsNoSilence() {
    var watched = Watched.atHome()
    for _ in 0..<30 {
      watched.pass(seconds: 1)
      watched.receive(127)
    }
    expect(watched.state, .away)
  }

  @Test func aLinkBeginsAllAnew() {
    var watched = Watched.atHome()
    watched.change { watch, _ in watch.startOver() }
    expect(watched.state, .away)
    watched.receive(-60, every: 1_000, times: 10)
    expect(watched.state, .away)
    watched.pass(seconds: 1)
    watched.receive(-60)
    expect(watched.state, .atRest)
  }

  // MARK: - While the radio does not listen

  @Test func noTimePassesWhileTheRadioDoesNotListen() {
    var watched = Watched.atHome()
    watched.pass(seconds: 20)
    watched.change { $0.listens(false, at: $1) }
    expect(watched.watch.deadline, nil)
    watched.pass(seconds: 3_600)
    watched.change { $0.listens(false, at: $1) }
    watched.pass(seconds: 3_600)
    watched.change { $0.listens(true, at: $1) }
    watched.pass(9_999)
    expect(watched.state, .atRest)
    watched.pass(1)
    expect(watched.state, .away)
  }

  @Test func theTenSecondsDoNotPassWhileTheRadioDoesNotListen() {
    var watched = Watched()
    watched.receive(-60)
    watched.pass(seconds: 4)
    watched.change { $0.listens(false, at: $1) }
    watched.pass(seconds: 100)
    watched.change { $0.listens(true, at: $1) }
    watched.pass(5_999)
    watched.receive(-60)
    expect(watched.state, .away)
    watched.pass(1)
    watched.receive(-60)
    expect(watched.state, .atRest)
    watched.pass(seconds: 5)
    watched.receive(-90)
    watched.change { $0.listens(false, at: $1) }
    watched.pass(seconds: 100)
    watched.change { $0.listens(true, at: $1) }
    watched.pass(9_999)
    watched.receive(-90)
    expect(watched.state, .atRest)
    watched.pass(1)
    watched.receive(-90)
    expect(watched.state, .away)
  }

  @Test func whatIsHeardMeanwhileDoesNotCount() {
    var watched = Watched()
    watched.change { $0.listens(false, at: $1) }
    watched.receive(-60, every: 1_000, times: 30)
    #expect(watched.states.isEmpty)
  }

  // MARK: - At rest

  @Test func whoIsUsedIsNotAtRestForTenMinutes() {
    var watched = Watched(isUsed: true)
    watched.receive(-60, every: 1_000, times: 700)
    expect(watched.states.map(\.state), [.here, .atRest])
    expect(watched.states.map(\.time), [10_000, 600_000])
  }

  @Test func eachUseIsForTenMinutesMore() {
    var watched = Watched.atHome()
    watched.change { $0.use(at: $1) }
    expect(watched.state, .here)
    watched.receive(-60, every: 1_000, times: 500)
    watched.change { $0.use(at: $1) }
    watched.receive(-60, every: 1_000, times: 600)
    expect(watched.state, .here)
    watched.pass(seconds: 1)
    expect(watched.state, .atRest)
  }

  @Test func aUseAwayFromHomeCountsAtHome() {
    var watched = Watched(isUsed: true)
    watched.pass(seconds: 595)
    watched.receive(-60, every: 1_000, times: 11)
    expect(watched.states.map(\.state), [.atRest])
  }

  /// A radio that listens for 64 ms of each 640 ms, beside beacons of the usual intervals, to each of
  /// which up to 10 ms are added (Core Specification, Vol 6, Part B, 4.4.2.2.1).
  @Test(arguments: [Int64(100), 200, 300]) func aTenthOfTheTimeIsEnough(interval: Int64) throws {
    var (watched, delay) = (Watched(), Int64(0))
    while watched.time < 8 * 3_600_000 {
      if watched.time % 640 < 64 { watched.receive(-60) }
      delay = (delay * 7 + 3) % 11
      watched.pass(interval + delay)
    }
    // It stays so, all night long.
    expect(watched.states.map(\.state), [.atRest])
    #expect(try #require(watched.states.first).time < 20_000)
  }
}

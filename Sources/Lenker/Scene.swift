import Bytes
import Navigation
import Screens

/// What the rider is to see, as far as it does not come from the guidance.
struct Scene: ~Copyable {
  /// How the way to the phone stands.
  enum Connection: Equatable {
    case starting, noRadio, unpaired, searching, found, connecting, ready
  }

  /// What is said for a moment, whatever else there is to see.
  enum Notice: Equatable {
    /// Which phone it is, and how to forget it.
    case phone
    case freed
    case notFreed
    case pairingFailed(PairingSetback)
  }

  /// What the page button leads through.
  enum Page: Equatable {
    case ride, facts
  }

  /// How long a notice shows.
  private static var noticeTime: Int64 { 3_000 }
  /// How long each second of a search that ends shows.
  private static var countTime: Int64 { 1_000 }
  /// For how long after the start a radio that is not there yet may still come.
  private static var startTime: Int64 { 5_000 }
  /// For how many seconds the last instruction of a lost phone is of use.
  static var memorySeconds: Int64 { 600 }

  var connection = Connection.starting {
    didSet { if connection != oldValue { isChanged = true } }
  }
  private(set) var page = Page.ride
  private(set) var advice = Explanation()
  private(set) var phoneName = FixedBuffer<32>()
  /// The received power of the phone that was found, in dBm.
  var rssi: Int8 = 127
  /// The number that the rider is to compare, while the phone waits for that.
  var comparison: UInt32? {
    didSet { if comparison != oldValue { isChanged = true } }
  }
  /// What is wrong in a board file that was replaced by other settings, until the rider presses a button.
  var mistake = FixedBuffer<200>()
  /// Whether the remembered phone has forgotten us.
  var isForgotten = false {
    didSet { if isForgotten != oldValue { isChanged = true } }
  }
  /// How far the unpair button is on its way, of 1000.
  var unpairing: Int? {
    didSet { if unpairing != oldValue { isChanged = true } }
  }
  /// How many seconds a search goes on that ends.
  var secondsLeft: Int? {
    didSet { if secondsLeft != oldValue { isChanged = true } }
  }
  private(set) var notice: Notice?
  private var noticeEnd: Instant?
  /// Whether the rider pressed a button for the notice.
  private var isNoticeAsked = false
  private var countEnd: Instant?
  /// When the phone last told a turn.
  private var lastNews: Instant?
  /// How long ago that was, as the page of facts shows it; `nil` for never.
  private(set) var newsAge: Age?
  /// When the picture changes though nothing happens.
  var deadline: Instant? { earlier(earlier(noticeEnd, countEnd), newsEnd) }
  /// Whether the panel must be drawn anew.
  var isChanged = true

  /// Until when a radio that is not there yet may still come.
  private let startEnd: Instant

  /// The scene of a program that starts now.
  init(at now: Instant) { startEnd = now + Self.startTime }

  /// Shows that the radio fails; returns whether that is new.
  ///
  /// One that `mayCome`, because its driver is loaded with the program, is waited for at the start.
  mutating func showNoRadio(_ text: Span<UInt8>, mayCome: Bool = false, at now: Instant) -> Bool {
    let isNew = (connection != .noRadio && connection != .starting) || !isEqual(advice.bytes, text)
    if connection != .starting || !mayCome || now >= startEnd { connection = .noRadio }
    guard isNew else { return false }
    advice.assign(text)
    isChanged = true
    return true
  }

  /// Whether the mistake is to be shown: there is no phone that has more to say.
  var isMistakeDue: Bool {
    switch connection {
    case .starting, .noRadio, .unpaired, .searching: !mistake.isEmpty
    case .found, .connecting, .ready: false
    }
  }

  mutating func dismissMistake() {
    if isMistakeDue { isChanged = true }
    mistake.removeAll()
  }

  mutating func setPhoneName(_ name: Span<UInt8>) {
    phoneName.assign(name)
    isChanged = true
  }

  mutating func showRide() {
    page = .ride
    isChanged = true
  }

  mutating func turnPage(at now: Instant) {
    page = page == .ride ? .facts : .ride
    showNewsAge(at: now)
    isChanged = true
  }

  /// Shows a notice for a moment, or none any more.
  mutating func show(_ notice: Notice?, isAsked: Bool = false, at now: Instant) {
    self.notice = notice
    isNoticeAsked = isAsked
    noticeEnd = notice == nil ? nil : now + Self.noticeTime
    isChanged = true
  }

  /// A turn is to be shown, before anything that the rider did not ask for.
  mutating func yieldToRide() {
    isChanged = true
    if !isNoticeAsked { (notice, noticeEnd) = (nil, nil) }
  }

  /// Counts the seconds to the end of a search, if it has one.
  mutating func countDown(to end: Instant?, at now: Instant) {
    guard let end, end > now else {
      (secondsLeft, countEnd) = (nil, nil)
      return
    }
    let left = (end - now + Self.countTime - 1) / Self.countTime
    secondsLeft = Int(truncatingIfNeeded: left)
    countEnd = end + (1 - left) * Self.countTime
  }

  /// The phone told a turn, the same or another one.
  mutating func takeNews(at now: Instant) {
    lastNews = now
    showNewsAge(at: now)
  }

  private mutating func showNewsAge(at now: Instant) {
    guard let lastNews else { return }
    // Up to there it is told as `just now`: no second of it is worth a picture.
    let fresh = Age(milliseconds: 0)
    let exact = Age(milliseconds: now - lastNews)
    let age = exact.seconds < Facts.freshness ? fresh : exact
    guard age != newsAge else { return }
    newsAge = age
    if page == .facts { isChanged = true }
  }

  /// When the page of facts has another age to show.
  private var newsEnd: Instant? {
    guard page == .facts, let lastNews, let newsAge else { return nil }
    let freshEnd = Facts.freshness * 1_000
    guard newsAge.seconds > 0 else { return lastNews + freshEnd }
    return newsAge.end.map { lastNews + $0 }
  }

  mutating func advance(to now: Instant) {
    if page == .facts { showNewsAge(at: now) }
    guard let end = noticeEnd, now >= end else { return }
    (notice, noticeEnd) = (nil, nil)
    isChanged = true
  }
}

import Bytes
import Navigation
import Screens

/// What the rider is to see beside the ride and the connection: pages, notices, questions.
struct Scene: ~Copyable {
  /// What is shown for a moment, whatever else there is to see.
  enum Notice: Equatable {
    /// Which phone it is, and how to forget it.
    case phone
    /// The phone is paired from now on.
    case paired
    case unpaired
    case unpairFailed
    case reportSaved
    /// There is no reason where the board names no place for it.
    case reportFailed(Errno?)
    case pairingFailed(PairingSetback)
  }

  /// What the page button switches between.
  enum Page: Equatable {
    case ride, facts
  }

  /// What the rider is asked while the phone waits for the answer.
  struct Question {
    enum Subject: Equatable {
      /// Whether the phone shows this number, too.
      case comparison(UInt32)
      /// Whether to follow a phone that shows none.
      case noCode
    }

    var subject: Subject
    var start: Instant
  }

  /// How long a notice shows.
  private static var noticeTime: Int64 { 3_000 }
  /// How long each number of a countdown shows.
  private static var countTime: Int64 { 1_000 }

  private(set) var page = Page.ride
  private(set) var question: Question?
  /// What is wrong in a board file that was replaced by other settings, until the rider presses a button.
  private(set) var mistake = FixedBuffer<200>()
  /// The seconds that are left of the search; `nil` for one without an end, or none.
  private(set) var secondsLeft: Int? {
    didSet { if secondsLeft != oldValue { isChanged = true } }
  }
  private(set) var notice: Notice?
  private var noticeEnd: Instant?
  /// Whether the rider pressed a button to get the notice, so that no turn takes it away.
  private var isNoticeAsked = false
  private var countEnd: Instant?
  /// When the phone last said a turn, even one that is no longer shown.
  private var lastNews: Instant?
  /// How long ago that was, as the page of facts shows it; `nil` for never.
  private(set) var newsAge: Age?
  /// When the picture changes though nothing happens.
  var deadline: Instant? { earlier(earlier(noticeEnd, countEnd), newsEnd) }
  /// Whether the panel must be drawn anew.
  var isChanged = true

  init(mistake: Span<UInt8>) { self.mistake.assign(mistake) }

  mutating func dismissMistake() {
    if !mistake.isEmpty { isChanged = true }
    mistake.removeAll()
  }

  mutating func ask(about subject: Question.Subject, at now: Instant) {
    question = Question(subject: subject, start: now)
    isChanged = true
  }

  /// Removes the question: it was answered, or nobody waits for the answer any more.
  mutating func endQuestion() {
    guard question != nil else { return }
    question = nil
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

  /// Shows a notice for a moment, or ends the one that shows.
  mutating func show(_ notice: Notice?, isAsked: Bool = false, at now: Instant) {
    self.notice = notice
    isNoticeAsked = isAsked
    noticeEnd = notice == nil ? nil : now + Self.noticeTime
    isChanged = true
  }

  /// Makes way for a turn, which comes before anything that the rider did not ask for.
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

  /// Notes that the phone said a turn, the same or another one.
  mutating func hearNews(at now: Instant) {
    lastNews = now
    showNewsAge(at: now)
  }

  private mutating func showNewsAge(at now: Instant) {
    guard let lastNews else { return }
    // Below that it shows as `just now`, without a picture for each second.
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

package import Bytes
package import Messages
import Navigation
import Screens
package import Sensors

/// What the rider is to see beside the ride and the connection: pages, notices, questions.
package struct Scene: ~Copyable {
  /// What is shown for a moment, whatever else there is to see.
  package enum Notice: Equatable {
    /// Which phone it is, and how to forget it.
    case phone
    /// The phone is paired from now on.
    case paired
    case unpaired
    case unpairFailed
    case reportSaved
    /// The reason is `nil` if the board names no place for a report.
    case reportFailed(Errno?)
    case pairingFailed(PairingSetback)
    /// The phone ends each link at once.
    case switchBluetooth
    /// A sensor is remembered from now on.
    case sensorSaved(SensorKind)
    /// A new sensor, or with `nil` that all are forgotten, could not be saved.
    case sensorNotSaved(SensorKind?)
    case sensorsForgotten
    case noSensorFound
    case sensorBattery(SensorKind, percent: UInt8)
    /// Lenker's own battery.
    case ownBattery(percent: UInt8)
  }

  /// What button A switches between.
  package enum Page: Equatable {
    case turn
    /// A press on this page searches for a phone, as the page says.
    case pairing
    case ride, music, data, sensors
  }

  /// What the rider is asked while the phone waits for the answer.
  package struct Question: Equatable {
    package enum Subject: Equatable {
      /// Whether the phone shows this number, too.
      case comparison(UInt32)
      /// Whether to follow a phone that shows no number.
      case noCode
    }

    package let subject: Subject
    /// No earlier question had this number.
    package let number: UInt32
  }

  /// How long a notice shows.
  private static var noticeTime: Int64 { 3_000 }
  /// How long a notice shows that tells the rider to do something with the phone.
  private static var adviceTime: Int64 { 10_000 }
  /// How long a notification shows.
  private static var bannerTime: Int64 { 5_000 }
  /// How long no notification shows after the last one, so that the turn is seen however many come.
  private static var bannerPause: Int64 { 10_000 }
  /// How long an arrival shows.
  private static var arrivalTime: Int64 { 20_000 }
  /// How long each number of a countdown shows.
  private static var countTime: Int64 { 1_000 }

  /// How long the pages of the sensors and of the pairing show without a press.
  private static var pageTime: Int64 { 20_000 }

  package private(set) var page = Page.turn
  /// When a page that nobody touches gives way.
  private var pageEnd: Instant?
  package private(set) var question: Question?
  private var questionNumber: UInt32 = 0
  /// What is wrong in a board file that was replaced by other settings, until the rider presses a button.
  package private(set) var mistake = FixedBuffer<200>()
  /// The seconds that are left of the search; `nil` for one without an end, or none.
  package private(set) var secondsLeft: Int?
  package private(set) var notice: Notice?
  private var noticeEnd: Instant?
  /// Whether the rider pressed a button to get the notice, so that no turn takes it away.
  private var isNoticeRequested = false
  private var countEnd: Instant?
  /// Until when the arrival shows.
  private var arrivalEnd: Instant?
  /// Until when the notification shows.
  private var bannerEnd: Instant?
  /// From when on another notification may show.
  private var nextBanner: Instant?
  /// Until when the new version shows.
  private var updateEnd: Instant?
  /// When the picture changes though nothing happens.
  package var deadline: Instant? {
    let words = earlier(noticeEnd, earlier(bannerEnd ?? nextBanner, countEnd))
    return earlier(earlier(words, updateEnd), earlier(arrivalEnd, pageEnd))
  }

  package init(mistake: Span<UInt8>) { self.mistake.assign(mistake) }

  package mutating func dismissMistake() { mistake.removeAll() }

  package mutating func ask(about subject: Question.Subject) {
    questionNumber &+= 1
    question = Question(subject: subject, number: questionNumber)
  }

  /// Removes the question: it was answered, or nobody waits for the answer any more.
  package mutating func endQuestion() { question = nil }

  package mutating func showTurn() {
    page = .turn
    pageEnd = nil
  }

  /// Goes to the next page that has something to show; from an arrival, to that of the ride.
  package mutating func turnPage(
    hasPairing: Bool, hasMusic: Bool, hasData: Bool, hasSensors: Bool, at now: Instant
  ) {
    page =
      switch page {
      case .turn: hasPairing ? .pairing : .ride
      case .pairing: .ride
      case .ride where hasMusic: .music
      case .ride where hasData, .music where hasData: .data
      case .ride, .music, .data: hasSensors ? .sensors : .turn
      case .sensors: .turn
      }
    endArrival()
    touchPage(at: now)
  }

  /// Goes back to the turn from a page that has nothing to show any more.
  package mutating func leaveEmptyPage(hasPairing: Bool, hasMusic: Bool, hasData: Bool) {
    switch page {
    case .pairing where !hasPairing, .music where !hasMusic, .data where !hasData: showTurn()
    default: break
    }
  }

  /// Keeps the page of the sensors or of the pairing for a while, as the rider does something there.
  package mutating func touchPage(at now: Instant) {
    pageEnd = page == .sensors || page == .pairing ? now + Self.pageTime : nil
  }

  /// Whether the rider has just arrived.
  package var isArrivalShown: Bool { arrivalEnd != nil }

  /// Shows the arrival for a while, whichever page there was.
  package mutating func showArrival(at now: Instant) {
    showTurn()
    arrivalEnd = now + Self.arrivalTime
  }

  package mutating func endArrival() { arrivalEnd = nil }

  /// Shows a notice for a moment, or ends the one that shows.
  package mutating func show(_ notice: Notice?, isRequested: Bool = false, at now: Instant) {
    self.notice = notice
    isNoticeRequested = isRequested
    noticeEnd =
      switch notice {
      case .none: nil
      case .switchBluetooth: now + Self.adviceTime
      default: now + Self.noticeTime
      }
  }

  /// Whether the notification shows.
  package var isBannerShown: Bool { bannerEnd != nil }

  /// Whether a notification may show: the last one, and the pause after it, are over.
  package var mayShowBanner: Bool { nextBanner == nil }

  /// Shows a notification for a moment.
  package mutating func showBanner(at now: Instant) {
    let end = now + Self.bannerTime
    (bannerEnd, nextBanner) = (end, end + Self.bannerPause)
  }

  package mutating func endBanner() { bannerEnd = nil }

  /// Whether the new version shows, where nothing more important does.
  package var isUpdateShown: Bool { updateEnd != nil }

  /// Shows the new version for as long as a notice.
  package mutating func showUpdate(at now: Instant) { updateEnd = now + Self.noticeTime }

  package mutating func endUpdate() { updateEnd = nil }

  /// Makes way for a turn, which comes before anything that the rider did not ask for.
  package mutating func yieldToRide() {
    if !isNoticeRequested { (notice, noticeEnd) = (nil, nil) }
  }

  /// Counts the seconds to the end of a search, if it has one.
  package mutating func countDown(to end: Instant?, at now: Instant) {
    guard let end, end > now else {
      (secondsLeft, countEnd) = (nil, nil)
      return
    }
    let left = (end - now + Self.countTime - 1) / Self.countTime
    secondsLeft = Int(truncatingIfNeeded: left)
    countEnd = end + (1 - left) * Self.countTime
  }

  package mutating func advance(to now: Instant) {
    if let end = arrivalEnd, now >= end { endArrival() }
    if let end = bannerEnd, now >= end { endBanner() }
    if let due = nextBanner, now >= due { nextBanner = nil }
    if let end = updateEnd, now >= end { endUpdate() }
    if let end = pageEnd, now >= end { showTurn() }
    guard let end = noticeEnd, now >= end else { return }
    (notice, noticeEnd) = (nil, nil)
  }
}

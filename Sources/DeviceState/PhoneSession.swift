package import ATT
package import BoardFile
package import Bytes
package import Central
package import HCI
import Link
package import PhoneServices

/// What the phone sends beside the turns, and when it is asked, from a link's beginning to its end.
///
/// Only its functions change these values: refusals, the clock, music, notifications, and how often links failed. They
/// return what to ask; only `Device` knows the host.
package struct PhoneSession: ~Copyable {
  /// How far the connection had come after the last events.
  private var connection = Connection.starting
  /// The phone's number for its last instruction.
  package private(set) var identifier: UInt32 = 0
  private var stumbles = Stumbles()
  /// Why the phone refuses to be read, once that was reported on this link.
  package private(set) var refusal: AttributeError?
  package private(set) var clock = DayClock()
  /// Whether the phone has sent its time by Current Time on this link.
  private var isTimeRead = false
  /// The phone's zone, if it sent one on this link.
  package private(set) var zone: Zone?
  package private(set) var player = MusicPlayer()
  /// Whether it was reported on this link that the phone does not let its music be seen.
  private var isMusicRefusalTold = false
  /// What the rider wants to see of notifications.
  private let policy: NotificationPolicy
  package private(set) var notifications: NotificationSession
  /// Whether `notifications.app` is new.
  private var isAppNew = false
  package private(set) var gadgetbridge: GadgetbridgeSession
  /// The source of the last call or notification, which is the one that is shown.
  private var teller = Teller.iPhone

  private enum Teller {
    case iPhone, gadgetbridge
  }

  package init(_ board: borrowing Board) {
    let wish: NotificationSession.Wish? =
      switch board.notifications {
      case .off: nil
      case .calls: .calls
      case .all: .all
      case .apps: .apps
      }
    policy = board.notifications
    notifications = NotificationSession(wish ?? .calls)
    gadgetbridge = GadgetbridgeSession(wish, hasMusic: board.hasMusic)
  }

  /// When a request, or a call that rings, has taken too long; `nil` for never.
  package var deadline: Instant? {
    earlier(gadgetbridge.deadline, notifications.deadline)
  }

  // MARK: - The link

  /// Notes how far the connection has come; returns how far it had come before, if that has changed.
  package mutating func connectionIs(_ connection: Connection) -> Connection? {
    guard connection != self.connection else { return nil }
    defer { self.connection = connection }
    return self.connection
  }

  /// A link has led to the characteristic.
  package mutating func linkIsReady() {
    refusal = nil
    stumbles.linkIsReady()
  }

  /// The link is gone, and all that came over it.
  package mutating func linkIsGone() {
    (zone, isTimeRead) = (nil, false)
    musicIsGone()
    notifications.gone()
    gadgetbridge.linkWasLost()
  }

  /// The link ended for this reason; returns whether the rider may be told what helps.
  package mutating func linkEnded(_ reason: ErrorCode) -> Bool {
    stumbles.linkEnded(reason)
    return stumbles.isToBeTold
  }

  /// The rider was told what helps a phone that ends each link.
  package mutating func riderWasTold() { stumbles.wereTold() }

  // MARK: - Instructions

  /// Notes the phone's number for its present instruction.
  package mutating func hear(identifier: UInt32) { self.identifier = identifier }

  /// Notes why the phone refuses to be read; returns whether that reason is new on this link.
  package mutating func isNew(_ refusal: AttributeError) -> Bool {
    defer { self.refusal = refusal }
    return refusal != self.refusal
  }

  // MARK: - The clock

  package mutating func hear(zone value: Span<UInt8>) { zone = try? Zone(parsing: value) }

  /// Sets the clock; returns the time, if the value is one.
  package mutating func hear(time value: Span<UInt8>, at now: Instant) -> LocalTime? {
    guard let time = try? LocalTime(parsing: value) else { return nil }
    clock.set(Int64(widening: time.milliseconds), at: now)
    isTimeRead = true
    return time
  }

  /// Sets the clock to Gadgetbridge's time; returns that time, unless Current Time has brought a better one.
  package mutating func hear(_ told: Gadgetbridge.Clock, at now: Instant) -> LocalTime? {
    guard !isTimeRead, let time = told.localTime else { return nil }
    zone = told.zone
    clock.set(Int64(widening: time.milliseconds), at: now)
    return time
  }

  /// Whether the phone is to be asked for the time now; once.
  package mutating func takeDueClock(at now: Instant) -> Bool { clock.takeDueReading(at: now) }

  // MARK: - Music

  /// Notes what happened; returns whether the track is to be asked for.
  package mutating func hear(_ event: MusicPlayer.Event) -> Bool { player.note(event) }

  package mutating func hear(track value: Span<UInt8>) { _ = player.hear(update: value) }

  /// The phone allows other commands now.
  package mutating func hearCommands() { player.hearCommands() }

  /// Whether a refusal of the music is to be reported: once a link, and not of a track that is there.
  package mutating func takeMusicRefusal() -> Bool {
    guard player.state != .there, !isMusicRefusalTold else { return false }
    isMusicRefusalTold = true
    return true
  }

  /// The music's service is gone, and all that came from it.
  package mutating func musicIsGone() {
    isMusicRefusalTold = false
    _ = player.note(.gone)
  }

  /// Whether there is a page of music.
  package var hasMusic: Bool { player.state == .there || gadgetbridge.hasTrack }

  /// The title of the track, empty if unknown.
  package var musicTitle: Span<UInt8> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get {
      if gadgetbridge.hasTrack { return gadgetbridge.trackTitle.bytes }
      return player.title.bytes
    }
  }

  /// The artist of the track, empty if unknown.
  package var musicArtist: Span<UInt8> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get {
      if gadgetbridge.hasTrack { return gadgetbridge.trackArtist.bytes }
      return player.artist.bytes
    }
  }

  /// How to send a command to the player; `nil` if the phone does not allow it.
  package mutating func tellPlayer(_ command: MusicPlayer.Command) -> PlayerRoute? {
    if gadgetbridge.hasTrack { return .gadgetbridge(gadgetbridge.meaning(of: command)) }
    return player.ask(command) ? .remoteCommand : nil
  }

  /// How a command gets to the player.
  package enum PlayerRoute {
    case remoteCommand
    case gadgetbridge(Gadgetbridge.Answer.MusicCommand)
  }

  // MARK: - Gadgetbridge

  /// Takes the next byte that Gadgetbridge wrote; returns whether a line is complete now.
  package mutating func take(_ byte: UInt8, at now: Instant) -> Bool {
    gadgetbridge.take(byte, at: now)
  }

  /// Notes that a line came; returns whether it is the first one on this link.
  package mutating func noteLine() -> Bool { gadgetbridge.noteLine() }

  /// Reads the street of a turn from a text: see `GadgetbridgeSession`.
  package mutating func readStreet(
    _ text: Span<UInt8>, hasTurn: Bool
  ) -> Gadgetbridge.SpokenStreet {
    gadgetbridge.readStreet(text, hasTurn: hasTurn)
  }

  package mutating func hear(_ call: borrowing Gadgetbridge.Call, at now: Instant) {
    gadgetbridge.hear(call, at: now)
  }

  /// Hears a notice; one of an app that is not in the rider's list is dropped.
  package mutating func hear(_ notice: borrowing Gadgetbridge.Notice) {
    if policy.shows(notice.app.bytes) { gadgetbridge.hear(notice) }
  }

  /// The phone no longer shows the notice of this number.
  package mutating func removeNotice(_ identifier: Int64) { gadgetbridge.remove(identifier) }

  package mutating func hear(_ track: borrowing Gadgetbridge.Track) { gadgetbridge.hear(track) }

  package mutating func hear(_ player: Gadgetbridge.Message.Player) { gadgetbridge.hear(player) }

  // MARK: - Notifications

  /// The number of the call that rings.
  package var call: UInt32? {
    switch teller {
    case .iPhone: notifications.call?.uid
    case .gadgetbridge: gadgetbridge.call
    }
  }

  /// The caller, or the title of the last notification.
  package var noticeTitle: Span<UInt8> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get {
      if teller == .gadgetbridge { return gadgetbridge.title.bytes }
      return notifications.title.bytes
    }
  }

  /// The text of the last notification.
  package var noticeMessage: Span<UInt8> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get {
      if teller == .gadgetbridge { return gadgetbridge.message.bytes }
      return notifications.message.bytes
    }
  }

  /// Hears an event of a characteristic, with its value; returns whether the characteristic is of the service.
  ///
  /// `isWhole` says whether the texts of a notification can be requested and received.
  package mutating func hear(
    _ event: AttributeEvent, ofNotifications characteristic: UUID, isWhole: Bool,
    _ value: Span<UInt8>, at now: Instant
  ) -> Bool {
    switch (characteristic, event) {
    case (.notificationSource, .found) where isWhole: notifications.found(at: now)
    case (.controlPoint, .written): notifications.written(at: now)
    case (.controlPoint, .refused(let code)), (.dataSource, .refused(let code)),
      (.notificationSource, .refused(let code)):
      notifications.refused(code.rawValue, at: now)
    case (.notificationSource, .notified): notifications.hear(source: value, at: now)
    case (.dataSource, .notified): notifications.hear(data: value, at: now)
    case (.dataSource, .lost), (.notificationSource, .lost): notifications.gone()
    default: return false
    }
    return true
  }

  /// The phone was paired with on this link, and its rider may not have allowed anything yet.
  package mutating func paired(at now: Instant) { notifications.paired(at: now) }

  package mutating func advance(to now: Instant) {
    notifications.advance(to: now)
    gadgetbridge.advance(to: now)
  }

  /// Takes the next news; Gadgetbridge's notices wait until `hasTime`.
  package mutating func takeNews(hasTime: Bool) -> NotificationSession.News? {
    if let news = notifications.takeNews() {
      if news == .other { isAppNew = true }
      if news != .other || policy.shows(notifications.app.bytes) {
        teller = .iPhone
        return news
      }
    }
    guard let news = gadgetbridge.takeNews(hasTime: hasTime) else { return nil }
    teller = .gadgetbridge
    return news
  }

  /// Whether a notification has come since this was asked last.
  package mutating func takeNewApp() -> Bool {
    defer { isAppNew = false }
    return isAppNew
  }

  /// Whether to renew all subscriptions to the phone's notifications; once.
  package mutating func takeRenewal() -> Bool { notifications.takeRenewal() }

  /// The next request about the phone's notifications, if any; with `callsOnly` only about calls.
  package mutating func takeRequest(callsOnly: Bool, at now: Instant) -> ShortValue? {
    var request = FixedBuffer<12>()
    guard notifications.takeRequest(into: &request, callsOnly: callsOnly, at: now)
    else { return nil }
    return ShortValue(request.bytes)
  }

  /// The rider takes the call, or refuses it; returns the command for Gadgetbridge, if the call came from there.
  package mutating func act(
    _ action: NotificationSession.Action
  ) -> Gadgetbridge.Answer.CallCommand? {
    switch teller {
    case .iPhone:
      notifications.act(action)
      return nil
    case .gadgetbridge:
      guard gadgetbridge.call != nil else { return nil }
      gadgetbridge.endCall()
      return action == .accept ? .accept : .refuse
    }
  }
}

/// How often in a row the remembered phone has ended a link as a phone does whose Bluetooth is stuck.
///
/// Users of other devices often report both codes; it helps to switch the phone's Bluetooth off and on.
struct Stumbles {
  /// As many failures as put a key in doubt.
  private static var countToTell: Int { 3 }

  private var count = 0
  private var isTold = false

  /// Whether the rider is to be told.
  package var isToBeTold: Bool { count >= Self.countToTell && !isTold }

  /// A link, or the attempt at one, ended for this reason.
  package mutating func linkEnded(_ reason: ErrorCode) {
    switch reason {
    case .unspecifiedError, .connectionTerminatedDueToMICFailure:
      count = min(count + 1, Self.countToTell)
    default: break
    }
  }

  /// The rider has been told, and is not told again in this row.
  mutating func wereTold() { isTold = true }

  /// A link has led to a ride.
  package mutating func linkIsReady() { self = Stumbles() }
}

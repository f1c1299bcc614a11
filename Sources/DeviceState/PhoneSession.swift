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
  private var isMusicRefusalReported = false
  /// What the rider wants to see of notifications.
  private let policy: NotificationPolicy
  package private(set) var notifications: NotificationSession
  /// Whether `notifications.app` is new.
  private var isAppNew = false
  package private(set) var gadgetbridge: GadgetbridgeSession
  /// The source of the last call or notification, which is the one that is shown.
  private var noticeSource = NoticeSource.iPhone

  private enum NoticeSource {
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

  /// The link ended for this reason; returns whether to advise the rider now, if there is room for advice.
  package mutating func linkEnded(_ reason: ErrorCode, hasRoom: Bool) -> Bool {
    stumbles.linkEnded(reason)
    return hasRoom && stumbles.takeAdvice()
  }

  // MARK: - Instructions

  /// Receives the phone's number for its present instruction.
  package mutating func receive(identifier: UInt32) { self.identifier = identifier }

  /// Receives why the phone refuses to be read; returns whether that reason is new on this link.
  package mutating func receive(refusal: AttributeError) -> Bool {
    defer { self.refusal = refusal }
    return refusal != self.refusal
  }

  // MARK: - The clock

  package mutating func receive(zone value: Span<UInt8>) { zone = try? Zone(parsing: value) }

  /// Sets the clock; returns the time, if the value is one.
  package mutating func receive(time value: Span<UInt8>, at now: Instant) -> LocalTime? {
    guard let time = try? LocalTime(parsing: value) else { return nil }
    clock.set(Int64(widening: time.milliseconds), at: now)
    isTimeRead = true
    return time
  }

  /// Sets the clock to Gadgetbridge's time; returns that time, unless Current Time has brought a better one.
  package mutating func receive(_ sent: Gadgetbridge.Clock, at now: Instant) -> LocalTime? {
    guard !isTimeRead, let time = sent.localTime else { return nil }
    zone = sent.zone
    clock.set(Int64(widening: time.milliseconds), at: now)
    return time
  }

  // MARK: - Music

  /// What follows from an event of the music.
  package enum MusicOutcome {
    case nothing
    /// The track is to be requested.
    case request
    /// The refusal is to be reported: once a link, and not of a track that is there.
    case refusal(AttributeError)
  }

  /// Handles an event of a characteristic of the music, with its value.
  package mutating func receive(
    _ event: AttributeEvent, ofMusic characteristic: UUID, _ value: Span<UInt8>
  ) -> MusicOutcome {
    switch (characteristic, event) {
    case (.entityUpdate, .found): if player.receive(.found) { return .request }
    case (.entityUpdate, .written): _ = player.receive(.accepted)
    case (.entityUpdate, .refused(let code)):
      let isNew = player.state != .there && !isMusicRefusalReported
      _ = player.receive(.refused)
      guard isNew else { break }
      isMusicRefusalReported = true
      return .refusal(code)
    case (.entityUpdate, .notified): _ = player.receive(update: value)
    case (.entityUpdate, .lost): musicIsGone()
    case (.remoteCommand, .notified): player.receiveCommands()
    case (.remoteCommand, .refused): _ = player.receive(.commandRefused)
    default: break
    }
    return .nothing
  }

  /// The music's service is gone, and all that came from it.
  private mutating func musicIsGone() {
    isMusicRefusalReported = false
    _ = player.receive(.gone)
  }

  /// Whether there is a page of music.
  package var hasMusic: Bool { player.state == .there || gadgetbridge.hasTrack }

  /// The title of the track, empty if unknown.
  package var musicTitle: Span<UInt8> {
    if gadgetbridge.hasTrack { return gadgetbridge.trackTitle.bytes }
    return player.title.bytes
  }

  /// The artist of the track, empty if unknown.
  package var musicArtist: Span<UInt8> {
    if gadgetbridge.hasTrack { return gadgetbridge.trackArtist.bytes }
    return player.artist.bytes
  }

  /// How to send a command to the player; `nil` if the phone does not allow it.
  package mutating func routeToPlayer(_ command: MusicPlayer.Command) -> PlayerRoute? {
    if gadgetbridge.hasTrack { return .gadgetbridge(gadgetbridge.meaning(of: command)) }
    return player.ask(command) ? .remoteCommand : nil
  }

  /// How a command gets to the player.
  package enum PlayerRoute {
    case remoteCommand
    case gadgetbridge(Gadgetbridge.Answer.MusicCommand)
  }

  // MARK: - Gadgetbridge

  /// Handles a byte that Gadgetbridge wrote; returns the line that it completes.
  package mutating func receive(_ byte: UInt8, at now: Instant) -> GadgetbridgeSession.Line? {
    gadgetbridge.receive(byte, at: now)
  }

  /// Reads the street of a turn from a text: see `GadgetbridgeSession`.
  package mutating func readStreet(
    _ text: Span<UInt8>, hasTurn: Bool
  ) -> Gadgetbridge.SpokenStreet {
    gadgetbridge.readStreet(text, hasTurn: hasTurn)
  }

  /// Handles what Gadgetbridge says of calls, notices and music; a notice of an app that is not in the rider's list is
  /// dropped.
  package mutating func receive(_ message: borrowing Gadgetbridge.Message, at now: Instant) {
    switch message {
    case .notice(let notice): guard shows(notice) else { return }
    default: break
    }
    gadgetbridge.receive(message, at: now)
  }

  private func shows(_ notice: borrowing Gadgetbridge.Notice) -> Bool {
    policy.shows(notice.app.bytes)
  }

  // MARK: - Notifications

  /// The number of the call that rings.
  package var call: UInt32? {
    switch noticeSource {
    case .iPhone: notifications.call?.uid
    case .gadgetbridge: gadgetbridge.call
    }
  }

  /// The caller, or the title of the last notification.
  package var noticeTitle: Span<UInt8> {
    if noticeSource == .gadgetbridge { return gadgetbridge.title.bytes }
    return notifications.title.bytes
  }

  /// The text of the last notification.
  package var noticeMessage: Span<UInt8> {
    if noticeSource == .gadgetbridge { return gadgetbridge.message.bytes }
    return notifications.message.bytes
  }

  /// Receives an event of a characteristic, with its value; returns whether the characteristic is of the service.
  ///
  /// `isWhole` says whether the texts of a notification can be requested and received.
  package mutating func receive(
    _ event: AttributeEvent, ofNotifications characteristic: UUID, isWhole: Bool,
    _ value: Span<UInt8>, at now: Instant
  ) -> Bool {
    switch (characteristic, event) {
    case (.notificationSource, .found) where isWhole: notifications.found(at: now)
    case (.controlPoint, .written): notifications.written(at: now)
    case (.controlPoint, .refused(let code)), (.dataSource, .refused(let code)),
      (.notificationSource, .refused(let code)):
      notifications.refused(code.rawValue, at: now)
    case (.notificationSource, .notified): notifications.receive(source: value, at: now)
    case (.dataSource, .notified): notifications.receive(data: value, at: now)
    case (.dataSource, .lost), (.notificationSource, .lost): notifications.gone()
    default: return false
    }
    return true
  }

  /// The phone was paired with on this link, and its rider may not have allowed anything yet.
  package mutating func paired(at now: Instant) { notifications.paired(at: now) }

  /// Advances to `now`; returns whether the phone is to be asked for the time.
  package mutating func advance(to now: Instant) -> Bool {
    notifications.advance(to: now)
    gadgetbridge.advance(to: now)
    return clock.takeDueReading(at: now)
  }

  /// Takes the next outcome; Gadgetbridge's notices wait until `hasTime`.
  package mutating func takeOutcome(hasTime: Bool) -> NotificationSession.Outcome? {
    if let outcome = notifications.takeOutcome() {
      if outcome == .other { isAppNew = true }
      if outcome != .other || policy.shows(notifications.app.bytes) {
        noticeSource = .iPhone
        return outcome
      }
    }
    guard let outcome = gadgetbridge.takeOutcome(hasTime: hasTime) else { return nil }
    noticeSource = .gadgetbridge
    return outcome
  }

  /// Whether a notification has come since this was asked last.
  package mutating func takeNewApp() -> Bool {
    defer { isAppNew = false }
    return isAppNew
  }

  /// What the phone is asked about its notifications.
  package enum Request {
    /// All subscriptions are to be renewed.
    case renewal
    /// This is to be written to Control Point.
    case value(ShortValue)
  }

  /// The next request about the phone's notifications, if any; with `callsOnly` only about calls.
  package mutating func takeRequest(callsOnly: Bool, at now: Instant) -> Request? {
    // A request during a renewal would get no answer.
    if notifications.takeRenewal() { return .renewal }
    var value = FixedBuffer<12>()
    guard notifications.takeRequest(into: &value, callsOnly: callsOnly, at: now)
    else { return nil }
    return .value(ShortValue(value.bytes))
  }

  /// The rider takes the call, or refuses it; returns the command for Gadgetbridge, if the call came from there.
  package mutating func act(
    _ action: NotificationSession.Action
  ) -> Gadgetbridge.Answer.CallCommand? {
    switch noticeSource {
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
  private static var countToAdvise: Int { 3 }

  private var count = 0
  private var isAdviceGiven = false

  /// A link, or the attempt at one, ended for this reason.
  package mutating func linkEnded(_ reason: ErrorCode) {
    switch reason {
    case .unspecifiedError, .connectionTerminatedDueToMICFailure:
      count = min(count + 1, Self.countToAdvise)
    default: break
    }
  }

  /// Whether to advise the rider now; once in this row.
  mutating func takeAdvice() -> Bool {
    guard count >= Self.countToAdvise, !isAdviceGiven else { return false }
    isAdviceGiven = true
    return true
  }

  /// A link has led to a ride.
  package mutating func linkIsReady() { self = Stumbles() }
}

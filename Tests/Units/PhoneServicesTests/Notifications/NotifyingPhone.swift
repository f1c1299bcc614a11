import Bytes
import PhoneServices
import TestSupport

/// A session that can be looked at in an expectation, at a time that passes as it is told.
final class NotifyingPhone {
  private var session: NotificationSession
  private(set) var now: Int64 = 0

  init(_ wish: NotificationSession.Wish = .all) {
    session = NotificationSession(wish)
    session.found(at: Instant(milliseconds: now))
    pass(20_000)
  }

  /// One that has been asked for the notification 7, which is a call where only calls are requested.
  static func asked(_ wish: NotificationSession.Wish = .all) -> NotifyingPhone {
    let phone = NotifyingPhone(wish)
    if wish == .calls { phone.rings(7) } else { phone.mail(7) }
    _ = phone.said
    return phone
  }

  private var instant: Instant { Instant(milliseconds: now) }
  var news: NotificationSession.Outcome? { session.takeOutcome() }
  var call: UInt32? { session.call?.uid }
  var title: String { Self.texts(of: session)[0] }
  var message: String { Self.texts(of: session)[1] }
  var app: String { Self.texts(of: session)[2] }

  func paired() { session.paired(at: instant) }
  func found() { session.found(at: instant) }
  func gone() { session.gone() }
  func pass(_ time: Int64) {
    now += time
    session.advance(to: instant)
  }
  func source(_ text: String) {
    let value = bytes(text)
    session.receive(source: value.span, at: instant)
  }
  func mail(_ uid: UInt8, flags: String = "18") {
    source("00 \(flags) 06 01 \(hex([uid])) 00 00 00")
  }
  func rings(_ uid: UInt8, flags: String = "18") {
    source("00 \(flags) 01 01 \(hex([uid])) 00 00 00")
  }
  func ends(_ uid: UInt8) { source("02 00 01 00 \(hex([uid])) 00 00 00") }
  func data(_ value: [UInt8]) { session.receive(data: value.span, at: instant) }
  func answer(_ uid: UInt8, _ title: String, _ message: String? = nil, app: String? = nil) {
    var value: [UInt8] = [0, uid, 0, 0, 0]
    if let app { value += [0, UInt8(app.utf8.count), 0] + Array(app.utf8) }
    value += [1, UInt8(title.utf8.count), 0] + Array(title.utf8)
    if let message { value += [3, UInt8(message.utf8.count), 0] + Array(message.utf8) }
    data(value)
  }
  /// Takes the question, and answers it.
  func reply(_ uid: UInt8, _ title: String, _ message: String? = nil, app: String? = nil) {
    written()
    answer(uid, title, message, app: app)
  }
  func written() { session.written(at: instant) }
  func refused(_ code: UInt8) { session.refused(code, at: instant) }
  func act(_ action: NotificationSession.Action) { session.act(action) }
  /// Whether all is to be subscribed to once more.
  var isToBeRenewed: Bool { session.takeRenewal() }
  var said: String? {
    var request = FixedBuffer<12>()
    guard session.takeRequest(into: &request, at: instant) else { return nil }
    return hex(array(request.bytes))
  }

  /// How long it takes until this is said, looked at each second.
  func pause(until request: String) -> Int64 {
    let before = now
    while said != request { pass(1_000) }
    return now - before
  }

  private static func texts(of session: borrowing NotificationSession) -> [String] {
    [string(session.title.bytes), string(session.message.bytes), string(session.app.bytes)]
  }

  /// Asks about a notification that no phone has.
  static let probe = "00 ff ff ff ff 01 80 00"
  static let mailRequest = "00 07 00 00 00 01 80 00 03 c8 00"
  /// With the app, which has no length.
  static let appRequest = "00 07 00 00 00 00 01 80 00 03 c8 00"
  static let callRequest = "00 07 00 00 00 01 80 00"
}

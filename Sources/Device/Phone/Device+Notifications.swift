import ATT
import BoardFile
import Bytes
import Central
import Navigation
import Panel
import PhoneServices

/// Calls, and what else the phone notifies of: when they show, and what a press does then.
extension Device {
  mutating func hearNotifications(_ event: NotificationsEvent, at now: Instant) {
    switch event {
    case .found: session.found(at: now)
    case .written: session.written(at: now)
    case .refused(let code): session.refused(code.rawValue, at: now)
    case .source: session.hear(source: host.value, at: now)
    case .data: session.hear(data: host.value, at: now)
    case .gone: return leaveNotifications(at: now)
    }
    tendNotifications(at: now)
  }

  mutating func advanceNotifications(to now: Instant) {
    session.advance(to: now)
    tendNotifications(at: now)
  }

  /// The link or the service is gone: nobody rings any more, and nothing is left to show.
  mutating func leaveNotifications(at now: Instant) {
    session.gone()
    scene.endBanner()
    tendNotifications(at: now)
  }

  /// Tells what is new, and asks what is to be asked next.
  private mutating func tendNotifications(at now: Instant) {
    switch session.takeNews() {
    case .call?:
      scene.endBanner()
      usePanel(.attention, at: now)
      scene.isChanged = true
    case .callEnded?: scene.isChanged = true
    case .other? where hasTimeForBanner: scene.showBanner(at: now)
    case .other?, nil: break
    case .forbidden(let code)?: notificationsForbidden(code, at: now)
    }
    // What is asked meanwhile would get no answer.
    guard !session.takeRenewal() else { return host.step(.ask(.notifications), at: now) }
    var request = FixedBuffer<12>()
    let callsOnly = !scene.mayShowBanner || !hasTimeForBanner
    guard session.takeRequest(into: &request, callsOnly: callsOnly, at: now) else { return }
    scene.endBanner()
    host.step(.ask(.notification(ShortValue(request.bytes))), at: now)
  }

  private mutating func notificationsForbidden(_ code: UInt8, at now: Instant) {
    var message = Explanation()
    message.append("the phone does not let its notifications be read: error 0x")
    message.append(hex: UInt64(widening: UInt32(code)), atLeast: 2)
    message.append(": allow it in the Bluetooth settings of the phone")
    fail(.phone, message.bytes, at: now)
  }

  /// Whether a turn is so far that something else may take its place for a moment.
  private var hasTimeForBanner: Bool {
    guard scene.question == nil, !isCallShown else { return false }
    return switch guidance.level {
    case .none, .depart, .low: true
    case .medium, .high, .arrive: false
    }
  }

  /// Whether the call that rings shows: not while a turn is due, or the rider is asked something else.
  var isCallShown: Bool {
    session.call != nil && scene.question == nil && !guidance.isMarked && !guidance.isInverted
  }

  /// Takes the call that rings, or refuses it.
  mutating func answerCall(_ action: NotificationSession.Action, at now: Instant) {
    session.act(action)
    tendNotifications(at: now)
  }
}

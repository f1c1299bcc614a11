import ATT
import BoardFile
import Bytes
import Central
import DeviceState
import Navigation
import Panel
import PhoneServices
import Recording

/// Calls and other notifications of the phone: when they show, and what a press does then.
extension Device {
  mutating func receiveNotifications(
    _ event: AttributeEvent, of characteristic: UUID, at now: Instant
  ) {
    let isWhole = host.hasValueHandle(of: .controlPoint) && host.isSubscribed(to: .dataSource)
    let isOfService = phone.receive(
      event, ofNotifications: characteristic, isWhole: isWhole, host.value, at: now)
    guard isOfService else { return }
    if event == .lost { scene.endBanner() }
    tendNotifications(at: now)
  }

  mutating func advancePhone(to now: Instant) {
    if phone.advance(to: now) { askForTime(at: now) }
    tendNotifications(at: now)
  }

  /// Shows or reports what is new, and sends the next request.
  mutating func tendNotifications(at now: Instant) {
    switch phone.takeOutcome(hasTime: hasTimeForBanner && scene.mayShowBanner) {
    case .call?:
      scene.endBanner()
      usePanel(.attention, at: now)
    case .other? where hasTimeForBanner: scene.showBanner(at: now)
    case .callEnded?, .other?, nil: break
    case .forbidden(let code)?:
      phoneFailed(
        "does not let its notifications be read", error: code,
        remedy: ": allow it in the Bluetooth settings of the phone", at: now)
    }
    if phone.takeNewApp() { store.see(phone.notifications.app.bytes) }
    let callsOnly = !scene.mayShowBanner || !hasTimeForBanner
    switch phone.takeRequest(callsOnly: callsOnly, at: now) {
    case .renewal?: renewNotifications(at: now)
    case .value(let value)?:
      scene.endBanner()
      step(.ask(.write(value, to: .controlPoint)), at: now)
    case nil: break
    }
  }

  /// Renews the subscriptions, so that the phone sends its notifications once more.
  private mutating func renewNotifications(at now: Instant) {
    step(.ask(.renew(.controlPoint)), at: now)
    step(.ask(.renew(.dataSource)), at: now)
    step(.ask(.renew(.notificationSource)), at: now)
  }

  /// Whether a turn is so far away that something else may take its place for a moment.
  private var hasTimeForBanner: Bool {
    guard scene.question == nil, !isCallShown else { return false }
    return switch guidance.level {
    case .none, .depart, .low: true
    case .medium, .high, .arrive: false
    }
  }

  /// Whether the call that rings shows: not while a turn is due, or the rider is asked something else.
  var isCallShown: Bool {
    phone.call != nil && scene.question == nil && !guidance.isMarked
      && !guidance.isInverted
  }

  /// Takes the call that rings, or refuses it.
  mutating func answerCall(_ action: NotificationSession.Action, at now: Instant) {
    if let command = phone.act(action) { say(.call(command), at: now) }
    tendNotifications(at: now)
  }
}

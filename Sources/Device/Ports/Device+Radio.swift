import BoardFile
package import Bytes
import Central
import Controller
package import DeviceState
import HCI
import Recording

/// The controller's port: when it is opened, what failed, and what brings it back.
extension Device {
  /// What is wrong with the radio, while something is.
  package var radioTrouble: RadioTrouble? { upkeep.radioTrouble }

  /// Notes that a connection to the controller is being made, which takes a while.
  package mutating func radioOpeningBegan(at now: Instant) {
    note(.radioOpening, at: now)
    upkeep.beginOpening(.hci)
  }

  /// Notes that the transport is open, and brings the controller up from Reset on.
  ///
  /// That waits until the store was read once: a stranger must not take the place of a phone that
  /// cannot be read at the moment.
  package mutating func radioWasOpened(at now: Instant) {
    note(.radioOpen, at: now)
    upkeep.wasOpened(.hci)
    if store.isAwaited { upkeep.radioRests() } else { startHost(at: now) }
  }

  mutating func startHost(at now: Instant) {
    host.step(.start, at: now)
    handleHostEvents(at: now)
  }

  /// Notes that the transport failed, or could not be opened.
  package mutating func radioFailed(_ failure: RadioFailure, at now: Instant) {
    note(.radioFailed(failure), at: now)
    host.stop(at: now)
    tell(upkeep.radioFailed(failure, at: now), at: now)
    // The link is lost because of that.
    handleHostEvents(at: now)
  }

  /// The controller itself failed: the host goes on from Reset, or the transport is opened again.
  mutating func controllerFailed(_ failure: HostFailure, at now: Instant) {
    let news = upkeep.controllerFailed(failure, at: now)
    if news.step != .reset { host.stop(at: now) }
    tell(news, at: now)
  }

  /// Takes the step whose time has come.
  mutating func climb(at now: Instant) {
    guard let step = upkeep.takeStep(at: now) else { return }
    if step == .rebind { host.stop(at: now) }
    tell(step, at: now)
    handleHostEvents(at: now)
  }

  private mutating func tell(_ news: RadioNews, at now: Instant) {
    if news.isToBeTold {
      var message = Explanation()
      upkeep.radioTrouble?.explain(board.hci, upkeep.recovery.lastStep, into: &message)
      fail(.hci, message.bytes, at: now)
    }
    if let step = news.step { tell(step, at: now) }
  }

  private mutating func tell(_ step: RecoveryStep, at now: Instant) {
    log.recovery(step, count: upkeep.count(step), at: now)
  }

  /// Whether the controller's driver is to be unbound and bound again; `rebindWasAsked` ends it.
  package var isRebindWished: Bool { upkeep.isRebindDue }

  /// Notes that the program that can do so was asked to unbind the controller's driver and bind it again.
  package mutating func rebindWasAsked() { upkeep.rebindWasAsked() }

  /// Whether the watchdog is to be starved, so that the board is started again.
  package var isRebootWished: Bool { upkeep.recovery.isRebooting }

  /// No phone can connect by itself, for good or for now; the search goes on.
  mutating func advertisingRefused(_ code: ErrorCode, at now: Instant) {
    var message = Explanation()
    message.append("the Bluetooth chip refuses to advertise (error ")
    message.append(decimal: Int64(widening: Int(code.rawValue)))
    message.append("): no phone can connect by itself")
    message.append(
      code == .commandDisallowed ? "; Lenker tries again each minute" : "; set advertise = off")
    fail(.hci, message.bytes, at: now)
  }
}

import Bytes
import DeviceState
import Navigation
import Recording

/// Alerts: what follows from a new level of the turn, and the line that it drives.
extension Device {
  /// The level that the alert line is to get now; `nil` while it has the right one.
  package var alertChange: Bool? {
    guard upkeep.isOpen(.alert) else { return nil }
    return ride.alert.change
  }

  /// Notes that the alert line was set to this level.
  package mutating func alertWasSet(_ isHigh: Bool) {
    ride.alertLineIs(high: isHigh)
  }

  /// Announces a new level, and goes on with the line's pattern; call it whenever either may be due.
  mutating func advanceAlerts(to now: Instant) {
    guard let level = ride.advanceAlert(to: now) else { return }
    log.alert(level, at: now)
    if level > .low { scene.endBanner() }
    // No other page hides a turn that is due.
    if ride.guidance.isInverted { scene.showTurn() }
    if level == .arrive {
      scene.showArrival(at: now)
      desk.rideIsOver()
    }
  }
}

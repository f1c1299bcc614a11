import Bytes
import Navigation

/// Alerts: what follows from a new level of the turn, and the line that it drives.
extension Device {
  /// The level that the alert line is to get now; `nil` while it has the right one.
  package var alertChange: Bool? {
    guard ports.alert.isOpen else { return nil }
    return alert.change
  }

  /// Notes that the alert line was set to this level.
  package mutating func alertWasSet(_ isHigh: Bool) { alert.lineIs(high: isHigh) }

  /// Announces a new level, and goes on with the line's pattern; call it whenever either may be due.
  mutating func advanceAlerts(to now: Instant) {
    if let level = guidance.takeAnnouncement() {
      log.alert(level, at: now)
      if level > .low { scene.endBanner() }
      if guidance.isTurning { alert.begin(level, at: now) }
      // No other page hides a turn that is due.
      if guidance.isInverted { scene.showTurn() }
      if level == .arrive {
        scene.showArrival(at: now)
        desk.rideIsOver()
      }
    }
    if guidance.takeSecondCue() { alert.beginSecondCue(at: now) }
    alert.advance(to: now)
  }
}

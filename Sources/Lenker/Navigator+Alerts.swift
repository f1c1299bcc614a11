import Bytes
import Linux
import Navigation

/// What follows from the level of the turn, and the line that it drives.
extension Navigator {
  /// Tells of a level that is new, and lets the line go on; to be called whenever either may be due.
  mutating func followAlerts(at now: Instant) {
    if let level = guidance.takeAnnouncement() {
      log.alert(level, at: now)
      alertLine.announce(level, at: now)
      // No other page hides a turn that is due.
      if guidance.isInverted { scene.showRide() }
    }
    do throws(Errno) {
      try alertLine.advance(to: now)
    } catch {
      reportAlertLine(error, at: now)
    }
  }

  mutating func openAlertLine(at now: Instant) {
    do throws(Errno) {
      try alertLine.open(board, at: now)
    } catch {
      reportAlertLine(error, at: now)
    }
  }

  /// The program ends.
  mutating func silenceAlertLine(at now: Instant) {
    do throws(Errno) {
      try alertLine.shutDown()
    } catch {
      reportAlertLine(error, at: now)
    }
  }

  private mutating func reportAlertLine(_ reason: Errno, at now: Instant) {
    var message = Explanation()
    reason.explainAlert(board, into: &message)
    log.failed(.gpio, message.bytes, at: now)
  }
}

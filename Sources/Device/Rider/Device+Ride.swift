import Beacons
import BoardFile
import Bond
import BondFile
package import Bytes
import Central
package import DeviceState
import Navigation
import Panel
import Recording
import Turns

/// What a wheel has to do with the ride.
extension Device {
  /// Receives how far the wheel has rolled in all, in millimetres, and its speed in mm/s where it is known.
  package mutating func receiveWheel(distance: Int64, speed: Int64?, at now: Instant) {
    if guidance.receiveWheel(distance: distance, speed: speed, at: now) {
      usePanel(.motion, at: now)
    }
  }

  /// The wheel's sensor is away.
  package mutating func wheelWasLost(at now: Instant) {
    guidance.wheelWasLost(at: now)
  }

  /// Reports the progress to the turn, as often as `ProgressLog` allows.
  mutating func reportProgress(at now: Instant) {
    guard let progress = guidance.progress, progressLog.receive(progress, at: now) else { return }
    let identifier = guidance.source == .komoot ? phone.identifier : nil
    log.progress(progress, identifier, at: now)
  }
}

/// Alerts: what follows from a new level of the turn, and the line that it drives.
extension Device {
  /// The level that the alert line is to get now; `nil` while it has the right one.
  package var alertChange: AlertPattern.LineLevel? {
    guard upkeep.ports[.alert].isOpen else { return nil }
    return alert.change
  }

  /// Notes that the alert line was set to this level.
  package mutating func alertWasSet(_ level: AlertPattern.LineLevel) {
    alert.lineIs(level)
  }

  /// Announces a new level, and goes on with the line's pattern; call it whenever either may be due.
  mutating func advanceAlerts(to now: Instant) {
    let level = guidance.takeAnnouncement()
    let side = guidance.turn.maneuver.side
    if let level, guidance.isTurning { alert.begin(level, toward: side, at: now) }
    if guidance.takeSecondCue() { alert.beginSecondCue(toward: side, at: now) }
    alert.advance(to: now)
    guard let level else { return }
    log.alert(level, at: now)
    if level > .low { scene.endBanner() }
    // No other page hides a turn that is due.
    if guidance.isInverted { scene.showTurn() }
    if level == .arrive {
      scene.showArrival(at: now)
      desk.rideIsOver()
    }
  }
}

/// What follows from being at home: the beacon decides nothing that the rider is about to see.
extension Device {
  /// Nothing is due while anything but the search has the radio.
  var homeDeadline: Instant? { host.listening == .on ? home.deadline : nil }

  /// Acts on whether the beacon is heard; `advance` does so, unless that comes from a report.
  package mutating func concludeHome(isHere: Bool, at now: Instant) {
    note(.home(isHere: isHere), at: now)
    home.conclude(isHere: isHere)
    tendHome(at: now)
  }

  /// Somebody uses the device: for ten minutes it is not at rest.
  mutating func noteUse(at now: Instant) {
    home.use(at: now)
    step(.used, at: now)
  }

  /// Finds out whether the device is at home or at rest, and adapts the host's search to that.
  mutating func tendHome(at now: Instant) {
    guard let state = home.advance(while: host.listening, to: now) else { return }
    homeChanged(to: state, at: now)
    step(.rest(isAtRest: state == .atRest), at: now)
  }

  private mutating func homeChanged(to state: HomeState, at now: Instant) {
    let isAtHome = state != .away
    if wayWatch.update(isAtHome: isAtHome) { log.home(isHere: isAtHome, at: now) }
    if state == .atRest { usePanel(.rest, at: now) }
  }
}

/// The wheel's circumference: set in the board file, or learned from the phone's distances and kept over a restart.
extension Device {
  /// The circumference to use from now on, in millimetres.
  var circumference: Int64 {
    if let wheel = board.wheel { return Int64(widening: Int(wheel)) }
    return guidance.circumference ?? Guidance.usualCircumference
  }

  /// Begins to learn the circumference, if it is to be learned.
  mutating func beginCalibration() {
    if board.wheel == nil { guidance.calibrateWheel(from: Guidance.usualCircumference) }
  }

  /// Goes on from the stored circumference, unless one was learned since the start.
  mutating func restoreCircumference() {
    let kept = Int64(widening: Int(store.records.circumference))
    guard board.wheel == nil, kept > 0, kept != circumference, !store.hasLearned else {
      return
    }
    guidance.calibrateWheel(from: kept)
  }

  /// Writes a circumference that was learned, once a ride, when nothing else is to be written.
  ///
  /// An earlier write includes it. A failed write is not retried.
  mutating func saveCircumference() {
    if let learned = guidance.takeCircumferenceToSave() {
      store.keep(circumference: UInt16(truncatingIfNeeded: learned))
    }
    guard upkeep.ports[.store].isOpen, store.takeCircumferenceIfDue() else { return }
    store.save(isDim: display.power.isDimByHand, besideBondOf: host)
  }
}

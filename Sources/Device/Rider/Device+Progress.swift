package import Bytes
import DeviceState
import Navigation
import Panel
import Recording
import Turns

/// What a wheel has to do with the ride.
extension Device {
  /// Hears how far the wheel has rolled in all, in millimetres, and its speed in mm/s where it is known.
  package mutating func hearWheel(distance: Int64, speed: Int64?, at now: Instant) {
    if ride.hearWheel(distance: distance, speed: speed, at: now) { usePanel(.motion, at: now) }
  }

  /// The wheel's sensor is away.
  package mutating func wheelWasLost(at now: Instant) {
    ride.wheelWasLost(at: now)
  }

  /// Tells how far the turn is, as often as that is to be told.
  mutating func tellProgress(at now: Instant) {
    guard let progress = ride.takeProgress(at: now) else { return }
    let identifier = ride.guidance.source == .komoot ? phone.identifier : nil
    log.progress(progress, identifier, at: now)
  }
}

import Beacons
package import Bytes
import HCI
import Search

/// Whether the device is at home, where nobody is searched for in a hurry.
extension Host {
  /// Whether the device is at home, as far as is known.
  package var isAtHome: Bool { home.isHere }

  /// Somebody uses the device: for ten minutes it is not at rest.
  package mutating func noteUse(at now: Instant) {
    withHome { $0.use(at: now) }
    withAdvertiser { $0.stayAwake(at: now) }
    tendHome(at: now)
  }

  /// Finds where the device is, and listens as hard as that is worth.
  mutating func tendHome(at now: Instant) {
    let isListening: Bool? =
      switch phase {
      case .idle: nil
      case .connected where isRide, .disconnecting where isRide: nil
      default: isListening
      }
    guard let state = withHome({ $0.advance(isListening: isListening, to: now) }) else { return }
    noteForSearch(.rests(state == .atRest))
    report(.home(state))
    if case .scanning(let mode) = phase, search.mode != mode { scan(at: now) }
  }
}

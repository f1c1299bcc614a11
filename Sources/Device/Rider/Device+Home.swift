import Beacons
import Bytes
import Central
import DeviceState
import Panel
import Recording

/// What follows from being at home: the beacon decides nothing that the rider is about to see.
extension Device {
  mutating func homeChanged(to state: HomeState, at now: Instant) {
    let isAtHome = state != .away
    if ride.isNews(isAtHome: isAtHome) { log.home(isHere: isAtHome, at: now) }
    if state == .atRest { usePanel(.rest, at: now) }
  }
}

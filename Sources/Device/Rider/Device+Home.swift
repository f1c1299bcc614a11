import Beacons
import Bytes
import Central
import Panel

/// Sees by the phone's distances whether the rider is on the way.
struct WayWatch {
  /// In metres: so much a phone that lies still may be wrong.
  private static var leastChange: UInt32 { 20 }

  private var metres: UInt32?

  /// Hears how far the turn is; returns whether that is another distance than before.
  mutating func hear(_ metres: UInt32) -> Bool {
    guard let before = self.metres else {
      self.metres = metres
      return false
    }
    guard (metres > before ? metres - before : before - metres) >= Self.leastChange else {
      return false
    }
    self.metres = metres
    return true
  }
}

/// What follows from being at home: the beacon decides nothing that the rider is about to see.
extension Device {
  mutating func homeChanged(to state: HomeState, at now: Instant) {
    let isAtHome = state != .away
    if ride.isNews(isAtHome: isAtHome) { log.home(isHere: isAtHome, at: now) }
    if state == .atRest { usePanel(.rest, at: now) }
  }
}

extension PanelPower.Use {
  /// Whether somebody uses the device, or rides; a link alone and what is said over it do not tell that.
  var isByRider: Bool {
    switch self {
    case .motion, .press, .attention, .nextLevel: true
    case .linked, .alone, .rest, .instruction: false
    }
  }
}

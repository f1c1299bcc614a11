import Bytes
import Central
package import DeviceState

extension Device {
  /// How far the connection to the phone has come.
  package var connection: Connection {
    switch host.stage {
    case .off where store.isAwaited && store.lastTrouble != nil: .noStore
    // For the rider a search goes on while the controller is brought up again.
    case .off where radioTrouble == nil && upkeep.hasRadioWorked: .searching
    case .off: upkeep.isRadioAwaited ? .starting : .noRadio
    case .idle: .noPhone
    case .searching: .searching
    case .found: .found
    case .connecting: .connecting
    case .ready: .ready
    }
  }

  /// Whether to show the mistake in the board file: only while no phone has anything to say.
  var isMistakeDue: Bool {
    switch connection {
    case .starting, .noStore, .noRadio, .noPhone, .searching: !scene.mistake.isEmpty
    case .found, .connecting, .ready: false
    }
  }
}

import BoardFile
import Bytes
import Host

/// How the way to the phone stands, as the rider is told it.
enum Connection: Equatable {
  case starting, noRadio, unpaired, searching, found, connecting, ready
}

extension Device {
  /// How the way to the phone stands.
  var connection: Connection {
    switch host.stage {
    // A search goes on for the rider while its controller is brought up anew.
    case .off where radioTrouble == nil && hasRadioWorked: .searching
    case .off: isRadioAwaited ? .starting : .noRadio
    case .idle: .unpaired
    case .searching: .searching
    case .found: .found
    case .connecting: .connecting
    case .ready: .ready
    }
  }

  /// Whether the radio comes up for the first time, or may still come as its driver is being loaded.
  private var isRadioAwaited: Bool {
    switch radioTrouble {
    case nil: true
    case .transport: !hasRadioWorked && board.hci.isDevice && clock < startEnd
    case .controller: false
    }
  }

  /// Whether the mistake in the board file is to be shown: there is no phone that has more to say.
  var isMistakeDue: Bool {
    switch connection {
    case .starting, .noRadio, .unpaired, .searching: !scene.mistake.isEmpty
    case .found, .connecting, .ready: false
    }
  }
}

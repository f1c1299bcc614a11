import Bytes
import Search

extension Host {
  /// What the host is doing now.
  enum Phase: Equatable {
    /// Waiting for `start`.
    case off
    case bringUp
    /// Up, and nobody has asked for a search, or it is over.
    case idle
    /// Something failed; Reset follows then.
    case recovering(until: Instant)
    case scanning(ScanMode)
    case connecting(until: Instant)
    /// The attempt is being called back, as it took too long or is for nobody any more.
    case cancelling(isUnwanted: Bool, until: Instant)
    /// How far the link has come, it says itself: `Link.Stage`.
    case connected
    case disconnecting(Parting, until: Instant)

    /// When it has lasted too long.
    var deadline: Instant? {
      switch self {
      case .off, .bringUp, .idle, .scanning, .connected: nil
      case .recovering(let end), .connecting(let end), .cancelling(_, let end),
        .disconnecting(_, let end):
        end
      }
    }

    /// Whether the controller is not to be heard.
    var isDown: Bool {
      switch self {
      case .off, .recovering: true
      default: false
      }
    }
  }

  /// Why a link is ended.
  enum Parting {
    case ordinary
    /// The remembered phone had nothing to tell for long.
    case letGo
    /// Anybody may have the link: its end is not waited for.
    case givenUp
    /// The rider wants to be rid of the phone.
    case unwanted
  }
}

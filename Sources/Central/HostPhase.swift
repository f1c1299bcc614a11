import Bytes
import Search

extension Host {
  /// What the host is doing now.
  ///
  /// The words for a link's end: in `LinkStage.leaving` all that waits is still sent; in `disconnecting` the controller
  /// was asked to end the link; `LingeringLinks` has those that it was asked to end and that nobody waits for any more.
  /// `LinkStage.ending` is a sensor's `disconnecting`.
  enum Phase: Equatable {
    /// Waiting for `start`.
    case off
    case bringUp
    /// Up, and nobody has asked for a search, or it is over.
    case idle
    /// Something failed; Reset follows at this time.
    case recovering(until: Instant)
    case scanning(ScanMode)
    case connecting(until: Instant)
    /// The attempt is being cancelled, as it took too long or is not wanted any more.
    case cancelling(isUnwanted: Bool, until: Instant)
    /// There is a link; `LinkStage` says how far it has come.
    case connected
    case disconnecting(Parting, until: Instant)

    /// When the phase has lasted too long.
    var deadline: Instant? {
      switch self {
      case .off, .bringUp, .idle, .scanning, .connected: nil
      case .recovering(let end), .connecting(let end), .cancelling(_, let end),
        .disconnecting(_, let end):
        end
      }
    }

    /// Whether events of the controller are ignored until Reset.
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
    /// The remembered phone had nothing to show for too long.
    case letGo
    /// The link may be any device's: the search does not wait for its end.
    case givenUp
    /// The rider wants to be rid of the phone.
    case unwanted
  }
}

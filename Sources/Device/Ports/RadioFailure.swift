package import Bytes
import Central
package import Controller
package import HCI

/// Why the transport to the controller is closed.
package enum RadioFailure: Error, Equatable, Sendable {
  case errno(Errno)
  case stream(H4Error)
  /// A packet began and did not end, or a command has no answer.
  case stalled
  /// A connection was not made in time.
  case unanswered

  /// A number for each kind of failure, by which it is told once.
  var kind: Int32 {
    switch self {
    case .errno(let reason): reason.rawValue
    case .stream(.unknownIndicator): -1
    case .stream(.oversize): -2
    case .stalled: -3
    case .unanswered: -4
    }
  }
}

/// What is wrong with the radio: the transport to the controller, or the controller itself.
package enum RadioTrouble: Equatable, Sendable {
  case transport(RadioFailure)
  case controller(HostFailure)
}

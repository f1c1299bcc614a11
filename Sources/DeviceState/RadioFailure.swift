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
  package var kind: Int32 {
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

extension HostFailure {
  /// A number for each kind of failure, by which it is told once; beside those of `RadioFailure`.
  package var kind: Int32 {
    switch self {
    case .commandTimeout(let opcode): 0x1_0000 | Int32(opcode.rawValue)
    case .commandFailed(let opcode, _): 0x2_0000 | Int32(opcode.rawValue)
    case .hardwareError(let code): 0x3_0000 | Int32(code)
    case .linkStuck: 0x4_0000
    case .vendorEventsOnly: 0x5_0000
    case .linkUnknown: 0x6_0000
    }
  }

  /// Whether the controller knows no command of Low Energy.
  package var lacksLE: Bool {
    if case .commandFailed(let opcode, .unknownCommand) = self { opcode.isLE } else { false }
  }
}

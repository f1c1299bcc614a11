/// Why a command or a link failed.
///
/// Core Specification, Vol 1, Part F, 1.3.
package struct ErrorCode: RawRepresentable, Equatable, Sendable {
  /// The number as the controller sends it.
  package var rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static var success: ErrorCode { ErrorCode(rawValue: 0x00) }
  package static var unknownCommand: ErrorCode { ErrorCode(rawValue: 0x01) }
  package static var unknownConnectionIdentifier: ErrorCode { ErrorCode(rawValue: 0x02) }
  /// The two sides do not have the same key.
  package static var authenticationFailure: ErrorCode { ErrorCode(rawValue: 0x05) }
  /// The peer has no key for this link.
  package static var pinOrKeyMissing: ErrorCode { ErrorCode(rawValue: 0x06) }
  package static var connectionTimeout: ErrorCode { ErrorCode(rawValue: 0x08) }
  package static var connectionLimitExceeded: ErrorCode { ErrorCode(rawValue: 0x09) }
  package static var connectionAlreadyExists: ErrorCode { ErrorCode(rawValue: 0x0B) }
  /// The controller has no resources left for another link.
  package static var limitedResources: ErrorCode { ErrorCode(rawValue: 0x0D) }
  /// There is nothing to end, or the action cannot begin now.
  package static var commandDisallowed: ErrorCode { ErrorCode(rawValue: 0x0C) }
  package static var remoteUserTerminatedConnection: ErrorCode { ErrorCode(rawValue: 0x13) }
  package static var connectionTerminatedByLocalHost: ErrorCode { ErrorCode(rawValue: 0x16) }
  package static var unsupportedRemoteFeature: ErrorCode { ErrorCode(rawValue: 0x1A) }
  /// No other code fits; a phone whose Bluetooth is confused ends each link with it.
  package static var unspecifiedError: ErrorCode { ErrorCode(rawValue: 0x1F) }
  /// Advertising with a time limit, which we never use, ended without a link.
  package static var advertisingTimeout: ErrorCode { ErrorCode(rawValue: 0x3C) }
  package static var unacceptableConnectionParameters: ErrorCode { ErrorCode(rawValue: 0x3B) }
  /// The other side encrypted its packets with another key.
  package static var connectionTerminatedDueToMICFailure: ErrorCode { ErrorCode(rawValue: 0x3D) }
  /// No answer came in the first six connection events.
  package static var connectionFailedToBeEstablished: ErrorCode { ErrorCode(rawValue: 0x3E) }

  /// Whether encryption that ends with this error shows that the other side has no key, or another one.
  package var deniesKey: Bool {
    switch self {
    case .authenticationFailure, .pinOrKeyMissing, .remoteUserTerminatedConnection,
      .unsupportedRemoteFeature, .connectionTerminatedDueToMICFailure:
      true
    default: false
    }
  }

  /// Whether the controller has no link left.
  package var isLackOfLinks: Bool { self == .connectionLimitExceeded || self == .limitedResources }
}

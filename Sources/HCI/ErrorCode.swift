/// Why a command or a link failed.
///
/// Core Specification, Vol 1, Part F, 1.3.
package struct ErrorCode: RawRepresentable, Equatable, Sendable {
  /// The number as the controller sends it.
  package var rawValue: UInt8

  /// The error with this number.
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// No error.
  package static var success: ErrorCode { ErrorCode(rawValue: 0x00) }
  /// The controller does not know the command.
  package static var unknownCommand: ErrorCode { ErrorCode(rawValue: 0x01) }
  /// There is no such link.
  package static var unknownConnectionIdentifier: ErrorCode { ErrorCode(rawValue: 0x02) }
  /// The two sides do not have the same key.
  package static var authenticationFailure: ErrorCode { ErrorCode(rawValue: 0x05) }
  /// The peer has no key for this link any more.
  package static var pinOrKeyMissing: ErrorCode { ErrorCode(rawValue: 0x06) }
  /// Nothing was heard for the supervision timeout.
  package static var connectionTimeout: ErrorCode { ErrorCode(rawValue: 0x08) }
  /// The controller has as many links as it can have.
  package static var connectionLimitExceeded: ErrorCode { ErrorCode(rawValue: 0x09) }
  /// The controller has a link to this peer.
  package static var connectionAlreadyExists: ErrorCode { ErrorCode(rawValue: 0x0B) }
  /// The controller has no resources left for another link.
  package static var limitedResources: ErrorCode { ErrorCode(rawValue: 0x0D) }
  /// The user of the peer ended the connection.
  package static var remoteUserTerminatedConnection: ErrorCode { ErrorCode(rawValue: 0x13) }
  /// We ended the connection.
  package static var connectionTerminatedByLocalHost: ErrorCode { ErrorCode(rawValue: 0x16) }
  /// The other side does not know the feature.
  package static var unsupportedRemoteFeature: ErrorCode { ErrorCode(rawValue: 0x1A) }
  /// No other code fits; a phone whose Bluetooth has lost its way ends each link so.
  package static var unspecifiedError: ErrorCode { ErrorCode(rawValue: 0x1F) }
  /// The peer's connection parameters cannot be used.
  package static var unacceptableConnectionParameters: ErrorCode { ErrorCode(rawValue: 0x3B) }
  /// The other side's packets were not encrypted with the same key.
  package static var connectionTerminatedDueToMICFailure: ErrorCode { ErrorCode(rawValue: 0x3D) }
  /// There was no answer in the first six connection events.
  package static var connectionFailedToBeEstablished: ErrorCode { ErrorCode(rawValue: 0x3E) }

  /// Whether an encryption that ends so tells that the other side has no key, or not ours.
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

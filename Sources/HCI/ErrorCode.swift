/// Why a command or a link failed.
///
/// Core Specification, Vol 1, Part F, 1.3.
public struct ErrorCode: RawRepresentable, Equatable, Sendable {
  /// The number as the controller sends it.
  public var rawValue: UInt8

  /// The error with this number.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// No error.
  public static var success: ErrorCode { ErrorCode(rawValue: 0x00) }
  /// The controller does not know the command.
  public static var unknownCommand: ErrorCode { ErrorCode(rawValue: 0x01) }
  /// There is no such link.
  public static var unknownConnectionIdentifier: ErrorCode { ErrorCode(rawValue: 0x02) }
  /// The two sides do not have the same key.
  public static var authenticationFailure: ErrorCode { ErrorCode(rawValue: 0x05) }
  /// The peer has no key for this link any more.
  public static var pinOrKeyMissing: ErrorCode { ErrorCode(rawValue: 0x06) }
  /// Nothing was heard for the supervision timeout.
  public static var connectionTimeout: ErrorCode { ErrorCode(rawValue: 0x08) }
  /// The controller has as many links as it can have.
  public static var connectionLimitExceeded: ErrorCode { ErrorCode(rawValue: 0x09) }
  /// The controller has a link to this peer.
  public static var connectionAlreadyExists: ErrorCode { ErrorCode(rawValue: 0x0B) }
  /// The controller has no resources left for another link.
  public static var limitedResources: ErrorCode { ErrorCode(rawValue: 0x0D) }
  /// The user of the peer ended the connection.
  public static var remoteUserTerminatedConnection: ErrorCode { ErrorCode(rawValue: 0x13) }
  /// We ended the connection.
  public static var connectionTerminatedByLocalHost: ErrorCode { ErrorCode(rawValue: 0x16) }
  /// The other side does not know the feature.
  public static var unsupportedRemoteFeature: ErrorCode { ErrorCode(rawValue: 0x1A) }
  /// No other code fits; a phone whose Bluetooth has lost its way ends each link so.
  public static var unspecifiedError: ErrorCode { ErrorCode(rawValue: 0x1F) }
  /// The peer's connection parameters cannot be used.
  public static var unacceptableConnectionParameters: ErrorCode { ErrorCode(rawValue: 0x3B) }
  /// The other side's packets were not encrypted with the same key.
  public static var connectionTerminatedDueToMICFailure: ErrorCode { ErrorCode(rawValue: 0x3D) }
  /// There was no answer in the first six connection events.
  public static var connectionFailedToBeEstablished: ErrorCode { ErrorCode(rawValue: 0x3E) }

  /// Whether an encryption that ends so tells that the other side has no key, or not ours.
  public var deniesKey: Bool {
    switch self {
    case .authenticationFailure, .pinOrKeyMissing, .remoteUserTerminatedConnection,
      .unsupportedRemoteFeature, .connectionTerminatedDueToMICFailure:
      true
    default: false
    }
  }

  /// Whether the controller has no link left.
  public var isLackOfLinks: Bool { self == .connectionLimitExceeded || self == .limitedResources }
}

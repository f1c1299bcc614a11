package import Bytes

/// What the controller reports to the host.
///
/// Core Specification, Vol 4, Part E, 7.7.
///
/// A view: its spans point into the packet it was parsed from.
package enum Event: ~Escapable {
  /// A link is gone (7.7.5).
  case disconnectionComplete(status: ErrorCode, handle: UInt16, reason: ErrorCode)
  /// Encryption was switched on or off, or could not be (7.7.8).
  case encryptionChange(status: ErrorCode, handle: UInt16, isEncrypted: Bool)
  /// The key of an encrypted link was changed, or could not be (7.7.39).
  case encryptionKeyRefreshComplete(status: ErrorCode, handle: UInt16)
  /// A command was carried out; `parameters` begin with its status (7.7.14).
  case commandComplete(credits: UInt8, opcode: Opcode, parameters: Span<UInt8>)
  /// A command was begun, or refused (7.7.15).
  case commandStatus(status: ErrorCode, credits: UInt8, opcode: Opcode)
  /// The controller failed in itself (7.7.16).
  case hardwareError(code: UInt8)
  /// ACL data packets left the controller's buffers (7.7.19).
  case numberOfCompletedPackets(CompletedPackets)
  /// A link came up, or the attempt failed (7.7.65.1 and 7.7.65.10).
  case leConnectionComplete(LEConnectionComplete)
  /// Advertisements were heard (7.7.65.2).
  case leAdvertisingReport(AdvertisingReports)
  /// Advertisements were heard by extended scanning (7.7.65.13).
  case leExtendedAdvertisingReport(AdvertisingReports)
  /// The parameters of a link changed, or could not (7.7.65.3).
  case leConnectionUpdateComplete(status: ErrorCode, handle: UInt16)
  /// The central encrypts the link, and the controller asks for the key (7.7.65.5).
  ///
  /// A key of LE Secure Connections has the random number and the diversifier 0; any other is not ours.
  case leLongTermKeyRequest(handle: UInt16, isForSecureConnections: Bool)
  /// The peer asks for other parameters (7.7.65.6).
  case leRemoteConnectionParameterRequest(handle: UInt16, ConnectionParameters)
  /// A vendor-specific event, of no use to this host (5.4.4).
  case vendor
  /// Any other event; this host has no use for it.
  case other(code: UInt8)

  /// Takes the packet without its H4 indicator.
  @_lifetime(copy bytes)
  package init(parsing bytes: Span<UInt8>) throws(ParseError) {
    var reader = ByteReader(bytes)
    let code = try reader.u8()
    let length = Int(try reader.u8())
    guard reader.count == length else { throw .invalid }
    switch EventCode(rawValue: code) {
    case .disconnectionComplete:
      self = .disconnectionComplete(
        status: try reader.errorCode(), handle: try reader.handle(),
        reason: try reader.errorCode())
    case .encryptionChange:
      self = .encryptionChange(
        status: try reader.errorCode(), handle: try reader.handle(),
        isEncrypted: try reader.u8() != 0)
    case .encryptionKeyRefreshComplete:
      self = .encryptionKeyRefreshComplete(
        status: try reader.errorCode(), handle: try reader.handle())
    case .commandComplete:
      self = .commandComplete(
        credits: try reader.u8(), opcode: try reader.opcode(), parameters: reader.rest())
    case .commandStatus:
      self = .commandStatus(
        status: try reader.errorCode(), credits: try reader.u8(), opcode: try reader.opcode())
    case .hardwareError: self = .hardwareError(code: try reader.u8())
    case .numberOfCompletedPackets:
      self = .numberOfCompletedPackets(try CompletedPackets(parsing: reader.takeRest()))
    case .leMeta: self = try Self.leMeta(reader.takeRest())
    case .vendor: self = .vendor
    case .dataBufferOverflow, nil: self = .other(code: code)
    }
  }

  /// The LE Meta event (7.7.65).
  @_lifetime(copy bytes)
  private static func leMeta(_ bytes: Span<UInt8>) throws(ParseError) -> Event {
    var reader = ByteReader(bytes)
    switch LEEventCode(rawValue: try reader.u8()) {
    case .connectionComplete, .enhancedConnectionComplete:
      return .leConnectionComplete(try LEConnectionComplete(parsing: bytes))
    case .advertisingReport:
      return .leAdvertisingReport(try AdvertisingReports(reader.takeRest(), isExtended: false))
    case .extendedAdvertisingReport:
      return .leExtendedAdvertisingReport(
        try AdvertisingReports(reader.takeRest(), isExtended: true))
    case .connectionUpdateComplete:
      let status = try reader.errorCode()
      return .leConnectionUpdateComplete(status: status, handle: try reader.handle())
    case .longTermKeyRequest:
      let handle = try reader.handle()
      let (random, diversifier) = (try reader.u64(), try reader.u16())
      return .leLongTermKeyRequest(
        handle: handle, isForSecureConnections: random == 0 && diversifier == 0)
    case .remoteConnectionParameterRequest:
      let handle = try reader.handle()
      let parameters = ConnectionParameters(
        intervalMin: try reader.u16(), intervalMax: try reader.u16(), latency: try reader.u16(),
        supervisionTimeout: try reader.u16())
      return .leRemoteConnectionParameterRequest(handle: handle, parameters)
    default: return .other(code: EventCode.leMeta.rawValue)
    }
  }
}

/// How many packets of each link left the controller.
///
/// Core Specification, Vol 4, Part E, 7.7.19.
package struct CompletedPackets: ~Escapable {
  private let entries: Span<UInt8>

  @_lifetime(copy bytes)
  init(parsing bytes: Span<UInt8>) throws(ParseError) {
    var reader = ByteReader(bytes)
    let count = Int(try reader.u8())
    guard reader.count == count * 4 else { throw .invalid }
    entries = reader.rest()
  }

  /// The packets of one link, which may be listed more than once.
  package func count(for handle: UInt16) -> Int {
    var total = 0
    var reader = ByteReader(entries)
    while let listed = try? reader.handle(), let count = try? reader.u16() {
      if listed == handle { total += Int(count) }
    }
    return total
  }
}

/// A link that came up, or did not.
///
/// Core Specification, Vol 4, Part E, 7.7.65.1 and 7.7.65.10.
package struct LEConnectionComplete: Equatable, Sendable {
  package var status: ErrorCode
  package var handle: UInt16
  /// Whether this device is the central of the link; else it is the peripheral.
  package var isCentral: Bool
  package var peer: DeviceAddress
  /// The time between two connection events, in units of 1.25 ms.
  package var interval: UInt16
  /// How long either side may be silent before the link is over, in units of 10 ms.
  package var supervisionTimeout: UInt16

  init(parsing bytes: Span<UInt8>) throws(ParseError) {
    var reader = ByteReader(bytes)
    let isEnhanced = try reader.u8() == LEEventCode.enhancedConnectionComplete.rawValue
    status = try reader.errorCode()
    handle = try reader.handle()
    guard status != .success || handle <= 0x0EFF else { throw .invalid }
    let role = try reader.u8()
    guard status != .success || role <= 1 else { throw .invalid }
    isCentral = role == 0
    let type = try reader.u8()
    // A failed attempt may leave the other fields empty.
    peer = try reader.address(status == .success ? type : type & 1)
    if isEnhanced { try reader.skip(12) }  // resolvable addresses of both sides
    interval = try reader.u16()
    try reader.skip(2)  // latency
    supervisionTimeout = try reader.u16()
    try reader.skip(1)  // clock accuracy
  }
}

extension ByteReader {
  fileprivate mutating func errorCode() throws(ParseError) -> ErrorCode {
    ErrorCode(rawValue: try u8())
  }

  fileprivate mutating func opcode() throws(ParseError) -> Opcode { Opcode(rawValue: try u16()) }

  fileprivate mutating func handle() throws(ParseError) -> UInt16 { try u16() & 0x0FFF }
}

/// What kind of event it is: its first byte.
///
/// Core Specification, Vol 4, Part E, 7.7.
package enum EventCode: UInt8, Sendable {
  case disconnectionComplete = 0x05
  case encryptionChange = 0x08
  case commandComplete = 0x0E
  case commandStatus = 0x0F
  case hardwareError = 0x10
  case numberOfCompletedPackets = 0x13
  case dataBufferOverflow = 0x1A
  case encryptionKeyRefreshComplete = 0x30
  case leMeta = 0x3E
  /// Any vendor-specific event.
  case vendor = 0xFF

  /// Its bit in the mask of Set Event Mask, which counts from the event 0x01 on (7.3.1).
  package var mask: UInt64 { 1 &<< UInt64(widening: UInt32(rawValue &- 1)) }
}

/// What kind of LE Meta event it is: its third byte.
///
/// Core Specification, Vol 4, Part E, 7.7.65.
package enum LEEventCode: UInt8, Sendable {
  case connectionComplete = 0x01
  case advertisingReport = 0x02
  case connectionUpdateComplete = 0x03
  case readRemoteFeaturesComplete = 0x04
  case longTermKeyRequest = 0x05
  case remoteConnectionParameterRequest = 0x06
  case dataLengthChange = 0x07
  case enhancedConnectionComplete = 0x0A
  case phyUpdateComplete = 0x0C
  case extendedAdvertisingReport = 0x0D

  /// Its bit in the mask of LE Set Event Mask, which counts from the event 0x01 on (7.8.1).
  package var mask: UInt64 { 1 &<< UInt64(widening: UInt32(rawValue &- 1)) }
}

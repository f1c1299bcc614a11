package import Bytes

/// A command of the Security Manager protocol.
///
/// Core Specification, Vol 3, Part H, 3.3 to 3.6.
package enum SecurityPDU: Equatable, Sendable {
  /// Pairing Request, 3.5.1.
  case pairingRequest(PairingFeatures)
  /// Pairing Response, 3.5.2.
  case pairingResponse(PairingFeatures)
  /// Pairing Confirm, 3.5.3.
  case pairingConfirm(Octets<16>)
  /// Pairing Random, 3.5.4.
  case pairingRandom(Octets<16>)
  /// Pairing Failed, 3.5.5.
  case pairingFailed(PairingFailedReason)
  /// Encryption Information, 3.6.2.
  case encryptionInformation(longTermKey: Octets<16>)
  /// Central Identification, 3.6.3.
  case centralIdentification(ediv: UInt16, rand: Octets<8>)
  /// Identity Information, 3.6.4.
  case identityInformation(irk: Octets<16>)
  /// Identity Address Information, 3.6.5.
  case identityAddressInformation(DeviceAddress)
  /// Signing Information, 3.6.6.
  case signingInformation(signatureKey: Octets<16>)
  /// Security Request, 3.6.7.
  case securityRequest(AuthenticationRequirements)
  /// Pairing Public Key, 3.5.6.
  case pairingPublicKey(PublicKey)
  /// Pairing DHKey Check, 3.5.7.
  case pairingDHKeyCheck(Octets<16>)
  /// Keypress Notification, 3.5.8; what was pressed is of no use here.
  case keypressNotification(type: UInt8)

  /// Takes a whole command, its code first.
  ///
  /// Throws `unknown` for a code that is reserved, `truncated` for too few bytes, `invalid` for
  /// too many and for values that are reserved.
  package init(parsing bytes: Span<UInt8>) throws(ParseError) {
    var reader = ByteReader(bytes)
    let code = try reader.u8()
    switch SecurityCode(rawValue: code) {
    case .pairingRequest: self = .pairingRequest(try PairingFeatures(parsing: &reader))
    case .pairingResponse: self = .pairingResponse(try PairingFeatures(parsing: &reader))
    case .pairingConfirm: self = .pairingConfirm(try reader.octets())
    case .pairingRandom: self = .pairingRandom(try reader.octets())
    case .pairingFailed: self = .pairingFailed(PairingFailedReason(rawValue: try reader.u8()))
    case .encryptionInformation: self = .encryptionInformation(longTermKey: try reader.octets())
    case .centralIdentification:
      self = .centralIdentification(ediv: try reader.u16(), rand: try reader.octets())
    case .identityInformation: self = .identityInformation(irk: try reader.octets())
    case .identityAddressInformation:
      self = .identityAddressInformation(try reader.identityAddress())
    case .signingInformation: self = .signingInformation(signatureKey: try reader.octets())
    case .securityRequest:
      self = .securityRequest(AuthenticationRequirements(rawValue: try reader.u8()))
    case .pairingPublicKey:
      let x: Octets<32> = try reader.octets()
      self = .pairingPublicKey(PublicKey(x: x, y: try reader.octets()))
    case .pairingDHKeyCheck: self = .pairingDHKeyCheck(try reader.octets())
    case .keypressNotification:
      let type = try reader.u8()
      guard type <= 4 else { throw .invalid }
      self = .keypressNotification(type: type)
    case nil: throw .unknown(code)
    }
    guard reader.isEmpty else { throw .invalid }
  }

  /// The code that the command begins with.
  package var code: SecurityCode {
    switch self {
    case .pairingRequest: .pairingRequest
    case .pairingResponse: .pairingResponse
    case .pairingConfirm: .pairingConfirm
    case .pairingRandom: .pairingRandom
    case .pairingFailed: .pairingFailed
    case .encryptionInformation: .encryptionInformation
    case .centralIdentification: .centralIdentification
    case .identityInformation: .identityInformation
    case .identityAddressInformation: .identityAddressInformation
    case .signingInformation: .signingInformation
    case .securityRequest: .securityRequest
    case .pairingPublicKey: .pairingPublicKey
    case .pairingDHKeyCheck: .pairingDHKeyCheck
    case .keypressNotification: .keypressNotification
    }
  }

  /// Writes the whole command, its code first.
  package func write<Writer: ByteWriter & ~Copyable>(into writer: inout Writer) {
    writer.append(code.rawValue)
    switch self {
    case .pairingRequest(let features), .pairingResponse(let features):
      features.write(into: &writer)
    case .pairingConfirm(let value), .pairingRandom(let value), .pairingDHKeyCheck(let value):
      writer.append(value)
    case .encryptionInformation(let key), .identityInformation(let key),
      .signingInformation(let key):
      writer.append(key)
    case .pairingFailed(let reason): writer.append(reason.rawValue)
    case .centralIdentification(let ediv, let rand):
      writer.append(u16: ediv)
      writer.append(rand)
    case .identityAddressInformation(let address):
      writer.append(address.type.rawValue & 1)
      writer.append(Octets<6>(address))
    case .securityRequest(let requirements): writer.append(requirements.rawValue)
    case .pairingPublicKey(let key):
      writer.append(key.x)
      writer.append(key.y)
    case .keypressNotification(let type): writer.append(type)
    }
  }
}

extension ByteReader {
  /// An address that never changes: public, or random and static.
  @_lifetime(self: copy self)
  fileprivate mutating func identityAddress() throws(ParseError) -> DeviceAddress {
    let type = try u8()
    let octets: Octets<6> = try octets()
    guard type <= 1 else { throw .invalid }
    let address = octets.address(type == 0 ? .public : .random)
    guard address.isFixed else { throw .invalid }
    return address
  }
}

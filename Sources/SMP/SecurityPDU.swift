package import Bytes

/// A command of the Security Manager protocol.
///
/// `SecurityCode` has the sections of the specification.
package enum SecurityPDU: Equatable, Sendable {
  case pairingRequest(PairingFeatures)
  case pairingResponse(PairingFeatures)
  case pairingConfirm(Octets<16>)
  case pairingRandom(Octets<16>)
  case pairingFailed(PairingFailedReason)
  case encryptionInformation(longTermKey: Octets<16>)
  case centralIdentification(ediv: UInt16, rand: Octets<8>)
  case identityInformation(irk: Octets<16>)
  case identityAddressInformation(DeviceAddress)
  case signingInformation(signatureKey: Octets<16>)
  case securityRequest(AuthenticationRequirements)
  case pairingPublicKey(PublicKey)
  case pairingDHKeyCheck(Octets<16>)
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
    case .pairingConfirm(let value), .pairingRandom(let value), .pairingDHKeyCheck(let value),
      .encryptionInformation(let value), .identityInformation(let value),
      .signingInformation(let value):
      writer.append(value)
    case .pairingFailed(let reason): writer.append(reason.rawValue)
    case .centralIdentification(let ediv, let rand):
      writer.append(u16: ediv)
      writer.append(rand)
    case .identityAddressInformation(let address):
      writer.append(address)
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
  fileprivate mutating func identityAddress() throws(ParseError) -> DeviceAddress {
    let type = try u8()
    let address = try self.address(type & 1)
    guard type <= 1, address.isFixed else { throw .invalid }
    return address
  }
}

/// What kind of command it is: its first octet, with the section of the specification about it.
///
/// Core Specification, Vol 3, Part H, 3.3.
package enum SecurityCode: UInt8, Sendable {
  case pairingRequest = 0x01  // 3.5.1
  case pairingResponse = 0x02  // 3.5.2
  case pairingConfirm = 0x03  // 3.5.3
  case pairingRandom = 0x04  // 3.5.4
  case pairingFailed = 0x05  // 3.5.5
  case encryptionInformation = 0x06  // 3.6.2
  case centralIdentification = 0x07  // 3.6.3
  case identityInformation = 0x08  // 3.6.4
  case identityAddressInformation = 0x09  // 3.6.5
  case signingInformation = 0x0A  // 3.6.6
  case securityRequest = 0x0B  // 3.6.7
  case pairingPublicKey = 0x0C  // 3.5.6
  case pairingDHKeyCheck = 0x0D  // 3.5.7
  case keypressNotification = 0x0E  // 3.5.8

  /// Whether the command hands out a key.
  package var isOfKey: Bool {
    self == .encryptionInformation || self == .identityInformation || self == .signingInformation
  }
}

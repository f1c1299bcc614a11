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

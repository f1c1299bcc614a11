/// What kind of command it is: its first octet.
///
/// Core Specification, Vol 3, Part H, 3.3.
package enum SecurityCode: UInt8, Sendable {
  case pairingRequest = 0x01
  case pairingResponse = 0x02
  case pairingConfirm = 0x03
  case pairingRandom = 0x04
  case pairingFailed = 0x05
  case encryptionInformation = 0x06
  case centralIdentification = 0x07
  case identityInformation = 0x08
  case identityAddressInformation = 0x09
  case signingInformation = 0x0A
  case securityRequest = 0x0B
  case pairingPublicKey = 0x0C
  case pairingDHKeyCheck = 0x0D
  case keypressNotification = 0x0E

  /// Whether the command hands out a key.
  package var isOfKey: Bool {
    self == .encryptionInformation || self == .identityInformation || self == .signingInformation
  }
}

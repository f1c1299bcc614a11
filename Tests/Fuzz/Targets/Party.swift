import TestSupport
import VirtualAir

/// Somebody with a phone that rides, whose streets nobody else's phone tells.
final class Party {
  let phone: VirtualPhone
  /// The same as it comes by itself.
  private(set) var central: VirtualCentral
  let security: VirtualSecurity
  let name: String
  let streets: String
  /// The one that it has from the start.
  let ownAddress: [UInt8]
  /// The phone lacks the key that the device has of it, or has been lied to: it needs the rider.
  var isKeyLost = false

  /// The phone that the world has.
  init(_ phone: VirtualPhone, _ security: VirtualSecurity) {
    (self.phone, self.security, name, streets) = (phone, security, phone.name, "Straße")
    ownAddress = phone.address
    central = .iPhone(phone)
  }

  /// One more phone.
  init(number: UInt8) {
    (phone, security) = (VirtualPhone(), VirtualSecurity(number: UInt32(number)))
    name = "Mallory \(number)"
    streets = "Fremde \(number)"
    phone.name = name
    ownAddress = [0x01, 0x01, 0x02, 0x03, 0x04, number, 0xC6]
    phone.address = ownAddress
    phone.security = security
    central = .iPhone(phone)
  }

  /// Comes as if for the first time.
  func begin(isKeyLost: Bool) {
    self.isKeyLost = isKeyLost
    central = .iPhone(phone)
    phone.forgetRequests()
  }

  /// Whether it may be heard by this address, of which the first octet is the type.
  func has(address: [UInt8]) -> Bool {
    address == ownAddress || address == security.privateAddress(address[4])
  }

  func owns(_ street: String) -> Bool { street.hasPrefix(streets) }
}

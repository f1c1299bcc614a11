/// The kind of an address.
///
/// Core Specification, Vol 4, Part E, 7.7.65.2.
public enum AddressType: UInt8, Sendable {
  /// Assigned by the IEEE, never changes.
  case `public` = 0
  /// Static, or private and changing.
  case random = 1
  /// A public identity address that the controller resolved.
  case publicIdentity = 2
  /// A static identity address that the controller resolved.
  case randomIdentity = 3
}

/// A Bluetooth device address with its type.
///
/// Core Specification, Vol 6, Part B, 1.3.
public struct DeviceAddress: Equatable, Sendable {
  /// The six bytes as one number; text shows the most significant byte first.
  public var value: UInt64
  /// What kind of address it is.
  public var type: AddressType

  /// The address with the 48-bit number `value`.
  public init(_ value: UInt64, _ type: AddressType) {
    (self.value, self.type) = (value & 0xFFFF_FFFF_FFFF, type)
  }

  /// Whether it is a resolvable private address: a random one whose top bits are 01.
  public var isResolvable: Bool { type == .random && value &>> 46 == 0b01 }

  /// Whether it never changes: public, static random, or an identity.
  public var isFixed: Bool { type != .random || value &>> 46 == 0b11 }

  /// Whether it is the same address, even if the controller has resolved only one of the two.
  public func isSame(as other: DeviceAddress) -> Bool {
    value == other.value && type.rawValue & 1 == other.type.rawValue & 1
  }
}

extension ByteReader {
  /// The next six bytes as a public address.
  public mutating func publicAddress() throws(ParseError) -> DeviceAddress {
    try address(AddressType.public.rawValue)
  }

  /// The next six bytes as an address of the given type.
  public mutating func address(_ type: UInt8) throws(ParseError) -> DeviceAddress {
    let low = try u32()
    let high = try u16()
    guard let type = AddressType(rawValue: type) else { throw .invalid }
    return DeviceAddress(UInt64(widening: low) | UInt64(widening: UInt32(high)) &<< 32, type)
  }
}

extension ByteWriter where Self: ~Copyable {
  /// The address's type, then its six bytes, as commands hold them.
  public mutating func append(_ address: DeviceAddress) {
    append(address.type.rawValue & 1)
    append(value: address)
  }

  /// The address's six bytes, least significant first.
  public mutating func append(value address: DeviceAddress) {
    append(u32: UInt32(truncatingIfNeeded: address.value))
    append(u16: UInt16(truncatingIfNeeded: address.value &>> 32))
  }

  /// The address in text: `AA:BB:CC:DD:EE:FF`.
  public mutating func append(text address: DeviceAddress) {
    var shift: UInt64 = 48
    while shift > 0 {
      shift -= 8
      append(upperHex: address.value &>> shift, digits: 2)
      if shift > 0 { append(":") }
    }
  }

  /// The last two bytes of `address` as its text ends, without the colon, such as `4F2A`.
  public mutating func append(endOf address: DeviceAddress) {
    append(upperHex: address.value, digits: 4)
  }

  /// The last `digits` hexadecimal digits of `value`, as addresses and UUIDs are written in text.
  mutating func append(upperHex value: UInt64, digits: UInt64) {
    var left = digits
    while left > 0 {
      left -= 1
      let digit = UInt8(truncatingIfNeeded: value &>> (4 * left)) & 0x0F
      append(digit < 10 ? 0x30 + digit : 0x37 + digit)
    }
  }
}

import Bytes

extension Octets<6> {
  /// The address without its type.
  init(_ address: DeviceAddress) {
    self.init()
    var rest = address.value
    for index in 0..<6 {
      self[index] = UInt8(truncatingIfNeeded: rest)
      rest = rest &>> 8
    }
  }

  /// The address of the given type.
  func address(_ type: AddressType) -> DeviceAddress {
    var value: UInt64 = 0
    for index in 0..<6 { value = value &<< 8 | UInt64(widening: UInt32(self[5 - index])) }
    return DeviceAddress(value, type)
  }
}

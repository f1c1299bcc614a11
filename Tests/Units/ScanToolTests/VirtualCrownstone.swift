import VirtualAir

/// A device with the switch of a Crownstone.
enum VirtualCrownstone {
  /// One whose address begins with this byte.
  static func make(_ first: UInt8) -> VirtualSensor {
    let device = VirtualSensor(.heart)
    device.switched = [7]
    device.battery = nil
    device.address = [1, 0x01, 0x5E, 0x50, 0x52, 0x00, first]
    return device
  }
}

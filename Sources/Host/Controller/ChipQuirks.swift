public import Bytes
import HCI

// What single makers' chips want otherwise than the specification says.

/// The public address of a Raspberry Pi, for a chip that has none of its own.
///
/// Those of the Zero W and others answer with one that they all share until they are told another.
/// This one is made of the board's serial number as Raspberry Pi OS does it (pi-bluetooth,
/// bthelper), so that phones know a board by the same address there and here. Both texts are those
/// of the device tree; `nil` for another board, and for what is no serial number: 16 hexadecimal
/// digits that are not all 0.
public func boardAddress(
  compatible: Span<UInt8>, serialNumber text: Span<UInt8>
) -> DeviceAddress? {
  // The first of the names is the board's own.
  guard hasPrefix(compatible, "raspberrypi,"), text.count >= 16 else { return nil }
  var number: UInt64 = 0
  for index in 0..<16 {
    guard let digit = hexDigit(text[index]) else { return nil }
    number = number &<< 4 | UInt64(widening: UInt32(digit))
  }
  // A newer file may say more behind it; the device tree's ends in a zero.
  guard text.count == 16 || text[16] == 0 || text[16] == 0x0A else { return nil }
  guard number != 0 else { return nil }
  return DeviceAddress(0xB827_EB00_0000 | ((number & 0xFF_FFFF) ^ 0xAA_AAAA), .public)
}

extension ControllerInformation {
  /// The command that gives a chip the board's address, where it has none of its own.
  var addressCommand: Command? {
    guard isBroadcom, address.isShared, let boardAddress else { return nil }
    return .broadcomWriteBDADDR(boardAddress)
  }

  /// Broadcom, or Cypress, which makes the same chips; Assigned Numbers, 7.1.
  private var isBroadcom: Bool { manufacturer == 15 || manufacturer == 305 }
}

extension DeviceAddress {
  /// Whether all chips of a kind have it, as told by their kernel driver (btbcm.c) and by bthelper.
  fileprivate var isShared: Bool {
    let vendor = value &>> 32
    return vendor == 0x4343 || vendor == 0x4345 || value == 0xAAAA_AAAA_AAAA
  }
}

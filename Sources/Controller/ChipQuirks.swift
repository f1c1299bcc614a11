package import Bytes
import HCI

// What the chips of some makers do otherwise than the specification says.

/// The public address of a Raspberry Pi, for a chip that has none of its own.
///
/// The chips of the Zero W and others all have the same address until they are given another. This one is made of the
/// board's serial number as in Raspberry Pi OS (pi-bluetooth, bthelper), so that phones see the same address under
/// both. Both texts are those of the device tree; `nil` for another board, or without a serial number: 16 hexadecimal
/// digits that are not all 0.
package func boardAddress(
  compatible: Span<UInt8>, serialNumber text: Span<UInt8>
) -> DeviceAddress? {
  // The first of the names is the board's own.
  guard hasPrefix(compatible, "raspberrypi,"), text.count >= 16 else { return nil }
  var number: UInt64 = 0
  for index in 0..<16 {
    guard let digit = hexDigit(text[index]) else { return nil }
    number = number &<< 4 | UInt64(widening: UInt32(digit))
  }
  // The number ends with a zero in the device tree; another file may go on with a new line.
  guard text.count == 16 || text[16] == 0 || text[16] == 0x0A else { return nil }
  guard number != 0 else { return nil }
  return DeviceAddress(0xB827_EB00_0000 | ((number & 0xFF_FFFF) ^ 0xAA_AAAA), .public)
}

/// A Raspberry Pi's chip that gets a patch from its driver; the driver (btbcm.c) distinguishes the same chips.
package enum PiChip: Equatable, Sendable {
  /// Of the Zero W, and of the Zero 2 W that is marked 43436s.
  case bcm43430a1
  /// Of the Zero 2 W that is marked 43436.
  case bcm43430b0

  /// The chip with this LMP subversion, if it is one of them.
  init?(subversion: UInt16) {
    switch subversion {
    case 0x2209: self = .bcm43430a1
    case 0x410C: self = .bcm43430b0
    default: return nil
    }
  }

  /// As its driver calls it, and its file.
  package var name: String {
    switch self {
    case .bcm43430a1: "BCM43430A1"
    case .bcm43430b0: "BCM43430B0"
    }
  }

  /// The number that its driver reads from it.
  package var identifier: UInt8 {
    switch self {
    case .bcm43430a1: 94
    case .bcm43430b0: 115
    }
  }

  /// Where its driver looks for the patch, in the folder of firmware.
  package var patchFile: String {
    switch self {
    case .bcm43430a1: "brcm/BCM43430A1.hcd"
    case .bcm43430b0: "brcm/BCM43430B0.hcd"
    }
  }
}

extension ControllerInformation {
  /// Which of a Raspberry Pi's chips it is; `nil` for another one.
  var chip: PiChip? { isBroadcom ? PiChip(subversion: subversion) : nil }

  /// The number of the patch that such a chip got; 0 for none.
  var patch: UInt16 { revision & 0x0FFF }

  /// The command that gives a chip the board's address, where it has none of its own.
  var addressCommand: Command? {
    guard isBroadcom, address.isShared, let boardAddress else { return nil }
    return .broadcomWriteBDADDR(boardAddress)
  }

  /// Broadcom, or Cypress, which makes the same chips; Assigned Numbers, 7.1.
  private var isBroadcom: Bool { manufacturer == 15 || manufacturer == 305 }
}

extension DeviceAddress {
  /// Whether all chips of a kind have this address, according to their kernel driver (btbcm.c) and bthelper.
  fileprivate var isShared: Bool {
    let vendor = value &>> 32
    return vendor == 0x4343 || vendor == 0x4345 || value == 0xAAAA_AAAA_AAAA
  }
}

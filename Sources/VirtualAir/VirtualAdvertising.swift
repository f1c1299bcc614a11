import Hexadecimal

/// What a host has its controller advertise (Vol 4, Part E, 7.8.5 to 7.8.9).
package struct VirtualAdvertising {
  /// The shortest and the longest interval, in units of 0.625 ms; the usual one is 1.28 s.
  package internal(set) var interval: (min: UInt16, max: UInt16) = (0x0800, 0x0800)
  /// ADV_IND is 0: any device can connect.
  package internal(set) var type: UInt8 = 0
  package internal(set) var channels: UInt8 = 7
  /// Which devices may connect: 0 stands for all.
  package internal(set) var policy: UInt8 = 0
  /// The AD structures of the advertisement and of the scan response, without the padding.
  package internal(set) var data: [UInt8] = []
  package internal(set) var scanResponse: [UInt8] = []
  package internal(set) var isOn = false
  /// When it was switched on or off, in milliseconds of the controller's clock.
  package internal(set) var since: Int64 = 0

  /// Receives LE Set Advertising Parameters; returns the status.
  mutating func setParameters(_ parameters: [UInt8]) -> UInt8 {
    guard !isOn else { return 0x0C }  // Command Disallowed
    let (shortest, longest) = (u16(parameters, 0), u16(parameters, 2))
    // Until version 5 of the specification, advertising without connections needs 100 ms.
    let least: UInt16 = parameters[4] == 2 || parameters[4] == 3 ? 0x00A0 : 0x0020
    let isRange = shortest <= longest && shortest >= least && longest <= 0x4000
    // Our address is the public one, as no random address was set.
    let isWhole = parameters[4] <= 4 && parameters[5] == 0 && parameters[14] <= 3
    guard isRange, isWhole, 1...7 ~= parameters[13] else { return 0x12 }  // Invalid Parameters
    interval = (shortest, longest)
    (type, channels, policy) = (parameters[4], parameters[13], parameters[14])
    return 0
  }

  /// Receives LE Set Advertising Data or LE Set Scan Response Data; returns the status.
  mutating func setData(_ parameters: [UInt8], isScanResponse: Bool) -> UInt8 {
    guard parameters[0] <= 31 else { return 0x12 }
    let structures = Array(parameters[1...].prefix(Int(parameters[0])))
    if isScanResponse { scanResponse = structures } else { data = structures }
    return 0
  }
}

/// One period of advertising.
package struct AdvertisingSpell: Sendable {
  /// When it began and ended, in milliseconds of the controller's clock.
  package let start: Int64
  package internal(set) var end: Int64?
  /// The shortest interval, in units of 0.625 ms.
  package let interval: UInt16
  /// What was advertised at its beginning.
  package let data: [UInt8]
  package let scanResponse: [UInt8]
}

/// A beacon: it advertises where it stands, and takes no connections.
///
/// Written from Apple's Proximity Beacon Specification; it knows none of our modules.
package struct VirtualBeacon: Sendable {
  package init(minor: UInt16 = 515) { self.minor = minor }

  /// The UUID as a board file has it.
  package static var uuid: String { "e20a39f4-73f5-4bc4-a12f-17d1ad07a961" }

  package var uuid = bytes("e2 0a 39 f4 73 f5 4b c4 a1 2f 17 d1 ad 07 a9 61")
  package var major: UInt16 = 7
  package var minor: UInt16
  /// Its signal at one metre in dBm, as it says itself.
  package var power: Int8 = -59
  /// Address type, then the address.
  package var address = bytes("01 42 00 00 00 00 c1")

  package var advertisement: [UInt8] {
    bytes("02 01 06 1a ff 4c 00 02 15") + uuid + little(major).reversed()
      + little(minor).reversed() + [UInt8(bitPattern: power)]
  }
}

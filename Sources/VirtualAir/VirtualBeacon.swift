import Hexadecimal

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
  /// What it says of its strength at one metre.
  package var power: Int8 = -59
  /// Address type, then the address.
  package var address = bytes("01 42 00 00 00 00 c1")

  package var advertisement: [UInt8] {
    bytes("02 01 06 1a ff 4c 00 02 15") + uuid + little(major).reversed()
      + little(minor).reversed() + [UInt8(bitPattern: power)]
  }
}

package import Bytes

/// The identity and power that an iBeacon advertises.
///
/// Apple, Proximity Beacon Specification, 2.3.
package struct IBeacon: Equatable, Sendable {
  /// All beacons of one owner have the same.
  package var uuid: UUID
  /// The group of beacons that it belongs to.
  package var major: UInt16
  /// Its number in the group.
  package var minor: UInt16
  /// How strong it is at a distance of 1 m, in dBm.
  package var power: Int8

  package init(_ uuid: UUID, major: UInt16, minor: UInt16, power: Int8 = 0) {
    (self.uuid, self.major, self.minor, self.power) = (uuid, major, minor, power)
  }

  /// Reads manufacturer specific data, the company first; `nil` if it is not an iBeacon's.
  ///
  /// Company 004C, type 02, length 15 (hexadecimal), behind which anything may follow. UUID, major and minor
  /// have their most significant byte first, as nothing else in an advertisement has.
  package init?(manufacturerData bytes: Span<UInt8>) {
    guard bytes.count >= 25, bytes[0] == 0x4C, bytes[1] == 0x00, bytes[2] == 0x02, bytes[3] == 0x15
    else { return nil }
    func bigEndian(_ range: Range<Int>) -> UInt64 {
      var value: UInt64 = 0
      for index in range { value = value &<< 8 | UInt64(widening: UInt32(bytes[index])) }
      return value
    }
    uuid = UUID(bigEndian(4..<12), bigEndian(12..<20))
    major = UInt16(truncatingIfNeeded: bigEndian(20..<22))
    minor = UInt16(truncatingIfNeeded: bigEndian(22..<24))
    power = Int8(bitPattern: bytes[24])
  }

  /// Whether it is the same beacon, whatever its power.
  package func isSame(as other: IBeacon) -> Bool {
    uuid == other.uuid && major == other.major && minor == other.minor
  }
}

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
  /// Company 004C, type 02, length 15 (hexadecimal); anything may follow the beacon. UUID, major and minor have
  /// their most significant byte first, unlike all else in an advertisement.
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

/// A beacon in text: `E20A39F4-73F5-4BC4-A12F-17D1AD07A961.Maj:7.Min:515`.
extension IBeacon {
  /// How many characters the longest text has.
  package static var longestText: Int { 56 }

  /// The beacon of such a text, without its power; `nil` for any other text.
  ///
  /// The UUID may be in either case. Numbers have no leading zeros, so that a beacon has only one text.
  package init?(text: Span<UInt8>) {
    guard text.count <= Self.longestText, text.count > 36,
      let uuid = UUID(text: text.extracting(first: 36))
    else { return nil }
    var numbers = text.extracting(droppingFirst: 36)
    guard let major = number(after: ".Maj:", &numbers),
      let minor = number(after: ".Min:", &numbers), numbers.isEmpty
    else { return nil }
    self.init(uuid, major: major, minor: minor)
  }
}

/// Removes `words` and the number behind them from the beginning of `text`.
@_lifetime(text: copy text)
private func number(after words: String, _ text: inout Span<UInt8>) -> UInt16? {
  guard let digits = rest(of: text, after: words) else { return nil }
  var count = 0
  while count < digits.count, count < 5, 0x30...0x39 ~= digits[count] { count += 1 }
  text = digits.extracting(droppingFirst: count)
  return decimal(digits.extracting(first: count), upTo: 0xFFFF).map { UInt16($0) }
}

extension ByteWriter where Self: ~Copyable {
  /// The beacon as `UUID.Maj:7.Min:515`.
  package mutating func append(text beacon: IBeacon) {
    append(text: beacon.uuid)
    append(".Maj:")
    append(decimal: Int64(widening: UInt32(beacon.major)))
    append(".Min:")
    append(decimal: Int64(widening: UInt32(beacon.minor)))
  }
}

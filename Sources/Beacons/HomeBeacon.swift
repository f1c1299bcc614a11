package import Bytes

/// The beacon that stands at home, and how strong it is heard there.
package struct HomeBeacon: Equatable, Sendable {
  /// Whose it is.
  package var uuid: UUID
  /// The group that it belongs to; `nil` for any.
  package var major: UInt16?
  /// Which one of the group it is; `nil` for any.
  package var minor: UInt16?
  /// What is heard at home is at least so strong, in dBm.
  package var rssi: Int8

  /// How strong a beacon is heard some metres away, in the same room, in dBm.
  package static var usualRSSI: Int8 { -75 }
  /// The weakest that there is: no chip hears less.
  package static var weakestRSSI: Int8 { -100 }
  /// The strongest that there is: none is heard better from beside it.
  package static var strongestRSSI: Int8 { -30 }

  /// One with these numbers.
  package init(
    _ uuid: UUID, major: UInt16? = nil, minor: UInt16? = nil, rssi: Int8 = Self.usualRSSI
  ) {
    (self.uuid, self.major, self.minor, self.rssi) = (uuid, major, minor, rssi)
  }

  /// Whether this is what is heard of it.
  package func isSame(as heard: IBeacon) -> Bool {
    uuid == heard.uuid && major ?? heard.major == heard.major
      && minor ?? heard.minor == heard.minor
  }
}

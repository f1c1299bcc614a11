package import Bytes

/// The beacon at home, and how strong its signal is there.
package struct HomeBeacon: Equatable, Sendable {
  package var uuid: UUID
  /// Its group; `nil` for any.
  package var major: UInt16?
  /// Its number in the group; `nil` for any.
  package var minor: UInt16?
  /// The weakest signal that counts as home, in dBm.
  package var rssi: Int8

  /// The usual signal some metres away, in the same room, in dBm.
  package static var usualRSSI: Int8 { -75 }
  /// No chip hears a weaker signal.
  package static var weakestRSSI: Int8 { -100 }
  /// No signal is stronger, even beside the beacon.
  package static var strongestRSSI: Int8 { -30 }

  package init(
    _ uuid: UUID, major: UInt16? = nil, minor: UInt16? = nil, rssi: Int8 = Self.usualRSSI
  ) {
    (self.uuid, self.major, self.minor, self.rssi) = (uuid, major, minor, rssi)
  }

  /// Whether `heard` is this beacon.
  package func isSame(as heard: IBeacon) -> Bool {
    uuid == heard.uuid && major ?? heard.major == heard.major
      && minor ?? heard.minor == heard.minor
  }
}

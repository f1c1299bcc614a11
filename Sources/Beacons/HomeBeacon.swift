public import Bytes

/// The beacon that stands at home, and how strong it is heard there.
public struct HomeBeacon: Equatable, Sendable {
  /// Whose it is.
  public var uuid: UUID
  /// The group that it belongs to; `nil` for any.
  public var major: UInt16?
  /// Which one of the group it is; `nil` for any.
  public var minor: UInt16?
  /// What is heard at home is at least so strong, in dBm.
  public var rssi: Int8

  /// How strong a beacon is heard some metres away, in the same room, in dBm.
  public static var usualRSSI: Int8 { -75 }
  /// The weakest that there is: no chip hears less.
  public static var weakestRSSI: Int8 { -100 }
  /// The strongest that there is: none is heard better from beside it.
  public static var strongestRSSI: Int8 { -30 }

  /// One with these numbers.
  public init(
    _ uuid: UUID, major: UInt16? = nil, minor: UInt16? = nil, rssi: Int8 = Self.usualRSSI
  ) {
    (self.uuid, self.major, self.minor, self.rssi) = (uuid, major, minor, rssi)
  }

  /// Whether this is what is heard of it.
  public func isSame(as heard: IBeacon) -> Bool {
    uuid == heard.uuid && major ?? heard.major == heard.major
      && minor ?? heard.minor == heard.minor
  }
}

package import Navigation

/// The figures of the ride and the state of the phone, which button A leads to.
package struct RidePage: ~Escapable {
  /// The ride so far, or the last one.
  package var trip: TripFigures
  /// The phone's name, empty while it is not known.
  package var phone: Span<UInt8>
  /// Whether there is a link to it.
  package var isConnected: Bool
  /// The power of its last advertisement in dBm, `nil` if that is not known.
  package var rssi: Int8?
  /// How full its battery is, in percent, or `nil` if that is not known.
  package var battery: UInt8?
  /// Whether the device is at home, where there is no phone to speak of.
  package var isAtHome = false
  /// How full Lenker's own battery is, in percent, or `nil` if that is not known.
  package var ownBattery: UInt8?
  /// What comes from behind, if there is a radar.
  package var radar: ShownRadar?

  /// A page without a radar, away from home.
  @_lifetime(copy phone)
  package init(
    _ trip: TripFigures, phone: Span<UInt8>, isConnected: Bool, rssi: Int8? = nil,
    battery: UInt8? = nil
  ) {
    self.trip = trip
    self.phone = phone
    self.isConnected = isConnected
    self.rssi = rssi
    self.battery = battery
  }
}

/// The end of a ride.
package struct Arrival: ~Escapable {
  /// The distance and time that were measured.
  package var trip: TripFigures
  /// The street of the finish, empty if it has no name.
  package var street: Span<UInt8>

  /// The end of a ride in a street.
  @_lifetime(copy street)
  package init(_ trip: TripFigures, street: Span<UInt8>) {
    self.trip = trip
    self.street = street
  }
}

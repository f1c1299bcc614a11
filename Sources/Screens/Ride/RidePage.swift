public import Navigation

/// The ride's facts, on the page that the page button leads to.
public struct Facts: ~Escapable {
  /// The phone's name, empty while it is not known.
  public var phone: Span<UInt8>
  /// Whether there is a link to it.
  public var isConnected: Bool
  /// The power of its last advertisement in dBm, 127 if that is not known.
  public var rssi: Int8
  /// How full its battery is, in percent, or `nil` if that is not known.
  public var battery: UInt8?
  /// How long ago it last said a turn, or `nil` if it never did.
  public var age: Age?
  /// The program's own version.
  public var version: Span<UInt8>

  /// Up to this age in seconds a turn counts as new, as a phone repeats it every other second.
  public static var freshness: Int64 { 10 }

  /// All facts.
  @_lifetime(copy phone, copy version)
  public init(
    phone: Span<UInt8>, isConnected: Bool, rssi: Int8, battery: UInt8? = nil, age: Age?,
    version: Span<UInt8>
  ) {
    self.phone = phone
    self.isConnected = isConnected
    self.rssi = rssi
    self.battery = battery
    self.age = age
    self.version = version
  }
}

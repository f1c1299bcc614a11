public import Navigation
public import Turns

/// What the rider is to see; texts are UTF-8 from anywhere and are borrowed.
///
/// The cases are in the order of a ride. `Bitmap.draw(_:)` turns one into a picture for a panel of
/// any size.
public enum Screen: ~Escapable {
  /// The program has just started; `version` is its own.
  case starting(version: Span<UInt8>)
  /// No phone is known, and none is searched for until the page button is pressed.
  case unpaired
  /// Searching for a phone, which will see `name`; `secondsLeft` until the search ends, if it does.
  case searching(name: Span<UInt8>, secondsLeft: Int?)
  /// A phone was found; its signal in dBm, 127 if that is not known.
  case found(phone: Span<UInt8>, rssi: Int8)
  /// Whether the phone, which sees `name`, shows this number of six digits too.
  case comparison(number: UInt32, name: Span<UInt8>, phone: Span<UInt8>)
  /// The pairing came to nothing.
  case pairingFailed(PairingSetback)
  /// Waiting for a phone that is known.
  case waiting(phone: Span<UInt8>)
  /// A phone was found and the link is being made; `name` is empty while it is not known.
  case connecting(name: Span<UInt8>)
  /// A phone is connected and sends no instruction yet; `name` is empty while it is not known.
  case ready(name: Span<UInt8>)
  /// The phone gives instructions to paired devices only, and this one is not.
  case refused
  /// The next turn.
  case navigation(ShownTurn)
  /// What there is to know about the ride beside the next turn.
  case facts(Facts)
  /// Which phone it is, and how to forget it.
  case phone(Span<UInt8>, Acquaintance)
  /// The unpair button is held; the phone is forgotten when `permille` gets to 1000.
  case unpairing(phone: Span<UInt8>, permille: Int)
  /// The phone was forgotten, as the rider wished.
  case freed
  /// The phone could not be forgotten: the store cannot be written.
  case notFreed
  /// The phone has forgotten this device.
  case forgotten(phone: Span<UInt8>)
  /// The board file is wrong, and other settings are used; `mistake` says where and what it is.
  case wrongSettings(mistake: Span<UInt8>)
  /// The Bluetooth controller does not work; `advice` says what to do.
  case noRadio(advice: Span<UInt8>)
}

/// The next turn, as the navigation screen shows it.
public struct ShownTurn: ~Escapable {
  /// What to do there.
  public var maneuver: Maneuver
  /// The rounded distance: a number, a blank and its unit, or a word such as `Now`.
  public var distance: Span<UInt8>
  /// The name of the street, UTF-8 of any kind and length.
  public var street: Span<UInt8>
  /// How long ago the phone last confirmed this turn if that is too long ago, else `nil`.
  public var age: Age?
  /// How many columns of a street that needs to scroll have gone out at the side where it begins.
  public var streetOffset = 0
  /// Whether dark and lit are swapped, to draw attention.
  public var isInverted = false

  /// A turn that is shown still; `age` marks it as stale.
  @_lifetime(copy distance, copy street)
  public init(
    _ maneuver: Maneuver, distance: Span<UInt8>, street: Span<UInt8>, age: Age? = nil
  ) {
    self.maneuver = maneuver
    self.distance = distance
    self.street = street
    self.age = age
  }
}

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
  /// How long ago it last told a turn, or `nil` if it never did.
  public var age: Age?
  /// The program's own version.
  public var version: Span<UInt8>

  /// Up to this age in seconds a turn counts as just told, as a phone tells it every other second.
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

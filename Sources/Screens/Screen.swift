/// What the rider is to see; texts are UTF-8 from anywhere and are borrowed.
///
/// `Bitmap.draw(_:)` turns it into a picture for a panel of any size.
public enum Screen: ~Escapable {
  /// The program has just started; `version` is its own.
  case starting(version: Span<UInt8>)
  /// No phone is known, and none is searched for until the page button is pressed.
  case unpaired
  /// Searching for a phone, which will see `name`; `secondsLeft` until the search ends, if it does,
  /// and `phase` counts the steps of the dots that show that something goes on.
  case searching(name: Span<UInt8>, secondsLeft: Int?, phase: Int)
  /// A phone was found; its signal in dBm, 127 if that is not known.
  case found(phone: Span<UInt8>, rssi: Int8)
  /// Whether the phone, which sees `name`, shows this number of six digits too.
  case comparison(number: UInt32, name: Span<UInt8>, phone: Span<UInt8>)
  /// The pairing came to nothing.
  case pairingFailed(PairingFailure)
  /// Waiting for a phone that is known.
  case waiting(phone: Span<UInt8>, Acquaintance)
  /// Which phone it is, and how to forget it.
  case phone(Span<UInt8>, Acquaintance)
  /// The phone has forgotten this device.
  case forgotten(phone: Span<UInt8>)
  /// The unpair button is held; the phone is forgotten when `permille` gets to 1000.
  case unpairing(phone: Span<UInt8>, permille: Int)
  /// The phone was forgotten, as the rider wished.
  case freed
  /// A phone was found and the link is being made; `name` is empty while it is not known.
  case connecting(name: Span<UInt8>)
  /// A phone is connected and sends no instruction yet; `name` is empty while it is not known.
  case ready(name: Span<UInt8>)
  /// The next turn.
  case navigation(Turn)
  /// The Bluetooth controller does not work; `advice` says what to do.
  case noRadio(advice: Span<UInt8>)
  /// Anything else that the rider must know.
  case message(title: Span<UInt8>, text: Span<UInt8>)
}

/// The next turn, as the navigation screen shows it.
public struct Turn: ~Escapable {
  /// komoot's number of the direction.
  public var direction: UInt8
  /// The rounded distance: a number, a blank and its unit, or a word such as `Now`.
  public var distance: Span<UInt8>
  /// The name of the street, UTF-8 of any kind and length.
  public var street: Span<UInt8>
  /// Seconds since the phone last confirmed this turn if that is too long ago, else `nil`.
  public var age: Int?
  /// How many columns of a street that needs to scroll have gone out on the left.
  public var streetOffset = 0
  /// Whether dark and lit are swapped, to draw attention.
  public var isInverted = false

  /// A turn that is shown still; `age` marks it as stale.
  @_lifetime(copy distance, copy street)
  public init(
    direction: UInt8, distance: Span<UInt8>, street: Span<UInt8>, age: Int? = nil
  ) {
    self.direction = direction
    self.distance = distance
    self.street = street
    self.age = age
  }
}

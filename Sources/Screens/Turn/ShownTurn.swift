public import Navigation
public import Turns

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
  /// Whether there is something to know about the phone, which a mark beside the age says.
  public var isPhoneInDoubt = false
  /// Whether the turn is stale because there is no link, rather than because nothing is said on it.
  public var isLinkLost = false
  /// The metres to a turn that is nearer than 100 m, which a bar shows; else `nil`.
  public var nearness: Int?
  /// Whether the arrow is marked, as the turn is due.
  public var isMarked = false
  /// Whether dark and lit are swapped, to draw attention.
  public var isInverted = false
  /// Whether the distance is estimated, as nothing was said of it for a while.
  public var isEstimated = false
  /// What the rider wants to see above the distance, where that line is spare.
  public var extra: ShownFigure?
  /// What comes from behind, if there is a radar.
  public var radar: ShownRadar?

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

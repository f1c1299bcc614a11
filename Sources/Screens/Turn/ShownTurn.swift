package import Navigation
package import Turns

/// The next turn, as the navigation screen shows it.
package struct ShownTurn: ~Escapable {
  /// What to do there.
  package var maneuver: Maneuver
  /// The rounded distance: a number, a blank and its unit, or a word such as `Now`.
  package var distance: Span<UInt8>
  /// The name of the street, UTF-8 of any kind and length.
  package var street: Span<UInt8>
  /// How long ago the phone last confirmed this turn if that is too long ago, else `nil`.
  package var age: Age?
  /// How many columns of a street that needs to scroll have gone out at the side where it begins.
  package var streetOffset = 0
  /// Whether there is something to know about the phone, which a mark beside the age says.
  package var isPhoneInDoubt = false
  /// Whether the turn is stale because there is no link, rather than because nothing is said on it.
  package var isLinkLost = false
  /// The metres to a turn that is nearer than 100 m, which a bar shows; else `nil`.
  package var nearness: Int?
  /// Whether the arrow is marked, as the turn is due.
  package var isMarked = false
  /// Whether dark and lit are swapped, to draw attention.
  package var isInverted = false
  /// Whether the distance is estimated, as nothing was said of it for a while.
  package var isEstimated = false
  /// What the rider wants to see above the distance, where that line is spare.
  package var extra: ShownFigure?
  /// What comes from behind, if there is a radar.
  package var radar: ShownRadar?

  /// A turn that is shown still; `age` marks it as stale.
  @_lifetime(copy distance, copy street)
  package init(
    _ maneuver: Maneuver, distance: Span<UInt8>, street: Span<UInt8>, age: Age? = nil
  ) {
    self.maneuver = maneuver
    self.distance = distance
    self.street = street
    self.age = age
  }
}

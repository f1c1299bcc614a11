package import Navigation
package import Turns

/// The figures of a turn on its screen, without the texts and the clock.
package struct TurnFigures: Equatable {
  package var maneuver: Maneuver
  /// The time since the phone last confirmed this turn, or `nil` while that is short.
  package var age: Age?
  /// Whether a mark beside the age doubts the phone: nothing goes on until the rider presses A.
  package var isPhoneInDoubt = false
  /// Whether the turn is stale because the link is lost.
  package var isLinkLost = false
  /// Whether the distance is estimated, as the phone has not sent one for a while.
  package var isEstimated = false
  /// The metres to a turn that is nearer than 100 m, which a bar shows; else `nil`.
  package var nearness: Int?
  /// Whether the arrow is marked, as the turn is due.
  package var isMarked = false
  /// Whether dark and lit are swapped, to draw attention.
  package var isInverted = false
  /// A figure above the distance, where that line is free.
  package var extra: ShownFigure?
  /// What comes from behind, if there is a radar.
  package var radar: ShownRadar?

  package init(_ maneuver: Maneuver, age: Age? = nil) {
    (self.maneuver, self.age) = (maneuver, age)
  }
}

/// The next turn, as the navigation screen shows it.
package struct ShownTurn: ~Escapable {
  package var figures: TurnFigures
  /// The rounded distance: a number, a blank and its unit, or a word such as `Now`.
  package var distance: Span<UInt8>
  /// The name of the street, UTF-8 of any kind and length.
  package var street: Span<UInt8>
  /// By how many columns a long street has scrolled.
  package var streetOffset = 0

  /// A turn whose street has not scrolled.
  @_lifetime(copy distance, copy street)
  package init(_ figures: TurnFigures, distance: Span<UInt8>, street: Span<UInt8>) {
    (self.figures, self.distance, self.street) = (figures, distance, street)
  }
}

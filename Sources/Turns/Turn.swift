import Bytes

/// The next turn, from any source of navigation.
///
/// It has about half a kilobyte; only `Guidance` keeps one.
package struct Turn: ~Copyable {
  package let maneuver: Maneuver
  /// Metres to the turn.
  package let distance: UInt32
  private var name = FixedBuffer<503>()

  /// No turn: see `isEmpty`.
  package init() { self.init(.none, distance: 0, street: Span()) }

  /// A turn into `street`, of which the letters within the first 503 bytes are kept.
  package init(_ maneuver: Maneuver, distance: UInt32, street: Span<UInt8>) {
    self.maneuver = maneuver
    self.distance = distance
    name.assign(street.extracting(first: textEnd(street, upTo: 503)))
    name.removeOwnSigns()
  }

  /// The street's bytes as the source sent them, but for Lenker's own signs: UTF-8 if it is correct, at most 503.
  package var street: Span<UInt8> { name.bytes }

  /// Whether there is no turn: no maneuver, no distance and no street.
  package var isEmpty: Bool { maneuver == .none && distance == 0 && name.isEmpty }

  /// Whether maneuver and street are the same, whatever the distance.
  package func isSameTurn(as other: borrowing Turn) -> Bool {
    maneuver == other.maneuver && isEqual(street, other.street)
  }
}

/// Which app of the phone sends a turn, and how the turn reaches us.
package enum TurnSource: Equatable, Sendable {
  /// komoot, whose characteristic is read.
  case komoot
  /// Another app, whose turns Gadgetbridge writes to us.
  case gadgetbridge
}

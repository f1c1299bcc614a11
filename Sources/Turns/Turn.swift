import Bytes

/// The next turn, as a source of navigation says it.
///
/// About half a kilobyte, held in place; `Guidance` keeps the only one there is.
package struct Turn: ~Copyable {
  /// What to do there.
  package let maneuver: Maneuver
  /// Metres to it.
  package let distance: UInt32
  private var name = FixedBuffer<503>()

  /// No turn: see `isEmpty`.
  package init() { self.init(.none, distance: 0, street: Span()) }

  /// A turn into `street`, of which the letters within 503 bytes are kept.
  package init(_ maneuver: Maneuver, distance: UInt32, street: Span<UInt8>) {
    self.maneuver = maneuver
    self.distance = distance
    name.assign(street.extracting(first: textEnd(street, upTo: 503)))
  }

  /// The street's bytes as they were sent: UTF-8 if all is well, at most 503.
  package var street: Span<UInt8> {
    // For the second attribute see `FixedBuffer.bytes`.
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { name.bytes }
  }

  /// Whether there is no turn: nothing to do, nowhere, in no street.
  package var isEmpty: Bool { maneuver == .none && distance == 0 && name.isEmpty }

  /// Whether maneuver and street are the same, however far away they are.
  package func isSameTurn(as other: borrowing Turn) -> Bool {
    maneuver == other.maneuver && isEqual(street, other.street)
  }
}

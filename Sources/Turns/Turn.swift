import Bytes

/// The next turn, as a source of navigation says it.
///
/// About half a kilobyte, held in place; `Guidance` keeps the only one there is.
public struct Turn: ~Copyable {
  /// What to do there.
  public let maneuver: Maneuver
  /// Metres to it.
  public let distance: UInt32
  private var name = FixedBuffer<503>()

  /// No turn: see `isEmpty`.
  public init() { self.init(.none, distance: 0, street: Span()) }

  /// A turn into `street`, of which the letters within 503 bytes are kept.
  public init(_ maneuver: Maneuver, distance: UInt32, street: Span<UInt8>) {
    self.maneuver = maneuver
    self.distance = distance
    name.assign(street.extracting(first: textEnd(street, upTo: 503)))
  }

  /// The street's bytes as they were sent: UTF-8 if all is well, at most 503.
  public var street: Span<UInt8> {
    // For the second attribute see `FixedBuffer.bytes`.
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { name.bytes }
  }

  /// Whether there is no turn: nothing to do, nowhere, in no street.
  public var isEmpty: Bool { maneuver == .none && distance == 0 && name.isEmpty }

  /// Whether maneuver and street are the same, however far away they are.
  public func isSameTurn(as other: borrowing Turn) -> Bool {
    maneuver == other.maneuver && isEqual(street, other.street)
  }
}

/// Whether and how phones are paired with.
package enum PairingPolicy: Equatable, Sendable {
  /// Only an encrypted link is of use.
  case required
  /// A phone that cannot be paired with is remembered by its address, if that is a fixed one.
  case preferred
  /// No phone is paired with or remembered; the search never ends.
  case off
}

/// By what a phone is remembered.
package enum Remembrance: Equatable, Sendable {
  /// It is paired: its key is in `Host.newBond`.
  case keys
  /// It cannot be paired with, but its address, which is in `Host.newBond`, never changes.
  case address
  /// Nothing by which it could be known after this ride.
  case nothing
}

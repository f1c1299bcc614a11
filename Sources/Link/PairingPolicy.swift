/// Whether and how phones are paired with.
package enum PairingPolicy: Equatable, Sendable {
  /// Only an encrypted link is of use.
  case required
  /// A phone that cannot be paired with is remembered by its address, if that is a fixed one.
  case preferred
  /// No phone is paired with or remembered; the search never ends.
  case off
}

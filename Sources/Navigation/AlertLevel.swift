/// How much of the rider's attention the turn needs.
///
/// The levels of a turn come in this order; some may be skipped.
package enum AlertLevel: UInt8, Comparable, Sendable {
  /// Nothing fresh is known.
  case none
  /// The ride begins.
  case depart
  /// The next turn is far away.
  case low
  /// The next turn comes in about a minute.
  case medium
  /// The next turn is there.
  case high
  /// The ride ends here.
  case arrive

  package static func < (a: AlertLevel, b: AlertLevel) -> Bool { a.rawValue < b.rawValue }
}

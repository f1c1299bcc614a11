/// How much the rider's attention is wanted.
///
/// The levels of a turn come in this order, some of them left out.
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

  /// Whether `a` wants less attention than `b`.
  package static func < (a: AlertLevel, b: AlertLevel) -> Bool { a.rawValue < b.rawValue }
}

import Bytes
import Turns

/// What distinguishes one turn from another, without the bytes of its street.
struct TurnMark: Equatable, Sendable {
  private let maneuver: Maneuver
  private let street: UInt64

  init(_ turn: borrowing Turn) {
    maneuver = turn.maneuver
    street = fnv1a(turn.street)
  }

  /// Whether the rider must do more than go straight on.
  var isTurning: Bool { maneuver != .straight }
}

/// How the turn of a reading relates to the turn before: `Alerts` has the rules.
enum Sighting: Sendable {
  case same
  /// The turn that off the route had interrupted, or off the route again.
  case resumed
  /// Another turn, or the first one.
  case another
  /// The reading may be an error, and does not count.
  case doubtful
}

/// A number that almost certainly differs for different bytes: FNV-1a of 64 bits.
private func fnv1a(_ bytes: Span<UInt8>) -> UInt64 {
  var hash = UInt64(0xCBF2_9CE4_8422_2325)
  for index in bytes.indices {
    hash = (hash ^ UInt64(widening: UInt32(bytes[index]))) &* 0x100_0000_01B3
  }
  return hash
}

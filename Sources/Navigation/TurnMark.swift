import Bytes
import Turns

/// What distinguishes one turn from another without its street's bytes.
struct TurnMark: Equatable, Sendable {
  private let maneuver: Maneuver
  private let street: UInt64

  init(_ turn: borrowing Turn) {
    maneuver = turn.maneuver
    street = fnv1a(turn.street)
  }

  /// Whether there is something to do but go on.
  var isTurning: Bool { maneuver != .straight }
}

/// Which turn a reading is about, beside the one before it: `Alerts` has the rules.
enum Sighting: Sendable {
  /// The same one.
  case same
  /// The one that being off the route had interrupted, or that again.
  case resumed
  /// Another one, or the first.
  case another
  /// The reading may be an error, and does not count.
  case doubtful
}

/// A number that is most likely another one for other bytes: FNV-1a of 64 bits.
private func fnv1a(_ bytes: Span<UInt8>) -> UInt64 {
  var hash = UInt64(0xCBF2_9CE4_8422_2325)
  for index in bytes.indices {
    hash = (hash ^ UInt64(widening: UInt32(bytes[index]))) &* 0x100_0000_01B3
  }
  return hash
}

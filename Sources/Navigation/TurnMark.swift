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

  /// How a later reading relates to this turn, which was at a distance in metres.
  ///
  /// komoot's turns are told apart by their streets, too. Those of Gadgetbridge are not: OsmAnd's text is a
  /// sentence that changes while one comes nearer.
  func likeness(
    of news: TurnMark, _ distance: Int64, after last: Int64, isByStreet: Bool
  ) -> Likeness {
    guard isByStreet ? self == news : maneuver == news.maneuver else { return .other }
    let leeway = isByStreet ? Self.growth : max(Self.smallestGrowth, last / 10)
    if distance - last <= leeway { return .same }
    return self == news ? .farther : .other
  }

  /// Metres.
  private static var growth: Int64 { 40 }
  private static var smallestGrowth: Int64 { 30 }
}

/// How a reading relates to a turn, by maneuver, street and distance.
enum Likeness: Sendable {
  case same
  /// As that turn but farther away: an error, or the next one of its kind.
  case farther
  case other
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

import Bytes
import Turns

/// What distinguishes one turn from another, without the bytes of its street.
struct TurnMark: Equatable, Sendable {
  private let maneuver: Maneuver
  private var street = TextMark()

  init(_ turn: borrowing Turn) {
    maneuver = turn.maneuver
    street.add(turn.street)
  }

  /// Whether the rider must do more than go straight on.
  var isTurning: Bool { maneuver != .straight }

  /// How a later reading relates to this turn, which was at a distance in metres.
  ///
  /// komoot's turns are distinguished by their streets, too. Gadgetbridge's are not: OsmAnd's text is a
  /// sentence that changes as the rider comes nearer.
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
  /// The turn from before an interruption by off the route, or that interruption again.
  case resumed
  /// Another turn, or the first one.
  case another
  /// The reading may be an error, and does not count.
  case doubtful
}

/// A mark that shows whether texts have changed, without a copy of them.
///
/// FNV-1a in 64 bits: two names that a rider meets do not have the same mark by chance.
package struct TextMark: Equatable, Sendable {
  private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

  package init() {}

  /// Adds a text behind those that were added before.
  package mutating func add(_ text: Span<UInt8>) {
    for index in text.indices { add(text[index]) }
    // No text has this byte, so "ab" and "c" differ from "a" and "bc".
    add(0xFF)
  }

  private mutating func add(_ byte: UInt8) {
    hash = (hash ^ UInt64(widening: UInt32(byte))) &* 0x0000_0100_0000_01B3
  }
}

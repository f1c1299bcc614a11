/// What to do at a turn, whatever the source of navigation.
package enum Maneuver: Equatable, Sendable {
  case none
  case straight
  case start
  case finish
  case slightLeft
  case left
  case sharpLeft
  case sharpRight
  case right
  case slightRight
  case forkLeft
  case forkRight
  case uTurn
  case pointOfInterest
  /// Leave a roundabout by an exit; `nil` if its sense of travel is unknown.
  case roundabout(Exit, Circulation?)
  case offRoute
  /// Something for which the source's module has no name; equal numbers mean the same.
  case unknown(UInt8)

  /// The side that a turn leads to.
  package enum Side: Equatable, Sendable { case left, right }

  /// The side that it leads to; `nil` if it leads to neither, or the source may mean another one.
  package var side: Side? {
    switch self {
    case .slightLeft, .left, .sharpLeft, .forkLeft: .left
    case .slightRight, .right, .sharpRight, .forkRight: .right
    case .none, .straight, .start, .finish, .uTurn, .pointOfInterest, .roundabout, .offRoute,
      .unknown:
      nil
    }
  }

  /// Whether a way leads to it: not at the start, where the rider is already, nor off the route.
  package var hasWay: Bool { self != .start && self != .offRoute }

  /// The sense of travel in a roundabout, seen from above.
  package enum Circulation: Equatable, Sendable {
    /// As in countries that drive on the left.
    case clockwise
    /// As in countries that drive on the right.
    case counterclockwise
  }

  /// Where a roundabout is left.
  package enum Exit: Equatable, Sendable {
    /// The source does not mention the exit.
    case unsaid
    /// The source does not know the exit.
    case unknown
    case left
    case right
    /// The number of the exit, from 1 on in the sense of travel, and how many exits there are.
    case number(UInt8, of: UInt8)
  }
}

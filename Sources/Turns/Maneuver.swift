/// What to do at a turn, as any source of navigation may say it.
package enum Maneuver: Equatable, Sendable {
  /// Nothing is said.
  case none
  /// Go straight on.
  case straight
  /// The route starts here.
  case start
  /// The route ends here.
  case finish
  /// Bear left.
  case slightLeft
  /// Turn left.
  case left
  /// Turn left by more than a right angle.
  case sharpLeft
  /// Turn right by more than a right angle.
  case sharpRight
  /// Turn right.
  case right
  /// Bear right.
  case slightRight
  /// Keep left at a fork.
  case forkLeft
  /// Keep right at a fork.
  case forkRight
  /// Turn round.
  case uTurn
  /// Something worth seeing is here.
  case pointOfInterest
  /// Leave a roundabout by an exit; `nil` where its sense of travel is not said.
  case roundabout(Exit, Circulation?)
  /// The rider has left the route.
  case offRoute
  /// Something that the source's module has no name for; the number says only which are the same.
  case unknown(UInt8)

  /// The sense of travel in a roundabout, seen from above.
  package enum Circulation: Equatable, Sendable {
    /// As where one drives on the left.
    case clockwise
    /// As where one drives on the right.
    case counterclockwise
  }

  /// Where a roundabout is left.
  package enum Exit: Equatable, Sendable {
    /// Nothing is said of the exit.
    case unsaid
    /// The source does not know the exit.
    case unknown
    /// To the left of the way in.
    case left
    /// To the right of the way in.
    case right
    /// The exit with this number, from 1 up in the sense of travel, of as many as there are.
    case number(UInt8, of: UInt8)
  }
}

import Graphics
import Turns

extension Arrow {
  /// The sign of a maneuver; a neutral one where a wrong arrow could lead astray.
  init(_ maneuver: Maneuver) {
    self =
      switch maneuver {
      case .none: .none
      case .straight: .straight
      case .start: .start
      case .finish: .finish
      case .slightLeft: .slightLeft
      case .left: .left
      case .sharpLeft: .sharpLeft
      case .sharpRight: .sharpRight
      case .right: .right
      case .slightRight: .slightRight
      case .forkLeft: .forkLeft
      case .forkRight: .forkRight
      case .uTurn: .uTurn
      case .pointOfInterest: .pointOfInterest
      case .roundabout(let exit, .clockwise): Arrow(clockwise: exit)
      case .roundabout(let exit, .counterclockwise): Arrow(counterclockwise: exit)
      case .roundabout(.unsaid, nil): .roundabout
      case .roundabout(_, nil): .exitUnknown
      case .offRoute: .offRoute
      case .unknown: .unknown
      }
  }

  private init(clockwise exit: Maneuver.Exit) {
    self =
      switch exit {
      case .left: .exitLeftClockwise
      case .number(1, of: 1): .exit1Of1Clockwise
      case .number(1, of: 2): .exit1Of2Clockwise
      case .number(2, of: 2): .exit2Of2Clockwise
      case .number(1, of: 3): .exit1Of3Clockwise
      case .number(2, of: 3): .exit2Of3Clockwise
      case .number(3, of: 3): .exit3Of3Clockwise
      case .unsaid: .roundabout
      case .unknown, .right, .number: .exitUnknown
      }
  }

  private init(counterclockwise exit: Maneuver.Exit) {
    self =
      switch exit {
      case .right: .exitRightCounterclockwise
      case .number(1, of: 1): .exit1Of1Counterclockwise
      case .number(1, of: 2): .exit1Of2Counterclockwise
      case .number(2, of: 2): .exit2Of2Counterclockwise
      case .number(1, of: 3): .exit1Of3Counterclockwise
      case .number(2, of: 3): .exit2Of3Counterclockwise
      case .number(3, of: 3): .exit3Of3Counterclockwise
      case .unsaid: .roundabout
      case .unknown, .left, .number: .exitUnknown
      }
  }
}

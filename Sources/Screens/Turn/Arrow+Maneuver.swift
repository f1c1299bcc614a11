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
      case .roundabout(let exit, .clockwise): Arrow(exit, isClockwise: true)
      case .roundabout(let exit, .counterclockwise): Arrow(exit, isClockwise: false)
      case .roundabout(.unsaid, nil): .roundabout
      case .roundabout(_, nil): .exitUnknown
      case .offRoute: .offRoute
      case .unknown: .unknown
      }
  }

  private init(_ exit: Maneuver.Exit, isClockwise: Bool) {
    self =
      switch exit {
      case .left where isClockwise: .exitLeftClockwise
      case .right where !isClockwise: .exitRightCounterclockwise
      case .number(1, of: 1): isClockwise ? .exit1Of1Clockwise : .exit1Of1Counterclockwise
      case .number(1, of: 2): isClockwise ? .exit1Of2Clockwise : .exit1Of2Counterclockwise
      case .number(2, of: 2): isClockwise ? .exit2Of2Clockwise : .exit2Of2Counterclockwise
      case .number(1, of: 3): isClockwise ? .exit1Of3Clockwise : .exit1Of3Counterclockwise
      case .number(2, of: 3): isClockwise ? .exit2Of3Clockwise : .exit2Of3Counterclockwise
      case .number(3, of: 3): isClockwise ? .exit3Of3Clockwise : .exit3Of3Counterclockwise
      case .unsaid: .roundabout
      case .unknown, .left, .right, .number: .exitUnknown
      }
  }
}

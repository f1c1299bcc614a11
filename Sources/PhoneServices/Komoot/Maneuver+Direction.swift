package import Turns

extension Maneuver {
  /// The maneuver of a direction, byte 4 of komoot's value.
  ///
  /// The app may get new directions, so every byte is one.
  package init(direction: UInt8) {
    self =
      switch direction {
      case 0: .none  // reserved
      case 1: .straight
      case 2: .start
      case 3: .finish
      case 4: .slightLeft
      case 5: .left
      case 6: .sharpLeft
      case 7: .sharpRight
      case 8: .right
      case 9: .slightRight
      case 10: .forkRight
      case 11: .forkLeft
      case 12: .uTurn
      case 13: .pointOfInterest  // reserved
      case 14: .roundabout(.unsaid, nil)  // reserved, but seen in recorded rides
      case 15: .roundabout(.left, .clockwise)
      case 16: .roundabout(.right, .counterclockwise)
      case 17: .roundabout(.number(1, of: 1), .counterclockwise)
      case 18: .roundabout(.number(1, of: 2), .counterclockwise)
      case 19: .roundabout(.number(1, of: 3), .counterclockwise)
      case 20: .roundabout(.number(2, of: 2), .counterclockwise)
      case 21: .roundabout(.number(2, of: 3), .counterclockwise)
      case 22: .roundabout(.number(3, of: 3), .counterclockwise)
      case 23: .roundabout(.number(1, of: 1), .clockwise)
      case 24: .roundabout(.number(1, of: 2), .clockwise)
      case 25: .roundabout(.number(1, of: 3), .clockwise)
      case 26: .roundabout(.number(2, of: 2), .clockwise)
      case 27: .roundabout(.number(2, of: 3), .clockwise)
      case 28: .roundabout(.number(3, of: 3), .clockwise)
      case 29: .roundabout(.unknown, nil)
      case 30: .offRoute
      default: .unknown(direction)
      }
  }
}

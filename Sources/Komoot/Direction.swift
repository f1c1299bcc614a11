/// Which way to go: byte 4 of the value.
///
/// Any byte is a direction, as the app may learn new ones; see `isKnown`.
public struct Direction: RawRepresentable, Equatable, Sendable {
  /// The byte as the phone sends it.
  public let rawValue: UInt8

  /// The direction that the phone sends as `rawValue`.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Whether the byte has a meaning, 0...30; others deserve a neutral sign.
  public var isKnown: Bool { rawValue <= Self.offRoute.rawValue }

  /// No direction; reserved.
  public static var none: Direction { Direction(rawValue: 0) }
  /// Straight on.
  public static var straight: Direction { Direction(rawValue: 1) }
  /// The start of the route.
  public static var start: Direction { Direction(rawValue: 2) }
  /// The end of the route.
  public static var finish: Direction { Direction(rawValue: 3) }
  /// Bear left.
  public static var slightLeft: Direction { Direction(rawValue: 4) }
  /// Turn left.
  public static var left: Direction { Direction(rawValue: 5) }
  /// Turn left by more than a right angle.
  public static var sharpLeft: Direction { Direction(rawValue: 6) }
  /// Turn right by more than a right angle.
  public static var sharpRight: Direction { Direction(rawValue: 7) }
  /// Turn right.
  public static var right: Direction { Direction(rawValue: 8) }
  /// Bear right.
  public static var slightRight: Direction { Direction(rawValue: 9) }
  /// The right branch of a fork.
  public static var forkRight: Direction { Direction(rawValue: 10) }
  /// The left branch of a fork.
  public static var forkLeft: Direction { Direction(rawValue: 11) }
  /// Turn round.
  public static var uTurn: Direction { Direction(rawValue: 12) }
  /// A point of interest; reserved.
  public static var pointOfInterest: Direction { Direction(rawValue: 13) }
  /// A roundabout; reserved, but seen in recorded rides.
  public static var roundabout: Direction { Direction(rawValue: 14) }
  /// A clockwise roundabout, leaving on the left.
  public static var roundaboutExitLeft: Direction { Direction(rawValue: 15) }
  /// A counter-clockwise roundabout, leaving on the right.
  public static var roundaboutExitRight: Direction { Direction(rawValue: 16) }
  /// A counter-clockwise roundabout, its only exit.
  public static var counterclockwiseExit1Of1: Direction { Direction(rawValue: 17) }
  /// A counter-clockwise roundabout, the first exit of two.
  public static var counterclockwiseExit1Of2: Direction { Direction(rawValue: 18) }
  /// A counter-clockwise roundabout, the first exit of three.
  public static var counterclockwiseExit1Of3: Direction { Direction(rawValue: 19) }
  /// A counter-clockwise roundabout, the second exit of two.
  public static var counterclockwiseExit2Of2: Direction { Direction(rawValue: 20) }
  /// A counter-clockwise roundabout, the second exit of three.
  public static var counterclockwiseExit2Of3: Direction { Direction(rawValue: 21) }
  /// A counter-clockwise roundabout, the third exit of three.
  public static var counterclockwiseExit3Of3: Direction { Direction(rawValue: 22) }
  /// A clockwise roundabout, its only exit.
  public static var clockwiseExit1Of1: Direction { Direction(rawValue: 23) }
  /// A clockwise roundabout, the first exit of two.
  public static var clockwiseExit1Of2: Direction { Direction(rawValue: 24) }
  /// A clockwise roundabout, the first exit of three.
  public static var clockwiseExit1Of3: Direction { Direction(rawValue: 25) }
  /// A clockwise roundabout, the second exit of two.
  public static var clockwiseExit2Of2: Direction { Direction(rawValue: 26) }
  /// A clockwise roundabout, the second exit of three.
  public static var clockwiseExit2Of3: Direction { Direction(rawValue: 27) }
  /// A clockwise roundabout, the third exit of three.
  public static var clockwiseExit3Of3: Direction { Direction(rawValue: 28) }
  /// A roundabout whose exit the phone does not know.
  public static var roundaboutExitUnknown: Direction { Direction(rawValue: 29) }
  /// The rider has left the route.
  public static var offRoute: Direction { Direction(rawValue: 30) }
}

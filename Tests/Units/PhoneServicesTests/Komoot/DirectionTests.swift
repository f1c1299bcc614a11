import PhoneServices
import Testing
import Turns

/// komoot's published list of directions, in its order: byte 4 of a value.
@Suite struct DirectionTests {
  private static let published: [Maneuver] =
    [
      .none, .straight, .start, .finish, .slightLeft, .left, .sharpLeft, .sharpRight, .right,
      .slightRight, .forkRight, .forkLeft, .uTurn, .pointOfInterest, .roundabout(.unsaid, nil),
      .roundabout(.left, .clockwise), .roundabout(.right, .counterclockwise),
    ] + exits(.counterclockwise) + exits(.clockwise) + [.roundabout(.unknown, nil), .offRoute]

  private static func exits(_ circulation: Maneuver.Circulation) -> [Maneuver] {
    [(1, 1), (1, 2), (1, 3), (2, 2), (2, 3), (3, 3)].map {
      .roundabout(.number($0, of: $1), circulation)
    }
  }

  @Test(arguments: 0...30 as ClosedRange<UInt8>)
  func eachPublishedDirectionIsAManeuver(_ byte: UInt8) {
    #expect(Maneuver(direction: byte) == Self.published[Int(byte)])
  }

  @Test(arguments: 31...255 as ClosedRange<UInt8>)
  func everyOtherDirectionIsUnknown(_ byte: UInt8) {
    #expect(Maneuver(direction: byte) == .unknown(byte))
  }

  /// Another direction with the same street is another turn, known or not.
  @Test func noTwoDirectionsAreTheSameManeuver() {
    let maneuvers = (0...255 as ClosedRange<UInt8>).map(Maneuver.init(direction:))
    for (index, maneuver) in maneuvers.enumerated() {
      #expect(maneuvers.firstIndex(of: maneuver) == index)
    }
  }
}

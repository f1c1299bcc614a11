import Expecting
import Graphics
import TestSupport
import Turns

/// Which sign a maneuver is shown by.
struct ManeuverTests {
  private static let exits: [Maneuver.Exit] =
    [.unsaid, .unknown, .left, .right]
    + (0...9).flatMap { number in (0...9).map { .number(number, of: $0) } }

  private static let others: [Maneuver] = [
    .none, .straight, .start, .finish, .slightLeft, .left, .sharpLeft, .sharpRight, .right,
    .slightRight, .forkRight, .forkLeft, .uTurn, .pointOfInterest, .offRoute, .unknown(31),
  ]

  /// Roundabouts that have drawings of their own: to the side, and up to three exits.
  private static func drawn(_ circulation: Maneuver.Circulation) -> [Maneuver] {
    let side: Maneuver.Exit = circulation == .clockwise ? .left : .right
    let numbers: [Maneuver.Exit] = [
      .number(1, of: 1), .number(1, of: 2), .number(1, of: 3), .number(2, of: 2),
      .number(2, of: 3), .number(3, of: 3),
    ]
    return ([side] + numbers).map { .roundabout($0, circulation) }
  }

  /// Distance and street stand beside each, so two pictures differ in their signs.
  private func picture(_ maneuver: Maneuver, _ panel: Panel) -> Pixels {
    Pixels(panel.turn("Lennéstraße") { $0.maneuver = maneuver })
  }

  @Test(arguments: Panel.allCases) func eachManeuverHasASignOfItsOwn(_ panel: Panel) {
    let maneuvers =
      Self.others + Self.drawn(.clockwise) + Self.drawn(.counterclockwise)
      + [.roundabout(.unsaid, nil), .roundabout(.unknown, nil)]
    expect(maneuvers.count, 32)
    expect(Set(maneuvers.map { picture($0, panel) }).count, 32)
    expect(Set((0...255).map { picture(.unknown($0), panel) }).count, 1, "the neutral sign")
  }

  /// An exit that nothing was drawn for must not look like another one.
  @Test(arguments: [Maneuver.Circulation.clockwise, .counterclockwise, nil])
  func anExitWithoutADrawingIsShownAsUnknown(_ circulation: Maneuver.Circulation?) {
    let unknown = picture(.roundabout(.unknown, nil), .large)
    let unsaid = picture(.roundabout(.unsaid, nil), .large)
    expect(picture(.roundabout(.unsaid, circulation), .large), unsaid, "it has no way out")
    let drawn = circulation.map(Self.drawn) ?? []
    for exit in Self.exits where exit != .unsaid {
      let maneuver = Maneuver.roundabout(exit, circulation)
      let isUnknown = picture(maneuver, .large) == unknown
      expect(isUnknown, !drawn.contains(maneuver), "\(maneuver)")
    }
  }
}

import Bytes
package import Turns

extension Maneuver {
  /// The maneuver of an action, a word that Gadgetbridge has for it; `.unknown(255)` for any other word.
  ///
  /// For OsmAnd the side of a roundabout is the one that people drive on, for Google Maps the one where it is
  /// left, and the line does not name the app. So no exit is known: the text says it.
  package init(action: Span<UInt8>) { self = maneuver(of: action) }

  /// What is shown of an action that is not known.
  static var unknownAction: Maneuver { .unknown(255) }
}

private func maneuver(of action: Span<UInt8>) -> Maneuver {
  if isText(action, "continue") { return .straight }
  if isText(action, "left") { return .left }
  if isText(action, "left_slight") { return .slightLeft }
  if isText(action, "left_sharp") { return .sharpLeft }
  if isText(action, "right") { return .right }
  if isText(action, "right_slight") { return .slightRight }
  if isText(action, "right_sharp") { return .sharpRight }
  if isText(action, "keep_left") { return .forkLeft }
  if isText(action, "keep_right") { return .forkRight }
  if isText(action, "uturn_left") { return .uTurn }
  if isText(action, "uturn_right") { return .uTurn }
  if isText(action, "offroute") { return .offRoute }
  if isText(action, "roundabout_left") { return .roundabout(.unknown, nil) }
  if isText(action, "roundabout_right") { return .roundabout(.unknown, nil) }
  if isText(action, "roundabout_straight") { return .roundabout(.unknown, nil) }
  if isText(action, "roundabout_uturn") { return .roundabout(.unknown, nil) }
  if isText(action, "finish") { return .finish }
  return .unknownAction
}

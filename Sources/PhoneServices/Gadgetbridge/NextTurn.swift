package import Bytes
package import Turns

extension Gadgetbridge {
  /// A line `{"t":"nav",…}` that says something of the next turn.
  package struct NextTurn: ~Copyable {
    /// `.unknown(255)` without an action, or with an unknown one.
    package let maneuver: Maneuver
    /// Metres to the turn, 0 off the route; `nil` if the line has no distance that can be read.
    package let distance: UInt32?
    /// Whether the line has an unreadable distance, such as `Turn left`: it may be about any turn.
    package let hasStrangeDistance: Bool
    /// The street or sentence as the app has it, in UTF-8.
    package private(set) var text = FixedBuffer<503>()

    /// Reads the members of a line; `nil` if it has none of them: the navigation is over.
    init?(_ object: ScriptObject) {
      let (action, way) = (object.value(of: "action"), object.value(of: "distance"))
      let sentence = object.value(of: "instr")
      if action == .absent, way == .absent, sentence == .absent, object.value(of: "eta") == .absent
      {
        return nil
      }
      var word = ScriptObject.Text()
      let hasAction = object.read(action, into: &word)
      maneuver = hasAction ? Maneuver(action: word.bytes) : .unknownAction
      // Off the route the app sends the way back to it, not the distance to a turn.
      distance = maneuver == .offRoute ? 0 : Self.distance(way, of: object)
      hasStrangeDistance = distance == nil && way != .absent
      object.copy(sentence, into: &text)
    }

    private static func distance(_ way: ScriptValue, of object: ScriptObject) -> UInt32? {
      if let number = object.number(way) { return metres(number) }
      var text = ScriptObject.Text()
      return object.read(way, into: &text) ? metres(text.bytes) : nil
    }

    /// Whether there is neither a distance nor a text, as in OsmAnd's lines without a route.
    package var isEmpty: Bool { distance == nil && text.isEmpty }

    /// Whether it has a known action.
    package var hasAction: Bool { maneuver != .unknownAction }
  }
}

extension Maneuver {
  /// The maneuver of an action, one of Gadgetbridge's words; `.unknown(255)` for any other word.
  ///
  /// In OsmAnd the side of a roundabout is the side that people drive on, in Google Maps the side of the exit.
  /// The line does not name the app, so the exit is unknown; the text has it.
  package init(action: Span<UInt8>) { self = maneuver(of: action) }

  /// The maneuver of an unknown action.
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

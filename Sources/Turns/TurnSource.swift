/// Which app of the phone says a turn, and by which of our ways to hear it.
package enum TurnSource: Equatable, Sendable {
  /// komoot, whose characteristic is read.
  case komoot
  /// Another app, whose turns Gadgetbridge writes to us.
  case gadgetbridge
}

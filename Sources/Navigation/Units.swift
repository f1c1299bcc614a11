/// How distances are shown.
public enum Units: Equatable, Sendable {
  /// Metres and kilometres.
  case metric
  /// Feet and miles.
  case imperial
}

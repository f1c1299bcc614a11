package import Turns

extension TurnSource {
  /// After how many milliseconds without news a turn is stale.
  ///
  /// komoot says it every two seconds. Of the apps behind Gadgetbridge some say only what has changed, so nothing
  /// comes at a red light.
  package var freshness: Int64 {
    switch self {
    case .komoot: 8_000
    case .gadgetbridge: 30_000
    }
  }
}

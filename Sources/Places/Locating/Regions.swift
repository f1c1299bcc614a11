import Bytes

/// Near which group of beacons we are: near one at most.
///
/// A group is entered with its first beacon, and left after 30 silent seconds or when another one is
/// entered. It is entered again only after such a silence of its own or of the other one: so two groups
/// that are both heard do not alternate.
struct Regions: ~Copyable {
  /// After this silence, in milliseconds, a group is left.
  static var longestSilence: Int64 { 30_000 }

  private var lastHeard = InlineArray<4, Instant?>(repeating: nil)
  /// The group near which we are.
  private(set) var entered: Int?

  init() {}

  mutating func hear(_ group: Int, at now: Instant) {
    let isNew = lastHeard[group].map { now - $0 >= Self.longestSilence } ?? true
    lastHeard[group] = now
    if entered == nil || isNew { entered = group }
  }

  /// Leaves a group that has fallen silent.
  mutating func advance(to now: Instant) {
    if let deadline, deadline <= now { entered = nil }
  }

  /// When the group is left if it stays silent.
  var deadline: Instant? {
    guard let entered, let heard = lastHeard[entered] else { return nil }
    return heard + Self.longestSilence
  }
}

/// Sees by the phone's distances whether the rider is on the way, and by the beacon whether at home.
package struct WayWatch {
  /// In metres: so much a phone that lies still may be wrong.
  private static var leastChange: UInt32 { 20 }

  private var metres: UInt32?
  private var isAtHome = false

  package init() {}

  /// Hears how far the turn is; returns whether that is another distance than before.
  package mutating func hear(_ metres: UInt32) -> Bool {
    guard let before = self.metres else {
      self.metres = metres
      return false
    }
    guard (metres > before ? metres - before : before - metres) >= Self.leastChange else {
      return false
    }
    self.metres = metres
    return true
  }

  /// Notes whether the rider is at home; returns whether that is news.
  package mutating func isNews(isAtHome: Bool) -> Bool {
    defer { self.isAtHome = isAtHome }
    return isAtHome != self.isAtHome
  }
}

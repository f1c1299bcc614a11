/// Sees by the phone's distances whether the rider is on the way, and by the beacon whether at home.
package struct WayWatch {
  /// In metres: the distances of a phone that lies still vary by less.
  private static var leastChange: UInt32 { 20 }

  private var metres: UInt32?
  private var isAtHome = false

  package init() {}

  /// Receives the distance to the turn; returns whether it has changed.
  package mutating func receive(_ metres: UInt32) -> Bool {
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

  /// Updates whether the rider is at home; returns whether that has changed.
  package mutating func update(isAtHome: Bool) -> Bool {
    defer { self.isAtHome = isAtHome }
    return isAtHome != self.isAtHome
  }
}

package import Sensors

/// The vehicles that were told last.
package struct Traffic {
  /// What has become of them since they were looked at.
  package struct Change {
    /// Whether there is one that was not there.
    package fileprivate(set) var hasNew = false
    /// Whether anything is otherwise.
    package fileprivate(set) var isAny = false
  }

  private var vehicles = InlineArray<16, Radar.Vehicle>(
    repeating: Radar.Vehicle(track: 0, distance: 0))
  private var count = 0

  /// Looks at those that there are now.
  package mutating func look(at radar: Radar) -> Change {
    var change = Change(isAny: radar.count != count)
    for index in 0..<radar.count {
      if vehicles[index] != radar[index] { change.isAny = true }
      if !isKnown(radar[index].track) { change.hasNew = true }
    }
    count = radar.count
    for index in 0..<radar.count { vehicles[index] = radar[index] }
    return change
  }

  private func isKnown(_ track: UInt8) -> Bool {
    for index in 0..<count where vehicles[index].track == track { return true }
    return false
  }
}

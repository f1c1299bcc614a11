import ATT
import Bond
import Bytes

/// What has been found so far.
extension GATTClient {
  /// Where on this phone that was found which is subscribed to.
  var handles: Bond.Handles { InlineArray { lines[$0].discovery?.handles ?? .none } }

  /// Where the value of a characteristic is, 0 while that is not known.
  func valueHandle(of characteristic: UUID) -> UInt16 {
    line(of: characteristic).map { lines[$0].valueHandle } ?? 0
  }

  func isSubscribed(to characteristic: UUID) -> Bool {
    guard let index = line(of: characteristic) else { return false }
    return lines[index].discovery?.isSubscribed ?? false
  }

  /// Whether something that is needed is still looked for.
  var isAnyMissed: Bool {
    for index in lines.indices where lines[index].isMissed { return true }
    return false
  }
}

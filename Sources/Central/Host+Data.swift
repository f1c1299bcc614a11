import Bytes
import Controller
import HCI
import Link
import SensorLinks

/// Which link sends next.
extension Host {
  /// How many of the controller's buffers, which all links share, hold a packet.
  ///
  /// `mutating`, like the functions below: no copy.
  mutating func countBuffersInUse() -> Int {
    var count = link.channels.sender.inFlight + lingering.inFlight
    for index in 0..<SensorSide.linkCount { count += inFlight(1 + index) }
    return count
  }

  /// Writes the next packet of data, if there is one and a buffer for it.
  ///
  /// Of the links that have something to send, the one that holds the fewest buffers is next; links with equally many
  /// take turns. The last free buffer is the phone's: a sensor that takes nothing, and asks for more and more, must
  /// not hold up the request for the next turn.
  mutating func prepareData(at now: Instant) {
    let (count, inUse) = (controller.information.aclPacketCount, countBuffersInUse())
    let isLast = inUse > 0 && inUse + 1 == count
    guard inUse < count, let place = nextSender(isPhoneAlone: isLast) else { return }
    prepareData(of: place, at: now)
  }

  /// The place of the link whose turn it is: 0 the phone's, then those of sensors.
  private mutating func nextSender(isPhoneAlone: Bool) -> Int? {
    let count = 1 + SensorSide.linkCount
    var next: Int?
    for offset in 1...count {
      let place = (lastSender + offset) % count
      guard isWaiting(place), place == 0 || !isPhoneAlone else { continue }
      if let best = next, inFlight(best) <= inFlight(place) { continue }
      next = place
    }
    return next
  }

  private mutating func isWaiting(_ place: Int) -> Bool {
    place == 0
      ? phase == .connected && link.channels.sender.isWaiting
      : withSensors { sensors, _ in sensors.isWaiting(place - 1) }
  }

  private mutating func inFlight(_ place: Int) -> Int {
    place == 0
      ? link.channels.sender.inFlight : withSensors { sensors, _ in sensors.inFlight(place - 1) }
  }
}

import Bytes
import HCI

/// The controller's buffers for data, which all links share.
///
/// What only looks is mutating, too: else a board's compiler has it look at a copy of the whole host.
extension Host {
  /// How many of them hold a packet.
  mutating func countBuffersInUse() -> Int {
    var count = link.sender.inFlight + leaving.inFlight
    for index in sensors.links.indices { count += sensors.links[index].sender.inFlight }
    return count
  }

  /// Takes back buffers that the controller has emptied; those of a link that is gone came back with it.
  mutating func complete(_ packets: CompletedPackets, at now: Instant) {
    link.sender.complete(packets.count(for: link.handle), at: now)
    leaving.complete(packets)
    for index in sensors.links.indices {
      sensors.links[index].sender.complete(
        packets.count(for: sensors.links[index].handle), at: now)
    }
  }

  /// Writes the next packet of data, if there is one and a buffer for it.
  ///
  /// Of the links that have something to send, the one is next that holds the fewest buffers; of several
  /// they take turns, after the phone. The last one is the phone's: a sensor that takes nothing, and asks
  /// for ever more, must not keep the next turn from being asked for.
  mutating func prepareData(at now: Instant) {
    let (count, inUse) = (controller.information.aclPacketCount, countBuffersInUse())
    let isLast = inUse > 0 && inUse + 1 == count
    guard inUse < count, let place = nextSender(isPhoneAlone: isLast) else { return }
    lastSender = place
    let length = controller.information.aclPacketLength
    if place == 0 {
      link.sender.next(handle: link.handle, length: length, at: now, into: &pending)
      link.sendWhatWaits()
    } else {
      let handle = sensors.links[place - 1].handle
      sensors.links[place - 1].sender.next(
        handle: handle, length: length, at: now, into: &pending)
      sensors.links[place - 1].sendWhatWaits()
      sensors.sendPairing()
    }
  }

  /// The place of the link whose turn it is: 0 the phone's, then those of sensors.
  private mutating func nextSender(isPhoneAlone: Bool) -> Int? {
    let count = 1 + sensors.links.count
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
    if place == 0 { return phase == .connected && link.sender.isWaiting }
    return !sensors.links[place - 1].isEnding && sensors.links[place - 1].sender.isWaiting
  }

  private mutating func inFlight(_ place: Int) -> Int {
    place == 0 ? link.sender.inFlight : sensors.links[place - 1].sender.inFlight
  }
}

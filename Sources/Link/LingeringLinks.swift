package import Bytes
package import HCI

/// Links that were ended, though perhaps not for their peer: each lasts until its supervision timeout at most.
///
/// The search goes on beside them. Else a stranger with an address of the phone could take the link, fall silent, and
/// keep the phone out until that timeout. The device does not advertise while two of them last, or one if the
/// controller had no link left for the phone: the other links are for the phone and the sensors.
package struct LingeringLinks: ~Copyable {
  private struct Place {
    var handle: UInt16 = 0
    var peer = DeviceAddress(0, .public)
    /// How many of the controller's buffers hold packets of it.
    var inFlight = 0
    /// When it must be over; `nil` is no link.
    var end: Instant?
  }

  private var places = InlineArray<4, Place>(repeating: Place())
  /// With how many of them the device does not advertise.
  private var limit = 2

  /// None.
  package init() {}

  /// Takes a link that was ended; returns whether there was room.
  package mutating func add(
    handle: UInt16, peer: DeviceAddress, inFlight: Int, until end: Instant
  ) -> Bool {
    for index in places.indices where places[index].end == nil {
      places[index] = Place(handle: handle, peer: peer, inFlight: inFlight, end: end)
      return true
    }
    return false
  }

  /// The link is over, if it is one of these.
  package mutating func remove(_ handle: UInt16) {
    for index in places.indices where places[index].handle == handle { places[index] = Place() }
  }

  package mutating func removeAll() { for index in places.indices { places[index] = Place() } }

  /// Whether there still is a link to this address.
  package func contains(_ peer: DeviceAddress) -> Bool {
    for index in places.indices
    where places[index].end != nil && places[index].peer.isSame(as: peer) {
      return true
    }
    return false
  }

  package var isEmpty: Bool { count == 0 }

  /// Whether there are so many that no device is to connect.
  package var areTooMany: Bool { count >= limit }

  private var count: Int {
    var count = 0
    for index in places.indices where places[index].end != nil { count += 1 }
    return count
  }

  /// The controller had no link left for the phone.
  package mutating func linksRanOut() { if !isEmpty { limit = 1 } }

  /// When the first of them must be over.
  package var deadline: Instant? {
    var deadline: Instant?
    for index in places.indices { deadline = earlier(deadline, places[index].end) }
    return deadline
  }

  /// How many of the controller's buffers hold their packets.
  package var inFlight: Int {
    var count = 0
    for index in places.indices { count += places[index].inFlight }
    return count
  }

  /// Takes back buffers that the controller has emptied.
  package mutating func complete(_ packets: CompletedPackets) {
    for index in places.indices where places[index].end != nil {
      let count = packets.count(for: places[index].handle)
      places[index].inFlight = max(0, places[index].inFlight - count)
    }
  }
}

package import Beacons
package import Bytes
package import Central
import HCI

/// Whether the device is at home, by a beacon that is heard while the phone is searched for.
///
/// At home the search does not hurry. It owns the watch over the beacon; without a beacon there is no watch.
package struct Home {
  private var watch: HomeWatch?
  private var takesConclusionsFromReport = false

  package init(_ beacon: HomeBeacon?) { watch = beacon.map { HomeWatch($0) } }

  /// Whether the device is at home, as far as is known.
  package var isHere: Bool {
    switch watch?.state {
    case .here, .atRest: true
    case .away, nil: false
    }
  }

  /// When something is due.
  package var deadline: Instant? { watch?.deadline }

  /// Draws no conclusions itself from now on.
  package mutating func takeConclusionsFromReport() { takesConclusionsFromReport = true }

  /// Returns where the device is, if that is to be concluded now; `conclude` follows.
  package mutating func conclusion(at now: Instant) -> HomeState? {
    takesConclusionsFromReport ? nil : watch?.conclusion(at: now)
  }

  package mutating func conclude(isHere: Bool) { watch?.conclude(isHere: isHere) }

  /// Somebody uses the device: for ten minutes it is not at rest.
  package mutating func use(at now: Instant) { watch?.use(at: now) }

  /// Receives what is advertised in an HCI packet.
  package mutating func receive(_ packet: Span<UInt8>, at now: Instant) {
    guard watch != nil, !takesConclusionsFromReport, !packet.isEmpty,
      packet[0] == PacketIndicator.event
    else {
      return
    }
    switch try? Event(parsing: packet.extracting(droppingFirst: 1)) {
    case .leAdvertisingReport(var reports), .leExtendedAdvertisingReport(var reports):
      while let advertisement = try? reports.next() { receive(advertisement, at: now) }
    default: break
    }
  }

  private mutating func receive(_ advertisement: borrowing AdvertisingReport, at now: Instant) {
    guard let wanted = watch?.beacon else { return }
    var data = AdvertisingData(advertisement.data)
    while let structure = data.next() {
      guard structure.type == .manufacturerSpecificData,
        let beacon = IBeacon(manufacturerData: structure.data), wanted.isSame(as: beacon)
      else { continue }
      watch?.receive(advertisement.rssi, at: now)
      return
    }
  }

  /// Advances to `now`; returns where the device is, if that has changed.
  package mutating func advance(
    while listening: PhoneListening, to now: Instant
  ) -> HomeState? {
    guard let before = watch?.state else { return nil }
    switch listening {
    case .off: watch?.startOver()
    case .paused, .on: watch?.listens(listening == .on, at: now)
    }
    watch?.advance(to: now)
    return watch?.state == before ? nil : watch?.state
  }
}

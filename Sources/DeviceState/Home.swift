package import Beacons
package import Bytes
import HCI

/// At home: the beacon that says so is heard while the phone is searched for, and has the search not hurry.
///
/// It owns the watch over that beacon; there is none where no beacon stands at home.
package struct Home {
  private var watch: HomeWatch?
  /// Whether it is told what was concluded: `onlyIsTold`.
  private var isOnlyTold = false

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

  /// Concludes nothing itself from now on, as the replay of a record has that from there.
  package mutating func onlyIsTold() { isOnlyTold = true }

  /// Whether it is to be concluded now that the device is here, or not any more; `conclude` follows.
  package mutating func conclusion(at now: Instant) -> Bool? {
    isOnlyTold ? nil : watch?.conclusion(at: now)
  }

  package mutating func conclude(isHere: Bool) { watch?.conclude(isHere: isHere) }

  /// Somebody uses the device: for ten minutes it is not at rest.
  package mutating func use(at now: Instant) { watch?.use(at: now) }

  /// Hears what is advertised in an HCI packet.
  package mutating func hear(_ packet: Span<UInt8>, at now: Instant) {
    guard watch != nil, !isOnlyTold, !packet.isEmpty, packet[0] == PacketIndicator.event else {
      return
    }
    switch try? Event(parsing: packet.extracting(droppingFirst: 1)) {
    case .leAdvertisingReport(var reports), .leExtendedAdvertisingReport(var reports):
      while let advertisement = try? reports.next() { hear(advertisement, at: now) }
    default: break
    }
  }

  private mutating func hear(_ advertisement: borrowing AdvertisingReport, at now: Instant) {
    guard let wanted = watch?.beacon else { return }
    var data = AdvertisingData(advertisement.data)
    while let structure = data.next() {
      guard structure.type == .manufacturerSpecificData,
        let beacon = IBeacon(manufacturerData: structure.data), wanted.isSame(as: beacon)
      else { continue }
      watch?.hear(advertisement.rssi, at: now)
      return
    }
  }

  /// Lets the time pass; returns where the device is, if that has changed.
  ///
  /// `isListening` is `nil` while nobody is searched for, or the phone is there.
  package mutating func advance(isListening: Bool?, to now: Instant) -> HomeState? {
    guard let before = watch?.state else { return nil }
    if let isListening { watch?.listens(isListening, at: now) } else { watch?.startOver() }
    watch?.advance(to: now)
    return watch?.state == before ? nil : watch?.state
  }
}

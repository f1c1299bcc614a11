import Beacons
package import Bytes
import HCI
import Search

/// At home: the beacon that says so is heard while the phone is searched for, and has the search not hurry.
///
/// It owns the watch over that beacon; there is none where no beacon stands at home.
struct Home {
  private var watch: HomeWatch?

  init(_ beacon: HomeBeacon?) { watch = beacon.map { HomeWatch($0) } }

  /// Whether the device is at home, as far as is known.
  var isHere: Bool {
    switch watch?.state {
    case .here, .atRest: true
    case .away, nil: false
    }
  }

  /// When something is due.
  var deadline: Instant? { watch?.deadline }

  /// Whether it is to be concluded now that the device is here, or not any more.
  mutating func conclusion(at now: Instant) -> Bool? { watch?.conclusion(at: now) }

  mutating func conclude(isHere: Bool) { watch?.conclude(isHere: isHere) }

  /// Somebody uses the device.
  mutating func use(at now: Instant) { watch?.use(at: now) }

  /// Hears an advertisement, as that of the beacon at home; no other is worth an event.
  mutating func hear(_ advertisement: borrowing AdvertisingReport, at now: Instant) {
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
  mutating func advance(isListening: Bool?, to now: Instant) -> HomeState? {
    guard let before = watch?.state else { return nil }
    if let isListening { watch?.listens(isListening, at: now) } else { watch?.startOver() }
    watch?.advance(to: now)
    return watch?.state == before ? nil : watch?.state
  }
}

/// Whether the device is at home, where nobody is searched for in a hurry.
extension Host {
  /// Whether the device is at home, as far as is known.
  package var isAtHome: Bool { home.isHere }

  /// Somebody uses the device: for ten minutes it is not at rest.
  package mutating func noteUse(at now: Instant) {
    withHome { $0.use(at: now) }
    withAdvertiser { $0.stayAwake(at: now) }
    tendHome(at: now)
  }

  /// Finds where the device is, and listens as hard as that is worth.
  mutating func tendHome(at now: Instant) {
    let isListening: Bool? =
      switch phase {
      case .idle: nil
      case .connected where isRide, .disconnecting where isRide: nil
      default: isListening
      }
    guard let state = withHome({ $0.advance(isListening: isListening, to: now) }) else { return }
    noteForSearch(.rests(state == .atRest))
    report(.home(state))
    if case .scanning(let mode) = phase, search.mode != mode { scan(at: now) }
  }
}

import Beacons
package import Bytes
import HCI

/// At home: the beacon that says so is heard while the phone is searched for, and has the search not hurry.
extension Host {
  /// Whether the device is at home, as far as is known.
  package var isAtHome: Bool {
    switch home?.state {
    case .here, .atRest: true
    case .away, nil: false
    }
  }

  /// Somebody uses the device: for ten minutes it is not at rest.
  package mutating func noteUse(at now: Instant) {
    home?.use(at: now)
    tendHome(at: now)
  }

  /// Hears an advertisement, as that of the beacon at home; no other is worth an event.
  mutating func hearHome(_ advertisement: borrowing AdvertisingReport, at now: Instant) {
    guard concludes, isListening, let wanted = home?.beacon else { return }
    var data = AdvertisingData(advertisement.data)
    while let structure = data.next() {
      guard structure.type == .manufacturerSpecificData,
        let beacon = IBeacon(manufacturerData: structure.data), wanted.isSame(as: beacon)
      else { continue }
      home?.hear(advertisement.rssi, at: now)
      return
    }
  }

  /// Finds where the device is, and listens as hard as that is worth.
  mutating func tendHome(at now: Instant) {
    guard let before = home?.state else { return }
    let isListening = isListening
    switch phase {
    case .idle: home?.startAnew()
    case .connected where isRide, .disconnecting where isRide: home?.startAnew()
    default: home?.listens(isListening, at: now)
    }
    home?.advance(to: now)
    guard let state = home?.state, state != before else { return }
    search.note(.rests(state == .atRest))
    report(.home(state))
    if case .scanning(let mode) = phase, search.mode != mode { scan(at: now) }
  }
}

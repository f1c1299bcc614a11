import Bond
package import Bytes
import Controller
import HCI
import Link
import Search
import SensorLinks
package import Sensors

/// What the owner asks for about sensors; `sensors` has what it may read.
extension Host {
  /// Follows these sensors and no others; a sensor that is linked as the other kind of its service keeps its link.
  ///
  /// An offered sensor is kept by following it. Returns whether speed and cadence have changed places.
  package mutating func followSensors(_ remembered: RememberedSensors, at now: Instant) -> Bool {
    let isExchanged = withSensors { sensors, controller in
      let isExchanged = sensors.exchangeLinks(for: remembered)
      for kind in SensorKind.all {
        let sensor = remembered[kind].map {
          SensorSide.Followed(address: $0.address, handles: $0.handles, key: $0.key)
        }
        sensors.follow(kind, sensor, by: &controller, at: now)
      }
      return isExchanged
    }
    settle(at: now)
    return isExchanged
  }

  /// Looks for sensors for half a minute, from the beginning.
  mutating func searchSensors(at now: Instant) {
    guard areSensorsPossible else { return }
    withSensors { sensors, _ in sensors.beginSearch(at: now) }
  }

  /// The value or the name that the last event was about.
  package var sensorBytes: Span<UInt8> { sensors.bytes }

  /// Sets which of speed and cadence another sensor measures, too: their own then give way where links are too few.
  package mutating func setGivingWay(_ kinds: SensorKinds) {
    withSensors { sensors, _ in sensors.setGivingWay(kinds) }
  }

  /// Whether the controller can have a link to a sensor beside the phone's link.
  package var areSensorsPossible: Bool { sensors.areLinksPossible(by: controller) }

  // MARK: - Beside the phone

  /// What the phone's side is doing, for the sensors; `mutating`: no copy.
  mutating func phoneSide() -> PhoneSide {
    let radio: PhoneSide.Radio =
      switch phase {
      case .off, .recovering, .bringUp: .down
      case .idle: .idle
      case .scanning where advertiser.hasRadio: .taken
      case .scanning(let mode): .searching(phoneScan(mode))
      case .connecting, .cancelling: .taken
      case .connected: .linked(isSettled: link.progress.stage.isSettled)
      case .disconnecting: .linked(isSettled: false)
      }
    return PhoneSide(radio, isInQuestion: isInQuestion, isEnding: search.state == .over)
  }

  private mutating func phoneScan(_ mode: ScanMode) -> PhoneScan {
    // Scan responses hold the names of strangers; a remembered phone need not be asked for its name.
    PhoneScan(
      isFast: mode == .fast, isActive: security.memory == .nothing, isBusy: scanner.isBusy,
      isWide: scanner.wantsWideScan)
  }

  /// Does for sensors what is due.
  mutating func tendSensors(at now: Instant) {
    let phone = phoneSide()
    if let failure = withSensors({ $0.tend(beside: phone, by: &$1, at: now) }) {
      fail(failure, at: now)
    }
  }

  /// Receives an advertisement, as a sensor's; returns whether that changed anything.
  mutating func receiveAsSensor(
    _ advertisement: borrowing AdvertisingReport, isPhone: Bool, at now: Instant
  ) -> Bool {
    // The phone is no sensor, whatever it says.
    guard sensors.isOn, advertisement.isConnectable || advertisement.kind == .scanResponse,
      !isPhone, link.channels.peer != advertisement.address
    else { return false }
    return receiveForSensors(advertisement, at: now)
  }
}

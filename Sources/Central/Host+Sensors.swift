package import Bond
package import Bytes
import Controller
import HCI
import Link
import Search
package import SensorLinks
package import Sensors

/// What the owner wants of sensors, and what it may know of them: `SensorRoom` has all of that.
extension Host {
  /// Follows the sensor of this kind with this address, or none of the kind.
  ///
  /// `handles` are where its value was found earlier, if it was. One that is being offered is kept by that.
  package mutating func followSensor(
    _ kind: SensorKind, _ address: DeviceAddress?, handles: SubscribedHandles = .none,
    at now: Instant
  ) {
    let sensor = address.map { SensorRoom.Followed(address: $0, handles: handles) }
    withSensors { $0.follow(kind, sensor, by: &$1, at: now) }
    settle(at: now)
  }

  /// Follows all these sensors, and no others; one that is linked as the other kind of its service keeps its link.
  ///
  /// Returns whether what was taken for one of these two kinds is the other one now.
  package mutating func followSensors(_ remembered: RememberedSensors, at now: Instant) -> Bool {
    let isExchanged = withSensors { sensors, controller in
      let isExchanged = sensors.exchangeLinks(for: remembered)
      for kind in SensorKind.all {
        let sensor = remembered[kind].map {
          SensorRoom.Followed(address: $0.address, handles: $0.handles, key: $0.key)
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

  /// How far the search for a sensor has come.
  package var sensorSearch: SensorSearchStage { sensors.stage }

  /// Number `number` of those that the search has heard, from 0 on: those whose values came are the first.
  package func listedSensor(_ number: Int) -> ListedSensor? { sensors.listed(number) }

  /// Whether the rider can go round through those that the search has come to.
  package var hasSensorList: Bool { sensors.hasList }

  /// The value or the name that the last event was about.
  package var sensorBytes: Span<UInt8> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { sensors.bytes }
  }

  /// The sensor that the last event was about.
  package var sensorTold: DeviceAddress { sensors.told }

  /// The sensor that is tried or offered, once its values come.
  package var sensorCandidate: DeviceAddress? { sensors.candidate }

  /// The other end of the link to the sensor of this kind that is tried or offered, or else to the one that
  /// is remembered; `nil` without a link.
  package func sensorAddress(_ kind: SensorKind) -> DeviceAddress? { sensors.linkedAddress(kind) }

  /// Where its value is, once its values come.
  package func sensorHandles(_ kind: SensorKind) -> SubscribedHandles { sensors.handles(kind) }

  /// The key that was made on the link to this sensor, if it is to be kept.
  package func sensorKey(of address: DeviceAddress) -> Bond.Key? { sensors.newKey(of: address) }

  /// The sensor that denies the key which is kept of it, and waits for the rider's permission to be paired with again.
  package var sensorPairingWish: SensorKind? { sensors.pairingWish }

  /// Whether the values come of a sensor of this kind, one that is remembered or offered.
  package func isSensorReady(_ kind: SensorKind) -> Bool { sensors.isReady(kind) }

  /// Whether there is a link to the sensor of this kind that is remembered.
  package func isSensorLinked(_ kind: SensorKind) -> Bool { sensors.isLinked(kind) }

  /// Whether the controller has had no link to give for a minute.
  package var isSensorLinkMissing: Bool { sensors.isLinkMissing }

  /// Whether a sensor that is remembered has no link, as those that are worth more have all.
  package func isSensorLeftOut(_ kind: SensorKind) -> Bool { sensors.isLeftOut(kind) }

  /// Power gives what the speed sensor does: where there are too few links, that one gives way.
  package mutating func letSpeedGiveWay(_ isSo: Bool) {
    withSensors { sensors, _ in sensors.letSpeedGiveWay(isSo) }
  }

  /// Another sensor gives what that of cadence does: where there are too few links, that one gives way.
  package mutating func letCadenceGiveWay(_ isSo: Bool) {
    withSensors { sensors, _ in sensors.letCadenceGiveWay(isSo) }
  }

  /// Whether the controller can have a link to a sensor beside that to the phone.
  package var areSensorsPossible: Bool { sensors.arePossible(controller) }

  // MARK: - Beside the phone

  /// What the phone's side is doing, as far as it concerns sensors; mutating, so that a board looks at no copy of
  /// the host.
  mutating func phoneSide() -> PhoneSide {
    let radio: PhoneSide.Radio =
      switch phase {
      case .off, .recovering, .bringUp: .down
      case .idle: .idle
      case .scanning where advertiser.hasRadio: .connecting
      case .scanning(let mode): .searching(phoneScan(mode))
      case .connecting, .cancelling: .connecting
      case .connected: .linked(isSettled: link.machine.isSettled)
      case .disconnecting: .linked(isSettled: false)
      }
    return PhoneSide(radio, isInQuestion: link.isInQuestion, isOver: search.state == .over)
  }

  private mutating func phoneScan(_ mode: ScanMode) -> PhoneScan {
    // Scan responses hold the names of strangers; a phone that is known need not be asked.
    PhoneScan(
      isFast: mode == .fast, isActive: memory == .nothing, isBusy: scanner.isBusy,
      isWide: scanner.wantsWideScan)
  }

  /// Does for sensors what is due.
  mutating func tendSensors(at now: Instant) {
    let phone = phoneSide()
    if let failure = withSensors({ $0.tend(beside: phone, by: &$1, at: now) }) {
      fail(failure, at: now)
    }
  }

  /// Hears an advertisement, as a sensor's; returns whether that changed anything.
  mutating func hearSensor(
    _ advertisement: borrowing AdvertisingReport, isPhone: Bool, at now: Instant
  ) -> Bool {
    // The phone is no sensor, whatever it says.
    guard sensors.isOn, advertisement.isConnectable || advertisement.kind == .scanResponse,
      !isPhone, link.peer != advertisement.address
    else { return false }
    return hearForSensors(advertisement, at: now)
  }
}

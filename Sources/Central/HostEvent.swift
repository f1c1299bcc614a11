package import ATT
package import Bytes
package import Controller
package import HCI
package import Link
package import SMP
package import Search
package import SensorLinks
package import Sensors

/// What the host reports to its owner.
///
/// The bytes of the last event that has some are in `Host.value`, the phone's name in `Host.peerName`.
package enum HostEvent: Equatable, Sendable {
  /// The controller is up; `version` is its HCI version number, `manufacturer` its company.
  case controller(address: DeviceAddress, version: UInt8, manufacturer: UInt16)
  /// Something failed; the host has begun to start over.
  case failed(HostFailure)
  /// The controller does not advertise: no phone can connect by itself.
  case advertisingRefused(ErrorCode)
  /// Scanning changed.
  case scan(ScanMode)
  /// A phone was heard for the first time since scanning began; `rssi` in dBm, if that is known.
  case phone(DeviceAddress, rssi: Int8?, Match)
  /// A link is being made.
  case connecting(DeviceAddress)
  /// The link is up, nothing is known of the phone's services yet.
  case connected(DeviceAddress)
  /// The link is encrypted.
  case encrypted
  /// The rider must say whether the phone shows these six digits, too: `HostInput.answer`.
  case compare(number: UInt32)
  /// The phone cannot compare numbers, or cannot pair: the rider must say whether to follow it (`HostInput.answer`).
  case ask
  /// The phone has failed before, and waits on its link for the next attempt at pairing.
  case pairingDelayed(until: Instant)
  /// The pairing came to nothing.
  case pairingFailed(PairingFailure)
  /// The phone was paired with, or agreed to; `Host.newBond` has what is to be kept, if anything.
  case remember(Remembrance)
  /// What is kept of the remembered phone has changed, such as its name; `Host.newBond` has it.
  case bondChanged
  /// The phone, or a device with its address, does not have the key that is kept of it.
  ///
  /// The rider is to be told after the third time in a row.
  case bondRejected(isToBeTold: Bool)
  /// The characteristic is found, and subscribed to if it can be: its value may be asked for.
  case ready(isSubscribed: Bool)
  /// The phone's own name is known.
  case name
  /// The charge of the phone's battery is known, or has changed: `Host.peerBattery`.
  case battery
  /// Something happened with another characteristic than the one that says the way.
  case attribute(UUID, AttributeEvent)
  /// The remembered phone has written to our Nordic UART Service: `Host.value`.
  case written
  /// The characteristic was notified.
  case notification
  /// The characteristic was read to its end.
  case value
  /// The phone refused the read.
  case readRefused(AttributeError)
  /// The characteristic has vanished, as when navigation stops; it is looked for now and then.
  case waiting
  /// The phone does not have the service, though it matched; it is left alone for a while.
  case serviceMissing(DeviceAddress, Match)
  /// The phone left a request without an answer for 30 s, or took nothing for 10 s.
  ///
  /// Core Specification, Vol 3, Part F, 3.3.3.
  case unanswered
  /// The phone has ended two links in a row at the first long frame: it gets short ones until the next start.
  case longFramesRefused
  /// The phone answered, but its characteristic was not found in time; it rests, the second time for a minute.
  case unfinished
  /// The link is gone.
  case disconnected(ErrorCode)
  /// Something happened with a sensor of this kind: `Host.sensorAddress`.
  case sensor(SensorKind, SensorEvent)
  /// A search has heard a sensor that may be the rider's.
  case sensorFound(SensorKind, DeviceAddress)
  /// The search for a sensor has come further: `Host.sensors.stage`.
  case sensorSearch
  /// The controller has no link to give to another sensor; it is asked again in a minute.
  case sensorLimit(ErrorCode)
}

/// What happened with a characteristic of the phone.
package enum AttributeEvent: Equatable, Sendable {
  /// It is found, and subscribed to if it is to be.
  case found
  /// It was found before, and is lost.
  case lost
  /// The phone has taken the value that was written.
  case written
  /// The phone refuses the value that was written, or the subscription.
  case refused(AttributeError)
  /// It was notified: `Host.value`.
  case notified
  /// It was read to its end: `Host.value`.
  case read
}

/// An event that the owner has not taken yet, and the sensor that it is about, if it is about one.
struct QueuedEvent {
  let event: HostEvent
  private(set) var sensor: DeviceAddress?

  init(event: HostEvent) { self.event = event }

  init(_ outcome: SensorSide.Outcome) {
    switch outcome {
    case .happened(let kind, let address, let event):
      self.event = .sensor(kind, event)
      sensor = address
    case .found(let kind, let address): event = .sensorFound(kind, address)
    case .search: event = .sensorSearch
    case .limit(let code): event = .sensorLimit(code)
    }
  }
}

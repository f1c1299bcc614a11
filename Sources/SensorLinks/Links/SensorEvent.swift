package import Bytes
package import HCI
package import Sensors

/// What happens with a sensor of some kind.
package enum SensorEvent: Equatable, Sendable {
  /// There is a link to it, on which its measurement is looked for.
  case connecting
  /// It is ready, and its values may come: it is subscribed to, or has notified unasked.
  case ready
  /// It measured something: `Host.sensorBytes`.
  case value
  /// It sent its name: `Host.sensorBytes`.
  case name
  /// How full its battery is, in percent.
  case battery(UInt8)
  /// Its link is encrypted: `Host.sensors.newKey`.
  case secured
  /// It is of no use.
  case refused(SensorRefusal)
  /// The link to this address is gone.
  case disconnected(DeviceAddress, ErrorCode)
}

/// Why a sensor is of no use.
package enum SensorRefusal: Equatable, Sendable {
  /// It does not have the service, or refuses the subscription and sends no notifications.
  case service
  /// It requires security, but pairing with it has failed.
  case pairing
  /// It did not answer in time.
  case silence
  /// It does not have the stored key.
  case key
}

extension SensorSide {
  /// What follows for the owner of the sensors' side.
  package enum Outcome: Equatable, Sendable {
    /// Something happened with the sensor of this kind at this address.
    case happened(SensorKind, DeviceAddress, SensorEvent)
    /// A search has heard a sensor that may be the rider's.
    case found(SensorKind, DeviceAddress)
    /// The search for a sensor has come further.
    case search
    /// The controller has no link left for another sensor; the next attempt is in a minute.
    case limit(ErrorCode)
  }
}

package import Bytes
package import HCI
package import Sensors

/// What happens with a sensor of some kind.
package enum SensorEvent: Equatable, Sendable {
  /// There is a link to it, and it is looked for what it measures.
  case connecting
  /// Its values come from now on.
  case ready
  /// It measured something: `Host.sensorBytes`.
  case value
  /// What it calls itself: `Host.sensorBytes`.
  case name
  /// How full its battery is, in percent.
  case battery(UInt8)
  /// Its link is encrypted: `Host.sensors.newKey`.
  case secured
  /// It is of no use.
  case refused(SensorRefusal)
  /// Its link is gone, which was to this address.
  case disconnected(DeviceAddress, ErrorCode)
}

/// Why a sensor is of no use.
package enum SensorRefusal: Equatable, Sendable {
  /// It does not have the service, or does not let us subscribe, and tells nothing unasked.
  case service
  /// It wants to be paired with in a way that we do not know.
  case pairing
  /// It took what was asked and did not answer.
  case silence
  /// It does not have the key that is kept of it.
  case key
}

/// What the sensors' side has to tell.
package enum SensorNews: Equatable, Sendable {
  /// Something happened with a sensor of this kind.
  case happened(SensorKind, SensorEvent)
  /// A search has heard a sensor that may be the rider's.
  case found(SensorKind, DeviceAddress)
  /// The search for a sensor has come further.
  case search
  /// The controller has no link to give to another sensor; it is asked again in a minute.
  case limit(ErrorCode)
}

import Bond
import Bytes
import Central
import Sensors
import TestSupport
import VirtualAir

/// What the owner of a host wants of sensors.
extension Central {
  /// Follows a sensor as one that is remembered.
  func follow(_ sensor: VirtualSensor, handles: SubscribedHandles = .none) {
    change { $0.followSensor(sensor.kind.known, sensor.deviceAddress, handles: handles, at: $1) }
  }

  /// Follows all these, as after a start.
  func follow(_ sensors: RememberedSensors) { change { _ = $0.followSensors(sensors, at: $1) } }

  func unfollow(_ kind: SensorKind) { change { $0.followSensor(kind, nil, at: $1) } }
  func searchSensors() { change { $0.step(.searchSensors, at: $1) } }
  func searchNextSensor() { change { $0.step(.searchNextSensor, at: $1) } }
  func endSensorSearch() { change { $0.step(.endSensorSearch, at: $1) } }

  /// What happened with sensors, and nothing else.
  func takeSensorEvents() -> [HostEvent] {
    takeEvents().filter {
      switch $0 {
      case .sensor, .sensorFound, .sensorSearch, .sensorLimit: true
      default: false
      }
    }
  }
}

extension VirtualSensor.Kind {
  var known: SensorKind {
    switch self {
    case .heart: .heart
    case .speed: .speed
    case .power: .power
    case .radar: .radar
    case .cadence: .cadence
    }
  }
}

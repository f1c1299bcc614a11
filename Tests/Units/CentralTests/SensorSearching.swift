import Bytes
import Central
import SensorLinks
import VirtualAir

/// A rider who searches for sensors.
protocol SensorSearching {
  var controller: VirtualController { get }
  var central: Central { get }
}

extension SensorSearching {
  /// Puts a sensor on the air, which is heard at once.
  @discardableResult
  func put(_ kind: VirtualSensor.Kind, number: UInt8, rssi: Int8 = -60) -> VirtualSensor {
    let sensor = VirtualSensor(kind, number: number)
    controller.sensors.append(sensor)
    controller.advertise(central, sensor, rssi: rssi)
    return sensor
  }

  /// How far the search has come.
  var stage: SensorSearchStage { central.ask { $0.sensorSearch } }

  /// Who is offered, if anybody is.
  var offered: DeviceAddress? {
    guard case .offering(let kind) = stage else { return nil }
    return central.ask { $0.sensorAddress(kind) }
  }
}

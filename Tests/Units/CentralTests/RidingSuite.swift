import Bond
import Bytes
import Expecting
import HCI
import SensorLinks
import Sensors
import TestSupport
import VirtualAir

@testable import Central

/// A host on the link of a phone that rides and is not remembered.
final class FollowedRide {
  let controller = VirtualController()
  let phone: VirtualPhone
  let central: Central

  init() {
    (central, phone) = LinkTests.connected(controller) {
      $0.value = VirtualPhone.turn
    }
    _ = central.takeSaid()
    _ = central.takeEvents()
  }
}

/// A suite whose tests begin on such a link, most of them with sensors near.
protocol RidingSuite {
  var ride: FollowedRide { get }
}

extension RidingSuite {
  var controller: VirtualController { ride.controller }
  var phone: VirtualPhone { ride.phone }
  var central: Central { ride.central }

  func isReady(_ kind: SensorKind) -> Bool { central.ask { $0.sensors.isReady(kind) } }

  /// A remembered sensor that is near, and so is connected to at once.
  @discardableResult
  func linked(
    _ kind: VirtualSensor.Kind = .heart, number: UInt8 = 1,
    _ configure: (VirtualSensor) -> Void = { _ in }
  ) -> VirtualSensor {
    let sensor = VirtualSensor(kind, number: number)
    configure(sensor)
    link(sensor)
    return sensor
  }

  func link(_ sensor: VirtualSensor) {
    controller.sensors.append(sensor)
    central.follow(sensor)
  }

  /// These as a store has them.
  func remembered(
    _ sensors: [SensorKind: VirtualSensor], key: Bond.Key? = nil
  ) throws -> RememberedSensors {
    var remembered = RememberedSensors()
    for (kind, sensor) in sensors {
      let name = Array(sensor.name.utf8)
      let known = RememberedSensor(kind, address: sensor.deviceAddress, key: key, name: name.span)
      remembered.set(try #require(known))
    }
    return remembered
  }

  /// A remembered sensor that sleeps.
  @discardableResult
  func asleep(_ kind: VirtualSensor.Kind = .heart, number: UInt8 = 1) -> VirtualSensor {
    linked(kind, number: number) { $0.isNear = false }
  }

  /// Why sensors were left since the events were taken last; they are taken.
  func takeRefusals() -> [SensorRefusal] {
    central.takeEvents().compactMap {
      if case .sensor(_, .refused(let refusal)) = $0 { refusal } else { nil }
    }
  }

  /// What the controller has said of links that it does not have; the events are taken.
  func takeLimits() -> [ErrorCode] {
    central.takeEvents().compactMap { if case .sensorLimit(let code) = $0 { code } else { nil } }
  }

  /// Puts a sensor on the air, which is heard at once.
  @discardableResult
  func put(_ kind: VirtualSensor.Kind, number: UInt8, rssi: Int8 = -60) -> VirtualSensor {
    put(VirtualSensor(kind, number: number), rssi: rssi)
  }

  @discardableResult
  func put(_ sensor: VirtualSensor, rssi: Int8 = -60) -> VirtualSensor {
    controller.sensors.append(sensor)
    controller.advertise(central, sensor, rssi: rssi)
    return sensor
  }

  /// The search comes to this sensor.
  @discardableResult
  func find(
    _ kind: VirtualSensor.Kind = .heart, number: UInt8 = 1,
    _ configure: (VirtualSensor) -> Void = { _ in }
  ) -> VirtualSensor {
    let sensor = VirtualSensor(kind, number: number)
    configure(sensor)
    central.searchSensors()
    put(sensor)
    central.pass(1_500)
    return sensor
  }

  /// The rider goes on to the next one.
  func next() {
    central.searchNextSensor()
    central.pass(0)
  }

  /// The controller is brought up again, and the phone rides again.
  func bringUpAnew() {
    central.stop()
    central.start()
    controller.advertise(central)
    central.pass(180)
  }

  /// How far the search has come.
  var stage: SensorSearchStage { central.ask { $0.sensors.stage } }

  /// Who is offered, if anybody is.
  var offered: DeviceAddress? {
    guard case .offering(let kind) = stage else { return nil }
    return central.ask { $0.sensors.linkedAddress(kind) }
  }
}

/// What the owner of a host wants of sensors.
extension Central {
  /// Follows a sensor as one that is remembered.
  func follow(_ sensor: VirtualSensor, handles: SubscribedHandles = .none) {
    let followed = SensorSide.Followed(address: sensor.deviceAddress, handles: handles)
    follow(sensor.kind.known, followed)
  }

  /// Follows all these, as after a start.
  func follow(_ sensors: RememberedSensors) { change { _ = $0.followSensors(sensors, at: $1) } }

  func unfollow(_ kind: SensorKind) { follow(kind, nil) }

  /// Follows this sensor of the kind, or none, and leaves the other kinds as they are.
  private func follow(_ kind: SensorKind, _ sensor: SensorSide.Followed?) {
    change { host, now in
      host.withSensors { $0.follow(kind, sensor, by: &$1, at: now) }
      host.settle(at: now)
    }
  }

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

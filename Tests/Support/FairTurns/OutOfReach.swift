import Bond
import Bytes
import Sensors
import VirtualAir
import VirtualDevice

/// Remembered sensors are heard that cannot be connected to, while an iPhone in the background is searched for.
package struct OutOfReach: Sendable {
  /// What most sensors advertise with, in milliseconds.
  private static let interval: Int64 = 250
  private static let kinds: [(VirtualSensor.Kind, SensorKind)] = [
    (.heart, .heart), (.speed, .speed), (.power, .power), (.radar, .radar),
  ]

  package let sensors: Int

  package init(sensors: Int) { self.sensors = sensors }

  /// How long the phone takes to be back, over several phases of its advertising to the sensors'.
  package func measure(phases: Int) throws -> Measured {
    Measured(try (0..<phases).map { try time(phase: $0, of: phases) })
  }

  private func time(phase: Int, of phases: Int) throws -> Int64 {
    let all = Self.kinds.prefix(sensors).enumerated().map {
      VirtualSensor($0.element.0, number: UInt8($0.offset + 1))
    }
    for sensor in all { sensor.isNear = false }
    let air = try Air(isInRide: true) { world in
      world.controller.sensors = all
      for (sensor, kind) in zip(all, Self.kinds.map(\.1)) {
        if let known = remembered(sensor, kind) { world.remember(known) }
      }
    }
    let start = air.world.now
    var heard = all.indices.map {
      Beats(from: start + Int64($0) * Self.interval / 4, each: Self.interval)
    }
    var phone = Beats(
      from: start + Air.background * Int64(phase) / Int64(phases), each: Air.background)
    let address = air.world.phone.address
    while !air.isBack, air.world.now - start < Air.patience {
      if let index = heard.indices.min(by: { heard[$0].next < heard[$1].next }),
        heard[index].next <= phone.next
      {
        air.pass(to: heard[index].next)
        if !air.isBack, air.controller.isScanning {
          air.controller.report(all[index].address, all[index].advertisement, air.world)
        }
        heard[index].beat()
      } else {
        air.pass(to: phone.next)
        if !air.isBack { air.advertisePhone(address) }
        phone.beat()
      }
    }
    return air.time(since: start)
  }

  private func remembered(_ sensor: VirtualSensor, _ kind: SensorKind) -> RememberedSensor? {
    RememberedSensor(
      kind, address: sensor.deviceAddress, name: Array(sensor.name.utf8).span)
  }
}

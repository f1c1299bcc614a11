import VirtualAir
import VirtualDevice

extension World {
  /// A phone is paired with and rides; these sensors are near, and nobody knows them.
  static func riding(beside sensors: [VirtualSensor], _ settings: [String] = []) throws -> World {
    let world = try World(["pairing=preferred"] + settings, pairs: true)
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    world.pass(1_500)
    world.press("a")
    world.pass(4_000)
    world.tell(8, 350, "Hauptstraße")
    world.pass(0)
    world.controller.sensors = sensors
    return world
  }

  /// The same on the page of the sensors, where this one is offered.
  static func searching(for sensor: VirtualSensor) throws -> World {
    let world = try World.riding(beside: [sensor])
    world.press("aa")
    world.press("b")
    world.advertise(sensor)
    world.pass(1_500)
    return world
  }
}

import TestSupport
import VirtualAir
import VirtualDevice

@testable import Device

extension World {
  /// The setting that names a beacon by its UUID.
  static let home = "home=\(VirtualBeacon.uuid)/7/515"

  /// A phone that is remembered rides, or stands, and nobody has used the device for eleven minutes.
  static func standing(_ settings: [String] = [home]) throws -> World {
    let world = try World.riding(beside: [], settings)
    for _ in 0..<132 {
      world.tell(8, 350, "Hauptstraße")
      world.pass(5_000)
    }
    return world
  }

  /// At home, at rest, as the phone has gone.
  static func atRest(_ settings: [String] = [home]) throws -> World {
    let world = try World.standing(settings)
    world.loseLink()
    world.stand(beside: VirtualBeacon(), for: 40_000)
    return world
  }

  /// How the device listens, as the events say last.
  var scan: String? { events("scan").last?["mode"] }

  /// Where it is, as the events say.
  var whereabouts: [String?] { events("home").map { $0["state"] } }

  var isLit: Bool { device.isPanelOn }
}

import Bytes
import Screens
import TestSupport
import Testing
import VirtualAir
import VirtualDevice

/// Names of phones and sensors: told and shown without half letters and controls.
@Suite struct ForeignNameTests {
  private func paired(_ name: String) throws -> World {
    let world = try World(["pairing=preferred"], pairs: true)
    world.phone.name = name
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    world.pass(1_500)
    world.press("a")
    world.pass(5_000)
    return world
  }

  @Test(arguments: [
    (String(repeating: "a", count: 31) + "ü von Anna", String(repeating: "a", count: 31)),
    (String(repeating: "a", count: 28) + "👩\u{200D}🔧 von Anna", String(repeating: "a", count: 28)),
    ("Annas\u{202E} iPhone\u{9B}2J", "Annas iPhone2J"),
    ("Pair? \u{E041} Yes", "Pair?  Yes"),
  ])
  func centralBehaviour76_aPhonesNameIsToldWithoutHalfLettersAndControls(
    _ name: String, _ told: String
  ) throws {
    #expect(try paired(name).events("bond").last?["name"] == told)
  }

  /// A stranger's street asks nothing with a button of Lenker's, and says nothing of the phone.
  @Test(arguments: ["\u{E041}", "\u{E042}", "\u{E043}"])
  func centralBehaviour76_noStreetShowsASignOfLenkersOwn(_ sign: String) throws {
    let (world, plain) = (try World(), try World())
    for (world, street) in [(world, "\(sign)Weg"), (plain, "Weg")] {
      world.tell(8, 350, street)
      world.advertise()
      world.pass(1_000)
    }
    #expect(world.glass == plain.glass)
  }

  @Test(arguments: ["\u{E041} Mum", "Mum \u{E042}\u{E043}"])
  func centralBehaviour76_noCallerShowsASignOfLenkersOwn(_ name: String) throws {
    let world = try World.notifying(["notifications=calls"]) {
      $0.phone.notifications.texts[7] = .init(name)
    }
    world.happens(7)
    let plain = name.filter { !"\u{E041}\u{E042}\u{E043}".contains($0) }
    #expect(world.shows(.call(plain)))
  }

  /// With the smallest MTU a sensor cuts its name to 19 bytes, wherever that is.
  @Test func centralBehaviour76_whatASensorCutsInMidLetterIsToldWithoutTheHalf() throws {
    let strap = VirtualSensor(.heart, number: 1)
    strap.name = String(repeating: "a", count: 18) + "üx"
    let world = try World.searching(for: strap)
    world.notify(bytes("00 48"), from: strap)
    world.pass(1_000)
    world.press("a")
    world.pass(1_000)
    let told = world.events("sensor").last { $0["state"] == "remembered" }?["name"]
    #expect(told == String(repeating: "a", count: 18))
  }
}

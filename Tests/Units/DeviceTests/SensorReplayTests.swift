import Bond
import Bytes
import PlainBonds
import TestSupport
import Testing
import VirtualAir
import VirtualDevice

@testable import Device
@testable import Replaying

/// What a report has of the sensors in the store, as it has the phone.
@Suite struct SensorReplayTests {
  private static let settings = ["report=file:/tmp/report", "pairing=required"]

  /// A phone and a sensor of each kind, in both records.
  private func full() throws -> World {
    let world = try World(Self.settings, pairs: true)
    world.press("a")
    world.advertise()
    world.pass(1_000)
    world.press("a")
    world.pass(2_000)
    for kind in everyKind { world.remember(try plainSensor(kind)) }
    world.remember(try plainSensor(.radar, 2))
    return world
  }

  /// The device starts again with what is on the disk, and the phone rides for so many turns.
  private func riding(after first: World, turns: Int) throws -> World {
    let world = try World(Self.settings, boots: false)
    world.disk = first.disk
    world.meet(first)
    // Who has nothing to say yet is searched: its kept handles have led to nothing.
    world.phone.value = instruction(8, 9_999, Array("Straße".utf8))
    world.pass(4_000)
    world.advertise()
    world.pass(4_000)
    #expect(world.events("link").contains { $0["state"] == "encrypted" })
    for index in 0..<turns {
      world.tell(8, UInt32(10_000 + index), "Straße \(index)")
      world.pass(1_000)
    }
    return world
  }

  /// The start has room for the longest store there is, though a long ride has left no other room.
  @Test(arguments: [10, 1_000])
  func aStartWithAFullStoreReplays(_ turns: Int) throws {
    let world = try riding(after: full(), turns: turns)
    world.press("r")
    world.pass(100)
    let player = try replayed(try Recording(world.reportFile, named: "report"))
    #expect(player.comparison.divergences == [])
    var sensors = try plainSensors()
    sensors.set(try plainSensor(.radar, 2))
    #expect(player.device.sensors == sensors)
  }

  /// As it has those of the phone: nobody needs a key to know them.
  @Test func theirNamesAndAddressesAreInIt() throws {
    let world = try riding(after: full(), turns: 1)
    world.press("r")
    world.pass(100)
    let text = String(decoding: world.reportFile, as: UTF8.self)
    for (kind, name) in [
      (0, "heart 1"), (1, "speed 1"), (2, "power 1"), (3, "radar 2"), (4, "cadence 1"),
    ] {
      let number = name.hasSuffix("2") ? "02" : "01"
      #expect(text.contains("010" + "1\(number)0\(kind)00eeffd0"), "\(name)")
      #expect(text.contains(name.utf8.map { String($0, radix: 16) }.joined()), "\(name)")
    }
  }
}

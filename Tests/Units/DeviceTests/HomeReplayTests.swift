import Bytes
import TestSupport
import Testing
import VirtualAir
import VirtualDevice

@testable import Device
@testable import Replaying

/// A report has the beacon at home, as it has all that was heard, and the setting that names it.
@Suite struct HomeReplayTests {
  private let garage = VirtualBeacon()
  private static let settings = [
    World.home + "@-70", "report=file:/tmp/report", "pairing=required",
  ]

  private func report(of world: World) throws -> Recording {
    world.press("r")
    world.pass(100)
    return try Recording(world.reportFile, named: "report")
  }

  private func events(_ name: String, in player: borrowing Player) -> [String] {
    String(decoding: player.events, as: UTF8.self).split(separator: "\n").map(String.init)
      .filter { $0.contains("\"event\":\"\(name)\"") }
  }

  /// A phone is paired with, and rides.
  private func riding() throws -> World {
    let world = try World(Self.settings, pairs: true)
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    world.pass(1_500)
    world.press("p")
    world.pass(4_000)
    world.tell(8, 320, "Hauptstraße")
    world.pass(1_000)
    return world
  }

  private func hear(_ world: World, seconds: Int) {
    for _ in 0..<seconds {
      world.advertise(garage)
      world.pass(1_000)
    }
  }

  @Test func aDayAtHomeReplaysWithoutADivergence() throws {
    let world = try riding()
    world.loseLink()
    hear(world, seconds: 12)
    world.pass(600_000)
    hear(world, seconds: 15)
    #expect(!world.isLit)
    world.press("p")
    #expect(world.isLit)
    hear(world, seconds: 5)
    world.advertise()
    world.pass(3_000)
    world.tell(8, 280, "Hauptstraße")
    world.pass(3_000)
    #expect(world.whereabouts == ["here", "away", "here", "away"])
    let count = world.messages.count
    let recording = try report(of: world)
    let player = try replayed(recording)
    #expect(player.comparison.divergences == [])
    #expect(player.comparison.starts.count == 1)
    #expect(player.messages.count >= count)
    #expect(world.messages.starts(with: player.messages.map(\.bytes)))
    for name in ["home", "scan", "link"] {
      #expect(events(name, in: player) == world.events(name).map(\.line), "\(name)")
    }
    #expect(recording.settings.contains("home=\(VirtualBeacon.uuid.uppercased())/7/515@-70"))
  }

  /// The ring has room for some minutes of the beacon; what is heard of it then brings the device home again.
  @Test func behindANightInTheGarageTheMorningReplays() throws {
    let world = try riding()
    world.loseLink()
    hear(world, seconds: 3_600)
    world.press("p")
    hear(world, seconds: 20)
    world.advertise()
    world.pass(3_000)
    world.tell(8, 280, "Am Markt")
    world.pass(3_000)
    let player = try replayed(try report(of: world))
    #expect(player.comparison.divergences == [])
    #expect(player.comparison.starts.count == 2)
    #expect(
      untimed(events("instruction", in: player).suffix(1)) == [
        #"""
        "event":"instruction","id":1,"direction":8,"distance":280,"street":"Am Markt"}
        """#
      ])
    #expect(untimed(events("home", in: player)) == untimed(world.events("home").map(\.line)))
  }

  /// The clock of a replay stands still in the part that is missing.
  private func untimed(_ lines: some Sequence<String>) -> [String] {
    lines.map { String($0.drop { $0 != "," }.dropFirst()) }
  }

  /// Reports of a scan are never left out, however many there are.
  @Test func eachAdvertisementIsInTheReport() throws {
    let world = try riding()
    world.loseLink()
    let before = try report(of: world).entries.count { isBeacon($0) }
    hear(world, seconds: 60)
    let after = try report(of: world).entries.count { isBeacon($0) }
    #expect((before, after) == (0, 60))
  }

  private func isBeacon(_ entry: Recording.Entry) -> Bool {
    guard case .received(let packet) = entry.content else { return false }
    return packet.suffix(31).dropLast() == garage.advertisement[...]
  }
}

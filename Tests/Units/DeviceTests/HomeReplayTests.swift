import Bytes
import Expecting
import TestSupport
import VirtualAir
import VirtualDevice

@testable import Device
@testable import Replaying

/// A report has what the beacon at home meant, and the setting that names it, but not each advertisement.
struct HomeReplayTests {
  private let garage = VirtualBeacon()
  private static let settings = [
    World.home + "@-70", "report=file:/tmp/report", "pairing=required",
  ]

  private func events(_ name: String, in player: borrowing Player) -> [String] {
    String(decoding: player.events, as: UTF8.self).split(separator: "\n").map(String.init)
      .filter { $0.contains("\"event\":\"\(name)\"") }
  }

  /// A phone is paired with, and rides.
  private func riding() throws -> World {
    let world = try World.paired(Self.settings)
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
    expect(!world.isLit)
    world.press("a")
    expect(world.isLit)
    hear(world, seconds: 5)
    world.advertise()
    world.pass(3_000)
    world.tell(8, 280, "Hauptstraße")
    world.pass(3_000)
    expect(world.whereabouts, ["here", "away", "here", "away"])
    let player = try world.replaysTheSame()
    for name in ["home", "scan", "link"] {
      expect(events(name, in: player), world.events(name).map(\.line), "\(name)")
    }
    let recording = try Recording(world.reportFile, named: "report")
    #expect(recording.settings.contains("home=\(VirtualBeacon.uuid.uppercased())/7/515@-70"))
  }

  /// Not an advertisement of the beacon is in the report, but that it was heard, and then was not.
  @Test func theReportTellsWhatTheBeaconMeantAndNotEachAdvertisement() throws {
    let world = try riding()
    world.loseLink()
    hear(world, seconds: 60)
    world.pass(31_000)
    let entries = try world.recording().entries
    expect(!entries.contains { isGarages($0) })
    expect(notes(in: entries, of: "home"), [["home", "here"], ["home", "away"]])
  }

  // MARK: - A street

  /// What a street of strangers says in an hour in which the remembered phone is searched for.
  @Test func aStreetFullOfStrangersPushesNothingOut() throws {
    let world = try riding()
    world.loseLink()
    for second in 0..<3_600 {
      for stranger in 0..<20 { report(stranger, in: second, to: world) }
      world.pass(1_000)
    }
    world.pass(90_000)
    world.advertise()
    world.pass(3_000)
    try world.replaysTheSame()
    let recording = try Recording(world.reportFile, named: "report")
    #expect(recording.entries.allSatisfy { $0.dropped == 0 })
    #expect(recording.entries.filter { isAdvertisement($0) }.count <= 2, "the phone's alone")
    expect(notes(in: recording.entries, of: "deaf").count, 1)
  }

  /// Where nobody is remembered a stranger's name may be the next phone's: it is there each time it is another.
  @Test func ofStrangersWhoMayBeTheRidersPhoneOnlyWhatIsNewIsInTheReport() throws {
    let world = try World(["pairing=off", "report=file:/tmp/report"])
    world.pass(1_000)
    let name: [UInt8] = [5, 0x09] + Array("Band".utf8)
    for _ in 0..<500 {
      world.report("01 09 00 00 00 00 c1", name, rssi: -60)
      world.pass(100)
    }
    expect(try world.recording().entries.filter { isAdvertisement($0) }.count, 1)
    world.report("01 0a 00 00 00 00 c1", name, rssi: -60)
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    world.pass(3_000)
    let recording = try world.recording()
    #expect(recording.entries.filter { isAdvertisement($0) }.count >= 3)
    let player = try replayed(recording)
    expect(player.comparison.divergences, [])
    expect(world.messages.starts(with: player.messages.map(\.bytes)))
  }

  /// Phones, straps, tags and beacons, some with names, some with addresses that a key might resolve.
  private func report(_ stranger: Int, in second: Int, to world: World) {
    let data: [UInt8] =
      switch stranger % 4 {
      case 0: [2, 0x01, 0x06, 6, 0x09] + Array("Name\(stranger % 10)".utf8)
      case 1: [2, 0x01, 0x06, 3, 0x03, 0x0D, 0x18]
      case 2: [7, 0xFF, 0x4C, 0x00, 0x10, 0x02, UInt8(second % 256), 0x00]
      default: VirtualBeacon(minor: UInt16(stranger)).advertisement
      }
    let top: [UInt8] = [0xC1, 0x41, 0x41, 0xC1]
    let address = [1, UInt8(stranger), UInt8(second / 900), 3, 4, 5, top[stranger % 4]]
    let type: UInt8 = [0, 0, 0, 3, 2][stranger % 5]
    world.controller.report(address, data, type: type, rssi: -60, world)
  }

  private func notes(in entries: [Recording.Entry], of first: String) -> [[String]] {
    entries.compactMap {
      if case .note(let words) = $0.content, words.first == first { words } else { nil }
    }
  }

  private func isGarages(_ entry: Recording.Entry) -> Bool {
    guard case .received(let packet) = entry.content else { return false }
    return packet.suffix(31).dropLast() == garage.advertisement[...]
  }

  /// LE Advertising Report.
  private func isAdvertisement(_ entry: Recording.Entry) -> Bool {
    guard case .received(let packet) = entry.content else { return false }
    return packet.count > 4 && packet[0] == 0x04 && packet[1] == 0x3E && packet[3] == 0x02
  }
}

import Events
import TestSupport
import Testing
import VirtualAir
import VirtualDevice

@testable import Device
@testable import Replaying

/// Which events there are by `topics`, and that nothing else depends on that.
@Suite struct TopicTests {
  /// A ride with a sensor that is added, a fault of the panel, the loss of the phone, and a report of it all.
  private func ride(_ settings: [String]) throws -> World {
    let strap = VirtualSensor(.heart, number: 1)
    let world = try World.riding(beside: [strap], ["report=file:/tmp/report"] + settings)
    world.press("aa")
    world.press("b")
    world.advertise(strap)
    world.pass(1_500)
    world.notify([0x00, 0x50], from: strap)
    world.pass(1_000)
    world.press("a")
    world.pass(3_000)
    world.fail(.panel, .remoteIO)
    world.pass(8_000)
    world.tell(8, 80, "Hauptstraße")
    world.pass(1_000)
    world.controller.connects = false
    world.loseLink()
    world.pass(12_000)
    world.press("r")
    world.pass(100)
    return world
  }

  /// By the table in Boards/reference/events.md.
  private static let names: [String: Set<String>] = [
    "navigation": ["instruction", "stale", "progress", "alert"],
    "sensors": ["sensor", "measure"],
    "radio": ["controller", "scan", "phone", "link", "pairing", "bond"],
    "device": ["button", "frame", "error", "report"],
  ]

  @Test(arguments: ["navigation", "sensors", "radio", "device"])
  func onlyTheEventsOfItsTopicAreTold(_ topic: String) throws {
    let world = try ride(["topics=\(topic)"])
    #expect(Set(world.events.map(\.name)) == Self.names[topic])
  }

  @Test func theTopicsTogetherAreAll() throws {
    let all = try ride(["topics=all"]).events.map(\.line)
    let listed = try ride(["topics=radio,device,navigation,sensors"]).events.map(\.line)
    let apart = try Self.names.keys.map { try ride(["topics=\($0)"]).events.count }
    #expect(listed == all && apart.reduce(0, +) == all.count)
  }

  /// The same packets, pictures, alerts and writes at the same times, and the same report but for the setting.
  @Test(arguments: ["topics=navigation", "topics=device", "events=none", "events=unix:/run/events"])
  func nothingElseDependsOnWhatIsTold(_ setting: String) throws {
    func done(_ settings: [String]) throws -> ([[UInt8]], [[UInt8]], [UInt8], [String]) {
      let world = try ride(settings)
      let report = try #require(ReportFile(world.reportFile))
      let texts = report.texts.filter {
        !$0.hasPrefix("setting topics") && !$0.hasPrefix("setting events")
      }
      return (world.messages, report.packets, world.disk, texts)
    }
    let (usual, other) = (try done([]), try done([setting]))
    #expect(usual == other)
    #expect(usual.0.count > 100 && usual.1.count > 100 && usual.3.count > 30)
  }

  @Test func atASocketNothingIsToldUntilSomebodyReads() throws {
    let world = try World(["events=unix:/run/events"])
    world.press("a")
    #expect(world.events.isEmpty)
    world.readEvents(about: Topics(.device))
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    world.pass(1_000)
    world.press("a")
    #expect(Set(world.events.map(\.name)) == ["frame", "button"])
    world.readEvents(about: Topics(.navigation))
    let before = world.events.count
    world.tell(8, 300, "Hauptstraße")
    world.pass(1_000)
    #expect(world.events.count > before)
    let names = Set(world.events.dropFirst(before).map(\.name))
    #expect(names.isSubset(of: Self.names["navigation"] ?? []))
    world.readEvents(about: Topics())
    let last = world.events.count
    world.press("a")
    world.pass(60_000)
    #expect(world.events.count == last)
  }

  @Test func nobodyReadsAtASocketWhatTheBoardLeavesOut() throws {
    let world = try World(["events=unix:/run/events", "topics=radio"])
    world.readEvents(about: .ofDevice)
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    world.pass(1_000)
    world.press("a")
    let names = Set(world.events.map(\.name))
    #expect(names.isSubset(of: Self.names["radio"] ?? []) && !names.isEmpty)
  }

  @Test func whatIsReplayedTellsAll() throws {
    let world = try ride(["topics=device"])
    let player = try replayed(try Recording(world.reportFile, named: "report"))
    let events = String(decoding: player.events, as: UTF8.self)
    #expect(events.contains(#""event":"instruction""#) && events.contains(#""event":"measure""#))
  }
}

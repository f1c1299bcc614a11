import Bytes
import DeviceState
import TestSupport
import Testing
import VirtualAir
import VirtualDevice

@testable import Device
@testable import Replaying

/// Which report the panel speaks of, and what is no news for a record.
@Suite struct AskedReportTests {
  private static let settings = ["report=file:/tmp/report"]

  private func riding(_ settings: [String] = []) throws -> World {
    let world = try World(Self.settings + settings)
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    world.pass(1_000)
    return world
  }

  private func report(of world: World) throws -> Recording {
    world.press("r")
    world.pass(100)
    return try Recording(world.reportFile, named: "report")
  }

  private func received(_ recording: Recording, _ prefix: [UInt8]) -> Int {
    recording.entries.count {
      guard case .received(let packet) = $0.content else { return false }
      return packet.starts(with: prefix)
    }
  }

  /// What the panel says when each report is on the disk.
  private func noteNotices(in world: World) -> () -> [Scene.Notice?] {
    var notices: [Scene.Notice?] = []
    world.onEvent = { [unowned world] event in
      if event.name == "report" { notices.append(world.device.scene.notice) }
    }
    return { notices }
  }

  /// One that nobody asked for is being written when the rider asks.
  @Test func centralBehaviour86_savedIsSaidOfTheReportThatWasAskedFor() throws {
    let world = try riding()
    let notices = noteNotices(in: world)
    world.fail(.buttons, .noSuchDevice)
    world.press("r")
    world.pass(100)
    #expect(notices() == [nil, .reportSaved])
  }

  /// The rider has asked, and an error asks for another one while that is being written.
  @Test func centralBehaviour86_theReportThatWasAskedForIsSaidToBeSavedAndNoOther() throws {
    let world = try riding()
    let notices = noteNotices(in: world)
    world.press("r")
    world.fail(.buttons, .noSuchDevice)
    world.pass(4_000)
    #expect(world.events("report").count == 2)
    #expect(notices().first == .reportSaved)
    #expect(world.shows(.turn(.right, "350 m", "Hauptstraße")))
  }

  // MARK: - No news

  @Test func centralBehaviour86_vendorEventsAreNoNewsForTheRecord() throws {
    let world = try riding()
    for number in 0..<500 {
      world.hears([0x04, 0xFF, 3, 1, 2, UInt8(number % 256)])
      world.pass(10)
    }
    #expect(received(try report(of: world), [0x04, 0xFF]) == 0)
  }

  /// It owes an answer: the first one counts, and that by which it is dead.
  @Test func centralBehaviour86_aChipThatOnlyBabblesReplaysWithoutADivergence() throws {
    let world = try riding()
    world.pass(15_000)
    world.controller.completesPackets = false
    world.controller.phone = nil  // nobody answers to the next read
    for _ in 0..<100 {
      world.hears([0x04, 0xFF, 3, 1, 2, 3])
      world.pass(100)
    }
    world.controller.completesPackets = true
    world.controller.phone = world.phone
    world.pass(3_000)
    #expect(world.events("recovery").contains { $0["step"] == "reset" })
    let recording = try report(of: world)
    #expect((1...4).contains(received(recording, [0x04, 0xFF])))
    #expect(try replayed(recording).comparison.divergences == [])
  }

  /// Two that say that they have a name, and do not say which.
  @Test func centralBehaviour86_emptyNamesAreNoNewsForTheRecord() throws {
    let world = try World(Self.settings)
    world.pass(1_000)
    for number in 0..<200 {
      world.report("01 0\(number % 2) 00 00 00 00 c1", [1, 0x09], rssi: -60)
      world.pass(100)
    }
    #expect(received(try report(of: world), [0x04, 0x3E]) == 0)
  }
}

import Bytes
import Expecting
import Foundation
import HCI
import TestSupport
import VirtualDevice

@testable import Device
@testable import Replaying

/// A capture that is played to the device of today: it has the packets, and not the turns of the loop.
struct CaptureReplayTests {
  /// What a capture has of a ride to its first turn, and when the radio was opened.
  private func rideToTheFirstTurn() throws -> (Recording, lead: Int64) {
    let world = try World.following(["report=file:/tmp/report"])
    world.pass(2_000)
    var recording = try world.recording()
    recording.isReport = false
    recording.entries.removeAll { if case .note = $0.content { true } else { false } }
    let lead = try #require(recording.entries.first).time
    for index in recording.entries.indices { recording.entries[index].time -= lead }
    return (recording, lead)
  }

  /// A deadline has a packet sent, and the answer comes within the same millisecond.
  @Test func aCaptureOfAControllerThatAnswersAtOnceReplaysWithoutADivergence() throws {
    let (recording, lead) = try rideToTheFirstTurn()
    var player = Player(try recording.board(), version: "", recording)
    player.play(capture: recording, lead: lead)
    expect(player.comparison.divergences, [])
    #expect(player.comparison.matches > 20)
  }

  /// A busy machine had the program wait: the panel was due after 100 ms, and its bus had the first message at 171.
  @Test func aTurnThatWasLateIsReplayedWhenItWas() throws {
    let (recording, _) = try rideToTheFirstTurn()
    var inTime = Player(try recording.board(), version: "", recording)
    inTime.play(capture: recording, lead: 171)
    expect(inTime.messages.first?.time, 100)

    let moments = inTime.messages.map { max($0.time, 171) }
    var early = Player(try recording.board(), version: "", recording)
    expect(early.play(capture: recording, lead: 171, moments: moments), 100)
    var late = Player(try recording.board(), version: "", recording)
    expect(late.play(capture: recording, lead: 171, moments: moments, late: [100]), nil)
    expect(late.messages.map(\.time), moments)
    #expect(late.messages.map(\.bytes).elementsEqual(inTime.messages.map(\.bytes)))
    expect(late.comparison.divergences, [])
  }
}

/// What others have captured of real controllers and phones, among the recordings: packets, by their titles.
private struct PublicCapture {
  static let areThere = Recordings.has("evidence")

  /// The packets below the first title with these words, H4 indicators first.
  let packets: [[UInt8]]

  init(_ file: String, _ words: String) throws {
    let text = try String(
      contentsOf: Recordings.folder("evidence").appending(path: file), encoding: .utf8)
    let lines = text.split(separator: "\n").drop { !$0.contains(words) }
    packets = lines.drop { $0.hasPrefix("#") }.prefix { !$0.hasPrefix("#") }
      // Some have words in front, or are no packets.
      .map { $0.split(separator: ": ").last.map(String.init) ?? "" }
      .filter { $0.allSatisfy { $0.isHexDigit || $0 == " " } }.map(bytes)
    #expect(!packets.isEmpty, "\(words)")
  }

  /// What the controller says.
  var received: [[UInt8]] { packets.filter { $0[0] == 4 || $0[0] == 2 && $0[2] & 0x20 != 0 } }

  /// The peer of LE Create Connection, its type first.
  var peer: [UInt8] {
    let command = packets.first { $0.starts(with: [1, 0x0D, 0x20]) } ?? []
    return Array(command[9..<16])
  }
}

/// They were made with other hosts: the device hears what their controllers said, and its own report of
/// that replays.
@Suite(.enabled(if: PublicCapture.areThere, "the captures are not among the recordings"))
struct PublicCaptureTests {
  private func searching(refusing opcode: UInt16? = nil) throws -> World {
    let world = try World(["report=file:/tmp/report"])
    // What the capture answers, this controller does not.
    if let opcode { world.controller.withheld = [opcode] }
    return world
  }

  /// Makes the report of that world, and what the device of today sends for it.
  private func expectReplay(_ world: World) throws {
    let player = try world.replay()
    expect(player.comparison.divergences, [])
    #expect(player.comparison.matches >= 10)
    expect(world.messages.starts(with: player.messages.map(\.bytes)))
  }

  @Test(arguments: ["noble#99", "btferret#10"])
  func aConnectionOfThemIsALinkOfOurs(_ title: String) throws {
    let capture = try PublicCapture("raw-hci-hex.txt", title)
    let world = try searching(refusing: 0x200D)
    world.report(hex(capture.peer), world.phone.advertisement, rssi: -50)
    world.pass(1_000)
    expect(world.states("link"), ["connecting"])
    for packet in capture.received {
      world.receive(packet)
      world.pass(1)
    }
    expect(world.states("link"), ["connecting", "connected"])
    #expect(world.events("error").isEmpty)
    world.receive(bytes("04 05 04 00 40 00 13"))
    world.pass(100)
    expect(world.states("link").last, "disconnected")
    try expectReplay(world)
  }

  @Test func aPi4sEventsOfItsOwnAndItsSecondAnswerChangeNothing() throws {
    let capture = try PublicCapture("raw-hci-hex.txt", "for the same opcode 0x2016")
    let world = try searching()
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    world.pass(1_000)
    for packet in capture.received {
      world.receive(packet)
      world.pass(1)
    }
    world.tell(8, 300, "Hauptstraße")
    expect(world.shows(.turn(.right, "300 m", "Hauptstraße")))
    #expect(world.events("error").isEmpty)
    try expectReplay(world)
  }

  /// Its bit in the overflow area is another app's than komoot's.
  @Test func anIPhoneWithAnotherAppInTheBackgroundIsNoPhoneOfOurs() throws {
    let capture = try PublicCapture("raw-hci-hex.txt", "iPhone in the background")
    let world = try searching()
    for _ in 0..<20 {
      for packet in capture.received { world.receive(packet) }
      world.pass(200)
    }
    expect(world.events("phone").isEmpty && world.events("link").isEmpty)
    world.advertise()
    expect(world.events("phone").count, 1)
    try expectReplay(world)
  }

  @Test func creditsThatComeBehindTheEndOfALinkAreNobodys() throws {
    let capture = try PublicCapture("stale-credits.txt", "noble-device#27")
    let world = try searching()
    world.advertise()
    world.pass(1_000)
    for packet in capture.received {
      world.receive(packet)
      world.pass(280)
    }
    let end = try #require(world.events("link").last)
    expect(end["state"] == "disconnected" && end[number: "reason"] == 0x13)
    try expectReplay(world)
  }

  /// The commands that a Pi Zero W's chip says it has.
  @Test func aPiZeroWsChipComesUpAndRides() throws {
    let capture = try PublicCapture("bcm43430a1-bring-up.txt", "DERIVED")
    let answer = try #require(capture.packets.first)
    let world = try World(["report=file:/tmp/report"], boots: false)
    world.controller.supportedCommands = Array(answer[7...])
    world.controller.address = bytes("01 00 00 eb 27 b8")
    world.pass(100)
    let controller = try #require(world.events("controller").first)
    expect(controller["address"], "B8:27:EB:00:00:01")
    expect(controller[number: "version"] == 7 && controller[number: "manufacturer"] == 15)
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    world.pass(1_000)
    expect(world.shows(.turn(.right, "350 m", "Hauptstraße")))
    try expectReplay(world)
  }
}

/// Recordings with numbers that no device wrote: each is refused in words, before it is played.
struct HostileRecordingTests {
  /// A report with the line of its version and these at so many milliseconds.
  private func report(_ lines: [(time: Int64, text: String)]) -> [UInt8] {
    var file = FixedBuffer<4096>()
    BTSnoop.writeHeader(.monitor, into: &file)
    for line in [(time: 0, text: "version 1")] + lines {
      let content: [UInt8] = [6, 7] + Array("lenker\0".utf8) + Array(line.text.utf8) + [0]
      BTSnoop.write(
        .userLogging, content.span, dropped: 0, at: 1_000 * line.time, into: &file)
    }
    return TestSupport.array(file.bytes)
  }

  private func complaint(about file: [UInt8]) -> String {
    do {
      _ = try Recording(file, named: "x")
      return "nothing"
    } catch {
      return "\(error)"
    }
  }

  @Test func aNumberThatNoDeviceNotesIsToldWithItsPlace() throws {
    for line in [
      "turns 16777216", "turns 1000000000", "turns 0 -1", "turns x", "turns 9223372036854775808",
      "turns ", "recovery 9223372036854775807", "recovery -9223372036854775808", "recovery soon",
    ] {
      let told = complaint(about: report([(5, line)]))
      expect(told.hasPrefix("x: byte 59: \(line): "), "\(told)")
      expect(told.hasSuffix(": make another report"), "\(told)")
    }
    for line in ["turns", "turns 0 16777215", "recovery", "recovery 60000", "recovery -1"] {
      expect(try Recording(report([(5, line)]), named: "x").entries.count, 1)
    }
  }

  @Test(arguments: [
    ("panel opening", "panel opening"), ("edge a 1", "edge a 1"),
    ("no\u{1B}[2J\nw", "no?[2J?w"),
    ("store open 0 1 0 xx", "xx"),
  ])
  func aLineThatIsNotKnownIsToldWithItsTime(_ line: String, _ told: String) throws {
    let recording = try Recording(report([(1_005, line)]), named: "x")
    let words =
      "x: 1.005 s: this version does not know the line “\(told)”: replay it with the version that made it"
    #expect(throws: ReplayError.data(words)) { _ = try replayed(recording) }
  }

  @Test func aSettingThatIsWrongIsToldWithTheFile() throws {
    let recording = try Recording(report([(0, "setting panel = none")]), named: "x")
    let told = #expect(throws: (any Error).self) { try recording.board() }
    let words = "x: its settings, and the arguments behind them: argument:1: "
    expect("\(told as Any)".contains(words))
  }

  @Test func aReportOfThirtyFiveYearsIsToldFromOneThatIsShorter() {
    let most: Int64 = 1 << 40
    expect(complaint(about: report([(most - 1, "leave")])), "nothing")
    let told = complaint(about: report([(5, "leave"), (most, "leave")]))
    #expect(told.hasPrefix("x: byte 98: "), "\(told)")
  }

  /// Each deadline of a capture is met, also of the time in which nothing was heard.
  @Test func aCaptureWhoseClockWasSetIsToldInsteadOfPlayedForYears() throws {
    func capture(of duration: Int64) -> [UInt8] {
      var file = FixedBuffer<256>()
      BTSnoop.writeHeader(.h4, into: &file)
      let packet = bytes("01 03 0c 00")
      for time in [1_000, 1_000 + duration] {
        BTSnoop.write(packet.span, isReceived: false, at: 1_000 * time, into: &file)
      }
      return TestSupport.array(file.bytes)
    }
    let week: Int64 = 7 * 86_400_000
    expect(complaint(about: capture(of: week)), "nothing")
    let told = complaint(about: capture(of: week + 1))
    #expect(told.hasPrefix("x: byte 44: "), "\(told)")
    let recording = try Recording(capture(of: week), named: "x")
    var player = Player(try recording.board(), version: "", recording)
    player.play(capture: recording, lead: 0)
    #expect(player.comparison.matches > 0)
  }

  // MARK: - Files that are none

  private static let small: [UInt8] = {
    guard let world = try? World(["report=file:/tmp/report"]) else { return [] }
    world.advertise()
    world.pass(1_000)
    world.askForReport()
    return Array(world.reportFile.prefix(8_192))
  }()

  /// Cut anywhere it is told; cut between two records it is a shorter recording.
  @Test func aFileThatIsCutAnywhereIsToldOrShorter() throws {
    let file = Self.small
    let whole = try Recording(file, named: "x").entries
    #expect(whole.count > 40)
    var shorter = 0
    for count in 0..<file.count {
      do {
        let recording = try Recording(Array(file[..<count]), named: "x")
        #expect(recording.entries.elementsEqual(whole.prefix(recording.entries.count)))
        shorter += 1
      } catch let error as ReplayError {
        expect(error.exitStatus, 65)
        #expect(error.description.hasPrefix("x: "))
      }
    }
    expect(shorter >= whole.count && shorter < 500)
  }

  @Test func whatIsNoReportIsNamed() {
    let header = Array("btsnoop\0".utf8)
    for (file, words) in [
      ([], "x: is empty"),
      (
        [UInt8](repeating: 0, count: 4_096),
        "x: is empty, or a report that was not written to its end"
      ),
      ([UInt8]("#!/bin/sh\nexit 0\n".utf8), "x: is no btsnoop file"),
      (header + [0, 0, 0, 1, 0, 0, 0x03, 0xE9], "x: is a btsnoop file of another kind"),
      (header + [0, 0, 0, 1, 0, 0, 0x07, 0xD1], "x: is not of Lenker"),
    ] { expect(complaint(about: file).hasPrefix(words), "\(words)") }
  }
}

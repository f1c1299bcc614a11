import BoardFile
import Bytes
import Events
import Expecting
import Foundation
import Messages
import Navigation
import Recording
import Responder
import Sensors
import TestSupport
import VirtualAir
import VirtualDevice

@testable import Device
@testable import Replaying

/// The lines of `events`, as Boards/reference/events.md has them.
struct EventLogTests {
  private let now = Instant(milliseconds: 13_345)

  /// What a log that began a second after the clock did says behind the time.
  private func expect(
    _ rest: String, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: (inout EventLog) -> Void
  ) throws {
    let lines = try written(body)
    #expect(lines == #"{"t":12.345,"event":\#(rest)}"# + "\n", sourceLocation: sourceLocation)
  }

  @Test func eachLineIsAsTheReferenceHasIt() throws {
    for (number, digits) in [(0, "000000"), (12_345, "012345"), (999_999, "999999")]
      as [(UInt32, String)]
    {
      try expect(#""pairing","state":"confirm","number":"\#(digits)""#) {
        $0.pairing(confirm: number, at: now)
      }
    }
    try expect(#""pairing","state":"done""#) { $0.pairing("done", at: now) }
    for (failure, reason) in [
      (.refusedByPhone, "refused by phone"), (.refusedHere, "refused here"),
      (.timeout, "timeout"), (.wrongAnswer, "wrong answer"), (.insecure, "insecure"),
      (.tooManyAttempts, "too many attempts"), (.linkLost, "link lost"), (.notSaved, "not saved"),
    ] as [(PairingSetback, String)] {
      try expect(#""pairing","state":"failed","reason":"\#(reason)""#) {
        $0.pairing(failed: failure, at: now)
      }
    }
    let name = Array("Zoë".utf8)
    for state in [.loaded, .saved, .erased, .rejected] as [BondState] {
      try expect(#""bond","state":"\#(state)","name":"Zoë""#) {
        $0.bond(state, name: name.span, at: now)
      }
    }
    try expect(#""link","state":"encrypted""#) { $0.link("encrypted", at: now) }
    let address = DeviceAddress(0xC011_2233_4455, .random)
    for (rssi, field) in [(-71, #","rssi":-71"#), (nil, "")] as [(Int8?, String)] {
      try expect(#""phone","address":"C0:11:22:33:44:55"\#(field),"match":"bond""#) {
        $0.phone(address, rssi: rssi, .bond, at: now)
      }
    }
    for kind in [.heart, .speed, .power, .radar, .cadence] as [SensorKind] {
      let made = RememberedSensor(kind, address: address, name: name.span)
      let sensor = try #require(made)
      for state in ["remembered", "forgotten"] {
        let line = #""sensor","kind":"\#(kind)","address":"C0:11:22:33:44:55","name":"Zoë","#
        try expect(line + #""state":"\#(state)""#) {
          $0.sensor(sensor, state == "remembered" ? .remembered : .forgotten, at: now)
        }
      }
    }
    for level in [.none, .depart, .low, .medium, .high, .arrive] as [AlertLevel] {
      try expect(#""alert","level":"\#(level)""#) { $0.alert(level, at: now) }
    }
    let version = Array("1.3.0-dev+0123abcd".utf8)
    try expect(#""update","version":"1.3.0-dev+0123abcd""#) {
      $0.updated(to: version.span, at: now)
    }
  }

  /// At the start, and when it is another one; the event of the start says the board, too.
  @Test func thePanelShowsTheVersionWithoutItsCommit() {
    func start(_ version: String, isUpdate: Bool) -> (glass: String, events: String) {
      let (nothing, version, board) = ([UInt8](), Array(version.utf8), Array("zero.conf".utf8))
      var settings = Board()
      settings.events = .standardError
      var device = Device(
        settings, version: version.span, boardAddress: nil, mistake: nothing.span,
        cryptography: SeededCrypto(.initiator, seed: 1), at: now)
      device.started(board: board.span)
      let glass = picture(device.picture(of: isUpdate ? .updated : .starting, streetOffset: 0))
      return (glass, string(device.events))
    }
    for isUpdate in [false, true] {
      let with = start("1.3.0-dev+0123abcd", isUpdate: isUpdate)
      let without = start("1.3.0-dev", isUpdate: isUpdate)
      #expect(with.glass == without.glass)
      #expect(without.glass != start("1.3.0", isUpdate: isUpdate).glass)
      let line = #""event":"start","version":"1.3.0-dev+0123abcd","board":"zero.conf"}"#
      #expect(with.events.contains(line))
    }
  }

  /// GAP allows names of up to 248 bytes; the phone may send anything.
  @Test(
    arguments: [
      [], Array(0...247), [UInt8](repeating: 0x00, count: 248),
      [UInt8](repeating: 0xE2, count: 248), Array("\" \\ \n\u{7F}\u{202E}🚲".utf8), [0xF0, 0x9F],
    ] as [[UInt8]])
  func whateverThePhoneIsCalledTheLineIsJSON(_ name: [UInt8]) throws {
    let lines = try written { $0.bond(.loaded, name: name.span, at: now) }
    #expect(lines.hasSuffix("}\n") && lines.count { $0 == "\n" } == 1)
    let object = try JSONSerialization.jsonObject(with: Data(lines.utf8)) as? [String: Any]
    let name = String(decoding: name, as: UTF8.self).unicodeScalars.map { scalar in
      switch scalar.properties.generalCategory {
      case .control where scalar.properties.isWhitespace: " "
      case .control: ""
      case .format where scalar == "\u{202E}": ""
      default: String(scalar)
      }
    }
    #expect(object?["name"] as? String == name.joined())
  }

  /// What a log that began a second after the clock did says.
  private func written(_ body: (inout EventLog) -> Void) throws -> String {
    var log = EventLog(.ofDevice, start: Instant(milliseconds: 1_000))
    body(&log)
    return string(log.lines)
  }
}

/// Events come in the order of what happened, and a page without content gives way.
struct EventOrderTests {
  private func names(_ world: World, _ wanted: [String]) -> [String] {
    world.events.filter { wanted.contains($0.name) }.map {
      $0.name + " " + ($0["state"] ?? $0["step"] ?? $0["source"] ?? "")
    }
  }

  @Test func centralBehaviour87_theEndOfALinkIsToldBeforeThePairingThatItEnds() throws {
    let world = try World.following(["pairing=preferred"], pairs: true)
    expect(world.states("pairing"), ["confirm"])
    world.loseLink()
    expect(
      names(world, ["link", "pairing"]).suffix(3),
      ["pairing confirm", "link disconnected", "pairing failed"])
  }

  @Test func centralBehaviour87_theFailureOfTheRadioIsToldBeforeTheEndOfTheLink() throws {
    let world = try World.following()
    world.fail(.hci, .noSuchDevice)
    expect(
      names(world, ["link", "error", "recovery"]).suffix(3),
      ["error hci", "recovery reopen", "link disconnected"])
  }

  /// The page of the data, when nothing is left that measures.
  @Test func centralBehaviour87_aPageThatHasLostItsContentGivesWay() throws {
    let world = try World()
    try world.remember(VirtualSensor(.heart), as: .heart)
    world.pass(4_000)
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    world.pass(1_500)
    world.press("aa")
    world.pass(0)
    expect(!world.shows(.turn(.right, "350 m", "Hauptstraße")))
    world.forgetSensors()
    world.pass(4_000)
    expect(world.shows(.turn(.right, "350 m", "Hauptstraße")))
  }
}

/// Which events there are by `topics`, and that nothing else depends on that.
struct TopicTests {
  /// A ride with a sensor that is added, a fault of the panel, the loss of the phone, and a report of it all.
  private func ride(_ settings: [String]) throws -> World {
    let strap = VirtualSensor(.heart, number: 1)
    let world = try World.riding(beside: [strap], ["report=file:/tmp/report"] + settings)
    world.press("aa")
    world.findAndKeep(strap)
    world.pass(3_000)
    world.fail(.panel, .remoteIO)
    world.pass(8_000)
    world.tell(8, 80, "Hauptstraße")
    world.pass(1_000)
    world.controller.connects = false
    world.loseLink()
    world.pass(12_000)
    world.askForReport()
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
    expect(Set(world.events.map(\.name)), Self.names[topic])
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
    expect(usual == other)
    expect(usual.0.count > 100 && usual.1.count > 100 && usual.3.count > 30)
  }

  /// And never what the board leaves out.
  @Test func atASocketNothingIsToldUntilSomebodyReads() throws {
    let world = try World(["events=unix:/run/events", "topics=navigation,device"])
    world.press("a")
    #expect(world.events.isEmpty)
    world.readEvents(about: Topics(.device))
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    world.pass(1_000)
    world.press("a")
    expect(Set(world.events.map(\.name)), ["frame", "button"])
    world.readEvents(about: .ofDevice)
    let before = world.events.count
    world.loseLink()
    world.advertise()
    world.tell(8, 300, "Hauptstraße")
    world.pass(1_000)
    let names = Set(world.events.dropFirst(before).map(\.name))
    let allowed = Self.names["navigation", default: []].union(Self.names["device", default: []])
    expect(!names.isEmpty && names.isSubset(of: allowed))
    world.readEvents(about: Topics())
    let last = world.events.count
    world.press("a")
    world.pass(60_000)
    expect(world.events.count, last)
  }

  @Test func whatIsReplayedTellsAll() throws {
    let world = try ride(["topics=device"])
    let player = try replayed(try Recording(world.reportFile, named: "report"))
    let events = String(decoding: player.events, as: UTF8.self)
    expect(events.contains(#""event":"instruction""#) && events.contains(#""event":"measure""#))
  }
}

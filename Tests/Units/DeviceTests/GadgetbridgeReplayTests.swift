import TestSupport
import Testing
import VirtualAir
import VirtualDevice

@testable import Device
@testable import Replaying

/// A report of a ride on which Gadgetbridge told the turns, and what else it tells.
@Suite struct GadgetbridgeReplayTests {
  private static let texts = [
    #"GB({"t":"notify","id":1789000001,"src":"Chat","title":"Anna Erfunden","body":"Ausgedacht"})"#,
    #"GB({"t":"call","cmd":"incoming","name":"Berta Erdacht","number":"+49301234567"})"#,
    #"GB({"t":"musicinfo","artist":"Kette und Ritzel","album":"","track":"Leerlauf","dur":180})"#,
  ]

  private func paired(_ settings: [String]) throws -> World {
    let world = try World(
      ["pairing=preferred", "report=file:/tmp/report"] + settings, pairs: true)
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    world.pass(1_500)
    world.press("a")
    world.pass(4_000)
    world.controller.send(channel: 0x04, bytes("12 0f 00 01 00"), world)
    world.pass(100)
    return world
  }

  /// As Gadgetbridge writes: in parts of 20 bytes, each with an answer.
  private func write(_ line: String, _ world: World) {
    var rest = Array("\u{10}\(line)\n".utf8)[...]
    while !rest.isEmpty {
      world.controller.send(channel: 0x04, [0x12, 0x0C, 0x00] + rest.prefix(20), world)
      rest = rest.dropFirst(20)
      world.pass(30)
    }
  }

  private func turn(_ distance: Int, _ street: String, _ world: World) {
    write(
      #"GB({"t":"nav","instr":"\#(street)","distance":"\#(distance)m","action":"left"})"#, world)
  }

  /// komoot's turns are over, then come Gadgetbridge's, with `texts` between them.
  private func ridden(_ settings: [String] = [], _ texts: [String] = Self.texts) throws -> World {
    let world = try paired(settings)
    write("setTime(1789000000);E.setTimeZone(2.0);(s=>s.setUI)(1)", world)
    write(#"GB({"t":"is_gps_active"})"#, world)
    world.pass(2_000)
    for index in 0..<6 {
      turn(950 - 100 * index, "Nebenweg", world)
      world.pass(1_000)
      if index % 2 == 0, !texts.isEmpty { write(texts[index / 2 % texts.count], world) }
      world.pass(4_000)
    }
    world.loseLink()
    world.pass(2_000)
    world.advertise()
    world.pass(3_000)
    turn(90, "Querweg", world)
    world.pass(2_000)
    world.press("r")
    world.pass(100)
    return world
  }

  /// Where no notification is wanted, message for message over the bus.
  @Test func itReplaysMessageForMessage() throws {
    let world = try ridden()
    let player = try replayed(try Recording(world.reportFile, named: "report"))
    #expect(player.comparison.divergences == [] && player.comparison.matches > 50)
    let isSame = world.messages.starts(with: player.messages.map(\.bytes))
    #expect(isSame)
    #expect(player.pictures.count > 2)
  }

  /// With notifications the pictures are those of a ride on which none came.
  @Test func itReplaysButForItsTexts() throws {
    let settings = ["notifications=all", "music=on"]
    let world = try ridden(settings)
    let player = try replayed(try Recording(world.reportFile, named: "report"))
    #expect(player.comparison.divergences == [] && player.comparison.matches > 50)
    let quiet = [
      #"GB({"t":"\#(String(repeating: "x", count: Self.texts[0].count - 12))"})"#,
      #"GB({"t":"call","cmd":"incoming","name":"xxxxxxxxxxxxx","number":"xxxxxxxxxxxx"})"#,
      #"GB({"t":"musicinfo","artist":"xxxxxxxxxxxxxxxx","album":"","track":"xxxxxxxx","dur":180})"#,
    ]
    let other = try ridden(settings, quiet)
    let isSame = other.messages.starts(with: player.messages.map(\.bytes))
    #expect(isSame)
  }

  /// What the rider answers a call, and has the player do, goes to the phone in the replay, too.
  @Test(arguments: ["a", "b"]) func aPressInACallAndInMusicReplays(_ answer: String) throws {
    let world = try paired(["notifications=calls", "music=on"])
    turn(950, "Nebenweg", world)
    world.pass(2_000)
    write(Self.texts[1], world)
    world.pass(1_000)
    world.press(answer)
    world.pass(2_000)
    write(#"GB({"t":"call","cmd":"end"})"#, world)
    write(Self.texts[2], world)
    write(#"GB({"t":"musicstate","state":"play","position":5})"#, world)
    world.pass(1_000)
    for _ in 0..<6 {
      world.press("a")
      world.pass(500)
      world.press("b")
      world.pass(500)
    }
    world.press("r")
    world.pass(100)
    let player = try replayed(try Recording(world.reportFile, named: "report"))
    #expect(player.comparison.divergences == [] && player.comparison.matches > 50)
  }

  @Test(arguments: [[], ["notifications=all", "music=on"], ["notifications=calls"]])
  func itHasTurnsAndNoOtherTexts(_ settings: [String]) throws {
    let file = try ridden(settings).reportFile
    func has(_ text: String) -> Bool { file.ranges(of: Array(text.utf8)).count > 0 }
    #expect(has("Nebe") && has("Querweg") && has("setTime(1789000000)"))
    // Nor a part of one, as a write may begin or end anywhere in it.
    for word in [
      "Chat", "Anna Erfunden", "Ausgedacht", "Berta Erdacht", "+49301234567", "Kette und Ritzel",
      "Leerlauf",
    ] {
      for start in 0...word.utf8.count - 4 {
        let part = String(decoding: word.utf8.dropFirst(start).prefix(4), as: UTF8.self)
        #expect(!has(part), "\(part)")
      }
    }
  }
}

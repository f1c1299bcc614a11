import Bytes
import Expecting
import PlainBonds
import TestSupport
import VirtualDevice

@testable import Device
@testable import Replaying

/// A report of a ride on which the phone told more than the way: its time and its music.
struct PhoneReplayTests {
  private static let title = "Zwischen Kette und Ritzel"

  private func ridden() throws -> World {
    let settings = ["report=file:/tmp/report", "music=on", "extra=clock", "notifications=all"]
    let world = try World.paired(settings) {
      $0.phone.notifications.isThere = true
      $0.phone.notifications.part = 7
      for uid in 0..<20 {
        $0.phone.notifications.texts[UInt8(uid)] = .init("Anna Erfunden", "Ausgedacht \(uid)")
      }
      $0.phone.music.isThere = true
      $0.phone.clock.time = bytes("EA 07 09 11 0E 1E 00 04 00 00")
      $0.phone.clock.zone = bytes("04 04")
    }
    world.press("aa")
    for index in 0..<20 {
      let title = Array("\(Self.title) \(index)".utf8)
      if let news = world.phone.music.news(2, title) { world.notify(news) }
      world.tell(8, UInt32(3_000 - 10 * index), "Hauptstraße")
      if index % 4 == 0 { world.press("b") }
      notify(UInt8(index), isCall: index % 8 == 6, world)
      world.pass(1_000)
    }
    world.askForReport()
    return world
  }

  /// One comes, or somebody calls, whom the rider refuses.
  private func notify(_ uid: UInt8, isCall: Bool, _ world: World) {
    world.happens(category: isCall ? 1 : 6, uid)
    guard isCall else { return }
    world.press("b")
    world.happens(kind: 2, uid)
  }

  @Test func itReplaysWithItsStreetsAndWithoutItsTexts() throws {
    let world = try ridden()
    expect(world.phone.music.commands.count, 4, "one press took a banner away")
    expect(world.phone.notifications.written.count { $0[0] == 2 }, 2, "two calls")
    let player = try replayed(try Recording(world.reportFile, named: "report"))
    expect(player.comparison.divergences == [] && player.comparison.matches > 50)
    func has(_ text: String) -> Bool { !world.reportFile.ranges(of: Array(text.utf8)).isEmpty }
    expect(has("Hauptstraße") && !has("Kette") && !has("Ritzel"))
    expect(!has("Anna") && !has("Ausgedacht"))
  }
}

/// A report of a ride on which Gadgetbridge told the turns, and what else it tells.
struct GadgetbridgeReplayTests {
  private static let texts = [
    #"GB({"t":"notify","id":1789000001,"src":"Chat","title":"Anna Erfunden","body":"Ausgedacht"})"#,
    #"GB({"t":"call","cmd":"incoming","name":"Berta Erdacht","number":"+49301234567"})"#,
    #"GB({"t":"musicinfo","artist":"Kette und Ritzel","album":"","track":"Leerlauf","dur":180})"#,
  ]

  private func paired(_ settings: [String]) throws -> World {
    let world = try World.paired(["report=file:/tmp/report"] + settings)
    world.controller.send(channel: 0x04, bytes("12 0f 00 01 00"), world)
    world.pass(100)
    return world
  }

  /// komoot's turns are over, then come Gadgetbridge's, with `texts` between them.
  private func ridden(_ settings: [String] = [], _ texts: [String] = Self.texts) throws -> World {
    let world = try paired(settings)
    world.write(line("setTime(1789000000);E.setTimeZone(2.0);(s=>s.setUI)(1)"))
    world.write(line(#"GB({"t":"is_gps_active"})"#))
    world.pass(2_000)
    for index in 0..<6 {
      world.bridge("left", "\(950 - 100 * index)m", "Nebenweg")
      world.pass(1_000)
      if index % 2 == 0, !texts.isEmpty { world.write(line(texts[index / 2 % texts.count])) }
      world.pass(4_000)
    }
    world.loseLink()
    world.pass(2_000)
    world.advertise()
    world.pass(3_000)
    world.bridge("left", "90m", "Querweg")
    world.pass(2_000)
    world.askForReport()
    return world
  }

  /// Where no notification is wanted, message for message over the bus.
  @Test func itReplaysMessageForMessage() throws {
    let world = try ridden()
    let player = try replayed(try Recording(world.reportFile, named: "report"))
    expect(player.comparison.divergences == [] && player.comparison.matches > 50)
    let isSame = world.messages.starts(with: player.messages.map(\.bytes))
    expect(isSame)
    #expect(player.pictures.count > 2)
  }

  /// With notifications the pictures are those of a ride on which none came.
  @Test func itReplaysButForItsTexts() throws {
    let settings = ["notifications=all", "music=on"]
    let world = try ridden(settings)
    let player = try replayed(try Recording(world.reportFile, named: "report"))
    expect(player.comparison.divergences == [] && player.comparison.matches > 50)
    let quiet = [
      #"GB({"t":"\#(String(repeating: "x", count: Self.texts[0].count - 12))"})"#,
      #"GB({"t":"call","cmd":"incoming","name":"xxxxxxxxxxxxx","number":"xxxxxxxxxxxx"})"#,
      #"GB({"t":"musicinfo","artist":"xxxxxxxxxxxxxxxx","album":"","track":"xxxxxxxx","dur":180})"#,
    ]
    let other = try ridden(settings, quiet)
    let isSame = other.messages.starts(with: player.messages.map(\.bytes))
    expect(isSame)
  }

  /// What the rider answers a call, and has the player do, goes to the phone in the replay, too.
  @Test(arguments: ["a", "b"]) func aPressInACallAndInMusicReplays(_ answer: String) throws {
    let world = try paired(["notifications=calls", "music=on"])
    world.bridge("left", "950m", "Nebenweg")
    world.pass(2_000)
    world.write(line(Self.texts[1]))
    world.pass(1_000)
    world.press(answer)
    world.pass(2_000)
    world.write(line(#"GB({"t":"call","cmd":"end"})"#))
    world.write(line(Self.texts[2]))
    world.write(line(#"GB({"t":"musicstate","state":"play","position":5})"#))
    world.pass(1_000)
    for _ in 0..<6 {
      world.press("a")
      world.pass(500)
      world.press("b")
      world.pass(500)
    }
    let player = try world.replay()
    expect(player.comparison.divergences == [] && player.comparison.matches > 50)
  }

  @Test(arguments: [[], ["notifications=all", "music=on"], ["notifications=calls"]])
  func itHasTurnsAndNoOtherTexts(_ settings: [String]) throws {
    let file = try ridden(settings).reportFile
    func has(_ text: String) -> Bool { file.ranges(of: Array(text.utf8)).count > 0 }
    expect(has("Nebe") && has("Querweg") && has("setTime(1789000000)"))
    let fours = Set(file.indices.dropLast(3).map { file[$0..<$0 + 4] })
    // Nor a part of one, as a write may begin or end anywhere in it.
    for word in [
      "Chat", "Anna Erfunden", "Ausgedacht", "Berta Erdacht", "+49301234567", "Kette und Ritzel",
      "Leerlauf",
    ] {
      for start in 0...word.utf8.count - 4 {
        let part = Array(word.utf8.dropFirst(start).prefix(4))
        expect(!fours.contains(part[...]), "\(String(decoding: part, as: UTF8.self))")
      }
    }
  }
}

/// What a report has of the sensors in the store, as it has the phone.
struct SensorReplayTests {
  private static let settings = ["report=file:/tmp/report", "pairing=required"]

  /// A phone and a sensor of each kind, in both records, with a panel that was dimmed.
  private func full() throws -> World {
    let world = try World(Self.settings, pairs: true)
    world.press("Aa")
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
    let world = try first.restarted(Self.settings)
    // Who has nothing to say yet is searched: its kept handles have led to nothing.
    world.phone.value = instruction(8, 9_999, Array("Straße".utf8))
    world.pass(4_000)
    world.advertise()
    world.pass(4_000)
    expect(world.states("link").contains("encrypted"))
    _ = world.takeOrder()
    world.press("AA")
    world.pass(10_000)
    expect(world.takeOrder().count { $0 == "store" }, 1, "it is bright again, and that is kept")
    for index in 0..<turns {
      world.tell(8, UInt32(10_000 + index), "Straße \(index)")
      world.pass(1_000)
    }
    return world
  }

  /// The start has room for the longest store there is, though a long ride has left no other room.
  @Test(arguments: [10, 1_000])
  func aStartWithAFullStoreAndAnotherBrightnessReplay(_ turns: Int) throws {
    let world = try riding(after: full(), turns: turns)
    if turns < 100 { try world.replaysTheSame() }
    let player = try world.replay()
    expect(player.comparison.divergences, [])
    var sensors = try plainSensors()
    sensors.set(try plainSensor(.radar, 2))
    expect(player.device.sensors, sensors)
  }
}

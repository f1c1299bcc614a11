import TestSupport
import Testing
import VirtualAir
import VirtualDevice

@testable import Device
@testable import Replaying

/// A report of a ride on which the phone told more than the way: its time and its music.
@Suite struct PhoneReplayTests {
  private static let title = "Zwischen Kette und Ritzel"

  private func ridden() throws -> World {
    let settings = [
      "pairing=preferred", "report=file:/tmp/report", "music=on", "extra=clock",
      "notifications=all",
    ]
    let world = try World(settings, pairs: true)
    world.phone.notifications.isThere = true
    world.phone.notifications.part = 7
    for uid in 0..<20 {
      world.phone.notifications.texts[UInt8(uid)] = .init("Anna Erfunden", "Ausgedacht \(uid)")
    }
    world.phone.music.isThere = true
    world.phone.clock.time = bytes("EA 07 09 11 0E 1E 00 04 00 00")
    world.phone.clock.zone = bytes("04 04")
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    world.pass(1_500)
    world.press("a")
    world.pass(4_000)
    world.press("aa")
    for index in 0..<20 {
      let title = Array("\(Self.title) \(index)".utf8)
      if let news = world.phone.music.news(2, title) { world.notify(news) }
      world.tell(8, UInt32(3_000 - 10 * index), "Hauptstraße")
      if index % 4 == 0 { world.press("b") }
      notify(UInt8(index), isCall: index % 8 == 6, world)
      world.pass(1_000)
    }
    world.press("r")
    world.pass(100)
    return world
  }

  /// One comes, or somebody calls, whom the rider refuses.
  private func notify(_ uid: UInt8, isCall: Bool, _ world: World) {
    let (flags, category): (UInt8, UInt8) = (0x18, isCall ? 1 : 6)
    if let news = world.phone.notifications.news(0, flags: flags, category: category, uid) {
      world.notify(news)
    }
    for _ in 0..<20 {
      while let answer = world.phone.notifications.takeAnswer() { world.notify(answer) }
      world.pass(5)
    }
    guard isCall else { return }
    world.press("b")
    world.pass(20)
    if let news = world.phone.notifications.news(2, flags: flags, category: category, uid) {
      world.notify(news)
    }
  }

  @Test func itReplaysWithoutItsTexts() throws {
    let world = try ridden()
    #expect(world.phone.music.commands.count == 4, "one press took a banner away")
    #expect(world.phone.notifications.written.count { $0[0] == 2 } == 2, "two calls")
    let player = try replayed(try Recording(world.reportFile, named: "report"))
    #expect(player.comparison.divergences == [] && player.comparison.matches > 50)
  }

  @Test func itHasStreetsAndNoTitles() throws {
    let file = try ridden().reportFile
    func has(_ text: String) -> Bool { file.ranges(of: Array(text.utf8)).count > 0 }
    #expect(has("Hauptstraße") && !has("Kette") && !has("Ritzel"))
    #expect(!has("Anna") && !has("Ausgedacht"))
  }
}

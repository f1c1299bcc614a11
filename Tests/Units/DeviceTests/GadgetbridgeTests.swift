import Bytes
import Expecting
import TestSupport
import VirtualDevice

@testable import Device
@testable import DeviceState

/// What Gadgetbridge writes beside turns, and what it is answered.
struct GadgetbridgeTests {
  private static let caller = "Anna Erfunden"
  private static let version = "{\"t\":\"ver\",\"fw\":\"Lenker\",\"hw\":\"Pi\"}\r\n"

  private func call(_ stage: String, _ world: World, name: String = Self.caller) {
    world.bridge(#"{"t":"call","cmd":"\#(stage)","name":"\#(name)","number":"555 0100"}"#)
    world.pass(100)
  }

  private func notify(_ id: Int, _ title: String, _ body: String, _ world: World) {
    world.bridge(
      #"{"t":"notify","id":\#(id),"src":"Post","title":"\#(title)","body":"\#(body)"}"#)
    world.pass(100)
  }

  private func said(_ world: World) -> [String?] { world.events("clock").map { $0["time"] } }

  // MARK: - Who we are

  @Test func itIsToldOnceALinkWhoWeAre() throws {
    let world = try World.bridged()
    #expect(world.bridged.isEmpty)
    world.bridge(#"{"t":"is_gps_active"}"#)
    world.bridge(#"{"t":"find","n":true}"#)
    world.pass(1_000)
    expect(world.bridged, Self.version, "its vector V36, and silence to what we do not have")
    world.bridgeAgain()
    world.bridge(#"{"t":"is_gps_active"}"#)
    world.pass(1_000)
    expect(world.bridged, Self.version)
  }

  /// At its first line, if it is known by then, and whenever it is another.
  @Test func centralBehaviour118_itIsToldOurCharge() throws {
    func line(_ percent: Int) -> String { "{\"t\":\"status\",\"bat\":\(percent)}\r\n" }
    let world = try World.bridged(["battery=pisugar3"]) { $0.setGauge(80) }
    world.pass(61_000)
    expect(world.bridged, "")
    world.bridge(#"{"t":"is_gps_active"}"#)
    world.pass(1_000)
    expect(world.bridged, Self.version + line(80))
    world.setGauge(79)
    world.pass(120_000)
    expect(world.bridged, Self.version + line(80) + line(79))
    expect(world.bridgedPieces.allSatisfy { $0.count <= 20 })
    world.bridgeAgain()
    world.bridge(#"{"t":"is_gps_active"}"#)
    world.pass(1_000)
    expect(world.bridged, Self.version + line(79))
  }

  // MARK: - The clock

  /// Vector V34, and zones of half and quarter hours.
  @Test(arguments: [
    ("2.0", "2026-09-10T02:26:40+02:00"), ("-3.5", "2026-09-09T20:56:40-03:30"),
    ("5.75", "2026-09-10T06:11:40+05:45"),
  ])
  func peripheralBehaviour42_itTellsTheTime(_ zone: String, _ time: String) throws {
    let world = try World.bridged(["extra=clock"])
    world.write(line("setTime(1789000000);E.setTimeZone(\(zone));(s=>s)(1)"))
    expect(said(world), [time])
    world.pass(7_300_000)
    #expect(world.events("error").isEmpty, "no other clock is missed at the full hour")
  }

  @Test func peripheralBehaviour42_aBetterClockStays() throws {
    let world = try World.bridged()
    world.phone.clock.time = bytes("EA 07 09 11 0E 1E 00 04 00 00")
    world.phone.clock.zone = bytes("04 04")
    world.bridgeAgain()
    expect(world.minutes, 14 * 60 + 30)
    world.write(line("setTime(1789000000);E.setTimeZone(2.0);"))
    #expect(said(world).isEmpty)
    expect(world.minutes, 14 * 60 + 30)
    // The next link has no such clock.
    world.phone.clock.time = nil
    world.bridgeAgain()
    world.write(line("setTime(1789000000);E.setTimeZone(2.0);"))
    expect(world.minutes, 2 * 60 + 26)
  }

  // MARK: - Calls

  @Test(arguments: [("a", "ACCEPT"), ("b", "REJECT")])
  func aTakesItAndBRefusesIt(_ button: String, _ command: String) throws {
    let world = try World.bridged(["notifications=calls"])
    call("incoming", world)
    world.press(button)
    world.pass(1_000)
    #expect(world.bridged.hasSuffix("{\"t\":\"call\",\"n\":\"\(command)\"}\r\n"))
    expect(!world.shows(.call(Self.caller)))
    let answers = world.bridged
    world.press(button)
    world.pass(1_000)
    expect(world.bridged, answers)
  }

  /// Nor does one show that goes on, or that was made here.
  @Test func aCallShowsUntilItEnds() throws {
    for stage in ["end", "outgoing", "accept", "start", "reject"] {
      let world = try World.bridged(["notifications=" + (stage == "end" ? "all" : "calls")])
      call(stage, world)
      expect(!world.shows(.call(Self.caller)))
      call("incoming", world)
      expect(world.shows(.call(Self.caller)))
      call(stage, world)
      expect(!world.shows(.call(Self.caller)), "\(stage)")
    }
    let world = try World.bridged(["notifications=calls"])
    call("incoming", world)
    let start = world.now
    world.pass(119_000)
    expect(world.shows(.call(Self.caller)))
    expect(world.device.phone.gadgetbridge.deadline, start + 119_900)
    world.pass(1_500)
    expect(!world.shows(.call(Self.caller)), "none rings for two minutes")
    call("incoming", world)
    world.loseLink()
    world.pass(100)
    expect(!world.shows(.call(Self.caller)))
  }

  /// The controller may take until the supervision timeout to end it.
  @Test func whatAForgottenPhoneHasSaidGoesBeforeItsLinkDoes() throws {
    let world = try World.bridged(["notifications=all", "music=on"])
    call("incoming", world)
    world.controller.withheld = [0x0406]
    world.press("B")
    world.pass(100)
    expect(world.states("bond").last, "erased")
    expect(!world.shows(.call(Self.caller)))
    expect(world.shows(.unpaired))
  }

  @Test func withoutTheSettingNothingShowsAndNothingIsAnswered() throws {
    let world = try World.bridged()
    call("incoming", world)
    notify(1, "Bäckerei", "Das Brot ist fertig", world)
    world.bridge(#"{"t":"musicinfo","artist":"Niemand","track":"Lied"}"#)
    expect(!world.shows(.call(Self.caller)))
    expect(!world.shows(.notification("Bäckerei", "Das Brot ist fertig")))
    world.press("aa")
    world.pass(1_000)
    expect(!world.shows(.music("Lied", "Niemand")))
    expect(world.bridged, Self.version)
  }

  // MARK: - Notices

  @Test func itWaitsForTheTurnAndForTheOneBefore() throws {
    let world = try World.bridged(["notifications=all"])
    world.bridge("left", "20m", "Kirchweg")
    notify(1, "Bäckerei", "Das Brot ist fertig", world)
    expect(!world.shows(.notification("Bäckerei", "Das Brot ist fertig")))
    world.bridge("right", "3000m", "Am Markt")
    world.pass(100)
    expect(world.shows(.notification("Bäckerei", "Das Brot ist fertig")))
    notify(2, "Noch etwas", "Neu", world)
    expect(world.shows(.notification("Bäckerei", "Das Brot ist fertig")))
    world.pass(5_000)
    expect(!world.shows(.notification("Bäckerei", "Das Brot ist fertig")))
    world.pass(11_000)
    expect(world.shows(.notification("Noch etwas", "Neu")))
  }

  @Test func oneThatThePhoneRemovesDoesNotShow() throws {
    let world = try World.bridged(["notifications=all"])
    world.bridge("left", "20m", "Kirchweg")
    notify(1, "Bäckerei", "Das Brot ist fertig", world)
    world.bridge(#"{"t":"notify-","id":1}"#)
    world.bridge("right", "3000m", "Am Markt")
    world.pass(1_000)
    expect(world.shows(.turn(.right, "3.0 km", "Am Markt")))
  }

  @Test func noEventHasItsTexts() throws {
    let world = try World.bridged(["notifications=all", "music=on"])
    call("incoming", world)
    call("end", world)
    notify(1, "Bäckerei", "Das Brot ist fertig", world)
    world.bridge(#"{"t":"musicinfo","artist":"Niemand","track":"Lied"}"#)
    world.pass(1_000)
    let texts = [Self.caller, "Bäckerei", "Brot", "Niemand", "Lied", "555"]
    expect(!world.events.contains { event in texts.contains { event.line.contains($0) } })
  }

  // MARK: - Music

  /// Its page shows a song.
  private func playing() throws -> World {
    let world = try World.bridged(["music=on"])
    world.bridge(#"{"t":"musicinfo","artist":"Niemand","album":"","track":"Lied","dur":200}"#)
    world.press("aa")
    world.pass(0)
    expect(world.shows(.music("Lied", "Niemand")))
    return world
  }

  @Test func itIsOnItsPageAndBPlaysTheNext() throws {
    let world = try playing()
    world.press("b")
    world.pass(1_000)
    #expect(world.bridged.hasSuffix("{\"t\":\"music\",\"n\":\"next\"}\r\n"))
    world.bridge(#"{"t":"musicstate","state":"pause","position":3}"#)
    expect(world.shows(.music("Lied", "Niemand")))
    world.bridge(#"{"t":"musicstate","state":"stop","position":3}"#)
    world.pass(100)
    expect(!world.shows(.music("Lied", "Niemand")))
  }

  @Test func withTheLinkItsTextsAreGone() throws {
    let world = try playing()
    world.loseLink()
    world.pass(100)
    let texts = (
      world.device.phone.gadgetbridge.trackTitle.isEmpty,
      world.device.phone.gadgetbridge.trackArtist.isEmpty
    )
    expect(texts == (true, true))
  }

  /// It has no word for both, tells a state when it changes, and not again on the next link.
  @Test func centralBehaviour118_heldItPausesWhatPlaysAndPlaysWhatIsPausedAfterALossToo() throws {
    let world = try World.bridged(["music=on"])
    for (state, command) in [
      ("", "pause"), ("pause", "play"), ("play", "pause"), ("pause", "play"),
    ] {
      if !state.isEmpty { world.bridge(#"{"t":"musicstate","state":"\#(state)","position":3}"#) }
      if command == "play" { world.bridgeAgain() }
      world.bridge(#"{"t":"musicinfo","artist":"Niemand","album":"","track":"Lied","dur":200}"#)
      while world.device.scene.page != .music { world.press("a") }
      world.press("B")
      world.pass(1_000)
      #expect(world.bridged.hasSuffix("{\"t\":\"music\",\"n\":\"\(command)\"}\r\n"))
    }
  }

  // MARK: - Both

  /// No phone is an iPhone and has Gadgetbridge, but one may say so.
  @Test func whatCameLastShows() throws {
    let world = try World.notifying()
    world.subscribe()
    world.happens(7)
    expect(world.shows(.call(World.caller)))
    call("incoming", world, name: "Bert Erfunden")
    expect(world.shows(.call("Bert Erfunden")))
    world.press("b")
    world.pass(1_000)
    #expect(world.bridged.hasSuffix("{\"t\":\"call\",\"n\":\"REJECT\"}\r\n"))
    world.happens(kind: 2, 7)
    world.pass(1_000)
    expect(!world.shows(.call(World.caller)) && !world.shows(.call("Bert Erfunden")))
  }
}

import Expecting
import Seeded
import TestSupport
import VirtualAir
import VirtualDevice

/// What Gadgetbridge writes beside turns, and what it is answered.
@Suite struct GadgetbridgeTests {
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

  @Test(arguments: ["calls", "all"]) func aCallShowsWhoItIs(_ wish: String) throws {
    let world = try World.bridged(["notifications=" + wish])
    call("incoming", world)
    expect(world.shows(.call(Self.caller)))
    call("end", world)
    expect(!world.shows(.call(Self.caller)))
  }

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

  @Test(arguments: ["outgoing", "accept", "start", "reject"])
  func aCallThatGoesOnOrWasMadeHereDoesNotShow(_ stage: String) throws {
    let world = try World.bridged(["notifications=calls"])
    call(stage, world)
    expect(!world.shows(.call(Self.caller)))
    call("incoming", world)
    call(stage, world)
    expect(!world.shows(.call(Self.caller)))
  }

  @Test func noCallRingsForLongerThanTwoMinutes() throws {
    let world = try World.bridged(["notifications=calls"])
    call("incoming", world)
    world.pass(119_000)
    expect(world.shows(.call(Self.caller)))
    world.pass(1_500)
    expect(!world.shows(.call(Self.caller)))
  }

  @Test func aCallEndsWithTheLink() throws {
    let world = try World.bridged(["notifications=calls"])
    call("incoming", world)
    world.loseLink()
    world.pass(100)
    expect(!world.shows(.call(Self.caller)))
  }

  @Test func withoutTheSettingNothingShowsAndNothingIsAnswered() throws {
    let world = try World.bridged()
    call("incoming", world)
    notify(1, "Bäckerei", "Das Brot ist fertig", world)
    expect(!world.shows(.call(Self.caller)))
    expect(!world.shows(.notification("Bäckerei", "Das Brot ist fertig")))
    world.press("a")
    world.pass(1_000)
    expect(world.bridged, Self.version)
  }

  // MARK: - Notices

  @Test func aNoticeShowsForAWhile() throws {
    let world = try World.bridged(["notifications=all"])
    notify(1, "Bäckerei", "Das Brot ist fertig", world)
    expect(world.shows(.notification("Bäckerei", "Das Brot ist fertig")))
    world.pass(5_000)
    expect(!world.shows(.notification("Bäckerei", "Das Brot ist fertig")))
  }

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
    world.pass(16_000)
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

  @Test func itIsOnItsPageAndBPlaysTheNext() throws {
    let world = try World.bridged(["music=on"])
    world.bridge(#"{"t":"musicinfo","artist":"Niemand","album":"","track":"Lied","dur":200}"#)
    world.press("aa")
    world.pass(0)
    expect(world.shows(.music("Lied", "Niemand")))
    world.press("b")
    world.pass(1_000)
    #expect(world.bridged.hasSuffix("{\"t\":\"music\",\"n\":\"next\"}\r\n"))
    world.bridge(#"{"t":"musicstate","state":"pause","position":3}"#)
    expect(world.shows(.music("Lied", "Niemand")))
    world.bridge(#"{"t":"musicstate","state":"stop","position":3}"#)
    world.pass(100)
    expect(!world.shows(.music("Lied", "Niemand")))
  }

  /// Gadgetbridge has no word for both.
  @Test func heldItPausesWhatPlaysAndPlaysWhatIsPaused() throws {
    let world = try World.bridged(["music=on"])
    world.bridge(#"{"t":"musicinfo","artist":"Niemand","album":"","track":"Lied","dur":200}"#)
    world.press("aa")
    world.pass(0)
    for (state, command) in [("", "pause"), ("pause", "play"), ("play", "pause")] {
      if !state.isEmpty { world.bridge(#"{"t":"musicstate","state":"\#(state)","position":3}"#) }
      world.press("B")
      world.pass(1_000)
      #expect(world.bridged.hasSuffix("{\"t\":\"music\",\"n\":\"\(command)\"}\r\n"))
    }
  }

  /// Gadgetbridge tells a state when it changes, and not again on the next link.
  @Test func centralBehaviour118_whatIsPausedIsPlayedAfterALossToo() throws {
    let world = try World.bridged(["music=on"])
    world.bridge(#"{"t":"musicstate","state":"pause","position":3}"#)
    world.bridgeAgain()
    world.bridge(#"{"t":"musicinfo","artist":"Niemand","album":"","track":"Lied","dur":200}"#)
    world.press("aa")
    world.pass(0)
    world.press("B")
    world.pass(1_000)
    #expect(world.bridged.hasSuffix("{\"t\":\"music\",\"n\":\"play\"}\r\n"))
  }

  @Test func withoutTheSettingThereIsNoPage() throws {
    let world = try World.bridged()
    world.bridge(#"{"t":"musicinfo","artist":"Niemand","track":"Lied"}"#)
    world.press("aa")
    world.pass(0)
    expect(!world.shows(.music("Lied", "Niemand")))
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

/// Turns that Gadgetbridge writes, beside those of komoot: Boards/reference/turns.md.
@Suite struct GadgetbridgeTurnTests {
  /// Vector V21: left, 950 m, "Hauptstraße".
  private static let left = [
    "10 47 42 28 7B 22 74 22 3A 22 6E 61 76 22 2C 22 69 6E 73 74",
    "72 22 3A 22 48 61 75 70 74 73 74 72 61 5C 78 64 66 65 22 2C",
    "22 64 69 73 74 61 6E 63 65 22 3A 22 39 35 30 6D 22 2C 22 61",
    "63 74 69 6F 6E 22 3A 22 6C 65 66 74 22 7D 29 0A",
  ]
  /// Vector V22: over.
  private static let over = bytes("10 47 42 28 7B 22 74 22 3A 22 6E 61 76 22 7D 29 0A")

  private func levels(_ world: World) -> [String?] { world.events("alert").map { $0["level"] } }

  private func turns(_ world: World) -> [[String?]] {
    world.events("instruction").map {
      [$0["action"], $0[number: "distance"].map { "\($0)" }, $0["street"], $0["source"]]
    }
  }

  // MARK: - One turn

  @Test func peripheralBehaviour36_fourWritesAreOneTurn() throws {
    let world = try World.bridged()
    for write in Self.left { world.notify(bytes("12 0c 00 " + write)) }
    expect(turns(world), [["left", "950", "Hauptstraße", "gadgetbridge"]])
    expect(world.shows(.turn(.left, "950 m", "Hauptstraße")))
    expect(levels(world), ["low"])
    let progress = try #require(world.events("progress").last)
    expect(progress["source"] == "gadgetbridge" && progress[number: "distance"] == 950)
    expect(progress[number: "id"], nil)
  }

  @Test func peripheralBehaviour36_aTurnLightsThePanel() throws {
    let world = try World.bridged()
    world.pass(70_000)
    expect(world.light, .dim)
    world.bridge("left", "950m", "Hauptstraße")
    world.pass(1_000)
    expect(world.light, .bright)
  }

  // MARK: - The end

  @Test func peripheralBehaviour37_theTurnGoesWithItsEnd() throws {
    let world = try World.bridged()
    world.bridge("left", "950m", "Hauptstraße")
    world.write(Self.over)
    world.pass(15_000)
    expect(!world.hasTurn && !world.shows(.turn(.left, "950 m", "Hauptstraße")))
    expect(levels(world), ["low", "none"])
  }

  @Test func peripheralBehaviour38_itIsOldAfter90SecondsAndGoneAfterTenMinutes() throws {
    let world = try World.bridged()
    world.bridge("left", "950m", "Hauptstraße")
    world.pass(89_900)
    #expect(world.events("stale").isEmpty)
    world.pass(200)
    expect(world.events("stale").first?[number: "age"], 60, "in its steps")
    world.pass(509_800)
    expect(world.hasTurn)
    world.pass(200)
    expect(!world.hasTurn)
  }

  // MARK: - Both sources

  @Test func peripheralBehaviour39_whileKomootSpeaksTheOtherWaits() throws {
    let world = try World.bridged(hearing: true)
    for _ in 0..<20 {
      world.tell(8, 350, "Hauptstraße")
      world.bridge("left", "950m", "Kirchweg")
      world.write(Self.over)
      world.pass(1_000)
    }
    expect(turns(world).isEmpty && world.shows(.turn(.right, "350 m", "Hauptstraße")))
  }

  // MARK: - The link

  @Test func afterALossTheTurnAgesAndTheLinkIsShownAsLost() throws {
    let world = try World.bridged()
    world.bridge("left", "950m", "Hauptstraße")
    world.loseLink()
    world.pass(100)
    expect(world.shows(.turn(.left, "950 m", "Hauptstraße", isLinkLost: true)))
    world.pass(8_000)
    expect(world.events("stale").first?[number: "age"], 8)
  }

  /// It needs nothing of komoot's.
  @Test func aTurnOutlastsTheServiceOfKomoot() throws {
    let world = try World.bridged()
    world.bridge("left", "950m", "Hauptstraße")
    world.phone.hasService = false
    world.pass(30_000)
    #expect(world.events("stale").isEmpty)
  }

  @Test func aPhoneThatIsForgottenHasNoTurn() throws {
    let world = try World.bridged()
    world.bridge("left", "950m", "Hauptstraße")
    world.press("B")
    world.pass(2_000)
    expect(!world.hasTurn)
  }

  @Test func peripheralBehaviour35_halfALineEndsWithTheLink() throws {
    let world = try World.bridged()
    world.write(bytes(Self.left[0] + Self.left[1]))
    world.bridgeAgain()
    world.write(bytes(Self.left[2] + Self.left[3]))
    #expect(turns(world).isEmpty)
    world.write(Self.left.flatMap { bytes($0) })
    expect(turns(world).count, 1)
  }
}

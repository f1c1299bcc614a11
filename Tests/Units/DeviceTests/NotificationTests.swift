import Bytes
import Expecting
import TestSupport
import VirtualAir
import VirtualDevice

@testable import Device

/// Calls and other notifications of a paired iPhone, whose texts are invented.
struct NotificationTests {
  private var call: Shot { .call(World.caller) }

  // MARK: - Calls

  @Test func aCallShowsWhoItIsAndATakesItAndBRefusesIt() throws {
    for (wish, press, action) in [("calls", "a", 0), ("all", "b", 1)] as [(String, String, UInt8)] {
      let world = try World.notifying(["notifications=" + wish])
      world.happens(7)
      expect(world.shows(call))
      world.press(press)
      world.pass(100)
      expect(world.phone.notifications.written.last, [2, 7, 0, 0, 0, action])
      expect(!world.shows(call), "the phone said that it did so")
    }
  }

  @Test func aTurnThatIsDueHasThePanelAndThePressIsNotForTheCall() throws {
    let world = try World.notifying()
    world.turn(metres: 25)
    world.happens(7)
    expect(!world.shows(call))
    let before = world.phone.notifications.written
    world.press("a")
    world.pass(100)
    expect(world.phone.notifications.written, before)
    world.tell(4, 900, "Kirchweg")
    world.pass(100)
    expect(world.shows(call), "it still rings")
  }

  @Test func aPressThatOnlyLightsThePanelTakesNoCall() throws {
    let world = try World.notifying()
    world.press("AA")
    world.pass(1_000)
    world.happens(7)
    expect(world.shows(call), "it lights the panel")
  }

  /// It hid behind a turn that was due, and shows again.
  @Test func aPressInTheFirstSecondInWhichACallShowsAgainIsNotForIt() throws {
    let world = try World.notifying()
    world.happens(7)
    world.turn(metres: 25)
    world.pass(1_000)
    expect(!world.shows(call))
    world.touch(.a, isPressed: true)
    world.pass(100)
    world.tell(4, 900, "Kirchweg")
    expect(world.shows(call))
    let before = world.phone.notifications.written
    world.touch(.a, isPressed: false)
    expect(world.phone.notifications.written, before)
  }

  /// Core Specification, Vol 3, Part F, 3.4.7.1: a notification may come at any time.
  @Test func aCallThatComesBetweenThePartsOfATurnIsHeard() throws {
    let world = try World.notifying()
    world.phone.withheld = [0x0C]
    // Of 20 bytes, as an app that thinks of the smallest MTU cuts it.
    world.tell(8, 2_900, "Bahnhofsweg")
    expect(world.phone.requests.last, 0x0C)
    world.happens(7)
    world.phone.withheld = []
    world.notify([0x0D])
    world.happens(kind: 1, 9)
    expect(world.shows(call))
    expect(world.told.last, Told(8, 2_900, "Bahnhofsweg"))
  }

  // MARK: - Others

  /// Unless somebody calls.
  @Test func anotherOneShowsForFiveSeconds() throws {
    let world = try World.notifying()
    world.happens(category: 6, 8)
    let shot = Shot.notification("Bäckerei", "Das Brot ist fertig")
    world.pass(4_000)
    expect(world.shows(shot))
    world.pass(1_000)
    expect(!world.shows(shot))
    let other = try World.notifying()
    other.happens(category: 6, 8)
    other.happens(7)
    expect(other.shows(call))
  }

  @Test func aFurtherOneTakesNothingOfItsTextAndWaitsUntilTheTurnWasSeen() throws {
    let world = try World.notifying()
    world.happens(category: 6, 8)
    world.happens(category: 6, 9)
    world.tell(8, 2_990, "Hauptstraße")
    world.pass(4_000)
    expect(world.shows(.notification("Bäckerei", "Das Brot ist fertig")))
    world.pass(1_000)
    let asked = world.phone.notifications.written.count
    world.pass(9_000)
    expect(!world.shows(.notification("Noch etwas", "")))
    expect(world.phone.notifications.written.count, asked)
    world.pass(1_000)
    world.happens(kind: 1, category: 6, 9)
    expect(world.shows(.notification("Noch etwas", "")))
  }

  @Test func withTheServiceACallEndsAndWithTheLinkAnother() throws {
    let world = try World.notifying()
    let ride = world.glass
    world.happens(7)
    world.phone.notifications.isThere = false
    world.notify(VirtualPhone.serviceChanged)
    world.pass(2_000)
    expect(!world.shows(call) && world.events("error").isEmpty)
    let other = try World.notifying()
    other.happens(category: 6, 8)
    other.loseLink()
    other.pass(0)
    expect(other.glass, ride)
  }

  /// The app was ended, and the link that we made stays; without Service Changed a refused read says so.
  @Test(arguments: [true, false])
  func whereKomootHasVanishedACallStillRingsAndIsTaken(_ isTold: Bool) throws {
    let world = try World.notifying { $0.phone.hasServiceChanged = isTold }
    world.phone.hasService = false
    if isTold { world.notify(VirtualPhone.serviceChanged) }
    world.pass(15_000)
    world.happens(7)
    expect(world.shows(call))
    world.press("a")
    world.pass(100)
    expect(world.phone.notifications.written.last, [2, 7, 0, 0, 0, 0])
  }

  @Test func thoseThatWaitNearATurnShowBehindIt() throws {
    let world = try World.notifying()
    for metres in [60, 40, 25] as [UInt32] {
      world.turn(metres: metres)
      world.pass(100)
    }
    world.happens(category: 6, 8)
    world.happens(category: 6, 9)
    #expect(world.phone.notifications.written.isEmpty)
    world.tell(4, 3_000, "Kirchweg", id: 2)
    world.pass(100)
    world.happens(kind: 1, category: 6, 8)
    expect(world.shows(.notification("Bäckerei", "Das Brot ist fertig")))
    expect(world.phone.notifications.written.count, 1)
  }

  /// Another one though it is far, and one that comes near.
  @Test(arguments: [(4, 2_000, "Kirchweg"), (8, 20, "Hauptstraße")] as [(UInt8, UInt32, String)])
  func aTurnEndsIt(_ direction: UInt8, _ metres: UInt32, _ street: String) throws {
    let world = try World.notifying()
    world.happens(category: 6, 8)
    world.tell(direction, metres, street)
    world.pass(100)
    expect(!world.shows(.notification("Bäckerei", "Das Brot ist fertig")))
  }

  // MARK: - Phones without it

  @Test func withoutTheKeyOrTheServiceNothingIsAsked() throws {
    for world in [
      try World.notifying([]), try World.notifying { $0.phone.notifications.isThere = false },
    ] {
      world.happens(7)
      expect(world.phone.notifications.written.isEmpty && world.events("error").isEmpty)
    }
  }

  @Test func withoutPermissionOneEventSaysWhatToAllow() throws {
    let world = try World.notifying { $0.phone.notifications.refusal = 0x03 }
    world.happens(7)
    world.pass(60_000)
    expect(
      world.events("error").map { $0["message"] },
      [
        "the phone does not let its notifications be read: error 0x03: "
          + "allow it in the Bluetooth settings of the phone"
      ])
    world.phone.notifications.refusal = nil
    world.answer(for: 60_000)
    expect(world.shows(call), "it is allowed now")
  }

  /// Of none of these, as each is a phone's own.
  @Test func aStrangerIsAskedNeitherForNotificationsNorForMusicNorForTheTime() throws {
    let settings = ["notifications=all", "music=on", "extra=clock"]
    let world = try World(["pairing=off"] + settings)
    world.phone.notifications.isThere = true
    world.phone.music.isThere = true
    world.phone.clock.time = bytes("EA 07 09 11 0E 1E 00 04 00 00")
    world.turn(metres: 3_000)
    world.advertise()
    world.pass(10_000)
    expect(world.phone.notifications.openRequests, 0)
    expect(world.phone.music.openRequests == 0 && world.phone.clock.openRequests == 0)
  }

  // MARK: - Bad values, and many

  @Test func aTurnIsThereAtOnceInAFloodOfNotifications() throws {
    let world = try World.notifying()
    for number in 0..<10_000 {
      let news = world.phone.notifications.news(0, flags: 0, category: 6, UInt8(number % 256))
      world.controller.send(channel: 0x04, try #require(news), world)
    }
    world.tell(4, 120, "Kirchweg")
    expect(world.told.last, Told(4, 120, "Kirchweg"))
  }

  /// A report has what a strap told, so that a replay has a pulse.
  @Test func aReportHidesNothingOfASensor() throws {
    let strap = VirtualSensor(.heart, number: 1)
    strap.shift = 0x10  // to a handle that the phone has nothing at
    let world = try World.riding(
      beside: [strap], ["notifications=all", "report=file:/tmp/report"])
    world.press("aa")
    world.press("b")
    world.advertise(strap)
    world.pass(1_500)
    world.notify(bytes("00 A7"), from: strap)
    world.askForReport()
    #expect(!world.reportFile.ranges(of: bytes("1b 32 00 00 a7")).isEmpty)
  }

  @Test func noEventTellsATextAndNoReportDoes() throws {
    let world = try World.notifying(["notifications=all", "report=file:/tmp/report"])
    world.happens(7)
    world.happens(kind: 2, 7)
    world.happens(category: 6, 8)
    world.askForReport()
    let lines = world.events.map(\.line).joined()
    for text in [World.caller, "Bäckerei", "Das Brot"] {
      #expect(!lines.contains(text))
      #expect(world.reportFile.ranges(of: Array(text.utf8)).isEmpty)
    }
  }

  // MARK: - Subscriptions that die, and silence

  @Test func centralBehaviour91_aSubscriptionThatDiedIsRenewedAfter15Minutes() throws {
    let world = try World.notifying()
    world.happens(7)
    world.happens(kind: 2, 7)
    world.phone.notifications.forgetSubscriptions()
    world.pass(899_000)
    let asked = world.phone.notifications.written.count
    world.pass(1_000)
    expect(
      world.phone.notifications.written.dropFirst(asked).map { hex($0) },
      ["00 ff ff ff ff 01 80 00"])
    let configured = world.phone.notifications.configured.count
    world.pass(10_000)
    expect(
      world.phone.notifications.configured.dropFirst(configured).map { hex($0) },
      ["76 00 00 00", "76 00 01 00", "79 00 00 00", "79 00 01 00"])
    world.happens(7)
    expect(world.showsMoved(call) && world.events("error").isEmpty)
  }

  /// An iPhone shows the service to no one before the rider has allowed it.
  @Test func centralBehaviour91_aServiceThatComesWithThePermissionIsFoundWhole() throws {
    let world = try World.notifying { $0.phone.notifications.isThere = false }
    world.pass(10_000)
    world.phone.notifications.isThere = true
    world.pass(20_000)
    world.happens(7)
    expect(world.shows(call), "the question for the name is answered")
  }
}

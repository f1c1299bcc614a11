import Bytes
import DeviceState
import Expecting
import TestSupport
import VirtualDevice

@testable import Device

/// The way into each screen of the search, and out of it.
struct SearchScreenTests {
  @Test func aSearchThatEndsCountsItsSeconds() throws {
    let world = try World(["pairing=preferred"])
    world.pass(10_000)
    expect(world.shows(.searching(secondsLeft: 20)))
    world.pass(20_000)
    expect(world.shows(.noPhone))
    world.press("a")
    expect(world.events("scan").last.map { $0["mode"] }, "fast", "page searches again")
  }

  @Test(arguments: [(10_000, 10, 1_000), (9_999, 10, 999), (9_001, 10, 1), (1, 1, 1)])
  func eachNumberOfACountdownShowsUntilTheNextSecondBegins(
    _ time: Int64, _ seconds: Int, _ wait: Int64
  ) {
    let (nothing, now) = ([UInt8](), Instant(milliseconds: 5_000))
    var scene = Scene(mistake: nothing.span)
    scene.countDown(to: now + time, at: now)
    let (secondsLeft, deadline) = (scene.secondsLeft, scene.deadline)
    expect(secondsLeft == seconds && deadline == now + wait)
  }

  @Test func aPhoneIsFoundThenConnectedTo() throws {
    let world = try World()
    world.controller.connects = false
    world.advertise(rssi: -71)
    expect(world.shows(.found("", rssi: -71)))
    world.pass(200)
    expect(world.shows(.connecting("")))
  }

  @Test func aPhoneThatStopsAnsweringIsToldOf() throws {
    let world = try World()
    world.advertise()
    world.pass(2_000)
    world.phone.withheld = [0x0A]
    world.tell(8, 350, "Hauptstraße")
    world.pass(31_000)
    expect(world.events("error").last?["message"], "the phone stopped answering; connecting again")
  }

  /// By a code that asks for security, and by one of an app.
  @Test(arguments: [(0x05, false), (0x0F, false), (0x80, true)] as [(UInt8, Bool)])
  func aPhoneThatWantsASecureLinkIsNotReady(_ code: UInt8, _ isReady: Bool) throws {
    let world = try World()
    world.phone.readError = code
    world.advertise()
    world.pass(2_000)
    expect(world.connection, .ready)
    expect(world.shows(.ready("Fairy")), isReady)
  }

  /// The signal on the page of the ride is that of the phone that is connected, whatever else is heard.
  @Test func theSignalIsThatOfThePhone() throws {
    let world = try World()
    world.advertise(rssi: -60)
    world.report("01 09 09 09 09 09 c9", world.phone.advertisement, rssi: -90)
    world.pass(1_000)
    world.press("a")
    expect(world.shows(.ride("Fairy", figures(isUnderWay: false), isConnected: true, rssi: -60)))
  }

  /// A neighbour's phone, heard in between, has a name of its own.
  @Test func aNeighboursNameIsNotThePhones() throws {
    let world = try World()
    world.controller.connects = false
    world.phone.advertisement += bytes("06 09 41 6e 6e 61 73")  // Annas
    world.advertise(rssi: -50)
    world.report("01 09 09 09 09 09 c9", bytes("02 01 06 04 09 42 6f 62"), rssi: -40)  // Bob
    world.pass(300)
    expect(world.shows(.connecting("Annas")))
  }
}

/// A mistake in the board file, told by who starts us with other settings.
struct MistakeTests {
  private let mistake = "board.conf:12: unknown key"

  private func shows(_ world: World) -> Bool {
    world.shows(.wrongSettings(mistake))
  }

  @Test func itIsShownUntilAPhoneIsThere() throws {
    let world = try World(mistake: mistake)
    expect(shows(world))
    world.advertise()
    world.pass(1_000)
    expect(!shows(world))
    world.controller.connects = false
    world.loseLink()
    world.pass(1_000)
    expect(shows(world), "the phone left")
    for press in ["b", "A"] {
      let other = try World(mistake: mistake)
      other.press(press)
      other.pass(4_000)
      expect(!shows(other), "a press puts it away")
    }
  }
}

/// The board's language on the panel, from the search to the end of a ride.
struct LanguageTests {
  /// A distance has a comma then, and the events are in English.
  @Test func aCodeIsComparedInGerman() throws {
    let settings = ["language=de", "pairing=preferred", "units=imperial"]
    let world = try World(settings, pairs: true)
    world.tell(8, 1_230, "Hauptstraße")
    world.advertise()
    world.pass(1_000)
    let shot = Shot.comparison(world.security.digits, phone: "Fairy")
    expect(try world.shows(shot) && World().drawn(shot) != world.glass)
    world.press("a")
    world.pass(5_000)
    expect(world.shows(.turn(.right, "0,8 mi", "Hauptstraße")))
    world.press("B")
    world.pass(100)
    expect(world.shows(.unpaired))
    expect(world.states("bond"), ["saved", "erased"])
  }

  /// What is done comes in German; what is wrong is what the log has.
  @Test func aRadioThatIsResetSaysSoInGerman() throws {
    let world = try World(["language=de"])
    world.pass(1_000)
    world.controller.isHanging = true
    for _ in 0..<39 { world.receive(bytes("04 10 01 00")) }
    world.pass(0)
    let cause = "the controller reports hardware error 0x00"
    expect(world.shows(.noRadio("Bluetooth startet neu: " + cause)))
    expect(world.events("error").last?["message"], cause + ". Restarting Bluetooth")
  }
}

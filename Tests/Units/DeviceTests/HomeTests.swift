import Bond
import Bytes
import Navigation
import Screens
import TestSupport
import Testing
import VirtualAir
import VirtualDevice

@testable import Device

/// The beacon in the garage: what it changes for a rider who comes home, sleeps and leaves.
@Suite struct HomeTests {
  private let garage = VirtualBeacon()

  // MARK: - Coming home

  @Test func atHomeAndWithoutALinkThePanelIsDarkAndTheSearchSlow() throws {
    let world = try World.standing()
    world.loseLink()
    world.stand(beside: garage, for: 9_000)
    #expect(world.isLit && world.scan == "fast" && world.whereabouts.isEmpty)
    world.stand(beside: garage, for: 4_000)
    #expect(!world.isLit && !world.panel.isOn)
    #expect(world.scan == "slow")
    #expect(world.whereabouts == ["here"])
  }

  /// By the same ride without the beacon.
  @Test func elsewhereItIsLitAndFastForTenMinutes() throws {
    for settings in [[World.home], []] {
      let world = try World.standing(settings)
      world.loseLink()
      world.stand(beside: settings.isEmpty ? garage : VirtualBeacon(minor: 1), for: 599_000)
      #expect(world.isLit && world.scan == "fast")
      world.stand(beside: VirtualBeacon(minor: 1), for: 11_000)
      #expect(!world.isLit && world.scan == "slow")
      #expect(world.whereabouts.isEmpty)
    }
  }

  @Test func aLinkIsNeverEndedForIt() throws {
    let world = try World.standing()
    let links = world.events("link").count
    for _ in 0..<600 {
      world.controller.report(garage.address, garage.advertisement, type: 3, world)
      world.pass(1_000)
    }
    #expect(world.events("link").count == links && world.isLit)
    #expect(world.whereabouts.isEmpty)
  }

  @Test func aLinkIsAwayAndItsLossBeginsAnew() throws {
    let world = try World.atRest()
    world.advertise()
    world.pass(1_000)
    #expect(world.connection == .ready)
    #expect(world.whereabouts == ["here", "away"])
    world.loseLink()
    world.stand(beside: garage, for: 9_900)
    #expect(world.whereabouts == ["here", "away"])
    world.stand(beside: garage, for: 3_000)
    #expect(world.whereabouts == ["here", "away", "here"])
  }

  @Test func whoLeavesHomeWithoutThePhoneIsAway() throws {
    let world = try World.atRest()
    world.stand(beside: VirtualBeacon(minor: 1), for: 31_000)
    #expect(world.whereabouts == ["here", "away"])
    #expect(!world.isLit, "nothing lights it")
    #expect(world.scan == "fast", "as ten minutes after the loss are not over")
  }

  // MARK: - How strong, how long

  /// What is heard each second for 30 s, and whether that is home.
  @Test(arguments: [(-74, true), (-75, true), (-76, false)] as [(Int8, Bool)])
  func homeIsWhereTheBeaconIsAsStrongAsTheKeySays(_ rssi: Int8, _ isHome: Bool) throws {
    for (settings, offset) in [(World.home, 0), (World.home + "@-60", 15)] as [(String, Int8)] {
      let world = try World([settings])
      world.stand(beside: garage, for: 30_000, rssi: rssi + offset)
      #expect(world.whereabouts == (isHome ? ["here"] : []), "\(settings)")
    }
  }

  @Test(arguments: [(-84, true), (-85, true), (-86, false)] as [(Int8, Bool)])
  func awayIsTenDecibelsLess(_ rssi: Int8, _ isHome: Bool) throws {
    let world = try World([World.home])
    world.stand(beside: garage, for: 20_000)
    world.stand(beside: garage, for: 30_000, rssi: rssi)
    #expect(world.whereabouts == (isHome ? ["here"] : ["here", "away"]))
  }

  /// Seconds in which the beacon is heard, once each, and then no more.
  @Test(arguments: [(9, false), (10, true), (11, true)])
  func tenSecondsOfItAreHome(_ seconds: Int, _ isHome: Bool) throws {
    let world = try World([World.home])
    for second in 0...seconds {
      if second > 0 { world.pass(1_000) }
      world.advertise(garage)
    }
    #expect(world.whereabouts == (isHome ? ["here"] : []))
  }

  @Test(arguments: [(29, true), (30, false), (31, false)])
  func thirtySecondsWithoutItAreAway(_ seconds: Int64, _ isHome: Bool) throws {
    let world = try World([World.home])
    for _ in 0..<20 {
      world.pass(1_000)
      world.advertise(garage)
    }
    world.pass(seconds * 1_000)
    #expect(world.whereabouts == (isHome ? ["here"] : ["here", "away"]))
  }

  // MARK: - What comes first

  /// Each gesture that there is, as a byte or with the hand.
  @Test(arguments: ["a", "A", "b", "B", "r"])
  func aPressLightsThePanelForTenMinutes(_ gesture: String) throws {
    let world = try World.atRest()
    world.press(gesture)
    #expect(world.isLit && world.scan == (gesture == "B" ? "off" : "fast"))
    world.stand(beside: garage, for: 599_000)
    #expect(world.isLit)
    world.stand(beside: garage, for: 2_000)
    #expect(!world.isLit)
    #expect(world.whereabouts.last == (gesture == "B" ? "away" : "here"))
  }

  @Test func aButtonThatIsTouchedLightsThePanel() throws {
    let world = try World.atRest([
      World.home, "buttons=gpio:/dev/gpiochip0", "button-a=5", "button-b=6",
    ])
    world.touch(.a, isPressed: true)
    world.pass(100)
    world.touch(.a, isPressed: false)
    world.pass(100)
    #expect(world.isLit && world.scan == "fast")
  }

  @Test func aWheelThatRollsLightsThePanelForTenMinutes() throws {
    let world = try World.atRest()
    world.roll(0, speed: 0)
    world.roll(0, speed: 0)
    #expect(!world.isLit, "it stands")
    world.pass(1_000)
    world.roll(2, speed: 2)
    #expect(world.isLit && world.scan == "fast")
    world.stand(beside: garage, for: 599_000)
    #expect(world.isLit)
    world.stand(beside: garage, for: 2_000)
    #expect(!world.isLit)
  }

  /// Somebody sends the phone's address three times, and has no key: the panel says “Pair again”.
  @Test func whatTheRiderIsToBeToldLightsThePanel() throws {
    let world = try World.atRest()
    world.security.longTermKey = nil
    for _ in 0..<3 {
      #expect(!world.isLit || world.scan == "off")
      world.advertise()
      world.pass(500)
      world.stand(beside: garage, for: 61_000)
    }
    #expect(world.events("bond").filter { $0["state"] == "rejected" }.count == 3)
    #expect(world.isLit && world.whereabouts.last == "here")
    world.stand(beside: garage, for: 500_000)
    #expect(world.isLit)
  }

  /// Its sensor is found by the slow scan, as it turns.
  @Test func theSensorOfTheWheelLightsThePanelOnceItTurns() throws {
    let world = try World.atRest()
    let wheel = VirtualSensor(.speed)
    let known = RememberedSensor(
      .speed, address: wheel.deviceAddress, name: Array(wheel.name.utf8).span)
    world.remember(try #require(known))
    world.controller.sensors = [wheel]
    world.advertise(wheel)
    world.pass(500)
    #expect(!world.isLit, "it says nothing yet")
    for second: UInt8 in 0..<3 {
      world.notify([0x01, 2 * second, 0, 0, 0] + little(UInt16(second) * 1_024), from: wheel)
      world.stand(beside: garage, for: 1_000)
    }
    #expect(world.isLit && world.scan == "fast")
  }

  /// A wheel's values keep the panel lit for as long as it rolls.
  @Test func aRideBesideTheBeaconIsLitByTheWheel() throws {
    let world = try World.atRest()
    for second in 0..<1_200 {
      world.roll(3 * second, speed: 3)
      world.advertise(garage)
      world.pass(1_000)
      if second > 0 { #expect(world.isLit, "\(second) s") }
    }
  }

  /// Metres of one reading and the next, and whether the rider is on the way by them.
  @Test(arguments: [(350, 331, false), (350, 330, true), (350, 369, false), (350, 370, true)])
  func aTurnCountsIfItIsTwentyMetresNearerOrFarther(
    _ first: UInt32, _ second: UInt32, _ isOnTheWay: Bool
  ) throws {
    let world = try World.standing()
    world.tell(8, first, "Hauptstraße")
    world.tell(8, second, "Hauptstraße")
    world.loseLink()
    world.stand(beside: garage, for: 60_000)
    #expect(world.whereabouts == ["here"])
    #expect(world.isLit == isOnTheWay && (world.scan == "fast") == isOnTheWay)
  }

  @Test func itMayComeThereInSmallSteps() throws {
    let world = try World.standing()
    for distance in [345, 340, 335, 330] as [UInt32] {
      world.tell(8, distance, "Hauptstraße")
      world.pass(1_000)
    }
    world.loseLink()
    world.stand(beside: garage, for: 60_000)
    #expect(world.isLit && world.scan == "fast")
  }

  // MARK: - A day

  @Test func aRiderComesHomeSleepsAndLeavesByAButtonOrTheWheelOrTheTour() throws {
    for morning in ["button", "wheel", "tour"] {
      let world = try World.riding(beside: [], [World.home])
      for distance in stride(from: UInt32(340), through: 10, by: -10) {
        world.tell(8, distance, "Hauptstraße")
        world.pass(2_000)
      }
      world.tell(3, 20, "Gartenweg")
      world.pass(1_000)
      #expect(world.events("alert").last?["level"] == "arrive")
      world.pass(60_000)
      world.loseLink()
      world.stand(beside: garage, for: 500_000)
      #expect(world.isLit && world.whereabouts == ["here"])
      world.stand(beside: garage, for: 60_000)
      #expect(!world.isLit, "ten minutes after the last metres")
      world.stand(beside: garage, for: 2 * 3_600_000, every: 500)
      #expect(world.whereabouts == ["here"] && world.scan == "slow")
      switch morning {
      case "button": world.press("a")
      case "wheel":
        world.roll(0, speed: 0)
        world.pass(1_000)
        world.roll(2, speed: 2)
      default:
        world.advertise()
        world.pass(1_000)
        #expect(world.connection == .ready && world.whereabouts.last == "away")
      }
      #expect(world.isLit, "\(morning)")
    }
  }

  /// A phone in the house comes into reach now and then, all night long.
  @Test func aPhoneInTheHouseLightsThePanelOnce() throws {
    let world = try World.standing()
    world.phone.value = nil  // it navigates no more
    world.loseLink()
    world.stand(beside: garage, for: 40_000)
    var lit = 0
    for _ in 0..<20 {
      world.advertise()
      world.pass(1_000)
      #expect(world.connection == .ready)
      world.pass(60_000)
      if world.isLit { lit += 1 }
      world.loseLink()
      world.stand(beside: garage, for: 60_000)
      #expect(!world.isLit)
    }
    #expect(lit == 1)
  }

  // MARK: - Where nobody is remembered

  @Test func withPairingOffTheSearchIsSlowForAnybody() throws {
    let world = try World([World.home])
    world.stand(beside: garage, for: 601_000)
    #expect(!world.isLit && world.scan == "slow" && world.whereabouts == ["here"])
    world.advertise()
    world.pass(1_000)
    #expect(world.connection == .ready && world.isLit)
    world.loseLink()
    world.stand(beside: garage, for: 15_000)
    #expect(world.scan == "slow", "and not fast for half a minute")
  }

  /// Nobody listens then, so that nobody hears the beacon; the panel goes off as everywhere.
  @Test func whereNobodyIsSearchedForNobodyIsAtHome() throws {
    let world = try World([World.home, "pairing=preferred"])
    world.stand(beside: garage, for: 29_000)
    #expect(world.whereabouts == ["here"] && world.scan == "fast", "as the rider switched it on")
    world.stand(beside: garage, for: 570_000)
    #expect(world.scan == "off" && world.whereabouts == ["here", "away"] && world.isLit)
    world.stand(beside: garage, for: 2_000)
    #expect(!world.isLit)
  }

  @Test func pairingIsWhatItIsElsewhere() throws {
    let world = try World([World.home, "pairing=required"], pairs: true)
    world.stand(beside: garage, for: 900_000)
    #expect(!world.isLit && world.connection == .noPhone)
    world.press("aa")  // the first one lights the panel
    world.stand(beside: garage, for: 28_000)
    #expect(world.isLit && world.scan == "fast" && world.whereabouts.last == "here")
    world.advertise()
    world.pass(1_500)
    #expect(world.shows(.comparison(world.security.digits, phone: "")))
    world.press("a")
    world.pass(5_000)
    #expect(world.events("pairing").last?["state"] == "done")
  }

  // MARK: - What is seen of it

  @Test func thePageOfTheRideSaysSo() throws {
    let world = try World.atRest()
    world.press("aa")
    var trip = world.device.tripFigures
    trip.clock = world.device.phone.clock.minutes(at: world.now)
    func shows(_ shot: Shot) -> Bool { world.shows(shot) || world.showsMoved(shot) }
    #expect(shows(.atHome(trip)))
    world.stand(beside: VirtualBeacon(minor: 1), for: 31_000)
    #expect(shows(.ride(world.phone.name, trip, isConnected: false)))
    world.stand(beside: garage, for: 15_000)
    #expect(shows(.atHome(trip)))
  }

  /// Nothing wakes the device at home but the beacon.
  @Test func itSleepsAsDeepAsElsewhere() throws {
    func wakeUps(_ settings: [String]) throws -> Int {
      let world = try World.standing(settings)
      world.loseLink()
      world.stand(beside: garage, for: 1_200_000)
      let before = world.timerWakeUps
      world.stand(beside: garage, for: 3_600_000)
      return world.timerWakeUps - before
    }
    let (atHome, elsewhere) = (try wakeUps([World.home]), try wakeUps([]))
    #expect(atHome <= elsewhere)
  }
}

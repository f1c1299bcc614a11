import Bond
import Bytes
import Expecting
import Navigation
import Screens
import TestSupport
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
    expect(world.isLit && world.scan == "fast" && world.whereabouts.isEmpty)
    world.stand(beside: garage, for: 4_000)
    expect(!world.isLit && !world.panel.isOn)
    expect(world.scan, "slow")
    expect(world.whereabouts, ["here"])
  }

  /// By the same ride without the beacon.
  @Test func elsewhereItIsLitAndFastForTenMinutes() throws {
    for settings in [[World.home], []] {
      let world = try World.standing(settings)
      world.loseLink()
      world.stand(beside: settings.isEmpty ? garage : VirtualBeacon(minor: 1), for: 599_000)
      expect(world.isLit && world.scan == "fast")
      world.stand(beside: VirtualBeacon(minor: 1), for: 11_000)
      expect(!world.isLit && world.scan == "slow")
      #expect(world.whereabouts.isEmpty)
    }
  }

  @Test func whoLeavesHomeWithoutThePhoneIsAway() throws {
    let world = try World.atRest()
    world.stand(beside: VirtualBeacon(minor: 1), for: 31_000)
    expect(world.whereabouts, ["here", "away"])
    expect(!world.isLit, "nothing lights it")
    expect(world.scan, "fast", "as ten minutes after the loss are not over")
  }

  // MARK: - What comes first

  /// Each gesture that there is, as a byte or with the hand.
  @Test(arguments: ["a", "A", "b", "B", "r"])
  func aPressLightsThePanelForTenMinutes(_ gesture: String) throws {
    let world = try World.atRest()
    world.press(gesture)
    expect(world.isLit && world.scan == (gesture == "B" ? "off" : "fast"))
    world.stand(beside: garage, for: 599_000)
    expect(world.isLit)
    world.stand(beside: garage, for: 2_000)
    expect(!world.isLit)
    expect(world.whereabouts.last, gesture == "B" ? "away" : "here")
  }

  @Test func aButtonThatIsTouchedLightsThePanel() throws {
    let world = try World.atRest([
      World.home, "buttons=gpio:/dev/gpiochip0", "button-a=5", "button-b=6",
    ])
    world.touch(.a, isPressed: true)
    world.pass(100)
    world.touch(.a, isPressed: false)
    world.pass(100)
    expect(world.isLit && world.scan == "fast")
  }

  @Test func aWheelThatRollsLightsThePanelForTenMinutes() throws {
    let world = try World.atRest()
    world.roll(0, speed: 0)
    world.roll(0, speed: 0)
    expect(!world.isLit, "it stands")
    world.pass(1_000)
    world.roll(2, speed: 2)
    expect(world.isLit && world.scan == "fast")
    world.stand(beside: garage, for: 599_000)
    expect(world.isLit)
    world.stand(beside: garage, for: 2_000)
    expect(!world.isLit)
  }

  /// Somebody sends the phone's address three times, and has no key: the panel says “Pair again”.
  @Test func whatTheRiderIsToBeToldLightsThePanel() throws {
    let world = try World.atRest()
    world.security.longTermKey = nil
    for _ in 0..<3 {
      expect(!world.isLit || world.scan == "off")
      world.advertise()
      world.pass(500)
      world.stand(beside: garage, for: 61_000)
    }
    expect(world.events("bond").filter { $0["state"] == "rejected" }.count, 3)
    expect(world.isLit && world.whereabouts.last == "here")
    world.stand(beside: garage, for: 500_000)
    expect(world.isLit)
  }

  /// Its sensor is found by the slow scan, as it turns.
  @Test func theSensorOfTheWheelLightsThePanelOnceItTurns() throws {
    let world = try World.atRest()
    let wheel = VirtualSensor(.speed)
    try world.remember(wheel, as: .speed)
    world.controller.sensors = [wheel]
    world.advertise(wheel)
    world.pass(500)
    expect(!world.isLit, "it says nothing yet")
    for second: UInt8 in 0..<3 {
      world.notify([0x01, 2 * second, 0, 0, 0] + little(UInt16(second) * 1_024), from: wheel)
      world.stand(beside: garage, for: 1_000)
    }
    expect(world.isLit && world.scan == "fast")
  }

  /// A wheel's values keep the panel lit for as long as it rolls.
  @Test func aRideBesideTheBeaconIsLitByTheWheel() throws {
    let world = try World.atRest()
    for second in 0..<1_200 {
      world.roll(3 * second, speed: 3)
      world.advertise(garage)
      world.pass(1_000)
      if second > 0 { expect(world.isLit, "\(second) s") }
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
    expect(world.whereabouts, ["here"])
    expect(world.isLit == isOnTheWay && (world.scan == "fast") == isOnTheWay)
  }

  @Test func itMayComeThereInSmallSteps() throws {
    let world = try World.standing()
    for distance in [345, 340, 335, 330] as [UInt32] {
      world.tell(8, distance, "Hauptstraße")
      world.pass(1_000)
    }
    world.loseLink()
    world.stand(beside: garage, for: 60_000)
    expect(world.isLit && world.scan == "fast")
  }

  // MARK: - A day

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
      expect(world.connection, .ready)
      world.pass(60_000)
      if world.isLit { lit += 1 }
      world.loseLink()
      world.stand(beside: garage, for: 60_000)
      expect(!world.isLit)
    }
    expect(lit, 1)
  }

  // MARK: - Where nobody is remembered

  @Test func withPairingOffTheSearchIsSlowForAnybody() throws {
    let world = try World([World.home])
    world.stand(beside: garage, for: 601_000)
    expect(!world.isLit && world.scan == "slow" && world.whereabouts == ["here"])
    world.advertise()
    world.pass(1_000)
    expect(world.connection == .ready && world.isLit)
    world.loseLink()
    world.stand(beside: garage, for: 15_000)
    expect(world.scan, "slow", "and not fast for half a minute")
  }

  @Test func pairingIsWhatItIsElsewhere() throws {
    let world = try World([World.home, "pairing=required"], pairs: true)
    world.stand(beside: garage, for: 900_000)
    expect(!world.isLit && world.connection == .noPhone)
    world.press("aa")  // the first one lights the panel
    world.stand(beside: garage, for: 28_000)
    expect(world.isLit && world.scan == "fast" && world.whereabouts.last == "here")
    world.advertise()
    world.pass(1_500)
    expect(world.shows(.comparison(world.security.digits, phone: "")))
    world.press("a")
    world.pass(5_000)
    expect(world.events("pairing").last?["state"], "done")
  }

  // MARK: - What is seen of it

  @Test func thePageOfTheRideSaysSo() throws {
    let world = try World.atRest()
    world.press("aa")
    var trip = world.device.tripFigures
    trip.clock = world.device.phone.clock.minutes(at: world.now)
    expect(world.showsAnywhere(.atHome(trip)))
    world.stand(beside: VirtualBeacon(minor: 1), for: 31_000)
    expect(world.showsAnywhere(.ride(world.phone.name, trip, isConnected: false)))
    world.stand(beside: garage, for: 15_000)
    expect(world.showsAnywhere(.atHome(trip)))
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

/// Strangers who send the rider's beacon: on the road, at the traffic light, at the café.
@Suite struct HostileHomeTests {
  private let garage = VirtualBeacon()
  private let stranger = VirtualBeacon(minor: 1)

  /// A ride, 20 m each four seconds.
  private func ride(_ world: World, from first: UInt32, to last: UInt32) {
    for distance in stride(from: first, through: last, by: -20) {
      world.tell(8, distance, "Hauptstraße")
      world.stand(beside: garage, for: 4_000)
    }
  }

  // MARK: - A live ride

  /// All that came out of a ride with losses of each kind, but the events `home`.
  private struct Outcome: Equatable {
    var packets: [String] = []
    var messages: [[UInt8]] = []
    var events: [String] = []
    var isLit: [Bool] = []
  }

  private func ridden(_ settings: [String], beside beacon: VirtualBeacon) throws -> Outcome {
    var packets: [String] = []
    let world = try World.riding(beside: [], settings)
    world.onSend = { packets.append("\(world.now.milliseconds) \(hex($0))") }
    var lit: [Bool] = []
    for (round, pause) in ([1_000, 9_000, 40_000, 595_000] as [Int64]).enumerated() {
      for distance in stride(from: UInt32(900), through: 20, by: -80) {
        world.tell(8, distance, "Straße \(round)")
        // Late reports of a scan that has ended, too.
        world.controller.report(beacon.address, beacon.advertisement, type: 3, world)
        world.stand(beside: beacon, for: 4_000, every: 500)
      }
      // Around all pages: that of the ride alone says where it is.
      world.press("aaa")
      world.loseLink()
      world.stand(beside: beacon, for: pause, every: 500)
      lit.append(world.isLit)
      world.advertise()
      world.pass(2_000)
      expect(world.connection, .ready)
    }
    return Outcome(
      packets: packets, messages: world.messages,
      events: world.events.filter { $0.name != "home" }.map(\.line), isLit: lit)
  }

  @Test func aLiveRideBesideTheBeaconIsTheSameToTheByte() throws {
    let beside = try ridden([World.home], beside: garage)
    let without = try ridden([], beside: stranger)
    expect(beside, without)
    expect(without.packets.count > 100 && without.messages.count > 100)
    #expect(!without.isLit.contains(false))
  }

  /// The same at a start among such strangers: whom the rider asks for is searched for as ever.
  @Test func aPairingBesideTheBeaconIsTheSameToTheByte() throws {
    func paired(_ settings: [String], beside beacon: VirtualBeacon) throws -> Outcome {
      var packets: [String] = []
      let world = try World(["pairing=required"] + settings, pairs: true)
      world.onSend = { packets.append("\(world.now.milliseconds) \(hex($0))") }
      world.stand(beside: beacon, for: 25_000)
      world.advertise()
      world.stand(beside: beacon, for: 2_000)
      world.press("b")
      world.stand(beside: beacon, for: 20_000)
      world.press("a")
      world.stand(beside: beacon, for: 20_000)
      world.phone.address = world.security.privateAddress(9)
      world.advertise()
      world.stand(beside: beacon, for: 2_000)
      world.press("a")
      world.pass(5_000)
      expect(world.events("pairing").last?["state"], "done")
      return Outcome(
        packets: packets, messages: world.messages,
        events: world.events.filter { $0.name != "home" }.map(\.line))
    }
    expect(
      try paired([World.home], beside: garage) == paired([], beside: stranger))
  }

  // MARK: - A link that was just lost

  @Test func inMidRideAForgedBeaconNeitherDarkensNorSlows() throws {
    let world = try World.riding(beside: [], [World.home])
    ride(world, from: 800, to: 100)
    world.tell(8, 100, "Hauptstraße")  // komoot repeats it: the rider stands
    world.loseLink()
    world.stand(beside: garage, for: 590_000)
    expect(world.whereabouts, ["here"])
    expect(world.isLit && world.scan == "fast")
    let age = Int64(world.events("stale").last?[number: "age"] ?? 0) * 1_000
    let turn = Shot.turn(
      .right, "100 m", "Hauptstraße", age: Age(milliseconds: age), isLinkLost: true)
    expect(world.shows(turn) || world.showsMoved(turn))
  }
}

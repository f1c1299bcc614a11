import Beacons
import Bytes
import Central
import DeviceState
import Expecting
import Navigation
import TestSupport
import VirtualAir
import VirtualDevice

@testable import Device

/// The beacon in the garage: what it changes for a rider who comes home, sleeps and leaves.
struct HomeTests {
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

  /// Each gesture that there is, as a byte, or a button that is touched.
  @Test(arguments: ["a", "A", "b", "B", "r", "touch"])
  func aPressLightsThePanelForTenMinutes(_ gesture: String) throws {
    let isTouch = gesture == "touch"
    let buttons = isTouch ? ["buttons=gpio:/dev/gpiochip0", "button-a=5", "button-b=6"] : []
    let world = try World.atRest([World.home] + buttons)
    if isTouch { world.click() } else { world.press(gesture) }
    expect(world.isLit && world.scan == (gesture == "B" ? "off" : "fast"))
    world.stand(beside: garage, for: 599_000)
    expect(world.isLit)
    world.stand(beside: garage, for: 2_000)
    expect(!world.isLit)
    expect(world.whereabouts.last, gesture == "B" ? "away" : "here")
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
  @Test func aWheelThatStandsLightsNothingAndOneThatTurnsKeepsThePanelLit() throws {
    let world = try World.atRest()
    for _ in 0..<2 { world.roll(0, speed: 0) }
    expect(!world.isLit, "it stands")
    for second in 0..<1_200 {
      world.roll(3 * second, speed: 3)
      world.stand(beside: garage, for: 1_000)
      if second > 0 { expect(world.isLit, "\(second) s") }
    }
  }

  @Test func theSensorOfTheWheelLightsThePanelForTenMinutesOnceItTurns() throws {
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
    world.stand(beside: garage, for: 598_000)
    expect(world.isLit)
    world.stand(beside: garage, for: 4_000)
    expect(!world.isLit)
  }

  /// Metres of the readings, perhaps in small steps, and whether the rider is on the way by them.
  @Test(
    arguments: [
      ([350, 331], false), ([350, 330], true), ([350, 369], false), ([350, 370], true),
      ([345, 340, 335, 330], true),
    ] as [([UInt32], Bool)])
  func aTurnCountsIfItIsTwentyMetresNearerOrFarther(
    _ readings: [UInt32], _ isOnTheWay: Bool
  ) throws {
    let world = try World.standing()
    for distance in readings {
      world.tell(8, distance, "Hauptstraße")
      world.pass(100)
    }
    world.loseLink()
    world.stand(beside: garage, for: 60_000)
    expect(world.whereabouts, ["here"])
    expect(world.isLit == isOnTheWay && (world.scan == "fast") == isOnTheWay)
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
    expect(world.states("pairing").last, "done")
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
struct HostileHomeTests {
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

/// Which advertisements are those of the beacon at home.
struct HomeBeaconTests {
  private static let uuid = UUID(0xE20A_39F4_73F5_4BC4, 0xA12F_17D1_AD07_A961)
  private let beacon = VirtualBeacon()

  /// Whether a packet that comes each second for 20 s brings the device home.
  private func isHome(_ home: HomeBeacon?, _ packet: [UInt8]) -> Bool {
    var home = Home(home)
    for second in Int64(0)..<20 {
      let now = Instant(milliseconds: second * 1_000)
      home.receive(packet.span, at: now)
      if let state = home.conclusion(at: now) { home.conclude(isHere: state == .here) }
      _ = home.advance(while: .on, to: now)
    }
    return home.isHere
  }

  /// An LE Advertising Report of these advertisements: type, address, data.
  private func report(_ advertisements: [(UInt8, [UInt8], [UInt8])]) -> [UInt8] {
    var reports: [UInt8] = []
    for (type, address, data) in advertisements {
      reports += [type] + address + [UInt8(data.count)] + data + [0xC4]
    }
    let count = UInt8(advertisements.count)
    return [0x04, 0x3E, UInt8(reports.count + 2), 0x02, count] + reports
  }

  @Test(
    arguments: [
      (HomeBeacon(uuid), true), (HomeBeacon(uuid, major: 7), true),
      (HomeBeacon(uuid, major: 7, minor: 515), true), (HomeBeacon(uuid, major: 8), false),
      (HomeBeacon(uuid, major: 7, minor: 516), false),
      (HomeBeacon(uuid, major: 515, minor: 7), false),
      (HomeBeacon(UUID(0xE20A_39F4_73F5_4BC4, 0xA12F_17D1_AD07_A962), major: 7, minor: 515), false),
      (HomeBeacon(UUID(0xE20A_39F4_73F5_4BC5, 0xA12F_17D1_AD07_A961), major: 7, minor: 515), false),
      (nil, false),
    ] as [(HomeBeacon?, Bool)])
  func theBeaconOfTheKeyIsHeardAndNoOther(_ home: HomeBeacon?, _ isHeard: Bool) {
    expect(isHome(home, report([(3, beacon.address, beacon.advertisement)])), isHeard)
  }

  @Test func itMayStandBehindOthersInAReport() {
    let others = (1..<5 as Range<UInt16>).map {
      (3 as UInt8, beacon.address, VirtualBeacon(minor: $0).advertisement)
    }
    let packet = report(others + [(3, beacon.address, beacon.advertisement)])
    expect(isHome(HomeBeacon(Self.uuid, major: 7, minor: 515), packet))
    let data = bytes("05 ff 4c 00 10 00") + beacon.advertisement
    let extended =
      bytes("10 00 01 42 00 00 00 00 c1 01 00 ff 7f c4 00 00") + [UInt8](repeating: 0, count: 7)
      + [UInt8(data.count)] + data
    let head: [UInt8] = [0x04, 0x3E, UInt8(extended.count + 2), 0x0D, 1]
    expect(isHome(HomeBeacon(Self.uuid), head + extended))
  }

  @Test func everyPrefixOfAPacketIsHarmless() {
    let packet = report([(3, beacon.address, beacon.advertisement)])
    for count in 0..<packet.count {
      expect(!isHome(HomeBeacon(Self.uuid), Array(packet.prefix(count))), "\(count) bytes")
    }
  }
}

import Bytes
import Navigation
import Screens
import TestSupport
import Testing
import VirtualAir
import VirtualDevice

@testable import Device

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
      #expect(world.connection == .ready)
    }
    return Outcome(
      packets: packets, messages: world.messages,
      events: world.events.filter { $0.name != "home" }.map(\.line), isLit: lit)
  }

  @Test func aLiveRideBesideTheBeaconIsTheSameToTheByte() throws {
    let beside = try ridden([World.home], beside: garage)
    let without = try ridden([], beside: stranger)
    #expect(beside == without)
    #expect(without.packets.count > 100 && without.messages.count > 100)
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
      #expect(world.events("pairing").last?["state"] == "done")
      return Outcome(
        packets: packets, messages: world.messages,
        events: world.events.filter { $0.name != "home" }.map(\.line))
    }
    #expect(
      try paired([World.home], beside: garage) == paired([], beside: stranger))
  }

  // MARK: - A link that was just lost

  @Test func inMidRideAForgedBeaconNeitherDarkensNorSlows() throws {
    let world = try World.riding(beside: [], [World.home])
    ride(world, from: 800, to: 100)
    world.loseLink()
    world.stand(beside: garage, for: 590_000)
    #expect(world.whereabouts == ["here"])
    #expect(world.isLit && world.scan == "fast")
    let age = Int64(world.events("stale").last?[number: "age"] ?? 0) * 1_000
    let turn = Shot.turn(
      .right, "100 m", "Hauptstraße", age: Age(milliseconds: age), isLinkLost: true)
    #expect(world.shows(turn) || world.showsMoved(turn))
  }

  /// Ten minutes with a link to a phone that lies still, then the phone goes: it costs a press.
  @Test func atTheCaféItCostsOnePress() throws {
    let world = try World.standing()
    world.loseLink()
    world.stand(beside: garage, for: 20_000)
    #expect(!world.isLit && world.scan == "slow")
    world.press("a")
    #expect(world.isLit && world.scan == "fast")
    world.stand(beside: garage, for: 300_000)
    #expect(world.isLit)
    world.advertise()
    world.pass(1_000)
    #expect(world.connection == .ready && world.isLit)
    ride(world, from: 340, to: 20)
    #expect(world.isLit)
  }

  /// Or nothing, where the phone comes back by itself.
  @Test func thePhoneIsFoundAllTheSame() throws {
    let world = try World.standing()
    world.loseLink()
    world.stand(beside: garage, for: 120_000)
    #expect(!world.isLit)
    world.tell(8, 330, "Hauptstraße")
    world.advertise()
    world.pass(1_000)
    #expect(world.shows(.turn(.right, "330 m", "Hauptstraße")))
  }

  @Test func aRideByTheWheelAloneIsNotDarkened() throws {
    let world = try World.standing()
    world.loseLink()
    for second in 0..<900 {
      world.roll(5 * second, speed: 5)
      world.stand(beside: garage, for: 1_000)
    }
    #expect(world.whereabouts == ["here"])
    #expect(world.isLit)
  }

  // MARK: - Noise

  /// Beacons of a whole street, each with another number, and what looks like one.
  @Test func aStreetOfBeaconsIsNobodysHome() throws {
    let world = try World.standing()
    world.loseLink()
    for number in UInt16(0)..<3_000 {
      var other = VirtualBeacon(minor: 600 + number)
      if number % 3 == 0 { (other.major, other.minor) = (number + 8, 515) }
      if number % 3 == 1 { other.uuid[Int(number) % 16] ^= 1 }
      world.advertise(other, rssi: -30)
      world.report("01 09 00 00 00 00 c1", Array(garage.advertisement.dropLast()), rssi: -30)
      world.pass(20)
    }
    #expect(world.whereabouts.isEmpty && world.isLit)
  }

  /// Comes and goes as a stranger likes: the rider's next ten minutes are the rider's.
  @Test func oneThatComesAndGoesChangesNothingForWhoUsesTheDevice() throws {
    let world = try World.atRest()
    world.press("a")
    for _ in 0..<8 {
      world.stand(beside: garage, for: 30_000, rssi: -40)
      world.stand(beside: garage, for: 15_000, rssi: -99)
      world.pass(25_000)
      #expect(world.isLit)
    }
    #expect(world.whereabouts.filter { $0 == "away" }.count >= 8)
    #expect(!world.events("scan").suffix(2).contains { $0["mode"] == "off" })
  }

  /// Of a page that the rider looks at, and of a sensor's search, nothing is taken away.
  @Test func aSensorIsLookedForAsElsewhere() throws {
    let strap = VirtualSensor(.heart)
    let world = try World.atRest()
    world.controller.sensors = [strap]
    world.press("aaa")
    while world.device.scene.page != .sensors { world.press("a") }
    world.press("b")
    for _ in 0..<20 {
      world.advertise(strap)
      world.stand(beside: garage, for: 1_000)
      world.notify([0x00, 72], from: strap)
    }
    #expect(world.isLit)
    world.press("a")
    world.pass(1_000)
    #expect(world.events("sensor").contains { $0["state"] == "remembered" })
  }
}

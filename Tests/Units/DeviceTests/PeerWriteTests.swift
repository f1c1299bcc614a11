import Bond
import Bytes
import Expecting
import Sensors
import TestSupport
import VirtualAir

@testable import Device
@testable import VirtualDevice

/// What a phone or a sensor changes wears no card: it is written when its link is over, and rarely.
@Suite struct PeerWriteTests {
  private let strap = VirtualSensor(.heart, number: 1)

  /// The times of the writes from now on.
  private final class Writes {
    private(set) var times: [Int64] = []

    init(_ world: World) {
      world.onStore = { [unowned world, unowned self] _, _ in times.append(world.now.milliseconds) }
    }
  }

  private func subscribe(_ world: World, _ isOn: Bool) {
    for handle in ["09", "0f"] {
      let value = isOn ? (handle == "09" ? "02" : "01") : "00"
      world.controller.send(channel: 0x04, bytes("12 \(handle) 00 \(value) 00"), world)
    }
  }

  private func isSubscribed(on disk: [UInt8]) -> Bool {
    guard let served = World.bond(on: disk)?.served else { return false }
    return served[.serviceChanged] && served[.uart]
  }

  /// Its app toggles two subscriptions twenty times a second.
  @Test func centralBehaviour132_anAppThatTogglesItsSubscriptionsCausesOneWrite() throws {
    let world = try World.paired()
    world.pass(30_000)
    let writes = Writes(world)
    for number in 0..<200 {
      subscribe(world, number % 2 == 0)
      world.pass(50)
    }
    subscribe(world, true)
    world.pass(60_000)
    expect(writes.times, [])
    world.loseLink()
    world.pass(60_000)
    expect(writes.times.count, 1)
    expect(isSubscribed(on: world.disk))
  }

  /// The last write is less than ten seconds old.
  @Test func centralBehaviour132_aWriteBehindAnotherOneWaitsForTenSeconds() throws {
    let world = try World.paired()
    world.pass(30_000)
    let writes = Writes(world)
    for isOn in [true, false] {
      subscribe(world, isOn)
      world.pass(100)
      world.loseLink()
      world.pass(1_000)
      world.advertise()
      world.pass(1_000)
    }
    world.loseLink()
    world.pass(60_000)
    expect(writes.times.count == 2 && writes.times[1] - writes.times[0] == 10_000)
  }

  /// The first write is the rider's: that of the pairing.
  @Test func centralBehaviour132_whatChangesBehindThePairingWaitsForTenSeconds() throws {
    let world = try World.paired()
    let paired = world.now
    let writes = Writes(world)
    subscribe(world, true)
    world.pass(100)
    world.loseLink()
    world.pass(60_000)
    expect(writes.times.count == 1 && writes.times[0] > paired.milliseconds + 5_000)
    expect(isSubscribed(on: world.disk))
  }

  /// A stranger's strap with the address of the kept one makes a new key on each link.
  @Test func centralBehaviour132_keysThatChangeAreNotWrittenOneByOne() throws {
    let world = try World.riding(beside: [strap])
    try world.remember(strap, as: .heart)
    world.advertise(strap)
    world.pass(1_000)
    let writes = Writes(world)
    let sensor = try #require(world.device.sensors[.heart])
    for number in 0..<396 {
      var key = Bond.Key()
      key[0] = UInt8(truncatingIfNeeded: number)
      world.device.remember(sensor.with(key: key), isWished: false, at: world.now)
      world.pass(75)
    }
    expect(writes.times, [])
    world.loseLink(of: strap)
    world.pass(60_000)
    // The second one overwrites the key of before.
    #expect(writes.times.count <= 2)
  }

  /// It changes its subscriptions whenever it comes, and is lost each five seconds.
  @Test func centralBehaviour132_inAnHourThereAreThirtyWritesAtMost() throws {
    let world = try World.paired()
    let writes = Writes(world)
    for number in 0..<720 {
      subscribe(world, number % 2 == 0)
      world.pass(100)
      world.loseLink()
      world.pass(1_000)
      world.advertise()
      world.pass(3_900)
    }
    #expect((20...30).contains(writes.times.count))
  }

  /// What is not written yet is written before it ends.
  @Test func centralBehaviour132_theProgramDoesNotEndWithoutIt() throws {
    let world = try World.paired()
    world.pass(30_000)
    subscribe(world, true)
    world.pass(100)
    world.leave()
    expect(isSubscribed(on: world.disk))
  }
}

/// What the host has to tell after any call.
@Suite struct ToldAtOnceTests {
  /// The time is over that a silent sensor may take, just as a packet has found its way to the controller.
  @Test func centralBehaviour125_whatASentPacketCausesIsToldInThatTurn() throws {
    let strap = VirtualSensor(.heart, number: 1)
    let world = try World.riding(beside: [strap])
    strap.requestLimit = (0, false)
    try world.remember(strap, as: .heart)
    world.advertise(strap)
    world.isTransportFull = true
    world.pass(9_000)
    _ = world.takeEventsSoFar()
    world.device.packetWasSent(at: world.now + 3_000)
    #expect(string(world.device.events).contains("silence"))
  }
}

import Bond
import Bytes
import Expecting
import TestSupport
import VirtualAir

@testable import Device
@testable import VirtualDevice

/// What the store has of a phone and its sensors, when they say something else.
struct KnownPhoneTests {
  // MARK: - Handles that an update of its app has moved

  /// It says something else, or does not let itself be read.
  @Test(
    arguments: [
      .value([1, 2, 3]), .error(0x02), .error(0x80),
    ] as [VirtualPhone.Successor])
  func centralBehaviour72_theTurnIsShownThoughAnotherAppHasTheKeptHandles(
    _ successor: VirtualPhone.Successor
  ) throws {
    let world = try World.paired { $0.phone.hasServiceChanged = true }.restarted()
    world.phone.move()
    world.phone.successor = successor
    world.advertise()
    world.pass(2_000)
    expect(world.shows(.turn(.left, "110 m", "Voßstraße")))
    expect(world.phone.isSubscribed && world.events("error").isEmpty)
    world.loseLink()
    expect(world.states("bond"), ["loaded", "saved"])
    let next = try world.restarted()
    let before = next.phone.requests.count
    next.advertise()
    next.pass(2_000)
    let asked = next.phone.requests[before...]
    #expect(!asked.prefix { $0 != 0x0A }.contains(0x06), "the new handles are on the disk")
    expect(next.phone.isSubscribed)
    expect(next.shows(.turn(.left, "110 m", "Voßstraße")))
  }

  /// Nothing is said of the way: the phone is asked as before, and not searched again at each of its zeros.
  @Test func centralBehaviour72_aPhoneWithoutATourIsNotSearchedAgainAndAgain() throws {
    let world = try World.paired { $0.phone.hasServiceChanged = true }.restarted()
    world.phone.value = bytes("09 00 00 00 00 00 00 00 00")
    world.advertise()
    world.pass(2_000)
    let before = world.phone.requests.count
    world.pass(20_000)
    let asked = world.phone.requests[before...]
    expect(!asked.contains(0x06) && asked.contains(0x0A))
  }

  // MARK: - A name or a configuration that is another

  @Test(arguments: [false, true])
  func aNewNameIsSavedAndOnADiskThatFailsThePhoneStaysPaired(_ fails: Bool) throws {
    let world = try World.paired()
    world.loseLink()
    world.phone.name = "Witch"
    if fails { world.faults[.store] = .noSpace }
    world.advertise()
    world.pass(1_000)
    world.loseLink()
    world.pass(10_000)
    expect(world.events("bond").compactMap { $0["name"] }, fails ? ["Fairy"] : ["Fairy", "Witch"])
    world.advertise()
    world.pass(1_000)
    expect(world.events("error").compactMap { $0["source"] }, fails ? ["store"] : [])
    expect(world.pairings, ["confirm", "done"])
    expect(world.shows(.turn(.right, "350 m", "Hauptstraße")))
    expect(world.events("phone").last.map { $0["match"] }, "bond")
  }
  @Test func peripheralBehaviour32_aConfigurationOutlivesARestart() throws {
    func answers(_ world: World, _ request: String) -> [String] {
      let count = world.phone.answers.count
      world.controller.send(channel: 0x04, bytes(request), world)
      world.pass(0)
      return world.phone.answers.dropFirst(count).map { hex(Array($0.dropFirst())) }
    }
    let world = try World.paired()
    for request in ["12 09 00 02 00", "12 0f 00 01 00", "12 0f 00 01 00"] {
      expect(answers(world, request), ["13"])
    }
    world.loseLink()
    world.pass(10_000)
    let next = try world.restarted()
    next.advertise()
    next.pass(2_000)
    next.onStore = { _, _ in Issue.record("a write") }
    expect(answers(next, "0a 09 00") == ["0b 02 00"] && answers(next, "0a 0f 00") == ["0b 01 00"])
    expect(answers(next, "12 0f 00 01 00"), ["13"])
    expect(!next.phone.answers.contains { $0.prefix(2) == [0x04, 0x1D] }, "it knows the table")
  }

  // MARK: - What a phone or a sensor changes wears no card: it is written when its link is over, and rarely

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

  /// The last write is less than ten seconds old; the first one was the rider's, that of the pairing.
  @Test(arguments: [false, true])
  func centralBehaviour132_aWriteBehindAnotherOneWaitsForTenSeconds(_ isOfThePairing: Bool) throws {
    let world = try World.paired()
    if !isOfThePairing { world.pass(30_000) }
    let (start, writes) = (world.now.milliseconds, Writes(world))
    for isOn in isOfThePairing ? [true] : [true, false] {
      subscribe(world, isOn)
      world.pass(100)
      world.loseLink()
      world.pass(1_000)
      world.advertise()
      world.pass(1_000)
    }
    world.loseLink()
    world.pass(60_000)
    if isOfThePairing {
      expect(writes.times.count == 1 && writes.times[0] > start + 5_000)
      expect(isSubscribed(on: world.disk))
    } else {
      expect(writes.times.count == 2 && writes.times[1] - writes.times[0] == 10_000)
    }
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
      world.device.remember(sensor.with(key: key), isRequested: false, at: world.now)
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

  /// What is not written yet is written at its end.
  @Test func centralBehaviour132_theProgramDoesNotEndWithoutIt() throws {
    let world = try World.paired()
    world.pass(30_000)
    subscribe(world, true)
    world.pass(100)
    world.leave()
    expect(isSubscribed(on: world.disk))
  }

  // MARK: - What the host has to tell after any call

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

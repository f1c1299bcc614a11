import Bond
import BondFile
import Expecting
import Sensors
import TestSupport
import VirtualAir
import VirtualDevice

@testable import Device

/// What the rider sees of sensors is so, and nobody else's sensor counts.
struct SensorTrustTests {
  private let strap = VirtualSensor(.heart, number: 1)
  private let wheel = VirtualSensor(.speed, number: 2)

  /// The disk after one write of these sensors, which is that of one record.
  private func write(_ sensors: RememberedSensors, to disk: [UInt8]) -> [UInt8] {
    var store = BondStore(disk.span)
    store.newSensors = sensors
    if let bond = store.bond(in: disk.span) { store.save(bond, isDim: false) }
    let (place, output) = (store.outputOffset, store.output)
    var written = disk
    for index in output.indices { written[place + index] = output[index] }
    return written
  }

  // MARK: - Who is only offered

  @Test func theWheelOfWhoIsOnlyOfferedMovesNoTurn() throws {
    let world = try World.searching(for: wheel)
    world.roll(wheel, seconds: 6, turns: 3)
    expect(world.events("measure").contains { $0[number: "speed"] == 6_315 }, "it is looked at")
    let progress = world.device.guidance.progress
    expect(progress?.source != .wheel && progress?.distance == 350)
    let ridden = world.device.guidance.trip.millimetres
    expect(ridden, 0)
  }

  // MARK: - What is said

  @Test func withoutPairingItIsSaidThatASensorIsKept() throws {
    let world = try World.following(["pairing=off"])
    world.press("aa")
    world.find(strap)
    world.press("a")
    world.pass(100)
    expect(world.shows(.sensor(.saved(.heart, strap.name))))
    world.pass(4_000)
    world.press("B")
    world.pass(100)
    expect(world.shows(.sensor(.forgotten)))
    expect(world.device.sensors.isEmpty && world.attempts[.store] == nil, "there is no store then")
  }

  /// A watch was declined for its changing address, and the strap is back.
  @Test func aSensorThatIsKeptIsNotSaidToChangeItsAddress() throws {
    let world = try World.keeping(strap)
    let watch = VirtualSensor(.heart, number: 3)
    watch.address = bytes("01 01 02 03 04 05 46")
    world.controller.sensors.append(watch)
    world.press("b")
    world.advertise(watch)
    world.pass(1_600)
    world.press("a")
    world.pass(2_000)
    world.advertise(strap)
    world.pass(60_000)
    world.turnToSensors()
    expect(world.shows(.sensor(.page([.heart: (strap.name, .ready(battery: 87))]))))
  }

  @Test func aBatteryIsNotToldToADarkPanel() throws {
    let world = try World.keeping(strap)
    world.say(try #require(PhoneKind.android.silence))
    strap.isNear = false
    world.loseLink(of: strap)
    world.pass(1_000)
    strap.battery = 10
    world.press("AA")
    expect(!world.isLit)
    strap.isNear = true
    world.advertise(strap)
    world.pass(10_000)
    world.press("A")
    world.pass(1_000)
    expect(world.shows(.sensor(.battery(.heart, percent: 10))))
  }

  // MARK: - Keys

  private static let old = Bond.Key(words: [1, 2, 3, 4])

  /// A strap is near that does not have the key which is kept of it.
  private func meetingStranger() throws -> World { try meeting(withKey: Self.old) }

  private func meeting(withKey key: Bond.Key?) throws -> World {
    (strap.requestsSecurity, strap.security) = (true, VirtualSecurity(number: 1))
    strap.security?.manner = .justWorks
    let world = try World.riding(beside: [strap])
    try world.remember(strap, as: .heart, key: key)
    world.pass(3_500)
    meet(world)
    return world
  }

  /// It advertises, is linked, and tells its pulse.
  private func meet(_ world: World) {
    world.advertise(strap)
    world.pass(500)
    world.notify(bytes("00 48"), from: strap)
    world.pass(500)
  }

  @Test func centralBehaviour131_whoDeniesTheKeyIsNotShownAndNothingIsWritten() throws {
    let world = try meetingStranger()
    world.onStore = { _, _ in Issue.record("a write") }
    for _ in 0..<30 { meet(world) }
    #expect(world.events("measure").isEmpty && world.device.sensors[.heart]?.key == Self.old)
    #expect(world.events("sensor").contains { $0["state"] == "refused" && $0["reason"] == "key" })
    world.tell(8, 350, "Hauptstraße")
    expect(world.shows(.turn(.right, "350 m", "Hauptstraße")), "the ride goes on")
    world.turnToSensors()
    expect(world.shows(.sensor(.pairing(.heart, strap.name))))
    world.press("b")
    world.pass(100)
    for _ in 0..<30 { meet(world) }
    world.turnToSensors()
    expect(world.shows(.sensor(.page([.heart: (strap.name, .looking)]))))
  }

  /// The old key stays on the disk until the new one has brought a value.
  @Test func centralBehaviour131_theRiderAgreesOnThePageOfTheSensors() throws {
    let world = try meetingStranger()
    world.turnToSensors()
    world.pass(1_000)
    world.press("a")
    world.pass(6_000)
    world.advertise(strap)
    world.pass(1_000)
    expect(strap.isEncrypted && world.device.sensors[.heart]?.key == Self.old)
    world.notify(bytes("00 48"), from: strap)
    world.pass(1_000)
    let key = try #require(strap.security?.longTermKey)
    expect(world.device.sensors[.heart]?.key, key)
    expect(world.events("measure").last?[number: "heart"], 72)
    expect(BondStore(world.disk.span).sensors[.heart]?.key, key)
  }

  /// It waits for the next write, before which the store is read again.
  @Test func aFirstKeyIsNotLostWithWhatTheStoreIsReadAgain() throws {
    let world = try meeting(withKey: nil)
    let key = try #require(strap.security?.longTermKey)
    #expect(world.device.sensors[.heart]?.key == key)
    #expect(BondStore(world.disk.span).sensors[.heart]?.key == nil)
    world.fail(.store, .noSpace)
    world.pass(2_000)
    expect(world.device.sensors[.heart]?.key, key)
    world.press("A")
    world.pass(60_000)
    expect(BondStore(world.disk.span).sensors[.heart]?.key, key)
  }

  @Test func centralBehaviour100_theKeyOfAForgottenStrapIsGoneBeforeItsLink() throws {
    let world = try meeting(withKey: nil)
    let key = array(try #require(strap.security?.longTermKey).bytes)
    world.controller.withheld = [0x0406]
    world.forgetSensors()
    world.pass(1_000)
    expect(world.events("sensor").last?["state"], "forgotten")
    expect(world.controller.link(strap) != nil)
    let memory = Array(world.memory)
    expect(!(0...memory.count - 16).contains { memory[$0..<$0 + 16].elementsEqual(key) })
  }

  /// The current was lost between the two writes, or in the second one: the start makes that again.
  @Test(arguments: [false, true])
  func centralBehaviour100_aStartForgetsTheKeyOfWhichOneRecordIsLeft(_ isTorn: Bool) throws {
    func hasOldKey(_ disk: [UInt8]) -> Bool { BondStore(disk.span).hasOldSensorKey }
    let key = array(Self.old.bytes)
    let world = try World.riding(beside: [])
    try world.remember(strap, as: .heart, key: Self.old)
    world.pass(1_000)
    let both = write(world.device.sensors, to: world.disk)
    let again = try World(["pairing=required"], boots: false)
    again.disk = write(RememberedSensors(), to: both)
    let place = try #require(again.disk.indices.first { again.disk[$0...].starts(with: key) })
    if isTorn { again.disk[place - 1] ^= 0xFF }
    expect(hasOldKey(again.disk))
    again.pass(1_000)
    expect(!hasOldKey(again.disk))
    expect(!again.disk.indices.contains { again.disk[$0...].starts(with: key) })
  }
}

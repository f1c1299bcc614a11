import BondFile
import Bytes
import Expecting
import PlainBonds
import Responder
import Sensors
import TestSupport

@testable import Device
@testable import VirtualDevice

/// The sensors that the rider keeps: on the disk beside the phone, and over a restart.
struct RememberedSensorTests {
  private static let settings = ["pairing=preferred"]

  private func alone(_ settings: [String] = settings) throws -> World {
    let world = try World(settings)
    world.pass(1_000)
    return world
  }

  private func paired() throws -> World {
    let world = try World.paired()
    world.pass(16_000)
    return world
  }

  /// What a start finds on a disk.
  private struct Finding: Equatable {
    var bond: PlainBond?
    var sensors: RememberedSensors
    var isDim: Bool
    var circumference: UInt16

    init(_ disk: [UInt8]) {
      let store = BondStore(disk.span)
      (sensors, isDim, circumference) = (store.sensors, store.isDim, store.circumference)
      bond = World.bond(on: disk)
    }
  }

  /// State and kind of each event.
  private func told(_ world: World) -> [String] {
    world.events("sensor").map { "\($0["state"] ?? "?") \($0["kind"] ?? "?") \($0["name"] ?? "?")" }
  }

  // MARK: - Over a restart

  @Test(arguments: [false, true])
  func sensorsThatAreKeptAreThereAfterARestart(_ isPaired: Bool) throws {
    let world = isPaired ? try paired() : try alone()
    let phone = Finding(world.disk).bond
    for kind in everyKind { world.remember(try plainSensor(kind)) }
    expect(try world.device.sensors == plainSensors())
    let again = try World.started(with: world.disk)
    expect(try again.device.sensors == plainSensors())
    expect(Finding(again.disk).bond == phone && (phone != nil) == isPaired)
    expect(again.events("error").isEmpty && again.events("sensor").isEmpty)
  }

  @Test func aNewSensorTakesThePlaceOfTheOldOneOfItsKind() throws {
    let world = try alone()
    world.remember(try plainSensor(.heart, 1))
    world.remember(try plainSensor(.power, 1))
    world.remember(try plainSensor(.heart, 2))
    expect(
      told(world),
      [
        "remembered heart heart 1", "remembered power power 1", "forgotten heart heart 1",
        "remembered heart heart 2",
      ])
    var expected = try plainSensors([.power])
    expected.set(try plainSensor(.heart, 2))
    expect(try World.started(with: world.disk).device.sensors, expected)
  }

  @Test func whatIsOnTheDiskAlreadyIsNotWrittenOnceMore() throws {
    let world = try alone()
    world.remember(try plainSensor(.heart))
    world.onStore = { _, _ in Issue.record("a write") }
    world.remember(try plainSensor(.heart))
    expect(told(world).count, 1)
    let empty = try alone()
    empty.onStore = { _, _ in Issue.record("a write") }
    empty.forgetSensors()
    #expect(told(empty).isEmpty)
  }

  /// Another name, or handles after an update of the sensor.
  @Test func aSensorThatIsKnownBetterIsSavedAndNotForgotten() throws {
    let world = try alone()
    let first = try plainSensor(.speed)
    let name = Array("Garmin".utf8)
    let renamed = RememberedSensor(
      .speed, address: first.address, handles: .none, name: name.span)
    let second = try #require(renamed)
    world.remember(first)
    world.remember(second)
    expect(told(world), ["remembered speed speed 1", "remembered speed Garmin"])
    expect(try World.started(with: world.disk).device.sensors[.speed], second)
  }

  // MARK: - Beside the phone

  @Test func forgettingTheSensorsKeepsThePhone() throws {
    let world = try paired()
    let phone = Finding(world.disk).bond
    world.remember(try plainSensor(.heart))
    world.remember(try plainSensor(.speed))
    world.forgetSensors()
    #expect(world.device.sensors.isEmpty)
    expect(told(world).suffix(2), ["forgotten heart heart 1", "forgotten speed speed 1"])
    let again = try World.started(with: world.disk)
    expect(again.device.sensors.isEmpty && Finding(again.disk).bond == phone && phone != nil)
    expect(world.states("link").last, "encrypted", "nor is its link touched")
  }

  @Test func theBrightnessThatWaitsIsWrittenWithASensor() throws {
    let world = try alone()
    var writes = 0
    world.onStore = { _, _ in writes += 1 }
    world.press("A")
    world.pass(1_000)
    world.remember(try plainSensor(.heart))
    world.pass(1_200_000)
    let found = Finding(world.disk)
    expect(try writes == 1 && found.isDim && found.sensors == plainSensors([.heart]))
  }

  // MARK: - While something else is to be written

  /// What the rider does while the disk has done nothing yet.
  enum Wish: Equatable, Sendable {
    case remember(SensorKind, UInt8 = 1)
    case forgetSensors, forgetPhone, dim, wheel
  }

  /// All of it is on the disk in the end, and the last word counts.
  @Test(
    arguments: [
      [.forgetPhone, .remember(.heart)], [.remember(.heart), .forgetPhone],
      [.forgetPhone, .forgetSensors], [.forgetSensors, .forgetPhone],
      [.remember(.heart), .remember(.power)], [.remember(.heart), .remember(.heart, 2)],
      [.remember(.heart), .forgetSensors], [.forgetSensors, .remember(.heart)],
      [.remember(.heart), .forgetPhone, .forgetSensors],
      [.forgetPhone, .remember(.heart), .forgetSensors, .remember(.speed)],
      [.dim, .forgetPhone], [.forgetPhone, .wheel],
    ] as [[Wish]], [0, 1, 2])
  func changesAtTheSameTimeAreAllWritten(_ wishes: [Wish], _ writesBetween: Int) throws {
    let world = try paired()
    world.remember(try plainSensor(.radar))
    var disk = world.disk
    var device = startedDevice(disk)
    var expected = Finding(disk)
    for wish in wishes {
      switch wish {
      case .remember(let kind, let number):
        let sensor = try plainSensor(kind, number)
        device.remember(sensor, at: Instant(milliseconds: 0))
        expected.sensors.set(sensor)
      case .forgetSensors:
        device.forgetSensors(at: Instant(milliseconds: 0))
        expected.sensors = RememberedSensors()
      case .forgetPhone:
        device.receive(.bLong, at: Instant(milliseconds: 0))
        expected.bond = nil
      case .dim:
        device.receive(.aLong, at: Instant(milliseconds: 0))
        expected.isDim = true
      case .wheel:
        device.store.keep(circumference: 2_250)
        device.advance(to: Instant(milliseconds: 0))
        expected.circumference = 2_250
      }
      write(&device, to: &disk, limit: writesBetween)
    }
    write(&device, to: &disk, limit: 9)
    expect(Finding(disk), expected)
    expect(device.sensors, expected.sensors)
    let isPhoneKept = device.host.security.memory != .nothing
    expect(isPhoneKept, (expected.bond != nil))
  }

  private func write(_ device: inout Device<SeededCrypto>, to disk: inout [UInt8], limit: Int) {
    for _ in 0..<limit where !device.storeOutput.isEmpty {
      let (bytes, offset) = (array(device.storeOutput), device.storeOutputOffset)
      disk.replaceSubrange(offset..<offset + bytes.count, with: bytes)
      device.storeOutputWasWritten(at: Instant(milliseconds: 0))
    }
  }

  /// Before the bond is to be written, and behind it; once each, in one write or in two.
  @Test(arguments: [("link", "encrypted"), ("pairing", "done"), ("bond", "saved")])
  func aSensorThatIsKeptInTheMiddleOfAPairingIsThereWithThePhone(
    _ event: String, _ state: String
  ) throws {
    let world = try World(Self.settings, pairs: true)
    world.advertise()
    world.pass(1_000)
    let strap = try plainSensor(.heart)
    world.onEvent = { [unowned world] in
      if $0.name == event, $0["state"] == state { world.device.remember(strap, at: world.now) }
    }
    world.press("a")
    world.pass(5_000)
    let found = Finding(world.disk)
    expect(try found.bond != nil && found.sensors == plainSensors([.heart]))
    expect(told(world), ["remembered heart heart 1"])
    expect(world.states("bond"), ["saved"])
  }

  // MARK: - What fails

  /// Told as any failure of the store; what was not kept does not come back by itself.
  @Test(arguments: [false, true])
  func aSensorThatCannotBeWrittenIsNotRemembered(_ forgets: Bool) throws {
    let world = try paired()
    world.remember(try plainSensor(.heart))
    let before = Finding(world.disk)
    world.faults[.store] = .noSpace
    if forgets { world.forgetSensors() } else { world.remember(try plainSensor(.power)) }
    world.pass(100)
    expect(world.device.sensors == before.sensors && told(world).count == 1)
    expect(world.events("error").compactMap { $0["source"] }, ["store"])
    expect(world.states("link").last, "encrypted")
    // The store is closed by now.
    if forgets { world.forgetSensors() } else { world.remember(try plainSensor(.power)) }
    expect(world.events("error").count, 2, "the rider has asked again")
    world.faults[.store] = nil
    world.pass(10_000)
    expect(Finding(world.disk) == before && world.device.sensors == before.sensors)
    world.remember(try plainSensor(.power))
    expect(try Finding(world.disk).sensors == plainSensors([.heart, .power]))
  }

  /// Both come to nothing with the one write.
  @Test func aPhoneThatCannotBeForgottenAndASensorThatCannotBeKeptStayAsTheyWere() throws {
    let world = try paired()
    let before = Finding(world.disk)
    world.faults[.store] = .noSpace
    let strap = try plainSensor(.heart)
    world.onEvent = { [unowned world] in
      if $0.name == "button" { world.device.remember(strap, at: world.now) }
    }
    world.press("B")
    world.pass(100)
    expect(world.shows(.unpairFailed) && world.device.sensors.isEmpty)
    world.faults[.store] = nil
    world.pass(10_000)
    expect(Finding(world.disk) == before && told(world).isEmpty)
  }

  // MARK: - Where none are used

  @Test func withSensorsOffNoneIsThereAndThoseOnTheDiskStay() throws {
    let off = Self.settings + ["sensors=off"]
    let first = try paired()
    first.remember(try plainSensor(.heart))
    let world = try World.started(with: first.disk, off)
    #expect(world.device.sensors.isEmpty)
    world.onStore = { _, _ in Issue.record("a write") }
    world.remember(try plainSensor(.power))
    world.forgetSensors()
    expect(world.device.sensors.isEmpty && told(world).isEmpty && world.disk == first.disk)
    // A write for anything else has them with it.
    world.onStore = { _, _ in }
    world.press("AB")
    world.pass(10_000)
    let found = Finding(world.disk)
    expect(try found.bond == nil && found.isDim && found.sensors == plainSensors([.heart]))
    expect(try World.started(with: world.disk).device.sensors == plainSensors([.heart]))
  }
}

import Bond
import BondFile
import Bytes
import Expecting
import PlainBonds
import Sensors
import TestSupport

/// The keys of sensors in the store, and the stores that were written before there were any.
@Suite struct SensorKeyTests {
  private static let key = [UInt8](0xA0...0xAF)

  private func octets(_ bytes: [UInt8]) -> Bond.Key {
    var key = Bond.Key()
    for index in bytes.indices { key[index] = bytes[index] }
    return key
  }

  private func paired(_ kind: SensorKind, _ key: [UInt8] = SensorKeyTests.key) throws
    -> RememberedSensor
  {
    try plainSensor(kind).with(key: octets(key))
  }

  /// One write of these sensors beside what the disk has.
  private func write(_ sensors: RememberedSensors, to disk: inout Disk) {
    var store = BondStore(disk.bytes.span)
    store.newSensors = sensors
    switch store.bond(in: disk.bytes.span) {
    case .some(let bond): store.save(bond, isDim: store.isDim)
    case .none: store.saveWithoutBond(isDim: store.isDim)
    }
    disk.finish(&store)
  }

  private func hasOldKey(_ disk: Disk) -> Bool {
    let store = BondStore(disk.bytes.span)
    return store.hasOldSensorKey
  }

  @Test func centralBehaviour100_theKeyOfASensorIsBehindItsName() throws {
    var disk = Disk()
    var sensors = try plainSensors([.speed])
    sensors.set(try paired(.heart))
    write(sensors, to: &disk)
    expect(disk.sensors == sensors && disk.sensors[.heart]?.key == octets(Self.key))
    expect(disk.sensors[.speed]?.key, nil)
    expect(
      hex(Array(disk.bytes[284 + 33..<284 + 56])), hex([1] + Self.key + bytes("000000000000")))
  }

  @Test func centralBehaviour100_aReportHasNoKeyOfASensor() throws {
    var disk = Disk()
    var sensors = try plainSensors()
    for kind in everyKind { sensors.set(try paired(kind)) }
    write(sensors, to: &disk)
    var text = FixedBuffer<4096>()
    BondStore.describe(disk.bytes.span, into: &text)
    let words = string(text.bytes)
    expect(!words.contains("a5a6") && words.contains(hex(Array("radar 1".utf8), separator: "")))
  }

  /// The second write comes where the first one has left one.
  @Test func centralBehaviour100_forgettingASensorLeavesNoKeyOfIt() throws {
    var disk = try Disk(after: .save(1))
    var sensors = RememberedSensors()
    sensors.set(try paired(.heart))
    write(sensors, to: &disk)
    expect(!hasOldKey(disk) && disk.holds(Self.key))
    write(RememberedSensors(), to: &disk)
    expect(hasOldKey(disk) && disk.holds(Self.key) && disk.sensors.isEmpty)
    write(RememberedSensors(), to: &disk)
    expect(!hasOldKey(disk) && !disk.holds(Self.key))
    expect(disk.finding, .bond(PlainBond(number: 1)))
  }

  @Test func centralBehaviour100_aNewKeyLeavesNoOldOne() throws {
    var disk = Disk()
    var sensors = RememberedSensors()
    sensors.set(try paired(.heart))
    write(sensors, to: &disk)
    sensors.set(try paired(.heart, [UInt8](0x50...0x5F)))
    write(sensors, to: &disk)
    expect(hasOldKey(disk))
    write(sensors, to: &disk)
    expect(!disk.holds(Self.key) && disk.holds([UInt8](0x50...0x5F)))
  }

  @Test func centralBehaviour97_speedAndCadenceChangePlacesWithTheirKeysAndNames() throws {
    var sensors = try plainSensors([.heart])
    let speed = try paired(.speed)
    sensors.set(speed)
    sensors.exchangeSpeedAndCadence()
    expect(sensors[.speed] == nil && sensors[.cadence] == speed.of(.cadence))
    expect(sensors.sensor(speed.address)?.kind, .cadence)
    sensors.exchangeSpeedAndCadence()
    expect(sensors[.speed] == speed && sensors[.cadence] == nil)
  }
}

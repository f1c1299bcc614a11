import Bond
import Bytes
import PlainBonds
import Sensors
import TestSupport
import Testing

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

  /// As that program laid it out, byte by byte; the checksum is that of Python's `zlib.crc32`.
  @Test func centralBehaviour97_aStoreOfVersion020WithAPhoneAndFourSensorsIsReadWithNothingLost()
    throws
  {
    func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
    let phone = bytes(
      """
      89 4c 4b 42 4f 4e 44 0a 02 01 51 00 07 00 00 00 0b 01 02 00 00 ee ff c0
      60 61 62 63 64 65 66 67 68 69 6a 6b 6c 6d 6e 6f 70 71 72 73 74 75 76 77 78 79 7a 7b 7c 7d 7e 7f
      07 70 68 6f 6e 65 20 32
      """)
    let sensors = [
      "01 01 01 00 00 ee ff d0 01 00 02 00 07 68 65 61 72 74 20 31",
      "01 01 01 01 00 ee ff d0 01 01 02 01 07 73 70 65 65 64 20 31",
      "01 01 01 02 00 ee ff d0 01 02 02 02 07 70 6f 77 65 72 20 31",
      "01 01 01 03 00 ee ff d0 01 03 02 03 07 72 61 64 61 72 20 31",
    ].flatMap { bytes($0) + zeros(36) }
    let handles = bytes("21 00 22 00 23 00 24 00")
    var disk = Disk(
      bytes: phone + zeros(25) + handles + zeros(8) + bytes("01 39 08") + zeros(176) + sensors
        + bytes("e3 8b dc 40"))
    let four = try plainSensors([.heart, .speed, .power, .radar])
    let all = Disk.Contents(
      finding: .bond(PlainBond(number: 2)), isDim: true, circumference: 2_105, sensors: four)
    #expect(disk.bytes.count == 512 && disk.condition == .sound && disk.contents == all)
    #expect(!hasOldKey(disk))
    // The fifth one is added, and none is lost.
    try disk.change(.remember(.cadence))
    #expect(try disk.sensors == plainSensors() && disk.finding == all.finding)
    #expect(disk.isDim && disk.circumference == 2_105)
  }

  @Test func centralBehaviour100_theKeyOfASensorIsBehindItsName() throws {
    var disk = Disk()
    var sensors = try plainSensors([.speed])
    sensors.set(try paired(.heart))
    write(sensors, to: &disk)
    #expect(disk.sensors == sensors && disk.sensors[.heart]?.key == octets(Self.key))
    #expect(disk.sensors[.speed]?.key == nil)
    #expect(
      hex(Array(disk.bytes[284 + 33..<284 + 56])) == hex([1] + Self.key + bytes("000000000000")))
  }

  @Test func centralBehaviour100_aReportHasNoKeyOfASensor() throws {
    var disk = Disk()
    var sensors = try plainSensors()
    for kind in everyKind { sensors.set(try paired(kind)) }
    write(sensors, to: &disk)
    var text = FixedBuffer<4096>()
    BondStore.describe(disk.bytes.span, into: &text)
    let words = string(text.bytes)
    #expect(!words.contains("a5a6") && words.contains(hex(Array("radar 1".utf8), separator: "")))
  }

  /// The second write comes where the first one has left one.
  @Test func centralBehaviour100_forgettingASensorLeavesNoKeyOfIt() throws {
    var disk = Disk()
    try disk.change(.save(1))
    var sensors = RememberedSensors()
    sensors.set(try paired(.heart))
    write(sensors, to: &disk)
    #expect(!hasOldKey(disk) && disk.holds(Self.key))
    write(RememberedSensors(), to: &disk)
    #expect(hasOldKey(disk) && disk.holds(Self.key) && disk.sensors.isEmpty)
    write(RememberedSensors(), to: &disk)
    #expect(!hasOldKey(disk) && !disk.holds(Self.key))
    #expect(disk.finding == .bond(PlainBond(number: 1)))
  }

  @Test func centralBehaviour100_aNewKeyLeavesNoOldOne() throws {
    var disk = Disk()
    var sensors = RememberedSensors()
    sensors.set(try paired(.heart))
    write(sensors, to: &disk)
    sensors.set(try paired(.heart, [UInt8](0x50...0x5F)))
    write(sensors, to: &disk)
    #expect(hasOldKey(disk))
    write(sensors, to: &disk)
    #expect(!disk.holds(Self.key) && disk.holds([UInt8](0x50...0x5F)))
  }

  @Test func centralBehaviour97_speedAndCadenceChangePlacesWithTheirKeysAndNames() throws {
    var sensors = try plainSensors([.heart])
    let speed = try paired(.speed)
    sensors.set(speed)
    sensors.exchangeSpeedAndCadence()
    #expect(sensors[.speed] == nil && sensors[.cadence] == speed.of(.cadence))
    #expect(sensors.sensor(speed.address)?.kind == .cadence)
    sensors.exchangeSpeedAndCadence()
    #expect(sensors[.speed] == speed && sensors[.cadence] == nil)
  }
}

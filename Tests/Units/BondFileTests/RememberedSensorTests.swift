import Bond
import BondFile
import Bytes
import Expecting
import PlainBonds
import Sensors
import TestSupport

/// Which sensors are remembered, and how they stand in the store.
struct RememberedSensorTests {
  private func made(
    _ value: UInt64, _ type: AddressType, name: [UInt8] = []
  ) -> RememberedSensor? {
    RememberedSensor(.heart, address: DeviceAddress(value, type), name: name.span)
  }

  private func name(_ sensor: RememberedSensor) -> String { string(sensor.name) }

  // MARK: - Who can be remembered

  /// Resolvable, not resolvable, reserved; and what a controller says that it resolved.
  @Test(
    arguments: [
      (0x4000_0000_0000, .random), (0x0000_1234_5678, .random), (0x8000_0000_0001, .random),
      (0x4000_0000_0000, .randomIdentity),
    ] as [(UInt64, AddressType)])
  func aSensorWithAnAddressThatChangesCannotBeRemembered(_ value: UInt64, _ type: AddressType) {
    expect(made(value, type), nil)
  }

  @Test(
    arguments: [
      (0x0000_0000_0001, .public, .public), (0xC000_0000_0001, .random, .random),
      (0x0000_0000_0001, .publicIdentity, .public), (0xC000_0000_0001, .randomIdentity, .random),
    ] as [(UInt64, AddressType, AddressType)])
  func aFixedAddressIsThePublicOrRandomOneThatItIs(
    _ value: UInt64, _ type: AddressType, _ remembered: AddressType
  ) throws {
    let sensor = try #require(made(value, type))
    expect(sensor.address, DeviceAddress(value, remembered))
  }

  @Test(arguments: [
    ("", ""), ("Polar H10 12345678", "Polar H10 12345678"),
    ("12345678901234567890", "12345678901234567890"),
    ("123456789012345678901", "12345678901234567890"),
    ("1234567890123456789ü", "1234567890123456789"),
    ("123456789012345678ü", "123456789012345678ü"),
  ])
  func aNameIsCutToTheCharactersThatAreWholeIn20Bytes(_ name: String, _ kept: String) throws {
    let sensor = try #require(made(0xC000_0000_0001, .random, name: Array(name.utf8)))
    expect(self.name(sensor), kept)
  }

  @Test func ofEachKindThereIsOneAndANewOneTakesThePlaceOfTheOldOne() throws {
    var sensors = RememberedSensors()
    #expect(sensors.isEmpty)
    for number: UInt8 in 1...2 {
      for kind in everyKind {
        let sensor = try plainSensor(kind, number)
        sensors.set(sensor)
        expect(sensors[kind], sensor)
      }
    }
    let expected = try plainSensors(everyKind, 2)
    expect(sensors == expected && !sensors.isEmpty)
  }

  // MARK: - In the store

  /// A strap at D1:02:03:04:05:06, with its value at 0x0010, as the table of the record has it.
  private static let strap =
    bytes("01 01 06 05 04 03 02 d1 10 00 11 00 03 48 31 30") + [UInt8](repeating: 0, count: 40)

  @Test(arguments: [HandMade.erased, .bond(2)], [0, 1, 2, 3, 4])
  func aSensorIsAtThePlaceOfItsKind(_ content: HandMade, _ number: Int) throws {
    let kind = try #require(SensorKind(rawValue: UInt8(number)))
    let name = Array("H10".utf8)
    let expected = RememberedSensor(
      kind, address: DeviceAddress(0xD102_0304_0506, .random),
      handles: SubscribedHandles(value: 0x10, configuration: 0x11), name: name.span)
    var sensors = RememberedSensors()
    sensors.set(try #require(expected))
    // The fifth kind came before the others.
    let place = number < 4 ? 284 + 56 * number : 228
    let made = record(content, sequence: 7) {
      $0.replaceSubrange(place..<place + 56, with: Self.strap)
    }
    let disk = Disk(bytes: made)
    expect(disk.sensors == sensors && disk.condition == .sound)
    // Written once more, all of it is in the other record.
    var copy = Disk(bytes: record(content, sequence: 6))
    write(sensors, to: &copy)
    expect(Array(copy.bytes[512...]), made)
  }

  /// No sensor, an address type that there is not, an address that changes, a name that is too long.
  @Test(arguments: [(0, 0), (0, 2), (0, 0xFF), (1, 4), (7, 0x7F), (7, 0), (12, 21), (12, 0xFF)])
  func aSensorThatMakesNoSenseCostsNeitherThePhoneNorTheOthers(_ index: Int, _ value: UInt8) throws
  {
    let radar = try plainSensor(.radar)
    var disk = Disk(bytes: record(.bond(2), sequence: 6))
    try disk.change(.remember(.radar))
    let radarBytes = Array(disk.bytes[512 + 284 + 3 * 56..<1020])
    let bad = record(.bond(2), sequence: 8) {
      $0.replaceSubrange(284..<284 + 56, with: Self.strap)
      $0[284 + index] = value
      $0.replaceSubrange(284 + 3 * 56..<508, with: radarBytes)
    }
    let found = Disk(bytes: bad)
    expect(found.sensors[.heart] == nil && found.sensors[.radar] == radar)
    expect(found.finding == .bond(PlainBond(number: 2)) && found.condition == .sound)
  }

  /// The first write of the erasure may be on its way already.
  @Test func sensorsThatAreChangedInTheMiddleOfAnErasureAreInItsRest() throws {
    var disk = try Disk(after: .save(1))
    var store = BondStore(disk.bytes.span)
    store.erase(isDim: false)
    disk = disk.written(Write(offset: store.outputOffset, bytes: array(store.output)), upTo: 512)
    let strap = try plainSensors([.heart])
    store.newSensors = strap
    store.outputWasWritten()
    disk.finish(&store)
    expect(disk.finding == .erased && disk.sensors == strap)
    expect(!disk.holds(PlainBond(number: 1).ltk))
  }

  // MARK: - Their keys

  private static let key = [UInt8](0xA0...0xAF)

  private func octets(_ bytes: [UInt8]) -> Bond.Key {
    var key = Bond.Key()
    for index in bytes.indices { key[index] = bytes[index] }
    return key
  }

  private func paired(_ kind: SensorKind, _ key: [UInt8] = RememberedSensorTests.key) throws
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

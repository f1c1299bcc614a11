import Bytes
import Expecting
import Sensors

/// By which numbers sensors are found: those of the Bluetooth SIG, and of the radar's maker.
struct SensorKindTests {
  @Test(
    arguments: [
      (.heart, 0x180D, 0x2A37), (.speed, 0x1816, 0x2A5B), (.power, 0x1818, 0x2A63),
      (.cadence, 0x1816, 0x2A5B),
    ] as [(SensorKind, UInt32, UInt32)])
  func aKindHasItsServiceAndItsMeasurement(
    _ kind: SensorKind, _ service: UInt32, _ measurement: UInt32
  ) {
    expect(kind.service, UUID(short: service))
    expect(kind.advertisedService, UUID(short: service))
    expect(kind.characteristic, UUID(short: measurement))
  }

  /// A store of before has the first four at these places.
  @Test func theNumberOfAKindIsItsPlaceInTheStore() {
    let kinds: [SensorKind] = [.heart, .speed, .power, .radar, .cadence]
    expect(kinds.map(\.rawValue) == [0, 1, 2, 3, 4] && SensorKind.count == 5)
    expect(Array(SensorKind.all), kinds)
  }

  @Test(arguments: SensorKind.all) func whatIsOfOneKindIsOfNoOther(_ kind: SensorKind) {
    var names = PerKind(repeating: "")
    var kinds = SensorKinds()
    names[kind] = "one"
    kinds.insert(kind)
    expect(SensorKind.all.filter { names[$0] == "one" }, [kind])
    expect(SensorKind.all.filter { kinds.contains($0) } == [kind] && kinds.count == 1)
    expect(names != PerKind(repeating: "") && kinds != SensorKinds())
  }

  /// Each kind is worth more than the one before, and only speed and cadence are of one service.
  @Test func onlyTwoKindsChangePlaces() {
    let kinds = (0..<SensorKind.count).map { SensorKind.worth($0) }
    expect(kinds, [.heart, .cadence, .speed, .power, .radar])
    expect(kinds.map(\.worth), [0, 1, 2, 3, 4])
    expect(kinds.map(\.twin), [nil, .speed, .cadence, nil, nil])
    var names = PerKind(repeating: "other")
    (names[.speed], names[.cadence]) = ("wheel", "crank")
    names.swapAt(.speed, .cadence)
    expect(SensorKind.all.map { names[$0] }, ["other", "crank", "other", "other", "wheel"])
  }

  @Test func aRadarAdvertisesTheShortNumberOfItsMaker() {
    expect(SensorKind.radar.advertisedService, UUID(short: 0xFE1F))
    expect(SensorKind.radar.service, UUID(0x6A4E_3200_667B_11E3, 0x949A_0800_200C_9A66))
    expect(SensorKind.radar.characteristic, UUID(0x6A4E_3203_667B_11E3, 0x949A_0800_200C_9A66))
  }
}

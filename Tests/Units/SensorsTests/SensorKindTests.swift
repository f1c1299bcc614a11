import Bytes
import Sensors
import Testing

/// By which numbers sensors are found: those of the Bluetooth SIG, and of the radar's maker.
@Suite struct SensorKindTests {
  @Test(
    arguments: [
      (.heart, 0x180D, 0x2A37), (.speed, 0x1816, 0x2A5B), (.power, 0x1818, 0x2A63),
    ] as [(SensorKind, UInt32, UInt32)])
  func aKindHasItsServiceAndItsMeasurement(
    _ kind: SensorKind, _ service: UInt32, _ measurement: UInt32
  ) {
    #expect(kind.service == UUID(short: service))
    #expect(kind.advertisedService == UUID(short: service))
    #expect(kind.characteristic == UUID(short: measurement))
  }

  @Test func aRadarAdvertisesTheShortNumberOfItsMaker() {
    #expect(SensorKind.radar.advertisedService == UUID(short: 0xFE1F))
    #expect(SensorKind.radar.service == UUID(0x6A4E_3200_667B_11E3, 0x949A_0800_200C_9A66))
    #expect(SensorKind.radar.characteristic == UUID(0x6A4E_3203_667B_11E3, 0x949A_0800_200C_9A66))
  }
}

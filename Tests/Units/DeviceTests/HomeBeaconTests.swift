import Beacons
import Bytes
import DeviceState
import Expecting
import TestSupport
import VirtualAir

/// Which advertisements are those of the beacon at home.
@Suite struct HomeBeaconTests {
  private static let uuid = UUID(0xE20A_39F4_73F5_4BC4, 0xA12F_17D1_AD07_A961)
  private let beacon = VirtualBeacon()

  /// Whether a packet that comes each second for 20 s brings the device home.
  private func isHome(_ home: HomeBeacon?, _ packet: [UInt8]) -> Bool {
    var home = Home(home)
    for second in Int64(0)..<20 {
      let now = Instant(milliseconds: second * 1_000)
      home.hear(packet.span, at: now)
      if let isHere = home.conclusion(at: now) { home.conclude(isHere: isHere) }
      _ = home.advance(isListening: true, to: now)
    }
    return home.isHere
  }

  /// An LE Advertising Report of these advertisements: type, address, data.
  private func report(_ advertisements: [(UInt8, [UInt8], [UInt8])]) -> [UInt8] {
    var reports: [UInt8] = []
    for (type, address, data) in advertisements {
      reports += [type] + address + [UInt8(data.count)] + data + [0xC4]
    }
    let count = UInt8(advertisements.count)
    return [0x04, 0x3E, UInt8(reports.count + 2), 0x02, count] + reports
  }

  @Test(
    arguments: [
      (HomeBeacon(uuid), true), (HomeBeacon(uuid, major: 7), true),
      (HomeBeacon(uuid, major: 7, minor: 515), true), (HomeBeacon(uuid, major: 8), false),
      (HomeBeacon(uuid, major: 7, minor: 516), false),
      (HomeBeacon(uuid, major: 515, minor: 7), false),
      (HomeBeacon(UUID(0xE20A_39F4_73F5_4BC4, 0xA12F_17D1_AD07_A962), major: 7, minor: 515), false),
      (HomeBeacon(UUID(0xE20A_39F4_73F5_4BC5, 0xA12F_17D1_AD07_A961), major: 7, minor: 515), false),
      (nil, false),
    ] as [(HomeBeacon?, Bool)])
  func theBeaconOfTheKeyIsHeardAndNoOther(_ home: HomeBeacon?, _ isHeard: Bool) {
    expect(isHome(home, report([(3, beacon.address, beacon.advertisement)])), isHeard)
  }

  @Test func itMayStandBehindOthersInAnExtendedReport() {
    let data = bytes("05 ff 4c 00 10 00") + beacon.advertisement
    let report =
      bytes("10 00 01 42 00 00 00 00 c1 01 00 ff 7f c4 00 00") + [UInt8](repeating: 0, count: 7)
      + [UInt8(data.count)] + data
    let packet: [UInt8] = [0x04, 0x3E, UInt8(report.count + 2), 0x0D, 1] + report
    expect(isHome(HomeBeacon(Self.uuid), packet))
  }

  @Test func itMayBeTheLastOfManyInAPacket() {
    let others = (1..<5 as Range<UInt16>).map {
      (3 as UInt8, beacon.address, VirtualBeacon(minor: $0).advertisement)
    }
    let packet = report(others + [(3, beacon.address, beacon.advertisement)])
    expect(isHome(HomeBeacon(Self.uuid, major: 7, minor: 515), packet))
  }

  @Test func everyPrefixOfAPacketIsHarmless() {
    let packet = report([(3, beacon.address, beacon.advertisement)])
    for count in 0..<packet.count {
      expect(!isHome(HomeBeacon(Self.uuid), Array(packet.prefix(count))), "\(count) bytes")
    }
  }
}

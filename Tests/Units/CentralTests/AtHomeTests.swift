import Beacons
import Bytes
import Central
import Expecting
import HCI
import TestSupport
import VirtualAir

/// What the host hears of the beacon at home, and how it listens there.
@Suite struct AtHomeTests {
  private let beacon = VirtualBeacon()

  private static let uuid = UUID(0xE20A_39F4_73F5_4BC4, 0xA12F_17D1_AD07_A961)
  private static let home = HomeBeacon(uuid, major: 7, minor: 515)

  /// 64 ms of each 640 ms, for a phone that is remembered.
  private static let slowScan = "01 0b 20 07 00 00 04 66 00 00 00"
  /// 60 ms of each 60 ms.
  private static let fastScan = "01 0b 20 07 00 60 00 60 00 00 00"

  private func stand(
    beside beacon: VirtualBeacon, _ scene: Encounter, seconds: Int, rssi: Int8 = -60
  ) {
    for _ in 0..<seconds {
      scene.controller.advertise(scene.central, beacon, rssi: rssi)
      scene.central.pass(1_000)
    }
  }

  /// Searches for whoever comes, and hears one beacon for 20 s.
  private func states(
    _ home: HomeBeacon?, _ beacon: VirtualBeacon, _ report: (Central, VirtualController) -> Void
  ) -> [HostEvent] {
    let (central, controller) = BringUpTests.started(home: home)
    _ = central.takeEvents()
    for _ in 0..<20 {
      report(central, controller)
      central.pass(1_000)
    }
    return central.takeEvents()
  }

  // MARK: - Which beacon

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
    let events = states(home, beacon) { central, controller in
      controller.advertise(central, beacon)
    }
    expect(events, (isHeard ? [.home(.atRest)] : []))
  }

  @Test func itMayStandBehindOthersInAnExtendedReport() {
    let events = states(Self.home, beacon) { central, _ in
      let data = bytes("05 ff 4c 00 10 00") + beacon.advertisement
      let report =
        bytes("10 00 01 42 00 00 00 00 c1 01 00 ff 7f c4 00 00") + [UInt8](repeating: 0, count: 7)
        + [UInt8(data.count)] + data
      central.hears([0x04, 0x3E, UInt8(report.count + 2), 0x0D, 1] + report)
    }
    expect(events, [.home(.atRest)])
  }

  /// A street of others' beacons makes no event, so that none has no room.
  @Test func aStreetOfBeaconsPushesNothingOut() {
    let (central, controller) = BringUpTests.started(home: Self.home)
    _ = central.takeEvents()
    for minor in UInt16(0)..<2_000 { controller.advertise(central, VirtualBeacon(minor: minor)) }
    controller.phone = VirtualPhone()
    controller.advertise(central)
    expect(central.takeEvents().count, 1, "the phone")
  }

  /// As many as there is room for in one event.
  @Test func manyReportsOfTheBeaconAtOncePushNothingOut() {
    let (central, controller) = BringUpTests.started(home: Self.home)
    let report = [3] + beacon.address + [30] + beacon.advertisement + [0xC4]
    func hear(behind reports: [UInt8], count: UInt8) {
      let reports = (0..<5).flatMap { _ in report } + reports
      central.hears([0x04, 0x3E, UInt8(reports.count + 2), 0x02, count] + reports)
    }
    _ = central.takeEvents()
    for _ in 0..<11 {
      hear(behind: [], count: 5)
      central.pass(1_000)
    }
    expect(central.takeEvents(), [.home(.atRest)])
    let phone = VirtualPhone()
    controller.phone = phone
    let last = [0] + phone.address + [UInt8(phone.advertisement.count)] + phone.advertisement
    hear(behind: last + [0xC4], count: 6)
    expect(central.takeEvents().count, 1, "the phone")
  }

  // MARK: - How it listens

  /// A remembered phone that was lost in a ride: it is searched for without pause for ten minutes.
  ///
  /// How many seconds it stands beside the beacon then.
  private func lost(seconds: Int = 20) -> Encounter {
    let scene = Encounter(home: Self.home)
    scene.pair()
    _ = scene.meet()
    _ = scene.central.takeSaid()
    scene.lose()
    #expect(scene.central.takeSaid().contains(Self.fastScan))
    stand(beside: beacon, scene, seconds: seconds)
    return scene
  }

  @Test func whoIsAtRestListensATenthOfTheTime() {
    let scene = lost(seconds: 10)
    expect(scene.central.takeSaid(), [])
    stand(beside: beacon, scene, seconds: 60)
    expect(scene.central.takeSaid(), ["01 0c 20 02 00 00", Self.slowScan, "01 0c 20 02 01 00"])
    expect(scene.central.takeEvents(), [.home(.atRest), .scan(.slow)])
    expect(scene.central.ask { $0.isAtHome })
  }

  @Test func whoIsUsedListensAsBefore() {
    let scene = lost()
    _ = scene.central.takeSaid()
    _ = scene.central.takeEvents()
    scene.central.change { $0.noteUse(at: $1) }
    expect(scene.central.takeEvents(), [.home(.here), .scan(.fast)])
    scene.central.pass(1)
    #expect(scene.central.takeSaid().contains(Self.fastScan))
    stand(beside: beacon, scene, seconds: 570)
    expect(scene.central.takeSaid(), [])
    // The ten minutes after the ride are over before those after the use.
    stand(beside: beacon, scene, seconds: 40)
    expect(scene.central.takeEvents(), [.scan(.slow), .home(.atRest)])
  }

  @Test func whoIsAwayListensAsBefore() {
    let scene = lost()
    _ = scene.central.takeEvents()
    scene.controller.report(bytes("01 77 66 55 44 33 62"), [2, 1, 6], scene.central)
    scene.central.pass(30_000)
    expect(scene.central.takeEvents(), [.home(.away), .scan(.fast)])
    expect(!scene.central.ask { $0.isAtHome })
  }

  /// The rider asked, whatever a beacon says.
  @Test func aSearchThatTheRiderAskedForIsNeverSlow() {
    let scene = lost()
    scene.central.searchFast()
    _ = scene.central.takeEvents()
    stand(beside: beacon, scene, seconds: 29)
    expect(scene.central.takeEvents(), [])
    stand(beside: beacon, scene, seconds: 2)
    expect(scene.central.takeEvents(), [.scan(.slow)])
  }

  @Test func theSlowScanFindsThePhone() {
    let scene = lost()
    _ = scene.central.takeEvents()
    let events = scene.meet()
    #expect(events.contains(.ready(isSubscribed: true)))
    #expect(events.contains(.home(.away)))
  }

  // MARK: - When it does not listen

  @Test func aLinkBeginsAnewAndHearsNoBeacon() {
    let scene = lost()
    _ = scene.meet()
    _ = scene.central.takeEvents()
    for _ in 0..<60 {
      scene.controller.report(beacon.address, beacon.advertisement, type: 3, scene.central)
      scene.central.pass(1_000)
    }
    expect(!scene.central.takeEvents().contains { if case .home = $0 { true } else { false } })
    scene.controller.disconnect(reason: 0x08, scene.central)
    stand(beside: beacon, scene, seconds: 10)
    expect(!scene.central.ask { $0.isAtHome })
    stand(beside: beacon, scene, seconds: 1)
    expect(scene.central.ask { $0.isAtHome })
  }

  /// Of the silence when it was last told where the device is: until `away`, in milliseconds.
  private func silence(_ scene: Encounter) -> Int64 {
    let start = scene.central.now
    while scene.central.now < start + 60_000 {
      scene.central.pass(10)
      if scene.central.takeEvents().contains(.home(.away)) { break }
    }
    return scene.central.now - start
  }

  /// It is called back after five seconds.
  @Test func anAttemptIsNoSilence() {
    let scene = lost()
    scene.central.pass(19_000)
    scene.controller.connects = false
    scene.controller.advertise(scene.central)
    expect(scene.central.stage, .connecting)
    expect(silence(scene), 15_000)
  }

  @Test func whereNobodyIsSearchedForNobodyIsAtHome() {
    let (central, controller) = BringUpTests.started(pairing: .preferred, home: Self.home)
    _ = central.takeEvents()
    for _ in 0..<60 {
      controller.advertise(central, beacon)
      central.pass(1_000)
    }
    expect(central.takeEvents(), [.home(.atRest), .scan(.off), .home(.away)])
    expect(central.deadline, nil)
  }

  /// It is tried for a second.
  @Test func aSensorThatHasTheRadioIsNoSilence() {
    let scene = lost(seconds: 0)
    let strap = VirtualSensor(.heart)
    strap.isNear = false
    scene.controller.sensors = [strap]
    scene.central.follow(strap)
    stand(beside: beacon, scene, seconds: 20)
    scene.central.pass(19_000)
    scene.controller.connects = false
    strap.isNear = true
    scene.controller.advertise(scene.central, strap)
    expect(scene.controller.initiating?.peer, strap.address)
    expect(silence(scene), 11_000)
  }

  @Test func aRadioThatIsBroughtUpIsNoSilence() {
    let scene = lost()
    scene.central.stop()
    scene.central.pass(600_000)
    scene.central.start()
    expect(silence(scene), 29_000)
  }
}

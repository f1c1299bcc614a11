import Bytes
import Central
import Expecting
import HCI
import TestSupport
import VirtualAir

/// A ride was lost with a phone that is not remembered: it may come back with another address, at any time.
struct LostRideTests: RidingSuite {
  let ride = FollowedRide()

  init() {
    ride.controller.disconnect(reason: 0x08, ride.central)
    ride.phone.address = bytes("01 02 02 02 02 02 c2")
    _ = ride.central.takeEvents()
  }

  /// The phone is heard again, this many milliseconds later.
  private func advertise(after milliseconds: Int64) {
    central.pass(milliseconds)
    controller.advertise(central)
  }

  /// An attempt begins that gets nowhere; the phone advertises at this interval.
  private func attempt(_ interval: Int64) {
    controller.connects = false
    advertise(after: 0)
    advertise(after: interval)
    central.pass(max(0, 180 - interval))
    expect(controller.peer, phone.address)
  }

  private var cancelCount: Int { controller.commands.count { $0 == 0x200E } }

  /// An advertisement and its scan response are one event.
  @Test(arguments: [false, true])
  func whoIsHeardOnceMayBeGoneAndIsNotConnectedTo(_ hasResponse: Bool) {
    advertise(after: 0)
    central.pass(2)
    if hasResponse { controller.report(phone.address, phone.advertisement, type: 4, central) }
    central.pass(20_000)
    expect(controller.isScanning && !controller.isConnected)
    expect(central.stage, .found)
    controller.advertise(central)
    expect(controller.isConnected, "at once")
  }

  /// Then it takes long to hear anybody twice.
  @Test func whenTheSearchIsSlowOnceIsEnough() {
    central.pass(30_000)
    expect(central.takeEvents(), [.scan(.slow)])
    advertise(after: 0)
    central.pass(180)
    expect(controller.isConnected)
  }

  /// A device that was heard before may be gone, in any of the 16 places where it is kept.
  @Test func afterASlowSearchWhoIsHeardOnceIsNotConnectedTo() {
    for _ in 0...16 {
      advertise(after: 0)
      central.pass(20_000)
      expect(!controller.isConnected)
      central.pass(10_000)
      central.searchFast()
    }
  }

  @Test func strangersHaveTheTimeToBeHeardBeforeOneIsChosen() {
    advertise(after: 0)
    advertise(after: 30)
    central.pass(149)
    expect(!controller.isConnected)
    let other = bytes("01 03 03 03 03 03 c3")
    for _ in 0..<2 {
      controller.report(other, phone.advertisement, rssi: -50, central)
    }
    central.pass(1)
    expect(
      controller.peer, phone.address, "the other one, though nearer, was heard in one event only")
  }

  @Test func whoIsHeardBesideOneThatIsGoneIsConnectedTo() {
    advertise(after: 0)
    phone.address = bytes("01 03 03 03 03 03 c3")
    advertise(after: 150)
    advertise(after: 100)
    expect(controller.isConnected && controller.peer == phone.address)
  }

  /// Two of the slowest at an address that was heard once: its interval is not known yet, and it may have gone.
  @Test(
    arguments: [
      (20, 400), (100, 400), (250, 1_000), (1_022, 4_088), (2_000, 5_000), (nil, 2_600),
    ] as [(Int64?, Int64)])
  func centralBehaviour13_anAttemptLastsFourAdvertisements(_ interval: Int64?, _ time: Int64) {
    if let interval {
      attempt(interval)
    } else {
      phone.address = VirtualPhone().address
      controller.connects = false
      advertise(after: 0)
    }
    central.pass(time - 1)
    expect(cancelCount, 0)
    central.pass(1)
    expect(cancelCount == 1 && controller.isScanning)
  }

  /// As does a link that died at once.
  @Test(arguments: [false, true])
  func centralBehaviour54_anAttemptThatFailedCostsAPhoneThatIsFollowedHalfASecond(_ isLinked: Bool)
  {
    if isLinked {
      phone.withheld = [0x06]
      advertise(after: 0)
      advertise(after: 180)
      controller.disconnect(reason: 0x3E, central)
      phone.withheld = []
    } else {
      attempt(100)
      controller.connect(central, status: 0x3E)
      controller.connects = true
    }
    for _ in 0..<4 { advertise(after: 100) }
    expect(!controller.isConnected)
    for _ in 0..<2 { advertise(after: 100) }
    central.pass(80)
    expect(controller.isConnected)
  }

  /// A remembered phone with another address than the last time.
  @Test func centralBehaviour54_anAttemptThatFailedCostsTheRememberedPhoneHalfASecond() {
    let scene = Encounter.pairedAndLost()
    scene.phone.address = scene.security.privateAddress(2)
    scene.controller.connects = false
    scene.controller.advertise(scene.central)
    scene.controller.connect(scene.central, status: 0x3E)
    scene.controller.connects = true
    scene.central.pass(499)
    scene.controller.advertise(scene.central)
    expect(!scene.controller.isConnected)
    scene.central.pass(1)
    scene.controller.advertise(scene.central)
    expect(scene.controller.isConnected)
  }

  /// Its advertisements go on while it is waited for.
  @Test func centralBehaviour54_whoFailsAgainIsAStrangerAndRestsAsSuch() {
    attempt(100)
    controller.connect(central, status: 0x3E)
    for _ in 0..<8 { advertise(after: 100) }
    expect(controller.peer, phone.address)
    controller.connect(central, status: 0x3E)
    controller.connects = true
    for _ in 0..<49 { advertise(after: 100) }
    expect(!controller.isConnected)
    for _ in 0..<4 { advertise(after: 100) }
    expect(controller.isConnected)
  }

  /// How long it takes until the phone, which advertises so seldom, is connected to beside so many
  /// strangers, all nearer and heard all the time, to which no link comes about.
  private func timeToConnect(strangers: Int, interval: Int64) -> Int64 {
    controller.connects = false
    for time in stride(from: Int64(0), to: 30_000, by: 20) {
      if time % interval < 20 { controller.advertise(central, rssi: -90) }
      if controller.peer == phone.address { return time }
      for number in 1...strangers where controller.isScanning {
        let address = bytes("01 05 05 05 05 05") + [0xC0 | UInt8(number)]
        controller.report(address, phone.advertisement, rssi: -40, central)
      }
      central.pass(20)
    }
    return 30_000
  }

  @Test(
    arguments: [(1, 152), (3, 152), (12, 152), (1, 1_022), (3, 1_022), (12, 1_022)]
      as [(Int, Int64)])
  func centralBehaviour15_strangersDoNotKeepThePhoneOut(_ strangers: Int, _ interval: Int64) {
    #expect(timeToConnect(strangers: strangers, interval: interval) < 10_000)
  }

  /// Once before an attempt at somebody else, and once behind it.
  @Test func whoWasHeardBeforeAnAttemptNeedNotBeHeardTwiceBehindIt() {
    controller.connects = false
    let other = bytes("01 03 03 03 03 03 c3")
    advertise(after: 0)
    for _ in 0..<2 {
      controller.report(other, phone.advertisement, rssi: -50, central)
      central.pass(90)
    }
    expect(controller.peer, other)
    central.pass(1_000)
    expect(controller.isScanning)
    advertise(after: 0)
    central.pass(180)
    expect(controller.peer, phone.address)
    central.pass(2_600)
    expect(controller.isScanning, "nobody knows its interval")
  }
}

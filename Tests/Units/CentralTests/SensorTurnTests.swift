import Bytes
import Central
import Expecting
import Sensors
import TestSupport
import VirtualAir

/// How the radio's time is shared between the phone, remembered sensors and the search for one.
struct SensorTurnTests: RidingSuite {
  let ride = FollowedRide()

  /// What the radio does in each millisecond of this time, while all these are heard.
  private func watch(_ milliseconds: Int64, _ sensors: [VirtualSensor]) -> [[UInt8]?] {
    (0..<milliseconds).map { _ in
      for sensor in sensors where controller.isScanning {
        controller.report(sensor.address, sensor.advertisement, central)
      }
      central.pass(1)
      return controller.initiating?.peer
    }
  }

  // MARK: - Remembered sensors

  @Test func centralBehaviour70_betweenTwoAttemptsAtSensorsThePhoneHasTheRadio() {
    let all = [asleep(.heart, number: 1), asleep(.speed, number: 2)]
    controller.disconnect(reason: 0x08, central)
    let tried = watch(10_000, all)
    var pauses: [Int] = []
    var pause = 0
    for (before, now) in zip(tried, tried.dropFirst()) {
      if now == nil { pause += 1 }
      if before == nil, now != nil, pause > 0 { pauses.append(pause) }
      if now != nil { pause = 0 }
    }
    expect(pauses.count >= 2 && pauses.allSatisfy { $0 >= 1_299 }, "\(pauses)")
  }

  @Test func centralBehaviour70_ofTheSensorsThatAreHeardWhoHasFailedLeastOftenGoesFirst() {
    let all = [asleep(.heart, number: 1), asleep(.speed, number: 2), asleep(.radar, number: 3)]
    controller.disconnect(reason: 0x08, central)
    let tried = watch(7_000, all).compactMap { $0 }
    let turns = tried.enumerated().filter { $0.offset == 0 || tried[$0.offset - 1] != $0.element }
    expect(turns.prefix(3).map { $0.element[1] }, [1, 2, 3])
  }

  @Test func centralBehaviour70_noSensorTakesTheRadioWhileThePhoneHasItsTurn() {
    let scene = Encounter()
    let strap = VirtualSensor(.heart)
    strap.isNear = false
    scene.pair()
    scene.controller.sensors = [strap]
    scene.central.follow(strap)
    scene.lose()
    scene.controller.connects = false
    scene.controller.report(
      scene.security.privateAddress(2), scene.phone.advertisement, scene.central)
    while scene.controller.initiating != nil { scene.central.pass(1) }
    scene.controller.report(strap.address, strap.advertisement, scene.central)
    scene.central.pass(169)
    expect(scene.controller.initiating == nil, "the radio listens for the phone")
    scene.central.pass(1)
    expect(scene.controller.initiating?.peer, strap.address)
  }

  // MARK: - The search for a sensor

  private var isListeningAllTheTime: Bool {
    controller.isScanning && controller.scanTiming == (0x60, 0x60)
  }

  @Test func centralBehaviour81_whileThePhoneIsSearchedForSlowlyTheSearchForASensorListens() {
    controller.disconnect(reason: 0x08, central)
    central.pass(40_000)
    expect(controller.scanTiming == (0x400, 0x66))
    central.searchSensors()
    expect(isListeningAllTheTime)
    central.pass(29_999)
    expect(isListeningAllTheTime && stage != .off)
    central.pass(1)
    expect(controller.scanTiming == (0x400, 0x66) && controller.isScanning)
  }

  @Test func centralBehaviour81_besideALinkThatIsNoRideYetTheSearchListensHalfOfTheTime() {
    controller.disconnect(reason: 0x08, central)
    phone.withheld = [0x06]
    controller.advertise(central)
    controller.advertise(central)
    central.pass(180)
    expect(central.stage == .connecting && controller.isConnected)
    central.searchSensors()
    expect(controller.isScanning && controller.scanTiming == (0x60, 0x30))
  }

  /// It does not acknowledge the end, which takes its supervision timeout.
  @Test func centralBehaviour81_besideALinkThatEndsTheSearchListensToo() {
    central.searchSensors()
    controller.withheld = [0x0406]
    central.disconnect()
    central.receive("04 0f 04 00 01 06 04")
    central.pass(3_000)
    expect(controller.isScanning && stage != .off)
  }

  /// Who sends the phone's address and takes no link would have the radio most of the time.
  @Test(arguments: [20, 152, 1_000] as [Int64])
  func centralBehaviour81_whateverThePhoneDoesTheSearchListensHalfOfTheTime(_ interval: Int64) {
    let scene = Encounter.pairedAndLost()
    scene.controller.connects = false
    scene.central.searchSensors()
    var listened = 0
    for time in 0..<29_000 as Range<Int64> {
      if time % interval == 0 { scene.controller.advertise(scene.central) }
      scene.central.pass(1)
      if scene.controller.isScanning { listened += 1 }
    }
    #expect(listened >= 14_500, "\(listened) ms of 29 s")
  }

  @Test func centralBehaviour81_whileASensorIsSearchedForNoRememberedOneTakesTheRadio() {
    let strap = asleep(.heart, number: 1)
    controller.disconnect(reason: 0x08, central)
    central.searchSensors()
    #expect(watch(20_000, [strap]).allSatisfy { $0 == nil })
  }

  /// The controller has a link for each of three sensors and the phone, and one for who is offered.
  @Test func centralBehaviour81_whoIsOfferedTakesNoLinkFromARememberedOne() {
    let linked = [linked(.heart, number: 2), linked(.speed, number: 3), linked(.power, number: 4)]
    let radar = find(.radar)
    expect(offered, radar.deviceAddress)
    #expect(linked.allSatisfy { controller.link($0) != nil })
    central.follow(radar)
    central.pass(0)
    expect(controller.link(linked[0]) == nil && controller.link(radar) != nil, "once it is kept")
  }

  /// The phone has no link, and goes before who is only offered.
  @Test func centralBehaviour81_whereLinksAreShortThePhoneGetsThatOfWhoIsOffered() {
    controller.linkLimit = 2
    let strap = linked()
    controller.disconnect(reason: 0x08, central)
    let radar = find(.radar, number: 2)
    expect(offered, radar.deviceAddress)
    for _ in 0..<50 {
      controller.advertise(central)
      central.pass(100)
    }
    expect(central.stage == .ready && controller.link(strap) != nil)
    expect(controller.link(radar) == nil)
  }

  // MARK: - Too few links

  private func isLeftOut(_ kind: SensorKind) -> Bool { central.ask { $0.sensors.isLeftOut(kind) } }

  @Test func whoseLinkOthersHaveThatAreWorthMoreIsLeftOutAndWhoSleepsIsNot() {
    let strap = asleep(.heart, number: 1)
    let (speed, power) = (linked(.speed, number: 2), linked(.power, number: 3))
    expect(controller.links.count == 3 && controller.link(strap) == nil)
    expect(!isLeftOut(.heart), "it may come")
    let radar = linked(.radar, number: 4)
    #expect([speed, power, radar].allSatisfy { controller.link($0) != nil })
    expect(isLeftOut(.heart))
    expect(!isLeftOut(.speed) && !isLeftOut(.power) && !isLeftOut(.radar))
  }
}

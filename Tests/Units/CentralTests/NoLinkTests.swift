import Bytes
import Expecting
import HCI
import TestSupport
import VirtualAir

@testable import Central

/// A controller that answers, and makes no links.
struct NoLinkTests {
  /// An attempt at a phone at this address, or at the first phone, ends so; returns which Reset follows.
  private func attempt(
    _ number: UInt8?, _ status: UInt8, _ central: Central, _ controller: VirtualController
  ) -> UInt8? {
    let phone = VirtualPhone()
    if let number { phone.address = [1, number, 0, 0, 0, 0, 0xC0] }
    controller.others = [phone]
    controller.connects = false
    controller.refused[0x200D] = status == 0x0C ? status : nil
    let attempts = controller.commands.count { $0 == 0x200D }
    controller.advertise(central, phone)
    central.pass(200)
    expect(controller.commands.count { $0 == 0x200D }, attempts + 1)
    if status != 0x0C { controller.connect(central, status: status) }
    let resets = central.takeEvents().compactMap {
      if case .failed(.noLinks(_, let times)) = $0 { times } else { nil as UInt8? }
    }
    central.pass(resets.isEmpty ? 0 : 1_100)
    return resets.first
  }

  /// Over all addresses, at most once in two minutes, and then by a stronger step; two that are disallowed though none
  /// is pending are enough.
  @Test(arguments: [(0x3C, 5), (0x0D, 5), (0x3E, 5), (0x0C, 2)] as [(UInt8, UInt8)])
  func centralBehaviour155_attemptsThatSayNothingOfThePeerAreAReset(status: UInt8, count: UInt8) {
    let (central, controller) = BringUpTests.started()
    for number in 1...count {
      expect(attempt(number, status, central, controller), number == count ? 1 : nil)
    }
    expect(controller.isScanning && controller.commands.count { $0 == 0x0C03 } == 2)
    for number in 6...12 as ClosedRange<UInt8> {
      expect(attempt(number, status, central, controller), nil)
    }
    central.pass(120_000)
    central.searchFast()
    let again = (13...12 + count).map { attempt($0, status, central, controller) }
    expect(again.compactMap(\.self), [2])
  }

  @Test func centralBehaviour155_betweenTwoResetsThereAreTwoMinutesToTheMillisecond() {
    var watch = ChipWatch()
    let resets = ([0, 1, 2, 3, 4, 5, 6, 7, 8, 120_003, 120_004] as [Int64]).map {
      watch.attemptEnded(.limitedResources, hasNoLink: true, at: Instant(milliseconds: $0))
    }
    expect(resets, [nil, nil, nil, nil, 1, nil, nil, nil, nil, nil, 2])
  }

  /// Its links are there, and gone in the same moment.
  @Test func centralBehaviour155_fiveLinksThatFailAtOnceAreAReset() {
    let scene = Encounter.pairedAndLost()
    scene.central.onPacket = { $0[0] == 2 ? [] : [$0] }
    for number in 2...6 as ClosedRange<UInt8> {
      scene.phone.address = scene.security.privateAddress(number)
      scene.controller.encrypts = false
      scene.central.pass(60_000)  // it rests
      _ = scene.meet()
      expect(scene.controller.isConnected)
      scene.controller.disconnect(reason: 0x3E, scene.central)
    }
    #expect(
      scene.central.takeEvents().contains(
        .failed(.noLinks(.connectionFailedToBeEstablished, times: 1))))
  }

  /// It means that somebody has gone; of a lack of room (0x0D) the sensor gives its own.
  @Test(arguments: [0x0C, 0x3C, 0x3E] as [UInt8])
  func centralBehaviour155_aSensorsLinkIsNeverThePrice(_ status: UInt8) {
    let (central, controller, wheel) = wheelAlone()
    for _ in 1...10 {
      expect(attempt(nil, status, central, controller), nil)
      expect(controller.link(wheel) != nil)
      central.pass(10_000)  // it rests
    }
  }
}

/// Where nobody is heard for a minute and more.
struct QuietPlaceTests {
  private func resets(_ controller: VirtualController) -> Int {
    controller.commands.count { $0 == 0x0C03 }
  }

  /// After three minutes without anybody it is reset, then each ten minutes.
  @Test func centralBehaviour156_aControllerThatHearsNobodyForMinutesIsResetNowAndThen() {
    let (central, controller) = BringUpTests.started()
    _ = central.takeEvents()
    controller.forgetCommands()
    central.pass(59_999)
    #expect(!controller.commands.contains(0x0C01), "not yet")
    central.pass(1)
    expect(controller.commands.contains(0x0C01) && controller.isScanning)
    central.pass(119_999)
    expect(resets(controller), 0, "not yet")
    central.pass(1_001)
    expect(resets(controller) == 1 && controller.isScanning)
    central.pass(599_000)
    expect(resets(controller), 1)
    central.pass(61_000)
    expect(resets(controller) == 2 && controller.isScanning)
    expect(central.takeEvents().failures, [.failed(.deaf), .failed(.deaf)])
  }

  @Test func centralBehaviour78_inAQuietPlaceTheControllerIsAsked() {
    let (central, controller) = BringUpTests.started()
    controller.forgetCommands()
    central.pass(120_000)
    controller.advertise(central, VirtualBeacon())
    central.pass(150_000)
    expect(resets(controller) == 0 && controller.isScanning)
    expect(controller.commands.count { $0 == 0x0C01 }, 4, "once a minute")
  }

  @Test func centralBehaviour78_aControllerThatDoesNotAnswerToTheQuestionIsReset() {
    let (central, controller) = BringUpTests.started()
    central.pass(40_000)  // scanning has slowed down
    _ = central.takeEvents()
    controller.isHanging = true
    central.pass(22_000)
    expect(central.takeEvents().failures, [.failed(.commandTimeout(Opcode(rawValue: 0x0C01)))])
    controller.isHanging = false
    controller.forgetCommands()
    central.pass(1_000)
    expect(resets(controller) == 1 && controller.isScanning)
  }

  /// It has forgotten to scan, and which events are wanted, and answers as if nothing had been.
  @Test func centralBehaviour78_aControllerThatWasResetByItselfListensAgain() {
    let (central, controller) = BringUpTests.started()
    let phone = VirtualPhone()
    phone.value = VirtualPhone.turn
    controller.phone = phone
    _ = central.takeSaid()
    controller.powerCycle()
    central.pass(60_000)
    let said = central.takeSaid()
    #expect(said.contains("01 01 0c 08 90 e0 04 02 00 80 00 20"))
    #expect(said.contains("01 01 20 08 1f 00 00 00 00 00 00 00"))
    controller.advertise(central)
    central.pass(200)
    expect(central.values, [phone.value])
  }

  /// A wheel that stands still says nothing, and a phone that is away says nothing either.
  @Test func centralBehaviour78_silenceCostsNoSensorItsLink() {
    let (central, controller, wheel) = wheelAlone()
    controller.forgetCommands()
    central.pass(600_000)
    expect(resets(controller) == 0 && controller.link(wheel) != nil)
    expect(central.ask { $0.sensors.isReady(.speed) })
    expect(
      !central.takeSensorEvents().contains {
        if case .sensor(_, .disconnected) = $0 { true } else { false }
      })
  }
}

/// A wheel is linked, and the phone was lost.
private func wheelAlone() -> (Central, VirtualController, VirtualSensor) {
  let ride = FollowedRide()
  let wheel = VirtualSensor(.speed, number: 1)
  ride.controller.sensors.append(wheel)
  ride.central.follow(wheel)
  ride.controller.disconnect(reason: 0x08, ride.central)
  _ = ride.central.takeEvents()
  return (ride.central, ride.controller, wheel)
}

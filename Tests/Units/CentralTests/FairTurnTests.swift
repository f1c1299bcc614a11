import Bytes
import Central
import Expecting
import HCI
import Link
import TestSupport
import VirtualAir

/// Whose turn it is when addresses of the remembered phone are heard to which no link comes about.
struct FairTurnTests {
  private let scene = Encounter()
  private var controller: VirtualController { scene.controller }
  private var central: Central { scene.central }

  init() {
    scene.pair()
    scene.lose()
    scene.controller.connects = false
  }

  private func address(_ number: UInt8) -> [UInt8] { scene.security.privateAddress(number) }

  private func hear(_ numbers: UInt8...) {
    for number in numbers where controller.isScanning {
      controller.report(address(number), scene.phone.advertisement, central)
    }
  }

  /// Whom the controller connects to.
  private var tried: [UInt8]? { controller.initiating?.peer }

  /// Until the attempt that is under way has ended, in milliseconds.
  private func end() -> Int64 { until { tried == nil } }

  /// An attempt at an address comes to nothing.
  private func fail(_ number: UInt8) {
    hear(number)
    _ = end()
  }

  private func until(_ isSo: () -> Bool) -> Int64 {
    let start = central.now
    while !isSo(), central.now - start < 100_000 { central.pass(1) }
    return central.now - start
  }

  /// How long the address rests after each attempt, while it is heard all the time.
  private func rests(of number: UInt8, _ count: Int) -> [Int64] {
    hear(number)
    return (0..<count).map { _ in
      _ = end()
      return until {
        hear(number)
        return tried != nil
      }
    }
  }

  /// One that has opened a link is no suspect: the phone may be at the edge of the range.
  @Test(
    arguments: [
      (2, [500, 625, 781, 976, 1_220, 1_525, 1_906, 2_382, 2_977], 8_000),
      (1, [500, 500, 500, 500, 500], 500),
    ] as [(UInt8, [Int64], Int64)])
  func centralBehaviour70_whoTakesNoLinkRestsLonger(number: UInt8, first: [Int64], last: Int64) {
    expect(rests(of: number, first.count), first)
    expect(rests(of: number, 6).last, last)
  }

  @Test func centralBehaviour70_attemptsAtAnAddressThatHasNeverOpenedALinkAreShort() {
    hear(2)
    expect(end(), 1_300, "nobody has failed")
    hear(3)
    central.pass(170)
    hear(3)
    expect(tried, address(3))
    expect(end(), 230, "one advertisement of who is heard each 170 ms")
    central.pass(170)
    hear(4)
    expect(end(), 250, "one of who was heard once")
    central.pass(500)
    hear(2)
    expect(end(), 1_400, "it may be a phone in the background")
  }

  @Test func centralBehaviour70_inASlowSearchTheFirstAttemptIsShorterAndTheSearchIsFastThen() {
    central.pass(601_000)
    expect(central.takeEvents().last, .scan(.slow))
    hear(2)
    expect(end(), 700)
    expect(central.takeEvents().last, .scan(.fast))
    central.pass(30_000)
    expect(central.takeEvents().last, .scan(.slow))
  }

  @Test func centralBehaviour70_betweenTwoAttemptsTheRadioListens() {
    fail(2)
    let time = until {
      hear(3, 4, 5)
      return tried != nil
    }
    expect(time, 170)
  }

  @Test func centralBehaviour70_whoHasNotFailedGoesFirst() {
    for number: UInt8 in 2...4 {
      fail(number)
      central.pass(170)
    }
    central.pass(2_000)
    hear(2, 3, 9)
    expect(tried, address(2), "it was heard first, and nobody else")
    _ = end()
    central.pass(1_000)
    hear(9)
    expect(tried, address(9))
    _ = end()
    central.pass(170)
    hear(1, 3)
    expect(tried, address(1), "its own, which has not failed either")
  }

  /// One that has failed waits for who has not, and was heard a second ago.
  @Test func centralBehaviour70_whoHasFailedWaitsForAPhoneInTheBackground() {
    fail(2)
    hear(9)
    central.pass(600)
    hear(2)
    expect(tried, nil)
    central.pass(500)
    hear(2, 9)
    expect(tried, address(9))
  }

  @Test func centralBehaviour70_ofThoseThatHaveNotFailedWhoIsHeardMostSteadilyGoesFirst() {
    fail(2)
    hear(3, 9)
    for _ in 0..<2 {
      central.pass(50)
      hear(9)
    }
    central.pass(70)
    hear(3)
    expect(tried, nil)
    hear(9)
    expect(tried, address(9))
  }

  /// Or half a minute after the last failure.
  @Test(arguments: [true, false])
  func centralBehaviour70_afterAPressNobodyIsInDoubt(_ isPressed: Bool) {
    fail(2)
    if isPressed { central.searchFast() } else { central.pass(30_000) }
    let number: UInt8 = isPressed ? 2 : 3
    hear(number)
    expect(tried, address(number), "at once")
    expect(end(), 1_300)
  }

  /// Two addresses that the phone has had since the start, sent by somebody who takes no link.
  @Test func centralBehaviour70_provenAddressesThatFailAgainAndAgainKeepNoOtherOneOut() {
    controller.connects = true
    scene.phone.address = address(2)
    #expect(scene.meet().contains(.encrypted))
    scene.lose()
    controller.connects = false
    let start = central.now
    while tried != address(9), central.now - start < 60_000 {
      if central.now.milliseconds % 20 == 0 { hear(1, 2) }
      if central.now.milliseconds % 152 == 0 { hear(9) }
      central.pass(1)
    }
    #expect(central.now - start < 10_000)
  }

  /// It answers nothing: to wait for three seconds would cost as much.
  @Test func centralBehaviour70_whoTakesTheLinkAndSaysNothingIsLeftSoonerUnlessItsAddressIsProven()
  {
    controller.connects = true
    controller.encrypts = false
    for (number, time) in [(2, 1_200), (1, 3_000)] as [(UInt8, Int64)] {
      scene.phone.address = address(number)
      _ = until {
        hear(number)
        return controller.isConnected
      }
      expect(until { !controller.isConnected }, time)
      central.pass(200)
    }
  }

  /// It does not acknowledge the end of the link either, which lasts until its supervision timeout.
  @Test func centralBehaviour70_theEndOfALinkToWhoIsSilentIsNotWaitedFor() {
    var held: [[UInt8]] = []
    central.onPacket = { packet in
      guard packet.starts(with: [0x04, 0x05]) else { return [packet] }
      held.append(packet)
      return []
    }
    controller.connects = true
    controller.encrypts = false
    let own = scene.phone.address
    scene.phone.address = address(2)
    hear(2)
    central.pass(1_200)
    expect(controller.isScanning && held.count == 1)
    central.pass(6_000)
    hear(2)
    expect(controller.isScanning, "there still is a link to that address")
    controller.encrypts = true
    scene.phone.address = own
    #expect(scene.meet().contains(.encrypted))
    // Its link has the other one's handle, so that this one is over, though nobody said so.
    central.onPacket = { [$0] }
    central.pass(10_000)
    let events = central.takeEvents()
    expect(controller.isConnected && !events.contains(.failed(.linkStuck)))
  }

  /// The other links need the controller's buffers.
  @Test func aLinkThatIsLeftBehindGivesBackTheBuffersThatTheControllerHasEmptied() throws {
    var lingering = LingeringLinks()
    let peer = DeviceAddress(1, .random)
    let isThere = lingering.add(handle: 0x40, peer: peer, inFlight: 3, until: central.now)
    expect(isThere)
    let completed = bytes("13 05 01 40 00 02 00")
    if case .numberOfCompletedPackets(let packets) = try Event(parsing: completed.span) {
      lingering.complete(packets)
    }
    expect(lingering.inFlight, 1)
  }

  @Test func centralBehaviour70_aLinkThatDoesNotEndAtAllIsAFailureOfTheControllerStill() {
    central.onPacket = { $0.starts(with: [0x04, 0x05]) ? [] : [$0] }
    controller.connects = true
    controller.encrypts = false
    scene.phone.address = address(2)
    hear(2)
    central.pass(1_200 + 6_999)
    #expect(!central.takeEvents().contains(.failed(.linkStuck)))
    central.pass(1)
    #expect(central.takeEvents().contains(.failed(.linkStuck)))
  }

  @Test func centralBehaviour70_onALinkThatFailsForTwoReasonsOneIsCounted() {
    controller.connects = true
    scene.security.longTermKey = nil
    scene.phone.address = address(2)
    _ = scene.meet()
    // Five seconds for the key, and no half a second for the link.
    controller.connects = false
    let time = until {
      hear(2)
      return tried != nil
    }
    #expect((4_800...5_000).contains(time))
    expect(end(), 1_400)
  }
}

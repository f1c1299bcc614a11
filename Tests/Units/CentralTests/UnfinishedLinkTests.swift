import Bytes
import Central
import Expecting
import HCI
import TestSupport
import VirtualAir

/// What a link that led to nothing means for the next one to the same phone.
@Suite struct UnfinishedLinkTests {
  private let controller = VirtualController()

  /// Whether the phone is connected to when it is heard now.
  private func isConnectedTo(by central: Central) -> Bool {
    controller.advertise(central)
    central.pass(200)
    return controller.isConnected
  }

  /// A stranger that does not say what it has, at the end of its first link.
  private func left() -> Central {
    let (central, _) = LinkTests.connected(controller) { $0.withheld = [0x06] }
    central.pass(20_000)
    expect(!controller.isConnected)
    return central
  }

  /// So long after the end of the first link the second one ends.
  @Test(arguments: [(119_999, 60_000), (120_000, 5_000)] as [(Int64, Int64)])
  func centralBehaviour83_anUnfinishedLinkCountsForTheNextOneForTwoMinutes(
    _ time: Int64, _ rest: Int64
  ) {
    let (central, _) = LinkTests.connected(controller) { $0.withheld = [0x06] }
    while controller.isConnected { central.pass(1) }
    let end = central.now
    central.pass(time - 20_180)
    expect(isConnectedTo(by: central))
    while controller.isConnected { central.pass(1) }
    expect(central.now - end, time)
    central.pass(rest - 400)
    expect(!isConnectedTo(by: central))
    central.pass(400)
    expect(isConnectedTo(by: central))
  }

  @Test func centralBehaviour83_anUnfinishedLinkCountsOnce() {
    let central = left()
    for rest in [5_000, 60_000, 5_000] as [Int64] {
      central.pass(rest - 400)
      expect(!isConnectedTo(by: central), "it rests for \(rest) ms")
      central.pass(400)
      expect(isConnectedTo(by: central))
      central.pass(20_000)
      expect(!controller.isConnected)
    }
  }

  /// At the edge of its range, where nothing gets through behind the encryption.
  @Test func centralBehaviour83_anUnfinishedLinkNeverCountsForTheRememberedPhone() {
    let scene = Encounter.pairedAndLost()
    for number in 1...4 {
      scene.controller.completesPackets = false
      scene.controller.advertise(scene.central)
      expect(scene.controller.isConnected)
      scene.central.pass(10_000)
      expect(!scene.controller.isConnected, "\(number)")
      scene.central.pass(1_000)
    }
    scene.controller.completesPackets = true
    #expect(scene.meet().contains(.ready(isSubscribed: true)))
  }

  // MARK: - A phone that acknowledges nothing any more: the controller keeps what is meant for it

  @Test func aStrangerThatTakesNothingRestsForAMinuteTheSecondTime() {
    controller.completesPackets = false
    let (central, _) = LinkTests.connected(controller) { $0.withheld = [0x06] }
    for rest in [5_000, 60_000] as [Int64] {
      central.pass(10_000)
      expect(!controller.isConnected)
      central.pass(rest - 400)
      expect(!isConnectedTo(by: central), "it rests for \(rest) ms")
      central.pass(200)
      expect(isConnectedTo(by: central))
    }
  }

  @Test func aPhoneInARideThatTakesNothingIsTakenBackAtOnceEachTime() {
    let (central, _) = LinkTests.connected(controller) { $0.value = [1, 2, 3] }
    for _ in 0..<3 {
      controller.completesPackets = false
      central.read()
      central.pass(10_000)
      expect(!controller.isConnected)
      controller.completesPackets = true
      expect(isConnectedTo(by: central))
    }
  }
}

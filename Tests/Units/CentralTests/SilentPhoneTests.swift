import Bytes
import Central
import HCI
import TestSupport
import Testing
import VirtualAir

/// A phone that acknowledges nothing any more: the controller keeps what is meant for it.
@Suite struct SilentPhoneTests {
  private let controller = VirtualController()

  /// Whether the phone is connected to when it is heard now.
  private func isConnectedTo(by central: Central) -> Bool {
    controller.advertise(central)
    central.pass(200)
    return controller.isConnected
  }

  @Test func aStrangerThatTakesNothingRestsForAMinuteTheSecondTime() {
    controller.completesPackets = false
    let (central, _) = LinkTests.connected(controller) { $0.withheld = [0x06] }
    for rest in [5_000, 60_000] as [Int64] {
      central.pass(10_000)
      #expect(!controller.isConnected)
      central.pass(rest - 400)
      #expect(!isConnectedTo(by: central), "it rests for \(rest) ms")
      central.pass(200)
      #expect(isConnectedTo(by: central))
    }
  }

  @Test func aPhoneInARideThatTakesNothingIsTakenBackAtOnceEachTime() {
    let (central, _) = LinkTests.connected(controller) { $0.value = [1, 2, 3] }
    for _ in 0..<3 {
      controller.completesPackets = false
      central.read()
      central.pass(10_000)
      #expect(!controller.isConnected)
      controller.completesPackets = true
      #expect(isConnectedTo(by: central))
    }
  }
}

import Bytes
import Central
import HCI
import TestSupport
import Testing
import VirtualAir

/// Where nobody is heard for a minute and more.
@Suite struct QuietPlaceTests {
  private func resets(_ controller: VirtualController) -> Int {
    controller.commands.count { $0 == 0x0C03 }
  }

  @Test func centralBehaviour78_inAQuietPlaceTheControllerIsAskedAndNotReset() {
    let (central, controller) = BringUpTests.started()
    _ = central.takeEvents()
    controller.forgetCommands()
    central.pass(59_999)
    #expect(!controller.commands.contains(0x0C01), "not yet")
    central.pass(1)
    #expect(controller.commands.contains(0x0C01) && controller.isScanning)
    central.pass(600_000)
    #expect(resets(controller) == 0 && controller.isScanning)
    #expect(controller.commands.count { $0 == 0x0C01 } == 11, "once a minute")
    #expect(!central.takeEvents().contains { if case .failed = $0 { true } else { false } })
  }

  @Test func centralBehaviour78_aControllerThatDoesNotAnswerToTheQuestionIsReset() {
    let (central, controller) = BringUpTests.started()
    central.pass(40_000)  // scanning has slowed down
    _ = central.takeEvents()
    controller.isHanging = true
    central.pass(22_000)
    let failures = central.takeEvents().filter { if case .failed = $0 { true } else { false } }
    #expect(failures == [.failed(.commandTimeout(Opcode(rawValue: 0x0C01)))])
    controller.isHanging = false
    controller.forgetCommands()
    central.pass(1_000)
    #expect(resets(controller) == 1 && controller.isScanning)
  }

  /// It has forgotten to scan, and which events are wanted, and answers as if nothing had been.
  @Test func centralBehaviour78_aControllerThatWasResetByItselfListensAgain() {
    let (central, controller) = BringUpTests.started()
    let phone = VirtualPhone()
    phone.value = bytes("01 00 00 00 01 05 00 00 00")
    controller.phone = phone
    _ = central.takeSaid()
    controller.powerCycle()
    central.pass(60_000)
    let said = central.takeSaid()
    #expect(said.contains("01 01 0c 08 90 e0 04 02 00 80 00 20"))
    #expect(said.contains("01 01 20 08 1f 00 00 00 00 00 00 00"))
    controller.advertise(central)
    central.pass(200)
    #expect(central.values == [phone.value])
  }

  /// A wheel that stands still says nothing, and a phone that is away says nothing either.
  @Test func centralBehaviour78_silenceCostsNoSensorItsLink() {
    let controller = VirtualController()
    let (central, _) = LinkTests.connected(controller) {
      $0.value = bytes("01 00 00 00 01 05 00 00 00")
    }
    let wheel = VirtualSensor(.speed, number: 1)
    controller.sensors.append(wheel)
    central.follow(wheel)
    controller.disconnect(reason: 0x08, central)
    _ = central.takeEvents()
    controller.forgetCommands()
    central.pass(600_000)
    #expect(resets(controller) == 0 && controller.link(wheel) != nil)
    #expect(central.ask { $0.isSensorReady(.speed) })
    #expect(!central.takeSensorEvents().contains { $0.isEndOfSensor })
  }
}

extension HostEvent {
  fileprivate var isEndOfSensor: Bool {
    if case .sensor(_, .disconnected) = self { true } else { false }
  }
}
